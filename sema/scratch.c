/* $variables: of one rule, typed by its assignments; 0 or "" before the first one that runs. */
#include "sema/sema_internal.h"

int qt_scratch_find(const struct qt_group *g, qt_name name)
{
	int found = -1;

	for (uint32_t i = 0; i < g->scratch.len; i++) {
		const struct qt_scratch_info *v = &g->scratch.items[i];

		if (v->name == name && !v->hidden && (found < 0 || v->loop))
			found = (int)i;
	}
	return found;
}

static struct qt_expr *scratch_expr(struct qt_check *c, uint32_t index, struct qt_span span)
{
	struct qt_expr *x = qt_x_new(c->s, QT_X_SCRATCH, c->group->scratch.items[index].type, span);

	x->index = index;
	return x;
}

struct qt_expr *qt_check_scratch_read(struct qt_check *c, const struct qt_ast_scratch *node)
{
	int index = qt_scratch_find(c->group, node->name);
	struct qt_diag *d;
	struct qt_suggest near;

	if (index >= 0 && c->group->scratch.items[index].shape)
		return qt_tuple_error(c, node->head.span);
	if (index >= 0)
		return scratch_expr(c, (uint32_t)index, node->head.span);
	if (c->s->final) {
		d = qt_diag_add(c->s->diags, QT_E0208, node->head.span, "`$%s` is read, but this rule never assigns it", node->name);
		qt_suggest_begin(&near, qt_arena_printf(c->s->arena, "$%s", node->name));
		qt_vec_each (v, &c->group->scratch)
			qt_suggest_offer(&near, qt_arena_printf(c->s->arena, "$%s", v->name));
		if (!qt_suggest_hint(c->s->diags, d, &near))
			qt_diag_hint(c->s->diags, d, "$variables belong to one rule; `set NAME = ...` or @map keep a value for other events");
	}
	return qt_x_error(c->s, node->head.span);
}

uint32_t qt_scratch_add(struct qt_check *c, qt_name name, struct qt_span span)
{
	int i = qt_scratch_find(c->group, name);

	if (i >= 0)
		return (uint32_t)i;
	*qt_vec_push(c->s->arena, &c->group->scratch) = (struct qt_scratch_info){ .name = name, .type.kind = QT_TYPE_ERROR, .assigned_at = span };
	return c->group->scratch.len - 1;
}

static struct qt_scratch_info *declare(struct qt_check *c, const struct qt_ast_scratch *node, uint32_t *index)
{
	*index = qt_scratch_add(c, node->name, node->head.span);
	return &c->group->scratch.items[*index];
}

uint32_t qt_scratch_bind(struct qt_check *c, const struct qt_ast *loop, qt_name name, struct qt_type type)
{
	for (uint32_t i = 0; i < c->group->scratch.len; i++) {
		if (c->group->scratch.items[i].loop != loop)
			continue;
		c->group->scratch.items[i].hidden = false;
		return i;
	}
	*qt_vec_push(c->s->arena, &c->group->scratch) =
		(struct qt_scratch_info){ .name = name, .type = type, .assigned_at = loop->span, .loop = loop };
	return c->group->scratch.len - 1;
}

void qt_scratch_release(struct qt_check *c, uint32_t index)
{
	c->group->scratch.items[index].hidden = true;
}

static struct qt_expr *join_scratch(struct qt_check *c, struct qt_scratch_info *v, struct qt_expr *value)
{
	struct qt_type type;
	struct qt_diag *d;

	if (qt_x_bad(value))
		return value;
	if (value->type.kind == QT_TYPE_VOID || !qt_type_join(v->type, qt_type_stored(value->type), &type)) {
		d = qt_diag_add(c->s->diags, QT_E0204, value->span, "`$%s` is %s and cannot take %s", v->name, qt_type_words(v->type),
				qt_type_words(value->type));
		qt_diag_note(c->s->diags, d, v->assigned_at, "assigned first here");
		return qt_x_error(c->s, value->span);
	}
	if (!qt_type_eq(type, v->type)) {
		v->type = type;
		c->s->changed = true;
	}
	return qt_x_fit(c, value, type);
}

struct qt_expr *qt_scratch_join(struct qt_check *c, uint32_t index, struct qt_expr *value)
{
	return join_scratch(c, &c->group->scratch.items[index], value);
}

