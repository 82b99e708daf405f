/* Tuples: (a, b) and records (a = 1, b = 2). A tuple is no value of the program: it is taken apart here. A $variable that holds one is a $variable for each part, a map's value has a column for
 * each, and so has a key. Parts are numbered from 0 or have names; a part may be a tuple. */
#include "sema/sema_internal.h"

#include <stdio.h>

/* ---- values ---- */

static struct qt_tree *tree_new(struct qt_check *c, uint32_t n)
{
	struct qt_tree *t = QT_NEW(c->s->arena, struct qt_tree);

	t->n = n;
	t->items = QT_NEW_ARRAY(c->s->arena, struct qt_tree, n);
	return t;
}

static struct qt_tree part_of(struct qt_check *c, const struct qt_ast *node, qt_name name)
{
	const struct qt_tree *inner = qt_tuple_of(c, node);
	struct qt_tree t = inner ? *inner : (struct qt_tree){ .leaf = NULL };

	if (!inner)
		t.leaf = qt_x_probe_text(c, qt_check_expr(c, node));
	t.name = name;
	return t;
}

static struct qt_tree *of_literal(struct qt_check *c, const struct qt_ast_tuple *node)
{
	struct qt_tree *t = tree_new(c, node->items.len);

	for (uint32_t i = 0; i < t->n; i++)
		t->items[i] = part_of(c, node->items.items[i], NULL);
	return t;
}

static struct qt_tree *of_record(struct qt_check *c, const struct qt_ast_record *node)
{
	struct qt_tree *t = tree_new(c, node->items.len);

	for (uint32_t i = 0; i < t->n; i++) {
		const struct qt_ast_record_part *item = QT_AST(record_part, node->items.items[i]);

		t->items[i] = part_of(c, item->value, item->name);
	}
	return t;
}

/* The parts of a place by its shape; PLACE makes the expression of a leaf. */
typedef struct qt_expr *(*place_fn)(struct qt_check *c, const struct qt_form *leaf, void *ctx);

static void fill(struct qt_check *c, struct qt_tree *t, const struct qt_form *shape, place_fn place, void *ctx)
{
	t->name = shape->name;
	t->n = shape->n;
	if (!shape->n) {
		t->leaf = place(c, shape, ctx);
		return;
	}
	t->items = QT_NEW_ARRAY(c->s->arena, struct qt_tree, shape->n);
	for (uint32_t i = 0; i < shape->n; i++)
		fill(c, &t->items[i], &shape->items[i], place, ctx);
}

static struct qt_expr *scratch_place(struct qt_check *c, const struct qt_form *leaf, void *ctx)
{
	const struct qt_span *span = ctx;
	struct qt_expr *x = qt_x_new(c->s, QT_X_SCRATCH, c->group->scratch.items[leaf->index].type, *span);

	x->index = leaf->index;
	return x;
}

static struct qt_tree *of_scratch(struct qt_check *c, const struct qt_ast_scratch *node)
{
	int index = qt_scratch_find(c->group, node->name);
	const struct qt_form *shape = index < 0 ? NULL : c->group->scratch.items[index].shape;
	struct qt_span span = node->head.span;
	struct qt_tree *t;

	if (!shape)
		return NULL;
	t = QT_NEW(c->s->arena, struct qt_tree);
	fill(c, t, shape, scratch_place, &span);
	return t;
}

struct map_place {
	uint32_t map, nkeys;
	struct qt_expr **keys;
	struct qt_span span;
};

static struct qt_expr *map_place(struct qt_check *c, const struct qt_form *leaf, void *ctx)
{
	const struct map_place *p = ctx;
	struct qt_expr *x = qt_x_new(c->s, QT_X_MAP, leaf->type, p->span);

	x->index = p->map;
	x->offset = leaf->index;
	x->args.items = p->keys;
	x->args.len = p->nkeys;
	return x;
}

static struct qt_tree *of_map(struct qt_check *c, const struct qt_ast_map *node)
{
	const struct qt_map_info *m = qt_map_known(c->s, node->name);
	struct map_place p = { .span = node->head.span };
	struct qt_tree *t;

