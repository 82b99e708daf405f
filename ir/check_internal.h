/* Between the two halves of the checker: what a function's values are (ir_check.c, which looks at one instruction at a time), and what holds on every path (check_flow.c). */
#ifndef QT_IR_CHECK_INTERNAL_H
#define QT_IR_CHECK_INTERNAL_H

#include "ir/ir.h"

/* What is known of a value. */
struct qt_check_value {
	enum qt_ir_operand kind; /* NONE: nothing defines it */
	uint32_t bytes; /* rows: how much lies behind the pointer */
	bool ring; /* a ring record, usable until it is submitted */
	bool task; /* the storage of a task */
};

struct qt_checker {
	struct qt_ir *ir;
	const struct qt_ir_fn *fn;
	uint32_t block, at; /* the instruction that is looked at, for messages */
	struct qt_check_value *values; /* by number */
	const char *error; /* the first thing that is wrong */
};

/* Notes what is wrong with the current instruction, unless something was wrong before. */
void qt_check_fail(struct qt_checker *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Definitions before uses, scratch and ring records in balance, on every path. Expects a function whose single instructions are sound. */
void qt_check_flow(struct qt_checker *c);
/* Loops are bounded, entered at their heads, and keep to themselves what is made in a turn. */
void qt_check_loops(struct qt_checker *c);

#endif