void qt_scratch_widen(struct qt_check *c, uint32_t index, struct qt_type type)
{
	struct qt_scratch_info *v = &c->group->scratch.items[index];
	struct qt_type joined;

	if (!qt_type_join(v->type, qt_type_stored(type), &joined) || qt_type_eq(joined, v->type))
		return;
	v->type = joined;
	c->s->changed = true;
}

/* ---- tuples ---- */

static void both_kinds(struct qt_check *c, const struct qt_scratch_info *v, struct qt_span span, bool tuple)
{
	struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0204, span, "`$%s` takes %s here and %s elsewhere", v->name, tuple ? "a tuple" : "one value",
					tuple ? "one value" : "a tuple");

	qt_diag_note(c->s->diags, d, v->assigned_at, "assigned first here");
}

static struct qt_expr *place_of(struct qt_check *c, const struct qt_form *leaf, struct qt_span span)
{
	return scratch_expr(c, leaf->index, span);
}

static bool join_leaves(struct qt_check *c, const struct qt_form *shape, const struct qt_tree *t, struct qt_stmt *stmt)
{
	bool ok = true;

	for (uint32_t i = 0; i < shape->n; i++)
		ok &= join_leaves(c, &shape->items[i], &t->items[i], stmt);
	if (shape->n)
		return ok;
	*qt_vec_push(c->s->arena, &stmt->args) = qt_scratch_join(c, shape->index, t->leaf);
	*qt_vec_push(c->s->arena, &stmt->keys) = place_of(c, shape, stmt->span);
	return !qt_x_bad(stmt->args.items[stmt->args.len - 1]);
}

static void assign_tuple(struct qt_check *c, const struct qt_ast_assign *node, const struct qt_tree *t, struct qt_stmts *out)
{
	uint32_t index = qt_scratch_add(c, QT_AST(scratch, node->place)->name, node->place->span);
	struct qt_scratch_info *v = &c->group->scratch.items[index];

	if (strcmp(node->op, "=") || (!v->shape && v->type.kind != QT_TYPE_ERROR)) {
		both_kinds(c, v, node->head.span, true);
		return;
	}
	if (!v->shape) {
		struct qt_form *shape = qt_form_of(c->s, t);

		v->shape = shape;
		qt_form_variables(c, shape, v->name, node->place->span);
		c->s->changed = true;
	}
	v = &c->group->scratch.items[index];
	if (qt_form_fits(c, v->shape, t, node->value->span))
		join_leaves(c, v->shape, t, qt_stmt_new(c, out, QT_S_SCRATCHES, node->head.span));
}

/* "+=" to "+". */
static const char *plain_op(struct qt_check *c, const char *op)
{
	return qt_intern_n(c->s->names, op, strlen(op) - 1);
}

void qt_check_scratch_assign(struct qt_check *c, const struct qt_ast_assign *node, struct qt_stmts *out)
{
	const struct qt_ast_scratch *place = QT_AST(scratch, node->place);
	const struct qt_tree *tuple = qt_tuple_of(c, node->value);
	struct qt_expr *value = tuple ? NULL : qt_check_expr(c, node->value);
	uint32_t index;
	struct qt_stmt *stmt;

	if (tuple) {
		assign_tuple(c, node, tuple, out);
		return;
	}
	if (declare(c, place, &index)->shape) {
		if (!qt_x_bad(value))
			both_kinds(c, &c->group->scratch.items[index], node->head.span, false);
		return;
	}
	if (strcmp(node->op, "=") && !qt_x_bad(value)) {
		struct qt_expr *old = scratch_expr(c, index, place->head.span);

		value = qt_x_bad(old) ? old : qt_check_binary(c, &node->head, plain_op(c, node->op), old, value);
	}
	value = join_scratch(c, &c->group->scratch.items[index], value);
	stmt = qt_stmt_new(c, out, QT_S_SCRATCH, node->head.span);
	stmt->index = index;
	stmt->a = value;
}

struct qt_expr *qt_check_scratch_incdec(struct qt_check *c, const struct qt_ast_incdec *node)
{
	struct qt_scratch_info *v;
	struct qt_expr *x;
	uint32_t index;

	v = declare(c, QT_AST(scratch, node->place), &index);
	if (qt_x_bad(join_scratch(c, v, qt_x_int(c->s, 1, QT_I64, node->head.span))))
		return qt_x_error(c->s, node->head.span);
	x = qt_x_new(c->s, QT_X_INCDEC, v->type, node->head.span);
	x->a = scratch_expr(c, index, node->place->span);
	x->value = node->op[0] == '+' ? 1 : (uint64_t)-1;
	x->index = node->prefix;
	return x;
}