	if (!m || !m->shape)
		return NULL;
	t = QT_NEW(c->s->arena, struct qt_tree);
	m = qt_map_use(c, node, &p.keys, &p.nkeys);
	if (!m)
		return NULL;
	p.map = qt_map_number(c->s, m);
	fill(c, t, m->shape, map_place, &p);
	return t;
}

/* The part of T that NAME names: a number or a name. NULL when there is none. */
static const struct qt_tree *part_named(const struct qt_tree *t, const char *name)
{
	char number[16];

	for (uint32_t i = 0; i < t->n; i++) {
		snprintf(number, sizeof(number), "%u", i);
		if (!strcmp(name, number) || (t->items[i].name && !strcmp(name, t->items[i].name)))
			return &t->items[i];
	}
	return NULL;
}

static const struct qt_tree *of_member(struct qt_check *c, const struct qt_ast_member *node)
{
	const struct qt_tree *object = node->arrow ? NULL : qt_tuple_of(c, node->object);

	return object ? part_named(object, node->name) : NULL;
}

const struct qt_tree *qt_tuple_of(struct qt_check *c, const struct qt_ast *node)
{
	const struct qt_tree *t = NULL;

	if (node->kind == QT_AST_tuple)
		t = of_literal(c, QT_AST(tuple, node));
	else if (node->kind == QT_AST_record)
		t = of_record(c, QT_AST(record, node));
	else if (node->kind == QT_AST_scratch)
		t = of_scratch(c, QT_AST(scratch, node));
	else if (node->kind == QT_AST_map)
		t = of_map(c, QT_AST(map, node));
	else if (node->kind == QT_AST_member)
		t = of_member(c, QT_AST(member, node));
	return t && t->n ? t : NULL;
}

struct qt_expr *qt_check_part(struct qt_check *c, const struct qt_ast_member *node)
{
	const struct qt_tree *object = node->arrow ? NULL : qt_tuple_of(c, node->object), *part;
	struct qt_diag *d;

	if (!object)
		return NULL;
	part = part_named(object, node->name);
	if (part && !part->n)
		return part->leaf;
	if (part)
		return qt_tuple_error(c, node->head.span);
	d = qt_diag_add(c->s->diags, QT_E0220, node->head.span, "the tuple has no part `%s`", node->name);
	if (object->items[0].name)
		qt_diag_hint(c->s->diags, d, "its first part is .%s", object->items[0].name);
	else
		qt_diag_hint(c->s->diags, d, "its parts are .0 to .%u", object->n - 1);
	return qt_x_error(c->s, node->head.span);
}

struct qt_expr *qt_tuple_error(struct qt_check *c, struct qt_span span)
{
	struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0204, span, "a tuple stands where one value is needed");

	qt_diag_hint(c->s->diags, d, "take one of its parts: .0, .1 ...");
	return qt_x_error(c->s, span);
}

void qt_tuple_leaves(struct qt_sema *s, const struct qt_tree *t, struct qt_leaves *out)
{
	if (!t->n) {
		*qt_vec_push(s->arena, out) = t->leaf;
		return;
	}
	for (uint32_t i = 0; i < t->n; i++)
		qt_tuple_leaves(s, &t->items[i], out);
}

/* ---- shapes ---- */

