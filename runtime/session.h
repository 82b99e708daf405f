/* The life of a run: load, attach, enable, drain, disable, read, detach. Sees only the plan. */
#ifndef QT_RUNTIME_SESSION_H
#define QT_RUNTIME_SESSION_H

#include "base/diag.h"
#include "plan/decode.h"
#include "plan/plan.h"

struct qt_target;

/* What the session tells its user while it runs; CTX is given back. Any function may be NULL. */
struct qt_session_sink {
	void *ctx;
	void (*attached)(void *ctx, unsigned probes); /* everything is attached, before any other result */
	void (*printed)(void *ctx, struct qt_str text); /* printf */
	void (*table)(void *ctx, const struct qt_result_table *table);
	void (*losses)(void *ctx, const struct qt_result_losses *losses); /* once, at the very end */
	bool (*closed)(void *ctx); /* the output's reader has gone: stop. Asked up to 20 times a second */
	void (*flush)(void *ctx); /* a pause: what is buffered should go out */
	void (*message)(void *ctx, struct qt_str text); /* verbose > 0: a line about the run, or a verifier's log; ends with a line end */
};

struct qt_session_options {
	const uint32_t *pids; /* -p: only these processes with all their threads; the run ends when all of them have ended */
	unsigned npids;
	const char *command; /* -c; NULL: none. Split into words as a shell would (quotes, backslashes), no shell runs */
	bool all; /* --all: no filter in spite of -p and -c */
	uint64_t duration_ns; /* -d; 0: none */
	uint64_t interval_ns; /* -i; 0: none */
	bool clear; /* empty the tables after each -i */
	bool raw_text; /* what is printed comes unescaped and in plain numbers (for JSON), else as people read it: see qt_printf_form */
	int verbose;
	bool from_file; /* the plan was made at another time or place: its binaries may be others now */
	bool dry_run; /* load, attach nothing, start nothing */
	const struct qt_sources *sources; /* to show a rule's line in a diagnostic; NULL: it is named by file and line only */
};

struct qt_session_end {
	int exit_code; /* of exit(), else 0 */
	bool command_ran;
	bool command_ended; /* by itself, before the run did: command_status is its own */
	int command_status; /* as waitpid gives it */
	bool lost; /* any loss above 0 */
	bool closed; /* the output's reader had gone */
	uint64_t attach_ns; /* from the call to all attached and enabled */
};

/* Runs PLAN until its end (command, processes of -p, duration, SIGINT, SIGTERM, SIGHUP, exit(), closed output). False with diagnostics (E06xx)
 * when it could not run; nothing stays attached either way, no child is left behind. A second SIGINT or SIGTERM while results are being
 * collected ends the process at once, by that signal. Signals are blocked and their mask restored. */
bool qt_session_run(const struct qt_plan *plan, struct qt_target *target, const struct qt_session_options *options,
		    const struct qt_session_sink *sink, struct qt_diags *diags, struct qt_session_end *end);

/* "1.1": of the libbpf that is linked. */
const char *qt_session_libbpf_version(void);

#endif
