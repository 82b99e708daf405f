/* The parts of qtrace test. */
#ifndef QT_CLI_TEST_INTERNAL_H
#define QT_CLI_TEST_INTERNAL_H

#include "base/str.h"
#include "ir/eval.h"
#include "sema/program.h"

/* ---- feeding (test_feed.c) ---- */

/* Where the stack of a synthetic thread stands in one call. */
struct qt_test_call {
	uint32_t tid;
	const char *func; /* the probe's text behind its first colon */
	uint64_t sp;
};

struct qt_test_feeder {
	struct qt_arena *arena;
	const struct qt_plan *plan;
	struct qt_machine *machine;
	QT_VEC(struct qt_test_call) calls; /* open ones, the innermost last */
	uint64_t next_sp;
};

/* Runs the event; false when a program broke (a bug of qtrace). */
bool qt_test_feed(struct qt_test_feeder *f, const struct qt_feed *feed);

/* ---- expectations (test_expect.c) ---- */

/* What a test has printed so far: one text a printf. */
struct qt_test_output {
	QT_VEC(struct qt_str) lines;
};

/* Holds the machine's results against E. True when they are as expected; else DIFF says what differs, line by line. */
bool qt_test_expect(const struct qt_plan *plan, const struct qt_store *store, const struct qt_test_output *output, const struct qt_expect *e,
		    struct qt_arena *arena, struct qt_buf *diff);

#endif