static bool same_name(qt_name a, qt_name b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_form(const struct qt_form *shape, const struct qt_tree *t)
{
	if (shape->n != t->n || !same_name(shape->name, t->name))
		return false;
	for (uint32_t i = 0; i < t->n; i++) {
		if (!same_form(&shape->items[i], &t->items[i]))
			return false;
	}
	return true;
}

static void copy_form(struct qt_sema *s, struct qt_form *shape, const struct qt_tree *t)
{
	*shape = (struct qt_form){ .name = t->name, .n = t->n, .type.kind = QT_TYPE_ERROR };
	shape->items = QT_NEW_ARRAY(s->arena, struct qt_form, t->n);
	for (uint32_t i = 0; i < t->n; i++)
		copy_form(s, &shape->items[i], &t->items[i]);
}

void qt_form_copy(struct qt_sema *s, struct qt_form *to, const struct qt_form *from)
{
	*to = *from;
	to->items = QT_NEW_ARRAY(s->arena, struct qt_form, from->n);
	for (uint32_t i = 0; i < from->n; i++)
		qt_form_copy(s, &to->items[i], &from->items[i]);
}

struct qt_form *qt_form_of(struct qt_sema *s, const struct qt_tree *t)
{
	struct qt_form *shape = QT_NEW(s->arena, struct qt_form);

	copy_form(s, shape, t);
	shape->name = NULL;
	return shape;
}

bool qt_form_fits(struct qt_check *c, const struct qt_form *shape, const struct qt_tree *t, struct qt_span span)
{
	struct qt_tree nameless = *t;
	struct qt_diag *d;

	nameless.name = NULL;
	if (same_form(shape, &nameless))
		return true;
	d = qt_diag_add(c->s->diags, QT_E0220, span, "this tuple has another form than elsewhere");
	qt_diag_hint(c->s->diags, d, "all values of one variable or map have the same number of parts (%u) and the same names", shape->n);
	return false;
}

/* A variable for each leaf, named as one would write it. */
void qt_form_variables(struct qt_check *c, struct qt_form *shape, const char *name, struct qt_span span)
{
	if (!shape->n) {
		shape->index = qt_scratch_add(c, qt_intern_n(c->s->names, name, strlen(name)), span);
		return;
	}
	for (uint32_t i = 0; i < shape->n; i++) {
		const char *part = shape->items[i].name;

		qt_form_variables(c, &shape->items[i],
				  part ? qt_arena_printf(c->s->arena, "%s.%s", name, part) : qt_arena_printf(c->s->arena, "%s.%u", name, i), span);
	}
}

/* Words behind one another, from *OFFSET on. */
void qt_form_offsets(struct qt_form *shape, uint32_t *offset)
{
	if (!shape->n) {
		shape->index = *offset;
		*offset += 8;
	}
	for (uint32_t i = 0; i < shape->n; i++)
		qt_form_offsets(&shape->items[i], offset);
}

static void add_columns(struct qt_sema *s, const struct qt_form *shape, const char *path, struct qt_map_decl *d)
{
	struct qt_column *column;

	if (shape->n) {
		for (uint32_t i = 0; i < shape->n; i++) {
			const char *part = shape->items[i].name ? shape->items[i].name : qt_arena_printf(s->arena, "%u", i);

			add_columns(s, &shape->items[i], path ? qt_arena_printf(s->arena, "%s.%s", path, part) : part, d);
		}
		return;
	}
	column = qt_vec_push(s->arena, &d->parts);
	*column = (struct qt_column){ path, shape->type, QT_METRIC_COUNT };
	column->type.literal = false;
}

void qt_form_columns(struct qt_sema *s, const struct qt_form *shape, struct qt_map_decl *d)
{
	add_columns(s, shape, NULL, d);
}

/* ---- printing ---- */

static void add_text(struct qt_check *c, struct qt_format *format, const char *text)
{
	*qt_vec_push(c->s->arena, &format->pieces) = (struct qt_format_piece){
		.kind = QT_FMT_TEXT, .text = qt_str_from(qt_arena_printf(c->s->arena, "%s", text)), .width = -1, .precision = -1
	};
}

static void add_value(struct qt_check *c, struct qt_format *format, struct qt_stmt *stmt, struct qt_expr *x)
{
	enum qt_format_kind kind = qt_is_text(x->type) || x->type.kind == QT_TYPE_SHOWN ? QT_FMT_STR
				   : x->type.kind == QT_TYPE_PTR			? QT_FMT_PTR
				   : x->type.unit					? QT_FMT_VALUE
											: QT_FMT_INT;

	*qt_vec_push(c->s->arena, &format->pieces) = (struct qt_format_piece){ .kind = kind, .width = -1, .precision = -1 };
	*qt_vec_push(c->s->arena, &stmt->args) = x;
}

void qt_tuple_format(struct qt_check *c, const struct qt_tree *t, struct qt_format *format, struct qt_stmt *stmt)
{
	if (!t->n) {
		add_value(c, format, stmt, t->leaf);
		return;
	}
	add_text(c, format, "(");
	for (uint32_t i = 0; i < t->n; i++) {
		if (i)
			add_text(c, format, ", ");
		if (t->items[i].name)
			add_text(c, format, qt_arena_printf(c->s->arena, "%s = ", t->items[i].name));
		qt_tuple_format(c, &t->items[i], format, stmt);
	}
	add_text(c, format, ")");
}
