/* Context variables: who sets, clears and reads them, which type they have, and where a read makes its rule require one.
 * A read is free where the context is sure to be set: behind has(x) that was true, or behind a set in the same rule. Everywhere else it
 * makes the whole rule require it. */
#include "sema/sema_internal.h"

/* ---- declaration ---- */

int qt_context_find(const struct qt_sema *s, qt_name name)
{
	return (int)(uintptr_t)qt_map_get(&s->context_index, QT_KEY(name)) - 1;
}

static void declare_one(struct qt_sema *s, const struct qt_ast_set_one *node)
{
	const struct qt_builtin *b = qt_builtin_find(node->name);
	struct qt_diag *d;

	if (b && b->kind != QT_BUILTIN_METRIC && b->kind != QT_BUILTIN_ACTION && b->kind != QT_BUILTIN_LATER) {
		d = qt_diag_add(s->diags, QT_E0404, node->head.span, "`%s` is a built-in and cannot be set", node->name);
		qt_diag_hint(s->diags, d, "choose another name, my_%s for example", node->name);
		return;
	}
	if (qt_context_find(s, node->name) >= 0)
		return;
	if (s->contexts.len == QT_MAX_CONTEXTS) {
		qt_diag_add(s->diags, QT_E0410, node->head.span, "more than %d context variables", QT_MAX_CONTEXTS);
		return;
	}
	*qt_vec_push(s->arena, &s->program->contexts) = (struct qt_context_var){ .name = node->name, .span = node->head.span };
	*qt_vec_push(s->arena, &s->contexts) = (struct qt_context_info){ .type.kind = QT_TYPE_ERROR };
	qt_map_put(s->arena, &s->context_index, QT_KEY(node->name), (void *)(uintptr_t)s->contexts.len);
}

static void declare_sets(struct qt_ast *node, void *ctx)
{
	struct qt_sema *s = ctx;

	if (node->kind == QT_AST_set_one)
		declare_one(s, QT_AST(set_one, node));
	qt_ast_children(node, declare_sets, s);
}

/* `clear x` is no read; every other place of the name is one. */
static void count_reads(struct qt_ast *node, void *ctx)
{
	struct qt_sema *s = ctx;
	int i;

	if (node->kind == QT_AST_clear)
		return;
	if (node->kind == QT_AST_ident && (i = qt_context_find(s, QT_AST(ident, node)->name)) >= 0)
		s->contexts.items[i].reads++;
	qt_ast_children(node, count_reads, s);
}

static void each_rule(struct qt_sema *s, qt_ast_visit fn)
{
	qt_vec_each (rule, &s->rules)
		fn((struct qt_ast *)&(*rule)->node->head, s);
}

void qt_contexts_declare(struct qt_sema *s)
{
	each_rule(s, declare_sets);
	each_rule(s, count_reads);
}

/* ---- reads ---- */

static void cleared_error(struct qt_check *c, int index, struct qt_span span)
{
	const char *name = c->s->program->contexts.items[index].name;
	struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0408, span, "`%s` is read after it was cleared", name);

	qt_diag_hint(c->s->diags, d, "move `clear %s` behind the last action that reads it", name);
}

/* begin, end and interval run in no thread of the traced programs. */
static void check_thread(struct qt_check *c, int index, struct qt_span span)
{
	struct qt_diag *d;

	if (c->group->hook != QT_HOOK_begin && c->group->hook != QT_HOOK_end && c->group->hook != QT_HOOK_interval)
		return;
	d = qt_diag_add(c->s->diags, QT_W0402, span, "`%s` is never set here: %s runs in no thread of the traced programs",
			c->s->program->contexts.items[index].name, c->group->provider->name);
	qt_diag_hint(c->s->diags, d, "profile and the other probes run in the thread that they interrupt");
}

static struct qt_expr *context_expr(struct qt_check *c, enum qt_expr_kind kind, int index, struct qt_span span)
{
	struct qt_expr *x = qt_x_new(c->s, kind, c->s->contexts.items[index].type, span);

	x->index = (uint32_t)index;
	check_thread(c, index, span);
	return x;
}

struct qt_expr *qt_check_context_read(struct qt_check *c, int index, struct qt_span span)
{
	uint64_t bit = 1ull << index;

	if (c->known & bit)
		return context_expr(c, QT_X_CONTEXT, index, span);
	if (c->cleared & bit) {
		cleared_error(c, index, span);
		return qt_x_error(c->s, span);
	}
	c->needs |= bit;
	return context_expr(c, QT_X_CONTEXT, index, span);
}

