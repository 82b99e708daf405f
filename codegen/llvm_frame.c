/* What the functions of a program with loops share: each loop's turns are a function of their own (the kernel calls it: bpf_loop, bpf_for_each_map_elem), and all of them reach the same
 * frame on the stack of the program. It begins with a word that says how a loop was left, the context and the scratch slot; behind them are slots that more than one function uses or that
 * last from turn to turn, and values that are made outside of the turn that uses them. */
#include "codegen/codegen_internal.h"

struct find {
	struct qt_arena *arena;
	const struct qt_ir_fn *fn;
	struct qt_frame *f;
	const struct qt_ir_ins **made_by; /* by value */
	uint32_t *made_in; /* by value: block */
	uint32_t words; /* of a set of slots */
	uint64_t *live; /* by block: the slots whose value at its begin is used */
};

static uint32_t take(struct qt_frame *f)
{
	f->size += 8;
	return f->size - 8;
}

/* ---- slots ---- */

static bool bit(const uint64_t *set, uint64_t k)
{
	return set[k / 64] >> k % 64 & 1;
}

static void add_live(const struct find *s, uint64_t *now, uint32_t block)
{
	if (block == QT_IR_NO_BLOCK)
		return;
	for (uint32_t k = 0; k < s->words; k++)
		now[k] |= s->live[(size_t)block * s->words + k];
}

static void live_before(const struct find *s, uint64_t *now, const struct qt_ir_ins *i)
{
	if (qt_ir_op_info(i->op)->flags & QT_IR_ENDS) {
		add_live(s, now, qt_ir_has_target(i->op) ? i->target : QT_IR_NO_BLOCK);
		add_live(s, now, qt_ir_has_otherwise(i->op) ? i->otherwise : QT_IR_NO_BLOCK);
	}
	add_live(s, now, i->fail);
	if (i->op == QT_IR_slot_store)
		now[i->imm / 64] &= ~(1ull << i->imm % 64);
	if (i->op == QT_IR_slot_load)
		now[i->imm / 64] |= 1ull << i->imm % 64;
}

/* One round from the last block to the first; true when something was added. */
static bool live_round(const struct find *s, uint64_t *now)
{
	bool changed = false;

	for (uint32_t k = s->fn->blocks.len; k-- > 0;) {
		const struct qt_ir_block *b = &s->fn->blocks.items[k];

		for (uint32_t w = 0; w < s->words; w++)
			now[w] = 0;
		for (uint32_t n = b->ins.len; n-- > 0;)
			live_before(s, now, &b->ins.items[n]);
		for (uint32_t w = 0; w < s->words; w++) {
			changed |= now[w] != s->live[(size_t)k * s->words + w];
			s->live[(size_t)k * s->words + w] = now[w];
		}
	}
	return changed;
}

/* A slot is shared where functions differ, and where a turn reads what the one before it left. */
static void share_slots(struct find *s)
{
	struct qt_frame *f = s->f;
	uint32_t *used_by = QT_NEW_ARRAY(s->arena, uint32_t, s->fn->nslots); /* 0: none yet, else loop + 2 (1: the program) */

	for (uint32_t k = 0; k < s->fn->blocks.len; k++) {
		uint32_t by = f->loops.of_block[k] == QT_IR_NO_LOOP ? 1 : f->loops.of_block[k] + 2;

		qt_vec_each (i, &s->fn->blocks.items[k].ins) {
			if (i->op != QT_IR_slot_load && i->op != QT_IR_slot_store)
				continue;
			if (used_by[i->imm] && used_by[i->imm] != by && !f->slot_at[i->imm])
				f->slot_at[i->imm] = take(f);
			used_by[i->imm] = by;
		}
	}
	for (uint32_t k = 0; k < s->fn->nslots; k++) {
		uint32_t loop = used_by[k] - 2;

		if (used_by[k] >= 2 && !f->slot_at[k] && bit(&s->live[(size_t)f->loops.items.items[loop].head * s->words], k))
			f->slot_at[k] = take(f);
	}
}

static void find_kept(const struct find *s)
{
	for (uint32_t k = 0; k < s->f->loops.items.len; k++) {
		const uint64_t *live = &s->live[(size_t)s->f->loops.items.items[k].head * s->words];

		for (uint32_t slot = 0; slot < s->fn->nslots; slot++) {
			if (s->f->slot_at[slot] && bit(live, slot))
				*qt_vec_push(s->arena, &s->f->parts[k].kept) = slot;
		}
	}
}

