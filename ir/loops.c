/* Which blocks run in the turns of a loop: those that cannot be reached any more when its head is taken away. */
#include "ir/loops.h"

struct walk {
	const struct qt_ir_fn *fn;
	bool *seen;
	uint32_t *stack, top;
	uint32_t avoid;
};

static void meet(struct walk *w, uint32_t block)
{
	if (block == QT_IR_NO_BLOCK || block == w->avoid || w->seen[block])
		return;
	w->seen[block] = true;
	w->stack[w->top++] = block;
}

static void meet_ways(struct walk *w, const struct qt_ir_ins *i)
{
	meet(w, i->fail);
	if (!(qt_ir_op_info(i->op)->flags & QT_IR_ENDS))
		return;
	if (qt_ir_has_target(i->op))
		meet(w, i->target);
	if (qt_ir_has_otherwise(i->op))
		meet(w, i->otherwise);
}

/* Which blocks are reached from the entry without passing AVOID. */
static bool *reached(struct qt_arena *arena, const struct qt_ir_fn *fn, uint32_t avoid)
{
	struct walk w = { fn, QT_NEW_ARRAY(arena, bool, fn->blocks.len), QT_NEW_ARRAY(arena, uint32_t, fn->blocks.len), 0, avoid };

	meet(&w, 0);
	while (w.top) {
		const struct qt_ir_block *b = &fn->blocks.items[w.stack[--w.top]];

		qt_vec_each (i, &b->ins)
			meet_ways(&w, i);
	}
	return w.seen;
}

static void add_loop(struct qt_arena *arena, const struct qt_ir_fn *fn, struct qt_ir_loops *out, uint32_t block, const bool *all)
{
	const struct qt_ir_block *b = &fn->blocks.items[block];
	const struct qt_ir_ins *i = b->ins.len ? &b->ins.items[b->ins.len - 1] : NULL;
	struct qt_ir_loop *loop;

	if (!i || (i->op != QT_IR_loop && i->op != QT_IR_each) || !all[block])
		return;
	loop = qt_vec_push(arena, &out->items);
	*loop = (struct qt_ir_loop){ .block = block, .head = i->target, .done = i->otherwise, .parent = QT_IR_NO_LOOP };
	loop->blocks = reached(arena, fn, loop->head);
	for (uint32_t k = 0; k < fn->blocks.len; k++) {
		loop->blocks[k] = all[k] && !loop->blocks[k];
		loop->nblocks += loop->blocks[k];
	}
}

/* The smallest of the loops in whose turns BLOCK runs. */
static uint32_t innermost(const struct qt_ir_loops *loops, uint32_t block)
{
	uint32_t best = QT_IR_NO_LOOP;

	for (uint32_t k = 0; k < loops->items.len; k++) {
		const struct qt_ir_loop *loop = &loops->items.items[k];

		if (loop->blocks[block] && (best == QT_IR_NO_LOOP || loop->nblocks < loops->items.items[best].nblocks))
			best = k;
	}
	return best;
}

void qt_ir_loops_find(struct qt_arena *arena, const struct qt_ir_fn *fn, struct qt_ir_loops *out)
{
	*out = (struct qt_ir_loops){ .reached = reached(arena, fn, QT_IR_NO_BLOCK), .of_block = QT_NEW_ARRAY(arena, uint32_t, fn->blocks.len) };
	for (uint32_t k = 0; k < fn->blocks.len; k++)
		add_loop(arena, fn, out, k, out->reached);
	for (uint32_t k = 0; k < fn->blocks.len; k++)
		out->of_block[k] = innermost(out, k);
	qt_vec_each (loop, &out->items)
		loop->parent = out->of_block[loop->block];
}

bool qt_ir_loops_inside(const struct qt_ir_loops *loops, uint32_t loop, uint32_t outer)
{
	while (loop != outer && loop != QT_IR_NO_LOOP)
		loop = loops->items.items[loop].parent;
	return loop == outer;
}

uint32_t qt_ir_loops_by_head(const struct qt_ir_loops *loops, uint32_t head)
{
	for (uint32_t k = 0; k < loops->items.len; k++) {
		if (loops->items.items[k].head == head)
			return k;
	}
	return QT_IR_NO_LOOP;
}
