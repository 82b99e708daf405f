/* Rules to programs: which points share one, and the order of what a program does: enabled, wanted, paired, context, condition, body. */
#include "base/check.h"
#include "ir/lower_internal.h"

#define QT_PROGRAMS_MAX 2048u

/* ---- programs and their points ---- */

/* Attached by bpf_link with a cookie, or through perf events, which have one too. */
static bool has_cookie(enum qt_hook h)
{
	return h == QT_HOOK_uprobe || h == QT_HOOK_uretprobe || h == QT_HOOK_kprobe || h == QT_HOOK_kretprobe || h == QT_HOOK_tracepoint ||
	       h == QT_HOOK_profile;
}

static void point_add(struct qt_lower *l, const struct qt_point *from, uint32_t prog)
{
	struct qt_plan_point point = { .prog = prog, .offset = from->offset, .ref_ctr = from->ref_ctr, .period_ns = from->period_ns };

	point.probe = qt_layout_probe(l, from->probe, from->func ? from->func : "");
	point.path = qt_layout_copy(l, from->path);
	point.build_id = from->build_id && *from->build_id ? qt_layout_copy(l, from->build_id) : NULL;
	point.event = qt_layout_copy(l, from->event);
	*qt_vec_push(l->plan->arena, &l->plan->points) = point;
}

static void program_make(struct qt_lower *l, uint32_t rule, enum qt_hook hook, struct qt_lower_points points, enum qt_prog_role role,
			 qt_program_fn make)
{
	struct qt_plan_prog *prog;

	qt_flow_begin(l, &l->program->rules.items[rule], hook, role == QT_ROLE_ENTRY ? "entry" : qt_hook_info(hook)->name, role);
	l->has_cookie = has_cookie(hook);
	for (uint32_t k = 0; k < points.len; k++)
		point_add(l, &points.items[k], l->plan->progs.len - 1);
	l->probe = qt_layout_probe(l, points.items[0].probe, points.items[0].func ? points.items[0].func : "");
	prog = &l->plan->progs.items[l->plan->progs.len - 1];
	if (hook == QT_HOOK_fentry || hook == QT_HOOK_fexit || hook == QT_HOOK_raw_tracepoint)
		prog->attach_to = qt_layout_copy(l, points.items[0].event);
	make(l, rule);
}

/* Programs that cannot be shared by points cost compiling, loading and kernel memory each: a pattern must not ask for any number of them. */
static bool too_many(struct qt_lower *l, uint32_t rule, enum qt_hook hook, uint32_t points)
{
	struct qt_diag *d;

	if (l->failed || l->plan->progs.len + points <= QT_PROGRAMS_MAX)
		return l->failed;
	l->failed = true;
	d = qt_diag_add(l->diags, QT_E0506, l->program->rules.items[rule].span,
			"%s matches %u places, and each needs a program of its own: at most %u", l->program->rules.items[rule].text, points,
			QT_PROGRAMS_MAX);
	if (hook == QT_HOOK_fentry || hook == QT_HOOK_fexit)
		qt_diag_hint(l->diags, d, "write a narrower pattern, or kprobe where the kernel has it: its places share one program");
	else
		qt_diag_hint(l->diags, d, "write a narrower pattern");
	return true;
}

void qt_lower_programs(struct qt_lower *l, uint32_t rule, enum qt_hook hook, struct qt_lower_points points, enum qt_prog_role role,
		       qt_program_fn make)
{
	if (!points.len)
		return;
	if (has_cookie(hook)) {
		program_make(l, rule, hook, points, role, make);
		return;
	}
	if (too_many(l, rule, hook, points.len))
		return;
	for (uint32_t k = 0; k < points.len; k++)
		program_make(l, rule, hook, (struct qt_lower_points){ &points.items[k], 1 }, role, make);
}

/* ---- contexts of a rule ---- */

struct asks {
	const struct qt_rule *rule;
	bool found;
};

static bool is_required(const struct qt_rule *rule, uint32_t context)
{
	qt_vec_each (c, &rule->cond_requires) {
		if (*c == context)
			return true;
	}
	qt_vec_each (c, &rule->requires) {
		if (*c == context)
			return true;
	}
	return false;
}

static void note_asking(const struct qt_expr *e, void *ctx)
{
	struct asks *a = ctx;

	if (e->kind == QT_X_HAS || (e->kind == QT_X_CONTEXT && !is_required(a->rule, e->index)))
		a->found = true;
}

/* The condition asks for what may not be set. */
static bool cond_asks(const struct qt_rule *rule)
{
	struct asks a = { rule, false };

	qt_scan_expr(rule->cond, note_asking, &a);
	return a.found;
}

static bool body_asks(const struct qt_rule *rule)
{
	struct asks a = { rule, false };

	qt_scan_stmts(&rule->body, note_asking, &a);
	return a.found;
}