static void find_slots(struct find *s)
{
	uint64_t *now;

	s->words = s->fn->nslots / 64 + 1;
	s->live = QT_NEW_ARRAY(s->arena, uint64_t, (size_t)s->words * s->fn->blocks.len);
	now = QT_NEW_ARRAY(s->arena, uint64_t, s->words);
	while (live_round(s, now))
		;
	share_slots(s);
	find_kept(s);
}

/* ---- values ---- */

static void add_once(struct find *s, uint32_t loop, const struct qt_ir_ins *i)
{
	struct qt_frame *f = s->f;
	uint32_t n = 0;

	while (n < f->onces.len && !qt_same_once(f->onces.items[n].ins, i))
		n++;
	if (n == f->onces.len)
		*qt_vec_push(s->arena, &f->onces) = (struct qt_frame_once){ i, take(f) };
	qt_vec_each (have, &f->parts[loop].onces) {
		if (*have == n)
			return;
	}
	*qt_vec_push(s->arena, &f->parts[loop].onces) = n;
}

/* Whether a value is made anew wherever it is used. */
static bool is_made_anew(const struct qt_ir_ins *i)
{
	return i->op == QT_IR_const || i->op == QT_IR_config;
}

static void add_value(struct find *s, uint32_t loop, uint32_t v)
{
	if (!v || s->f->loops.items.items[loop].blocks[s->made_in[v]])
		return;
	if (qt_is_once(s->made_by[v]->op) && !is_made_anew(s->made_by[v]))
		add_once(s, loop, s->made_by[v]);
	else if (!is_made_anew(s->made_by[v]) && !s->f->value_at[v])
		s->f->value_at[v] = take(s->f);
	qt_vec_each (have, &s->f->parts[loop].values) {
		if (have->ins == s->made_by[v])
			return;
	}
	*qt_vec_push(s->arena, &s->f->parts[loop].values) = (struct qt_frame_value){ s->made_by[v], s->f->loops.of_block[s->made_in[v]] };
}

/* ---- ways out ---- */

static void add_exit(struct find *s, uint32_t loop, uint32_t block)
{
	const struct qt_ir_loop *l = &s->f->loops.items.items[loop];

	if (block == QT_IR_NO_BLOCK || l->blocks[block] || block == l->done)
		return;
	qt_vec_each (have, &s->f->parts[loop].exits) {
		if (*have == block)
			return;
	}
	*qt_vec_push(s->arena, &s->f->parts[loop].exits) = block;
}

static void look_at(struct find *s, uint32_t loop, const struct qt_ir_ins *i)
{
	if (qt_is_once(i->op) && !is_made_anew(i))
		add_once(s, loop, i);
	add_value(s, loop, i->a);
	add_value(s, loop, i->b);
	add_exit(s, loop, i->fail);
	if (!(qt_ir_op_info(i->op)->flags & QT_IR_ENDS))
		return;
	if (qt_ir_has_target(i->op))
		add_exit(s, loop, i->target);
	if (qt_ir_has_otherwise(i->op))
		add_exit(s, loop, i->otherwise);
}

static void find_parts(struct find *s)
{
	for (uint32_t loop = 0; loop < s->f->loops.items.len; loop++) {
		for (uint32_t k = 0; k < s->fn->blocks.len; k++) {
			if (!s->f->loops.items.items[loop].blocks[k])
				continue;
			qt_vec_each (i, &s->fn->blocks.items[k].ins)
				look_at(s, loop, i);
		}
	}
}

static void note_makers(struct find *s)
{
	s->made_by = QT_NEW_ARRAY(s->arena, const struct qt_ir_ins *, s->fn->nvalues + 1);
	s->made_in = QT_NEW_ARRAY(s->arena, uint32_t, s->fn->nvalues + 1);
	for (uint32_t k = 0; k < s->fn->blocks.len; k++) {
		qt_vec_each (i, &s->fn->blocks.items[k].ins) {
			s->made_by[i->dst] = i;
			s->made_in[i->dst] = k;
		}
	}
}

struct qt_frame *qt_frame_make(struct qt_arena *arena, const struct qt_ir_fn *fn)
{
	struct qt_frame *f = QT_NEW(arena, struct qt_frame);
	struct find s = { .arena = arena, .fn = fn, .f = f };

	qt_ir_loops_find(arena, fn, &f->loops);
	f->size = QT_FRAME_FIRST;
	f->slot_at = QT_NEW_ARRAY(arena, uint32_t, fn->nslots + 1);
	f->value_at = QT_NEW_ARRAY(arena, uint32_t, fn->nvalues + 1);
	f->parts = QT_NEW_ARRAY(arena, struct qt_frame_part, f->loops.items.len + 1);
	if (!f->loops.items.len)
		return f;
	note_makers(&s);
	find_slots(&s);
	find_parts(&s);
	return f;
}
