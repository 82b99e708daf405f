/* The checker, on loops: every way back is a `next` of a loop with a bound, so that every program ends; a loop is entered at its head alone; what is made in a turn stays in it. The
 * code generator makes a function of each loop's turns and relies on all of this. */
#include "ir/check_internal.h"
#include "ir/loops.h"

#include <inttypes.h>
#include <string.h>

struct looper {
	struct qt_checker *c;
	struct qt_ir_loops loops;
	uint32_t *defined_in; /* by value: its block */
};

static const struct qt_ir_loop *loop_here(const struct looper *l)
{
	uint32_t loop = l->loops.of_block[l->c->block];

	return loop == QT_IR_NO_LOOP ? NULL : &l->loops.items.items[loop];
}

/* ---- ways ---- */

static void check_way(struct looper *l, const struct qt_ir_ins *i, uint32_t to)
{
	uint32_t loop = qt_ir_loops_by_head(&l->loops, to);

	if (to == QT_IR_NO_BLOCK || loop == QT_IR_NO_LOOP)
		return;
	if (i->op == QT_IR_next || ((i->op == QT_IR_loop || i->op == QT_IR_each) && l->loops.items.items[loop].block == l->c->block))
		return;
	qt_check_fail(l->c, "%s leads to the head of a loop", qt_ir_op_info(i->op)->name);
}

static void check_next(struct looper *l, const struct qt_ir_ins *i)
{
	const struct qt_ir_loop *loop = loop_here(l);

	if (!loop || loop->head != i->target || loop->done != i->otherwise)
		qt_check_fail(l->c, "next is not in the turns of its loop");
}

static const struct qt_ir_ins *loop_ins(const struct looper *l, const struct qt_ir_loop *loop)
{
	const struct qt_ir_block *b = &l->c->fn->blocks.items[loop->block];

	return &b->ins.items[b->ins.len - 1];
}

static void check_asks(struct looper *l, const struct qt_ir_ins *i)
{
	const struct qt_ir_loop *loop = loop_here(l);
	const struct qt_ir_ins *of;

	if (!loop || loop->head != i->target) {
		qt_check_fail(l->c, "%s is not in the turns of its loop", qt_ir_op_info(i->op)->name);
		return;
	}
	of = loop_ins(l, loop);
	if (i->op != QT_IR_turn && of->op != QT_IR_each)
		qt_check_fail(l->c, "this loop is not one over a map");
	else if (i->op == QT_IR_each_row && of->imm != i->imm)
		qt_check_fail(l->c, "this loop is one over another map");
	else if (i->op == QT_IR_each_key && (i->imm % 8 || i->imm + 8 > l->c->ir->plan->maps.items[of->imm].key_size))
		qt_check_fail(l->c, "a key has no word at %" PRIu64, i->imm);
}

static void check_loop(struct looper *l, const struct qt_ir_ins *i)
{
	if (!i->imm || i->imm > QT_IR_TURNS_MAX)
		qt_check_fail(l->c, "a loop of %" PRIu64 " turns, at most %u", i->imm, QT_IR_TURNS_MAX);
}

/* ---- values and buffers ---- */

static void check_value(struct looper *l, uint32_t v)
{
	if (v && !qt_ir_loops_inside(&l->loops, l->loops.of_block[l->c->block], l->loops.of_block[l->defined_in[v]]))
		qt_check_fail(l->c, "v%" PRIu32 " is made in a turn and used outside of it", v);
}

/* In a turn each word of a buffer that is looked at was stored in the same block before: a turn has buffers of its own. */
static void check_words(struct looper *l, const struct qt_ir_ins *i, uint32_t buf, uint64_t *stored)
{
	uint64_t all;

	if (buf == QT_IR_NO_BUF || l->c->fn->bufs.items[buf].kind != QT_IR_BUF_WORDS)
		return;
	all = ~0ull >> (64 - l->c->fn->bufs.items[buf].size / 8);
	if (i->op == QT_IR_buf_store)
		stored[buf] |= 1ull << i->imm / 8;
	else if (i->op == QT_IR_buf_comm)
		stored[buf] |= 3ull << i->imm / 8;
	else if (i->op == QT_IR_buf_load ? !(stored[buf] >> i->imm / 8 & 1) : (all & ~stored[buf]) != 0)
		qt_check_fail(l->c, "b%" PRIu32 " is not stored whole in this block of a loop", buf);
}

