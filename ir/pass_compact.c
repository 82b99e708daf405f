/* Drops blocks that no path reaches, skips blocks that only jump on, puts a block behind the only one that jumps to it; renumbers the rest in the order in which they are first met, so
 * that a function reads from top to bottom. */
#include "ir/lower_internal.h"

struct order {
	struct qt_ir_fn *fn;
	uint32_t *number; /* new number of a block, QT_IR_NO_BLOCK: not met */
	uint32_t *stack, top;
	uint32_t *kept, nkept;
};

/* Where a jump to BLOCK ends: behind blocks that hold nothing but a jump. A circle of such blocks is left alone. The blocks that a loop names stay as they are. */
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
	qt_vec_each (block, &fn->blocks) {
		qt_vec_each (i, &block->ins) {
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
	if (qt_ir_has_otherwise(block->ins.items[block->ins.len - 1].op))
		meet(o, block->ins.items[block->ins.len - 1].otherwise);
	if (qt_ir_has_target(block->ins.items[block->ins.len - 1].op))
		meet(o, block->ins.items[block->ins.len - 1].target);
}

static void renumber(const struct order *o)
{
	struct qt_ir_fn *fn = o->fn;

	qt_vec_each (block, &fn->blocks) {
		qt_vec_each (i, &block->ins) {
			if (qt_ir_has_target(i->op))
				i->target = o->number[i->target];
			if (qt_ir_has_otherwise(i->op))
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

/* ---- merging ---- */

static void count_way(const struct qt_ir_fn *fn, uint32_t *ways, uint32_t block)
{
	if (block < fn->blocks.len)
		ways[block]++;
}

/* How many ways lead to each block. */
static void count_ways(const struct qt_ir_fn *fn, uint32_t *ways)
{
	ways[0] = 1;
	qt_vec_each (block, &fn->blocks) {
		qt_vec_each (i, &block->ins) {
			count_way(fn, ways, i->fail);
			if (qt_ir_has_target(i->op))
				count_way(fn, ways, i->target);
			if (qt_ir_has_otherwise(i->op))
				count_way(fn, ways, i->otherwise);
		}
	}
}

/* While BLOCK ends with a jump to one that nobody else goes to, takes that one in. */
static void take_in(struct qt_ir *ir, struct qt_ir_fn *fn, const uint32_t *ways, uint32_t block)
{
	struct qt_ir_block *to = &fn->blocks.items[block];

	while (to->ins.len && to->ins.items[to->ins.len - 1].op == QT_IR_br) {
		uint32_t next = to->ins.items[to->ins.len - 1].target;
		struct qt_ir_block *from = &fn->blocks.items[next];

		if (ways[next] != 1 || next == block)
			return;
		to->ins.len--;
		qt_vec_each (i, &from->ins)
			*qt_vec_push(ir->arena, &to->ins) = *i;
		from->ins.len = 0;
	}
}

/* Expects that every block is reached; leaves those that were taken in empty. */
static void merge(struct qt_ir *ir, struct qt_ir_fn *fn)
{
	uint32_t *ways = QT_NEW_ARRAY(ir->arena, uint32_t, fn->blocks.len);

	count_ways(fn, ways);
	for (uint32_t k = 0; k < fn->blocks.len; k++)
		take_in(ir, fn, ways, k);
}

static void drop_unreached(struct qt_ir *ir, struct qt_ir_fn *fn)
{
	uint32_t n = fn->blocks.len;
	struct order o = { .fn = fn };

	o.number = QT_NEW_ARRAY(ir->arena, uint32_t, n);
	o.stack = QT_NEW_ARRAY(ir->arena, uint32_t, n);
	o.kept = QT_NEW_ARRAY(ir->arena, uint32_t, n);
	for (uint32_t k = 0; k < n; k++)
		o.number[k] = QT_IR_NO_BLOCK;
	meet(&o, 0);
	while (o.top) {
		uint32_t block = o.stack[--o.top];

		o.kept[o.nkept++] = block;
		meet_all(&o, &fn->blocks.items[block]);
	}
	keep(ir, &o);
}

void qt_pass_compact(struct qt_ir *ir, struct qt_ir_fn *fn)
{
	shorten(fn);
	drop_unreached(ir, fn);
	merge(ir, fn);
	drop_unreached(ir, fn);
}