/* The context that NODE names; -1 after a diagnostic. */
static int named_context(struct qt_check *c, const struct qt_ast *node, const char *what)
{
	qt_name name = node->kind == QT_AST_ident ? QT_AST(ident, node)->name : NULL;
	int index = name ? qt_context_find(c->s, name) : -1;
	struct qt_diag *d;
	struct qt_suggest near;

	if (index >= 0)
		return index;
	if (!name || qt_builtin_find(name)) {
		d = qt_diag_add(c->s->diags, QT_E0405, node->span, "%s needs the name of a context variable", what);
		qt_diag_hint(c->s->diags, d, "a context variable is what `set NAME = ...` makes");
		return -1;
	}
	d = qt_diag_add(c->s->diags, QT_E0401, node->span, "no rule sets a context variable `%s`", name);
	qt_suggest_begin(&near, name);
	qt_vec_each (v, &c->s->program->contexts)
		qt_suggest_offer(&near, v->name);
	if (!qt_suggest_hint(c->s->diags, d, &near))
		qt_diag_hint(c->s->diags, d, "a context variable is set first: on PROBE set %s = ...", name);
	return -1;
}

struct qt_expr *qt_check_has(struct qt_check *c, const struct qt_ast_call *node)
{
	int index = named_context(c, node->args.items[0], "has()");
	struct qt_expr *x;

	if (index < 0)
		return qt_x_error(c->s, node->head.span);
	x = context_expr(c, QT_X_HAS, index, node->head.span);
	x->type = QT_BOOL;
	return x;
}

static struct qt_expr *coalesce(struct qt_check *c, const struct qt_ast *value, struct qt_expr *fallback, struct qt_span span)
{
	int index = named_context(c, value, "`??`");
	struct qt_expr *x;
	struct qt_type type;

	if (index < 0 || qt_x_bad(fallback))
		return qt_x_error(c->s, span);
	x = context_expr(c, QT_X_COALESCE, index, span);
	if (!qt_type_join(c->s->contexts.items[index].type, fallback->type, &type)) {
		struct qt_diag *d =
			qt_diag_add(c->s->diags, QT_E0204, fallback->span, "`%s` is %s, its default %s", c->s->program->contexts.items[index].name,
				    qt_type_words(c->s->contexts.items[index].type), qt_type_words(fallback->type));
		qt_diag_note(c->s->diags, d, c->s->contexts.items[index].typed_at, "set here");
		return qt_x_error(c->s, span);
	}
	x->a = qt_x_new(c->s, QT_X_CONTEXT, c->s->contexts.items[index].type, value->span);
	x->a->index = (uint32_t)index;
	x->type = type;
	x->b = qt_x_fit(c, fallback, type);
	return x;
}

/* (a ?? b) ?? c is a ?? (b ?? c). */
static struct qt_expr *coalesce_node(struct qt_check *c, const struct qt_ast *value, struct qt_expr *fallback, struct qt_span span)
{
	if (value->kind != QT_AST_coalesce)
		return coalesce(c, value, fallback, span);
	fallback = coalesce_node(c, QT_AST(coalesce, value)->fallback, fallback, span);
	return coalesce_node(c, QT_AST(coalesce, value)->value, fallback, span);
}

struct qt_expr *qt_check_coalesce(struct qt_check *c, const struct qt_ast *node)
{
	const struct qt_ast_coalesce *x = QT_AST(coalesce, node);

	return coalesce_node(c, x->value, qt_check_expr(c, x->fallback), node->span);
}

/* ---- what a condition tells ---- */

static uint64_t has_fact(const struct qt_sema *s, const struct qt_ast_call *call)
{
	int index = -1;

	if (!strcmp(call->func, "has") && call->args.len == 1 && call->args.items[0]->kind == QT_AST_ident)
		index = qt_context_find(s, QT_AST(ident, call->args.items[0])->name);
	return index < 0 ? 0 : 1ull << index;
}

static uint64_t binary_facts(const struct qt_sema *s, const struct qt_ast_binary *x, bool when)
{
	bool both = !strcmp(x->op, "&&");
	uint64_t a, b;

	if (!both && strcmp(x->op, "||"))
		return 0;
	a = qt_context_facts(s, x->left, when);
	b = qt_context_facts(s, x->right, when);
	return both == when ? a | b : a & b;
}

uint64_t qt_context_facts(const struct qt_sema *s, const struct qt_ast *node, bool when)
{
	switch (node->kind) {
	case QT_AST_call:
		return when ? has_fact(s, QT_AST(call, node)) : 0;
	case QT_AST_binary:
		return binary_facts(s, QT_AST(binary, node), when);
	case QT_AST_unary:
		if (!strcmp(QT_AST(unary, node)->op, "!"))
			return qt_context_facts(s, QT_AST(unary, node)->value, !when);
		return 0;
	default:
		return 0;
	}
}

