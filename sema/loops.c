/* Loops: while, for over numbers and maps, unroll; break and continue. Their bodies are checked once, as for any turn: what a turn clears may be cleared at the next one's begin, and behind the loop
 * only that is known which was known before. */
#include "sema/sema_internal.h"

/* ---- contexts ---- */

struct cleared {
	const struct qt_sema *s;
	uint64_t mask;
};

static void note_cleared(struct qt_ast *node, void *ctx)
{
	struct cleared *c = ctx;

	if (node->kind == QT_AST_clear) {
		const struct qt_ast_clear *clear = QT_AST(clear, node);

		for (uint32_t i = 0; i < clear->names.len; i++) {
			int index = qt_context_find(c->s, QT_AST(ident, clear->names.items[i])->name);

			c->mask |= index < 0 ? 0 : 1ull << index;
		}
	}
	qt_ast_children(node, note_cleared, c);
}

/* Checks BODY into OUT; COND (or NULL) holds at each turn's begin. */
static void check_body(struct qt_check *c, const struct qt_ast *cond, const struct qt_ast *body, struct qt_stmts *out)
{
	struct cleared cleared = { c->s, 0 };
	uint64_t known = c->known, before = c->cleared;

	note_cleared((struct qt_ast *)body, &cleared);
	known &= ~cleared.mask;
	c->cleared |= cleared.mask & c->known;
	c->known = known | (cond ? qt_context_facts(c->s, cond, true) : 0);
	c->loop_depth++;
	qt_check_stmt(c, body, out);
	c->loop_depth--;
	c->known = known;
	c->cleared |= before;
}

/* ---- loops ---- */

bool qt_check_while(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out)
{
	const struct qt_ast_while *n = QT_AST(while, node);
	struct qt_stmts body = { 0 };
	struct qt_expr *cond = qt_check_condition(c, n->cond);
	struct qt_stmt *stmt = qt_stmt_new(c, out, QT_S_WHILE, node->span);

	check_body(c, n->cond, n->body, &body);
	stmt->a = cond;
	stmt->then = body;
	return true;
}

static void range_stmt(struct qt_check *c, struct qt_stmts *out, const struct qt_ast *node, uint32_t variable, struct qt_expr *const bounds[2],
		       struct qt_stmts body)
{
	struct qt_stmt *stmt = qt_stmt_new(c, out, QT_S_RANGE, node->span);

	stmt->index = variable;
	for (unsigned k = 0; k < 2; k++)
		*qt_vec_push(c->s->arena, &stmt->args) = qt_x_convert(c->s, bounds[k], QT_I64);
	stmt->then = body;
}

static struct qt_expr *check_bound(struct qt_check *c, const struct qt_ast *node)
{
	struct qt_expr *x = qt_check_expr(c, node);

	if (qt_x_bad(x) || qt_is_number(x->type))
		return x;
	qt_diag_add(c->s->diags, QT_E0204, node->span, "the bound of a loop is a number, not %s", qt_type_words(x->type));
	return qt_x_error(c->s, node->span);
}

static bool check_range(struct qt_check *c, const struct qt_ast_for *n, struct qt_stmts *out)
{
	struct qt_expr *bounds[2] = { check_bound(c, n->from), check_bound(c, n->to) };
	struct qt_type type = QT_I64;
	struct qt_stmts body = { 0 };
	uint32_t variable;

	if (bounds[1]->type.kind == QT_TYPE_INT)
		type.unit = bounds[1]->type.unit;
	variable = qt_scratch_bind(c, &n->head, n->var, type);
	check_body(c, NULL, n->body, &body);
	qt_scratch_release(c, variable);
	range_stmt(c, out, &n->head, variable, bounds, body);
	return true;
}

/* ---- over maps ---- */

/* The form of ($kv.0, $kv.1): a key or a tuple of keys, a value or a tuple of its parts. */
static struct qt_form *pair_form(struct qt_check *c, const struct qt_map_info *m)
{
	struct qt_form *f = QT_NEW(c->s->arena, struct qt_form);

	f->n = 2;
	f->items = QT_NEW_ARRAY(c->s->arena, struct qt_form, 2);
	if (m->keys.len > 1) {
		f->items[0].n = m->keys.len;
		f->items[0].items = QT_NEW_ARRAY(c->s->arena, struct qt_form, m->keys.len);
	}
	if (m->shape)
		qt_form_copy(c->s, &f->items[1], m->shape);
	return f;
}

static struct qt_expr *place(struct qt_check *c, const struct qt_form *leaf, struct qt_type type, struct qt_span span)
{
	struct qt_expr *x;

	qt_scratch_widen(c, leaf->index, type);
	x = qt_x_new(c->s, QT_X_SCRATCH, c->group->scratch.items[leaf->index].type, span);
	x->index = leaf->index;
	return x;
}

