/* Drops blocks that no path reaches and skips blocks that only jump on; renumbers the rest in the order in which they are first met, so that a function reads from top to bottom. */
#include "ir/lower_internal.h"

struct order {
	struct qt_ir_fn *fn;
	uint32_t *number; /* new number of a block, QT_IR_NO_BLOCK: not met */
	uint32_t *stack, top;
	uint32_t *kept, nkept;
};

/* Where a jump to BLOCK ends: behind blocks that hold nothing but a jump. A circle of such blocks is left alone. */
static uint32_t landing(const struct qt_ir_fn *fn, uint32_t block)
{
	for (uint32_t hops = 0; block != QT_IR_NO_BLOCK && hops < fn->blocks.len; hops++) {
		const struct qt_ir_block *b = &fn->blocks.items[block];

		if (b->ins.len != 1 || b->ins.items[0].op != QT_IR_br)
			break;
		block = b->ins.items[0].target;
	}
	return block;
}

static void shorten(struct qt_ir_fn *fn)
{
	qt_vec_each(block, &fn->blocks) {
		qt_vec_each(i, &block->ins) {
			if (i->op == QT_IR_br || i->op == QT_IR_brif)
				i->target = landing(fn, i->target);
			if (i->op == QT_IR_brif)
				i->otherwise = landing(fn, i->otherwise);
			i->fail = landing(fn, i->fail);
		}
	}
}

static void meet(struct order *o, uint32_t block)
{
	if (block == QT_IR_NO_BLOCK || o->number[block] != QT_IR_NO_BLOCK)
		return;
	o->number[block] = 0; /* met, not numbered yet */
	o->stack[o->top++] = block;
}

/* The way of success comes next: it is put on the stack last. */
static void meet_all(struct order *o, const struct qt_ir_block *block)
{
	for (uint32_t k = block->ins.len; k-- > 0;)
		meet(o, block->ins.items[k].fail);
	if (block->ins.items[block->ins.len - 1].op == QT_IR_brif)
		meet(o, block->ins.items[block->ins.len - 1].otherwise);
	if (block->ins.items[block->ins.len - 1].op != QT_IR_ret)
		meet(o, block->ins.items[block->ins.len - 1].target);
}

static void renumber(const struct order *o)
{
	struct qt_ir_fn *fn = o->fn;

	qt_vec_each(block, &fn->blocks) {
		qt_vec_each(i, &block->ins) {
			if (i->op == QT_IR_br || i->op == QT_IR_brif)
				i->target = o->number[i->target];
			if (i->op == QT_IR_brif)
				i->otherwise = o->number[i->otherwise];
			if (i->fail != QT_IR_NO_BLOCK)
				i->fail = o->number[i->fail];
		}
	}
}

static void keep(struct qt_ir *ir, struct order *o)
{
	struct qt_ir_block *blocks = QT_NEW_ARRAY(ir->arena, struct qt_ir_block, o->nkept);

	for (uint32_t k = 0; k < o->nkept; k++) {
		blocks[k] = o->fn->blocks.items[o->kept[k]];
		o->number[o->kept[k]] = k;
	}
	o->fn->blocks.items = blocks;
	o->fn->blocks.len = o->fn->blocks.cap = o->nkept;
	renumber(o);
}

void qt_pass_compact(struct qt_ir *ir, struct qt_ir_fn *fn)
{
	uint32_t n = fn->blocks.len;
	struct order o = { .fn = fn };

	o.number = QT_NEW_ARRAY(ir->arena, uint32_t, n);
	o.stack = QT_NEW_ARRAY(ir->arena, uint32_t, n);
	o.kept = QT_NEW_ARRAY(ir->arena, uint32_t, n);
	for (uint32_t k = 0; k < n; k++)
		o.number[k] = QT_IR_NO_BLOCK;
	shorten(fn);
	meet(&o, 0);
	while (o.top) {
		uint32_t block = o.stack[--o.top];

		o.kept[o.nkept++] = block;
		meet_all(&o, &fn->blocks.items[block]);
	}
	keep(ir, &o);
}