/* ---- set and clear ---- */

static void clash(struct qt_check *c, int index, const struct qt_expr *value)
{
	const struct qt_context_info *info = &c->s->contexts.items[index];
	struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0402, value->span, "`%s` is set to %s here and to %s elsewhere",
					c->s->program->contexts.items[index].name, qt_type_words(value->type), qt_type_words(info->type));

	qt_diag_note(c->s->diags, d, info->typed_at, "%s here", qt_type_words(info->type));
	if (qt_is_number(value->type) && qt_is_text(info->type))
		qt_diag_hint(c->s->diags, d, "str(ADDRESS) reads the text at an address");
}

static struct qt_expr *join_context(struct qt_check *c, int index, struct qt_expr *value)
{
	struct qt_context_info *info = &c->s->contexts.items[index];
	struct qt_type type;

	if (qt_x_bad(value))
		return value;
	if (value->type.kind == QT_TYPE_VOID || !qt_type_join(info->type, qt_type_stored(value->type), &type)) {
		clash(c, index, value);
		return qt_x_error(c->s, value->span);
	}
	if (info->type.kind == QT_TYPE_ERROR)
		info->typed_at = value->span;
	if (!qt_type_eq(type, info->type)) {
		info->type = type;
		c->s->changed = true;
	}
	return qt_x_fit(c, value, type);
}

static void set_one(struct qt_check *c, const struct qt_ast_set_one *node, struct qt_stmts *out)
{
	struct qt_expr *value = qt_check_expr(c, node->value);
	int index = qt_context_find(c->s, node->name);
	struct qt_stmt *stmt;

	if (index < 0)
		return;
	value = join_context(c, index, value);
	stmt = qt_stmt_new(c, out, QT_S_SET, node->head.span);
	stmt->index = (uint32_t)index;
	stmt->a = value;
	c->known |= 1ull << index;
	c->cleared &= ~(1ull << index);
}

void qt_check_set(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out)
{
	const struct qt_ast_set *set = QT_AST(set, node);

	if (set->inherit)
		qt_diag_add(c->s->diags, QT_E0213, node->span, "contexts cannot be inherited by new threads: `inherit` is not available");
	for (uint32_t i = 0; i < set->sets.len; i++)
		set_one(c, QT_AST(set_one, set->sets.items[i]), out);
}

static void clear_unknown(struct qt_check *c, const struct qt_ast_ident *node)
{
	struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0403, node->head.span, "`%s` is cleared, but no rule sets it", node->name);
	struct qt_suggest near;

	qt_suggest_begin(&near, node->name);
	qt_vec_each (v, &c->s->program->contexts)
		qt_suggest_offer(&near, v->name);
	qt_suggest_hint(c->s->diags, d, &near);
}

void qt_check_clear(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out)
{
	const struct qt_ast_clear *clear = QT_AST(clear, node);

	for (uint32_t i = 0; i < clear->names.len; i++) {
		const struct qt_ast_ident *name = QT_AST(ident, clear->names.items[i]);
		int index = qt_context_find(c->s, name->name);

		if (index < 0) {
			clear_unknown(c, name);
			continue;
		}
		qt_stmt_new(c, out, QT_S_CLEAR, name->head.span)->index = (uint32_t)index;
		c->known &= ~(1ull << index);
		c->cleared |= 1ull << index;
	}
}

/* ---- at the end ---- */

static void finish_one(struct qt_sema *s, uint32_t i)
{
	struct qt_context_var *v = &s->program->contexts.items[i];
	struct qt_diag *d;

	v->type = s->contexts.items[i].type;
	v->type.literal = false;
	if (v->type.kind == QT_TYPE_ERROR && !qt_diags_errors(s->diags)) {
		d = qt_diag_add(s->diags, QT_E0406, v->span, "`%s` is only ever set from itself", v->name);
		qt_diag_hint(s->diags, d, "give it a first value: %s ?? 0", v->name);
	}
	if (!s->contexts.items[i].reads && !qt_diags_errors(s->diags)) {
		d = qt_diag_add(s->diags, QT_W0401, v->span, "`%s` is set, but nothing reads it", v->name);
		qt_diag_hint(s->diags, d, "tag it in a rule: tag %s", v->name);
	}
}

void qt_contexts_finish(struct qt_sema *s)
{
	for (uint32_t i = 0; i < s->contexts.len; i++)
		finish_one(s, i);
}
