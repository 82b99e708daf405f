/* What the commands share: the state of one call of qtrace, its messages, its output. */
#ifndef QT_CLI_CLI_H
#define QT_CLI_CLI_H

#include "cli/options.h"
#include "cli/pipeline.h"

#define QT_VERSION "0.1.0"

enum qt_exit { QT_EXIT_DONE = 0, QT_EXIT_FAILED = 1 /* could not run */, QT_EXIT_WRONG = 2 /* program or command line */, QT_EXIT_LOST = 3 };

struct qt_output;

struct qt_cli {
	struct qt_arena *arena;
	struct qt_sources *sources;
	struct qt_diags *diags; /* of the command line */
	struct qt_options options;
	struct qt_output *out; /* standard output */
	unsigned errors, warnings; /* of everything told so far */
	enum qt_code first; /* the code of the first error among them, without errors of the first warning */
	bool first_is_error;
	bool failed; /* an error was of the kind that ends with QT_EXIT_FAILED */
};

/* One function a command; they return the exit code. */
#define COMMAND(name, arguments, text) int qt_cmd_##name(struct qt_cli *cli);
#include "cli/commands.def"
#undef COMMAND

/* ---- messages (messages.c) ---- */

/* Whether FD is a terminal that may be coloured (NO_COLOR, TERM=dumb). */
bool qt_cli_colour(int fd);
/* Tells DIAGS on standard error (--json: kept for the end) and counts them. */
void qt_cli_tell(struct qt_cli *cli, const struct qt_diags *diags);
/* The closing line: "2 errors, 1 warning", and where more is told. Nothing when nothing was told. */
void qt_cli_summary(const struct qt_cli *cli);
/* The exit code for the errors told so far; QT_EXIT_DONE without any. */
int qt_cli_exit_code(const struct qt_cli *cli);
/* Adds an error without a place to the command line's diagnostics, with an optional hint. */
void qt_cli_error(struct qt_cli *cli, enum qt_code code, const char *hint, const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* ---- compiling (compile.c) ---- */

/* The facts that the options ask for: this machine or a snapshot. NULL after an error. */
struct qt_target *qt_cli_target(struct qt_cli *cli);
/* The source that the options name: -e, or PATH ("-" is standard input). NULL after an error. */
const struct qt_source *qt_cli_source(struct qt_cli *cli, const char *path);
/* Ready to compile with the options' dump; the diagnostics are C's own, for the caller to tell. */
void qt_cli_compilation(struct qt_cli *cli, struct qt_compilation *c, struct qt_target *target);
/* Whether what was compiled has a rule; without one a run would wait for nothing: an error in C's diagnostics. */
bool qt_cli_has_rules(const struct qt_compilation *c, const struct qt_source *source);
/* Frees what is not in the arena. */
void qt_cli_compilation_free(struct qt_compilation *c);

/* ---- output (output.c) ---- */

/* Where results go. A reader that goes away (a closed pipe) ends a run quietly; every other failure to write is an error, told once. */
struct qt_output {
	FILE *file;
	int fd;
	const char *name; /* "standard output" or the path */
	bool terminal;
	bool closed; /* the reader has gone */
	int error; /* errno of the first failed write; 0: none (stdio forgets it, so the file writes through a function of ours) */
};

/* PATH NULL: standard output. False after an error. */
bool qt_output_open(struct qt_cli *cli, struct qt_output *o, const char *path);
/* Sends what is buffered and looks whether that, and what was written before, went well. False: stop, nobody reads or nothing more can be written. */
bool qt_output_flush(struct qt_output *o);
/* The reader of a pipe has gone, also when nothing was written since. */
bool qt_output_is_closed(struct qt_output *o);
/* Closes; false after an error was told (a closed pipe is none). */
bool qt_output_close(struct qt_cli *cli, struct qt_output *o);
/* Columns of the terminal that O is; 0: it is none. */
unsigned qt_output_width(const struct qt_output *o);

/* The params of the script at PATH, for --help behind it; an exit code. */
int qt_script_help(struct qt_cli *cli, const char *path, FILE *out);

#endif
