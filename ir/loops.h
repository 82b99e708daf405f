/* The loops of a function: which blocks run in the turns of which. A loop is an instruction `loop` or `each`; in its turns run the blocks that are reached through its head alone, so a
 * way that leaves the function or counts something from inside belongs to it as well. */
#ifndef QT_IR_LOOPS_H
#define QT_IR_LOOPS_H

#include "ir/ir.h"

#define QT_IR_NO_LOOP UINT32_MAX

struct qt_ir_loop {
	uint32_t block; /* whose last instruction it is */
	uint32_t head, done;
	uint32_t parent; /* the loop in whose turns it runs, QT_IR_NO_LOOP */
	uint32_t nblocks;
	bool *blocks; /* by block: it runs in a turn, of this loop or of one inside of it */
};

struct qt_ir_loops {
	QT_VEC(struct qt_ir_loop) items;
	bool *reached; /* by block, from the entry */
	uint32_t *of_block; /* the innermost loop in whose turns a block runs, QT_IR_NO_LOOP */
};

/* Expects a function whose single instructions are sound. */
void qt_ir_loops_find(struct qt_arena *arena, const struct qt_ir_fn *fn, struct qt_ir_loops *out);
/* LOOP is OUTER or runs in its turns; QT_IR_NO_LOOP is the function itself. */
bool qt_ir_loops_inside(const struct qt_ir_loops *loops, uint32_t loop, uint32_t outer);
/* The loop with this head, QT_IR_NO_LOOP when there is none. */
uint32_t qt_ir_loops_by_head(const struct qt_ir_loops *loops, uint32_t head);

#endif
