/* The checker, second half: what holds on every path. A forward analysis whose state is the set of values that are defined, the ring records that are not submitted, and whether
 * scratch is taken and a record is open. An operation that fails leaves in the state before it. */
#include "base/check.h"
#include "ir/check_internal.h"

#include <inttypes.h>
#include <string.h>

struct state {
	uint64_t *defined; /* a bit a value */
	uint64_t *records; /* reserved and not yet submitted */
	bool reached, scratch, open;
};

struct flow {
	struct qt_checker *c;
	uint32_t nwords; /* of each set */
	struct state *in; /* at the begin of each block */
	bool changed; /* since the last round */
	bool judging; /* the states are final: complain */
};

static bool bit(const uint64_t *set, uint32_t v)
{
	return set[v / 64] >> v % 64 & 1;
}

static void bit_set(uint64_t *set, uint32_t v, bool on)
{
	if (on)
		set[v / 64] |= 1ULL << v % 64;
	else
		set[v / 64] &= ~(1ULL << v % 64);
}

static struct state state_new(const struct flow *f)
{
	return (struct state){ .defined = QT_NEW_ARRAY(f->c->ir->arena, uint64_t, f->nwords),
			       .records = QT_NEW_ARRAY(f->c->ir->arena, uint64_t, f->nwords) };
}

static void state_copy(const struct flow *f, struct state *to, const struct state *from)
{
	memcpy(to->defined, from->defined, f->nwords * sizeof(uint64_t));
	memcpy(to->records, from->records, f->nwords * sizeof(uint64_t));
	to->reached = from->reached;
	to->scratch = from->scratch;
	to->open = from->open;
}

/* ---- edges ---- */

static void edge_judge(const struct flow *f, const struct state *in, const struct state *now, uint32_t block)
{
	if (in->scratch != now->scratch)
		qt_check_fail(f->c, "block %" PRIu32 " is reached with and without scratch", block);
	if (in->open != now->open)
		qt_check_fail(f->c, "block %" PRIu32 " is reached with and without an open record", block);
	if (memcmp(in->records, now->records, f->nwords * sizeof(uint64_t)) != 0)
		qt_check_fail(f->c, "block %" PRIu32 " is reached with and without a reserved record", block);
}

static void edge(struct flow *f, const struct state *now, uint32_t block)
{
	struct state *in = &f->in[block];

	if (f->judging) {
		edge_judge(f, in, now, block);
		return;
	}
	if (!in->reached) {
		state_copy(f, in, now);
		in->reached = f->changed = true;
		return;
	}
	for (uint32_t k = 0; k < f->nwords; k++) {
		uint64_t both = in->defined[k] & now->defined[k];

		f->changed |= both != in->defined[k];
		in->defined[k] = both;
	}
}

/* ---- instructions ---- */

static void use(const struct flow *f, const struct state *s, uint32_t v)
{
	if (v && f->judging && !bit(s->defined, v))
		qt_check_fail(f->c, "v%" PRIu32 " is not defined on every path to here", v);
}

static void need(const struct flow *f, bool holds, const char *what)
{
	if (f->judging && !holds)
		qt_check_fail(f->c, "%s", what);
}

static bool uses_text(const struct flow *f, const struct qt_ir_ins *i)
{
	return i->buf != QT_IR_NO_BUF && f->c->fn->bufs.items[i->buf].kind == QT_IR_BUF_TEXT;
}

static bool any_record(const struct flow *f, const struct state *s)
{
	for (uint32_t k = 0; k < f->nwords; k++) {
		if (s->records[k])
			return true;
	}
	return false;
}

static void judge(const struct flow *f, const struct state *s, const struct qt_ir_ins *i)
{
	if (uses_text(f, i))
		need(f, s->scratch, "a text buffer is used where scratch is not taken");
	if (i->op == QT_IR_scratch_take)
		need(f, !s->scratch, "scratch is taken twice");
	if (i->op == QT_IR_scratch_give)
		need(f, s->scratch, "scratch is given back without being taken");
	if (i->op == QT_IR_ring_open)
		need(f, !s->open, "a second record is opened");
	if (i->op == QT_IR_ring_words || i->op == QT_IR_ring_text || i->op == QT_IR_ring_close)
		need(f, s->open, "no record is open");
	if (i->op == QT_IR_ring_submit)
		need(f, bit(s->records, i->a), "a record is submitted that is not reserved");
	if (i->op == QT_IR_loop || i->op == QT_IR_each)
		need(f, !s->open && !any_record(f, s), "a loop begins with a record that is not submitted");
	if (i->op == QT_IR_ret) {
		need(f, !s->scratch, "the program ends with scratch taken");
		need(f, !s->open, "the program ends with an open record");
		need(f, !any_record(f, s), "the program ends with a record that is not submitted");
	}
}

/* The effect of an instruction that succeeded. */
static void apply(struct state *s, const struct qt_ir_ins *i)
{
	if (i->dst)
		bit_set(s->defined, i->dst, true);
	if (i->op == QT_IR_scratch_take || i->op == QT_IR_scratch_give)
		s->scratch = i->op == QT_IR_scratch_take;
	if (i->op == QT_IR_ring_open || i->op == QT_IR_ring_close)
		s->open = i->op == QT_IR_ring_open;
	if (i->op == QT_IR_ring_reserve)
		bit_set(s->records, i->dst, true);
	if (i->op == QT_IR_ring_submit) {
		bit_set(s->records, i->a, false);
		bit_set(s->defined, i->a, false);
	}
}

static void step(struct flow *f, struct state *s, const struct qt_ir_ins *i)
{
	use(f, s, i->a);
	use(f, s, i->b);
	judge(f, s, i);
	if (i->fail != QT_IR_NO_BLOCK)
		edge(f, s, i->fail);
	apply(s, i);
	if (!(qt_ir_op_info(i->op)->flags & QT_IR_ENDS))
		return;
	if (qt_ir_has_target(i->op))
		edge(f, s, i->target);
	if (qt_ir_has_otherwise(i->op))
		edge(f, s, i->otherwise);
}

/* One round over the blocks that are reached. */
static void walk(struct flow *f, struct state *s)
{
	struct qt_checker *c = f->c;

	f->changed = false;
	for (c->block = 0; c->block < c->fn->blocks.len; c->block++) {
		const struct qt_ir_block *block = &c->fn->blocks.items[c->block];

		if (!f->in[c->block].reached)
			continue;
		state_copy(f, s, &f->in[c->block]);
		for (c->at = 0; c->at < block->ins.len && !c->error; c->at++)
			step(f, s, &block->ins.items[c->at]);
	}
}

void qt_check_flow(struct qt_checker *c)
{
	struct flow f = { .c = c, .nwords = c->fn->nvalues / 64 + 1 };
	struct state s = state_new(&f);

	f.in = QT_NEW_ARRAY(c->ir->arena, struct state, c->fn->blocks.len);
	for (uint32_t k = 0; k < c->fn->blocks.len; k++)
		f.in[k] = state_new(&f);
	f.in[0].reached = true;
	do
		walk(&f, &s);
	while (f.changed);
	f.judging = true;
	walk(&f, &s);
}