static void place_keys(struct qt_check *c, const struct qt_map_info *m, const struct qt_form *key, struct qt_stmt *stmt)
{
	for (uint32_t i = 0; i < m->keys.len; i++)
		*qt_vec_push(c->s->arena, &stmt->keys) = place(c, key->n ? &key->items[i] : key, m->keys.items[i].type, stmt->span);
}

static void place_parts(struct qt_check *c, const struct qt_form *form, const struct qt_form *of, struct qt_stmt *stmt)
{
	for (uint32_t i = 0; i < form->n; i++)
		place_parts(c, &form->items[i], &of->items[i], stmt);
	if (!form->n)
		*qt_vec_push(c->s->arena, &stmt->args) = place(c, form, of->type, stmt->span);
}

static void place_value(struct qt_check *c, const struct qt_map_info *m, const struct qt_form *value, struct qt_stmt *stmt)
{
	if (m->shape)
		place_parts(c, value, m->shape, stmt);
	else
		*qt_vec_push(c->s->arena, &stmt->args) = place(c, value, m->value, stmt->span);
}

static bool check_each(struct qt_check *c, const struct qt_ast_for *n, const struct qt_map_info *m, struct qt_stmts *out)
{
	uint32_t variable = qt_scratch_bind(c, &n->head, n->var, QT_U64), number = qt_map_number(c->s, m);
	struct qt_stmt *stmt = qt_stmt_new(c, out, QT_S_EACH, n->head.span);
	struct qt_form *form = c->group->scratch.items[variable].shape;
	struct qt_stmts body = { 0 };

	if (!form) {
		c->group->scratch.items[variable].shape = form = pair_form(c, m);
		qt_form_variables(c, form, qt_arena_printf(c->s->arena, "%s#%u", n->var, variable), n->head.span);
	}
	stmt->index = number;
	place_keys(c, m, &form->items[0], stmt);
	place_value(c, m, &form->items[1], stmt);
	check_body(c, NULL, n->body, &body);
	qt_scratch_release(c, variable);
	stmt->then = body;
	return true;
}

static bool not_a_range(struct qt_check *c, const struct qt_ast_for *n)
{
	struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0204, n->from->span, "a loop runs over a range of numbers or over a map");

	qt_diag_hint(c->s->diags, d, "for ($%s : 0..10) { ... } runs from 0 to 9, for ($%s : @map) { ... } over the entries of a map", n->var,
		     n->var);
	return true;
}

bool qt_check_for(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out)
{
	const struct qt_ast_for *n = QT_AST(for, node);
	const struct qt_map_info *m;
	struct qt_diag *d;

	if (n->to)
		return check_range(c, n, out);
	if (n->from->kind != QT_AST_map || QT_AST(map, n->from)->keys.len)
		return not_a_range(c, n);
	m = qt_map_named(c, n->from);
	if (m && m->metric == QT_METRIC_hist) {
		d = qt_diag_add(c->s->diags, QT_E0211, n->from->span, "`@%s` collects hist() and has no single value to read", m->name);
		qt_diag_hint(c->s->diags, d, "print(@%s) shows it", m->name);
		return true;
	}
	if (m && m->keyed && !m->keys.len) {
		d = qt_diag_add(c->s->diags, QT_E0205, n->from->span, "`@%s` has no keys to run over", m->name);
		qt_diag_hint(c->s->diags, d, "read it as it is: @%s", m->name);
		return true;
	}
	/* While types are inferred nothing may be known of the map yet. */
	return m && m->keyed && (m->shape || m->value.kind != QT_TYPE_ERROR) ? check_each(c, n, m, out) : true;
}

bool qt_check_unroll(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out)
{
	const struct qt_ast_unroll *n = QT_AST(unroll, node);
	struct qt_expr *bounds[2] = { qt_x_int(c->s, 0, QT_I64, n->count->span), check_bound(c, n->count) };
	struct qt_stmts body = { 0 };

	check_body(c, NULL, n->body, &body);
	range_stmt(c, out, node, QT_NO_VARIABLE, bounds, body);
	return true;
}

/* ---- jumps ---- */

static bool check_jump(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out, enum qt_stmt_kind kind)
{
	struct qt_diag *d;

	if (c->loop_depth) {
		qt_stmt_new(c, out, kind, node->span);
		return false;
	}
	d = qt_diag_add(c->s->diags, QT_E0219, node->span, "`%s` stands in no loop", kind == QT_S_BREAK ? "break" : "continue");
	qt_diag_hint(c->s->diags, d, "`return` leaves the rule");
	return true;
}

bool qt_check_break(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out)
{
	return check_jump(c, node, out, QT_S_BREAK);
}

bool qt_check_continue(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out)
{
	return check_jump(c, node, out, QT_S_CONTINUE);
}
