/* Frames: what a return rule takes from its entry. A program at the entry pushes a frame with the time and the captured values; the rule pops the one of its own call. Rules with the same
 * entry share the program, each with frames of its own, since each pops them. */
#include "ir/lower_internal.h"

#include <string.h>

/* What both ends of one call have in common: the place of its return address, the trampoline's frame, or (system calls) only the thread. */
static uint32_t frame_key(struct qt_lower *l)
{
	const struct qt_hook_info *hook = qt_hook_info(l->hook);
	uint32_t sp;

	if (hook->context == QT_CONTEXT_WORDS)
		return qt_flow_op(l, QT_IR_ctx_addr, 0, 0, 0);
	if (hook->context != QT_CONTEXT_REGS)
		return qt_ir_const(&l->b, 0);
	sp = qt_flow_op(l, QT_IR_reg, 0, 0, QT_REG_rsp);
	return hook->is_return ? qt_ir_bin(&l->b, QT_IR_sub, sp, qt_ir_const(&l->b, 8)) : sp;
}

static uint32_t frame_op(struct qt_lower *l, enum qt_ir_op op, uint32_t key, uint32_t rule, uint32_t fail)
{
	struct qt_ir_ins *i = qt_ir_emit(&l->b, op, l->at.row, key);

	i->imm = l->stacks[rule];
	i->size = l->program->rules.items[rule].pair->captures.len;
	i->fail = fail;
	return i->dst;
}

void qt_lower_pop(struct qt_lower *l, uint32_t rule)
{
	uint32_t unpaired = qt_flow_count(l, QT_LOSS_unpaired, l->rule->text, qt_flow_leave(l)), key = frame_key(l);

	qt_flow_row_or(l, unpaired);
	l->at.frame = frame_op(l, QT_IR_frame_pop, key, rule, unpaired);
}

/* ---- entries ---- */

static void fill(struct qt_lower *l, uint32_t frame, uint32_t now, const uint32_t *captures, uint32_t n)
{
	qt_flow_sized(l, QT_IR_row_store, frame, now, 8, 8, false);
	for (uint32_t k = 0; k < n; k++)
		qt_flow_sized(l, QT_IR_row_store, frame, captures[k], 16 + 8ull * k, 8, false);
}

/* A dead frame with the same key, or the first when all are used, is given up and counted; then there is room. */
static void push(struct qt_lower *l, uint32_t rule, uint32_t key)
{
	const struct qt_rule *r = &l->program->rules.items[rule];
	uint32_t n = r->pair->captures.len, *captures = QT_NEW_ARRAY(l->arena, uint32_t, n), now;
	uint32_t done = qt_flow_block(l), again = qt_flow_block(l), frame;

	for (uint32_t k = 0; k < n; k++)
		captures[k] = qt_lower_word(l, r->pair->captures.items[k]);
	now = qt_flow_now(l);
	frame = frame_op(l, QT_IR_frame_push, key, rule, qt_flow_count(l, QT_LOSS_unpaired, r->text, again));
	fill(l, frame, now, captures, n);
	qt_flow_br(l, done);
	qt_flow_stand(l, again);
	frame = frame_op(l, QT_IR_frame_push, key, rule, done);
	fill(l, frame, now, captures, n);
	qt_flow_join(l, done);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_point(const struct qt_point *a, const struct qt_point *b)
{
	return same_text(a->probe, b->probe) && same_text(a->path, b->path) && same_text(a->event, b->event) && a->offset == b->offset;
}

static bool same_entry(const struct qt_pair *a, const struct qt_pair *b)
{
	if (a->hook != b->hook || a->points.len != b->points.len)
		return false;
	for (uint32_t k = 0; k < a->points.len; k++) {
		if (!same_point(&a->points.items[k], &b->points.items[k]))
			return false;
	}
	return true;
}

static const struct qt_pair *pair_of(const struct qt_lower *l, uint32_t rule)
{
	return l->program->rules.items[rule].pair;
}

/* The program of RULE and of all later rules with the same entry. */
static void entry_make(struct qt_lower *l, uint32_t rule)
{
	uint32_t key;

	qt_flow_prologue(l);
	key = frame_key(l);
	qt_flow_row(l);
	for (uint32_t k = rule; k < l->program->rules.len; k++) {
		if (pair_of(l, k) && same_entry(pair_of(l, rule), pair_of(l, k)))
			push(l, k, key);
	}
	qt_flow_br(l, qt_flow_leave(l));
}

static bool has_entry_before(const struct qt_lower *l, uint32_t rule)
{
	for (uint32_t k = 0; k < rule; k++) {
		if (pair_of(l, k) && same_entry(pair_of(l, k), pair_of(l, rule)))
			return true;
	}
	return false;
}

void qt_lower_entries(struct qt_lower *l)
{
	for (uint32_t k = 0; k < l->program->rules.len; k++) {
		const struct qt_pair *pair = pair_of(l, k);

		if (pair && !has_entry_before(l, k))
			qt_lower_programs(l, k, pair->hook, (struct qt_lower_points){ pair->points.items, pair->points.len }, QT_ROLE_ENTRY,
					  entry_make);
	}
}