static void check_ins(struct looper *l, const struct qt_ir_ins *i, uint64_t *stored)
{
	check_value(l, i->a);
	check_value(l, i->b);
	check_way(l, i, i->fail);
	if (i->op == QT_IR_next)
		check_next(l, i);
	else if (i->op == QT_IR_turn || i->op == QT_IR_each_key || i->op == QT_IR_each_row)
		check_asks(l, i);
	else if (i->op == QT_IR_loop)
		check_loop(l, i);
	if (qt_ir_op_info(i->op)->flags & QT_IR_ENDS && qt_ir_has_target(i->op))
		check_way(l, i, i->target);
	if (qt_ir_has_otherwise(i->op))
		check_way(l, i, i->otherwise);
	if (!loop_here(l))
		return;
	check_words(l, i, i->buf, stored);
	check_words(l, i, i->buf2, stored);
}

/* ---- circles ---- */

struct circles {
	const struct qt_ir_fn *fn;
	unsigned char *state; /* 1: on the way, 2: done */
	uint32_t *stack, *at; /* blocks on the way, and the next of their ways */
	uint32_t depth;
	bool found;
};

static void step_to(struct circles *s, uint32_t block)
{
	if (block == QT_IR_NO_BLOCK || s->state[block] == 2)
		return;
	if (s->state[block] == 1) {
		s->found = true;
		return;
	}
	s->state[block] = 1;
	s->stack[s->depth] = block;
	s->at[s->depth++] = 0;
}

/* Way N of a block: three an instruction. Ways of `next` are left out. */
static uint32_t way(const struct qt_ir_block *b, uint32_t n)
{
	const struct qt_ir_ins *i = &b->ins.items[n / 3];

	if (n % 3 == 0)
		return i->fail;
	if (i->op == QT_IR_next || !(qt_ir_op_info(i->op)->flags & QT_IR_ENDS))
		return QT_IR_NO_BLOCK;
	if (n % 3 == 1)
		return qt_ir_has_target(i->op) ? i->target : QT_IR_NO_BLOCK;
	return qt_ir_has_otherwise(i->op) ? i->otherwise : QT_IR_NO_BLOCK;
}

static void check_circles(struct qt_checker *c)
{
	uint32_t n = c->fn->blocks.len;
	struct circles s = { .fn = c->fn, .state = QT_NEW_ARRAY(c->ir->arena, unsigned char, n) };

	s.stack = QT_NEW_ARRAY(c->ir->arena, uint32_t, n);
	s.at = QT_NEW_ARRAY(c->ir->arena, uint32_t, n);
	for (uint32_t first = 0; first < n && !s.found; first++) {
		step_to(&s, s.state[first] ? QT_IR_NO_BLOCK : first);
		while (s.depth && !s.found) {
			uint32_t block = s.stack[s.depth - 1], *at = &s.at[s.depth - 1];

			if (*at == c->fn->blocks.items[block].ins.len * 3)
				s.state[s.stack[--s.depth]] = 2;
			else
				step_to(&s, way(&c->fn->blocks.items[block], (*at)++));
		}
	}
	c->block = QT_IR_NO_BLOCK;
	if (s.found)
		qt_check_fail(c, "a way leads back without the bound of a loop");
}

void qt_check_loops(struct qt_checker *c)
{
	struct looper l = { .c = c, .defined_in = QT_NEW_ARRAY(c->ir->arena, uint32_t, (size_t)c->fn->nvalues + 1) };
	uint64_t *stored = QT_NEW_ARRAY(c->ir->arena, uint64_t, (size_t)c->fn->bufs.len + 1);

	check_circles(c);
	qt_ir_loops_find(c->ir->arena, c->fn, &l.loops);
	for (uint32_t k = 0; k < c->fn->blocks.len; k++) {
		qt_vec_each (i, &c->fn->blocks.items[k].ins)
			l.defined_in[i->dst] = k;
	}
	for (c->block = 0; c->block < c->fn->blocks.len && !c->error; c->block++) {
		const struct qt_ir_block *b = &c->fn->blocks.items[c->block];

		if (!l.loops.reached[c->block])
			continue;
		memset(stored, 0, (c->fn->bufs.len + 1) * sizeof(stored[0]));
		for (c->at = 0; c->at < b->ins.len && !c->error; c->at++)
			check_ins(&l, &b->ins.items[c->at], stored);
	}
}
