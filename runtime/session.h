/* The life of a run: load, attach, enable, drain, disable, read, detach. Sees only the plan. */
#ifndef QT_RUNTIME_SESSION_H
#define QT_RUNTIME_SESSION_H

#include "base/diag.h"
#include "plan/decode.h"
#include "plan/plan.h"

struct qt_target;

/* What the session tells its user while it runs; CTX is given back. */
struct qt_session_sink {
	void *ctx;
	bool raw_text; /* printed: arguments as they are (the writer escapes), see qt_decode_printf */
	void (*attached)(void *ctx, unsigned probes);
	void (*printed)(void *ctx, struct qt_str text); /* printf */
	void (*table)(void *ctx, const struct qt_result_table *table);
	void (*losses)(void *ctx, const struct qt_result_losses *losses); /* once, at the very end */
	bool (*closed)(void *ctx); /* the output's reader has gone: stop */
	void (*flush)(void *ctx); /* a pause: what is buffered should go out */
};

struct qt_session_options {
	const uint32_t *pids; /* -p */
	unsigned npids;
	const char *command; /* -c; NULL: none. Split into words as a shell would (quotes, backslashes), no shell runs */
	bool all; /* --all: no filter in spite of -p and -c */
	uint64_t duration_ns; /* -d; 0: none */
	uint64_t interval_ns; /* -i; 0: none */
	bool clear; /* empty the tables after each -i */
	bool quiet;
	int verbose;
	bool dry_run; /* load, attach nothing */
};

struct qt_session_end {
	int exit_code; /* of exit(), else 0 */
	bool command_ran;
	int command_status; /* as waitpid gives it */
	bool lost; /* any loss above 0 */
};

/* Runs PLAN until its end (command, duration, signal, exit(), closed output). False with diagnostics (E06xx) when it could not run; nothing stays attached either way, no child is left behind. */
bool qt_session_run(const struct qt_plan *plan, const struct qt_target *target, const struct qt_session_options *options, const struct qt_session_sink *sink, struct qt_diags *diags,
		    struct qt_session_end *end);

#endif
