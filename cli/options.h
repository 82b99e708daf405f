/* The command line as data: parsed by one table (options.def), with suggestions for what is unknown. */
#ifndef QT_CLI_OPTIONS_H
#define QT_CLI_OPTIONS_H

#include "base/diag.h"
#include "base/vec.h"
#include "cli/pipeline.h"
#include "sema/sema.h"

struct qt_report_format;

enum qt_command {
#define COMMAND(name, arguments, text) QT_COMMAND_##name,
#include "cli/commands.def"
#undef COMMAND
	QT_COMMANDS
};

struct qt_options {
	enum qt_command which;
	bool named; /* the command's name was given */
	QT_VEC(const char *) words; /* what is no option: files, or FILE and the script's parameters */
	QT_VEC(struct qt_param_value) values; /* --NAME VALUE behind the script, where NAME is no option of qtrace */
	const char *program; /* -e */
	const char *command; /* -c */
	QT_VEC(uint32_t) pids;
	uint64_t duration_ns, interval_ns; /* 0: none */
	unsigned top; /* 0: all */
	const struct qt_report_format *format;
	const char *output; /* NULL: standard output */
	const char *save_target; /* folder of a snapshot to be written; NULL: none */
	const char *target;
	uint32_t without; /* bits 1 << enum qt_feature */
	enum qt_stage dump; /* QT_STAGE_NONE: none */
	int verbose;
	bool all, clear, strict, forward_exit, dry_run, quiet, unsafe, json, help, version;
};

/* Reads QTRACE_OPTIONS (ENV; may be NULL; options only) and then ARGV. False with diagnostics (E07xx). Strings point into ARGV or ARENA. */
bool qt_options_parse(struct qt_options *o, int argc, char **argv, const char *env, struct qt_arena *arena, struct qt_diags *diags);

/* Help for everything, or for one command. */
void qt_options_help(FILE *out);
void qt_options_command_help(enum qt_command command, FILE *out);

const char *qt_command_name(enum qt_command command);

#endif