/* Goes on where context CONTEXT is set, to ABSENT where it is not. */
static void require(struct qt_lower *l, uint32_t context, uint32_t absent)
{
	uint32_t go = qt_flow_block(l);

	qt_flow_brif(l, qt_lower_has(l, context), go, absent);
	qt_flow_stand(l, go);
}

static bool is_cached(const struct qt_lower *l)
{
	for (uint32_t k = 0; k < l->program->contexts.len; k++) {
		if (l->cache[k] != QT_NO_SLOT)
			return true;
	}
	return false;
}

/* A block that counts the event for each tag of the rule that tells its untagged ones, and ends the program. */
static uint32_t untagged(struct qt_lower *l)
{
	uint32_t block = qt_flow_leave(l);

	qt_vec_each (tag, &l->program->tags) {
		if (tag->rule == l->rule->source && tag->has_context)
			block = qt_flow_count(l, QT_NOT_A_LOSS, tag->name, block);
	}
	return block;
}

/* What the condition reads is made ready; a rule whose condition reads what is not set is passed over silently. */
static void before_cond(struct qt_lower *l)
{
	if (l->rule->cond_requires.len)
		qt_flow_row_or(l, qt_flow_leave(l));
	else if (!l->at.row && cond_asks(l->rule))
		qt_lower_contexts_cache(l);
	qt_vec_each (context, &l->rule->cond_requires)
		require(l, *context, qt_flow_leave(l));
}

/* One part of a chain of && after the other, each with its own way out: what a later part needs (scratch) is not taken before. */
static void cond(struct qt_lower *l, const struct qt_expr *e)
{
	uint32_t yes, no;

	if (e->kind == QT_X_AND) {
		cond(l, e->a);
		cond(l, e->b);
		return;
	}
	yes = qt_flow_block(l);
	no = qt_flow_block(l);
	qt_lower_cond(l, e, yes, no);
	qt_flow_stand(l, no);
	qt_flow_br(l, qt_flow_leave(l));
	qt_flow_stand(l, yes);
}

static void before_body(struct qt_lower *l)
{
	uint32_t absent;

	if (!l->rule->requires.len) {
		if (!l->at.row && !is_cached(l) && body_asks(l->rule))
			qt_lower_contexts_cache(l);
		return;
	}
	absent = untagged(l);
	if (!is_cached(l))
		qt_flow_row_or(l, absent);
	qt_vec_each (context, &l->rule->requires) {
		if (!is_cached(l) || l->cache[*context] != QT_NO_SLOT)
			require(l, *context, absent);
	}
}

struct read_first {
	bool *stored, *read; /* by $variable */
	uint32_t n;
};

static void note_read(const struct qt_expr *e, void *ctx)
{
	struct read_first *r = ctx;

	if (e->kind == QT_X_SCRATCH && e->index < r->n && e->type.kind == QT_TYPE_STR && !r->stored[e->index])
		r->read[e->index] = true;
}

/* Statements that run before all others of the rule, one after the other, give their variables a text before any of them is read. */
static void note_stored(const struct qt_stmts *body, struct read_first *r)
{
	for (uint32_t k = 0; k < body->len; k++) {
		const struct qt_stmts one = { &body->items[k], 1, 1 };

		qt_scan_stmts(&one, note_read, r);
		if (body->items[k]->kind == QT_S_SCRATCH)
			r->stored[body->items[k]->index] = true;
	}
}

/* A text that is not assigned yet is the empty one. */
static void empty_texts(struct qt_lower *l)
{
	uint32_t n = l->rule->scratch.len;
	struct read_first r = { QT_NEW_ARRAY(l->arena, bool, n), QT_NEW_ARRAY(l->arena, bool, n), n };

	note_stored(&l->rule->body, &r);
	for (uint32_t k = 0; k < n; k++) {
		if (r.read[k])
			qt_flow_op(l, QT_IR_slot_store, qt_flow_op(l, QT_IR_config, 0, 0, QT_CONFIG_LITERALS + qt_layout_literal(l, QT_STR(""))), 0,
				   k);
	}
}

static void rule_make(struct qt_lower *l, uint32_t rule)
{
	for (uint32_t k = 0; k < l->rule->scratch.len; k++)
		qt_ir_slot_new(&l->b);
	qt_flow_prologue(l);
	if (l->rule->pair)
		qt_lower_pop(l, rule);
	before_cond(l);
	if (l->rule->cond)
		cond(l, l->rule->cond);
	before_body(l);
	empty_texts(l);
	qt_lower_stmts(l, &l->rule->body);
	qt_flow_br(l, qt_flow_leave(l));
}

void qt_lower_rules(struct qt_lower *l)
{
	for (uint32_t k = 0; k < l->program->rules.len; k++) {
		const struct qt_rule *rule = &l->program->rules.items[k];

		qt_lower_programs(l, k, rule->hook, (struct qt_lower_points){ rule->points.items, rule->points.len }, QT_ROLE_RULE, rule_make);
	}
}
