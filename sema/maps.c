/* Maps: one name, one number of keys, one type a key, one kind of value (a number, a text, or one metric) in the whole script. */
#include "sema/sema_internal.h"

#include <stdio.h>

/* ---- look-up and declaration ---- */

static struct qt_map_info *map_find(struct qt_sema *s, qt_name name, struct qt_span span)
{
	uintptr_t i = (uintptr_t)qt_map_get(&s->map_index, QT_KEY(name));
	struct qt_map_info *m;

	if (i)
		return &s->maps.items[i - 1];
	m = qt_vec_push(s->arena, &s->maps);
	*m = (struct qt_map_info){ .name = name, .span = span, .value.kind = QT_TYPE_ERROR, .metric = QT_METRIC_COUNT };
	qt_map_put(s->arena, &s->map_index, QT_KEY(name), (void *)(uintptr_t)s->maps.len);
	return m;
}

struct qt_map_info *qt_map_known(struct qt_sema *s, qt_name name)
{
	uintptr_t i = (uintptr_t)qt_map_get(&s->map_index, QT_KEY(name));

	return i ? &s->maps.items[i - 1] : NULL;
}

uint32_t qt_map_number(struct qt_sema *s, const struct qt_map_info *m)
{
	return (uint32_t)(m - s->maps.items);
}

void qt_suggest_maps(struct qt_sema *s, struct qt_diag *d, qt_name name)
{
	struct qt_suggest near;

	qt_suggest_begin(&near, qt_arena_printf(s->arena, "@%s", name));
	qt_vec_each (m, &s->maps) {
		if (m->written_at.file)
			qt_suggest_offer(&near, qt_arena_printf(s->arena, "@%s", m->name));
	}
	qt_suggest_hint(s->diags, d, &near);
}

/* Told once, at the map's first use. */
static void never_written(struct qt_check *c, const struct qt_map_info *m, struct qt_span span)
{
	if (m->span.file)
		span = m->span;
	qt_suggest_maps(c->s, qt_diag_add(c->s->diags, QT_E0206, span, "no rule assigns anything to `@%s`", m->name), m->name);
}

/* ---- keys ---- */

static void key_count_error(struct qt_check *c, const struct qt_map_info *m, struct qt_span span, uint32_t n)
{
	struct qt_diag *d =
		qt_diag_add(c->s->diags, QT_E0205, span, "`@%s` has %u key%s here and %u elsewhere", m->name, n, n == 1 ? "" : "s", m->keys.len);

	qt_diag_note(c->s->diags, d, m->keyed_at, "%u key%s here", m->keys.len, m->keys.len == 1 ? "" : "s");
}

static void key_type_error(struct qt_check *c, const struct qt_map_info *m, const struct qt_expr *key, uint32_t i)
{
	struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0205, key->span, "key %u of `@%s` is %s here and %s elsewhere", i + 1, m->name,
					qt_type_words(key->type), qt_type_words(m->keys.items[i].type));

	qt_diag_note(c->s->diags, d, m->keyed_at, "%s here", qt_type_words(m->keys.items[i].type));
}

static struct qt_expr *join_key(struct qt_check *c, struct qt_map_info *m, struct qt_expr *key, uint32_t i)
{
	struct qt_column *col = &m->keys.items[i];
	struct qt_type type;

	if (key->type.kind == QT_TYPE_VOID || !qt_type_join(col->type, key->type, &type)) {
		key_type_error(c, m, key, i);
		return qt_x_error(c->s, key->span);
	}
	if (!qt_type_eq(type, col->type)) {
		col->type = type;
		c->s->changed = true;
	}
	return qt_x_fit(c, key, type);
}

struct keys {
	struct qt_leaves exprs;
	QT_VEC(const char *) names; /* of columns */
	bool bad;
};

/* The keys that NODE gives: one, or each part of a tuple. */
static void add_keys(struct qt_check *c, struct qt_ast *node, struct keys *k)
{
	const struct qt_tree *t = node->kind == QT_AST_tuple ? NULL : qt_tuple_of(c, node);
	uint32_t first = k->exprs.len;

	if (node->kind == QT_AST_tuple) {
		const struct qt_ast_tuple *tuple = QT_AST(tuple, node);

		for (uint32_t i = 0; i < tuple->items.len; i++)
			add_keys(c, tuple->items.items[i], k);
		return;
	}
	if (t)
		qt_tuple_leaves(c->s, t, &k->exprs);
	else
		*qt_vec_push(c->s->arena, &k->exprs) = qt_check_expr(c, node);
	for (uint32_t i = first; i < k->exprs.len; i++) {
		k->bad |= qt_x_bad(k->exprs.items[i]);
		*qt_vec_push(c->s->arena, &k->names) =
			t ? qt_arena_printf(c->s->arena, "%s.%u", qt_ast_text(c->s, node), i - first) : qt_ast_text(c->s, node);
	}
}

static void first_keys(struct qt_check *c, struct qt_map_info *m, const struct keys *k, struct qt_span span)
{
	m->keyed = true;
	m->keyed_at = span;
	for (uint32_t i = 0; i < k->exprs.len; i++)
		*qt_vec_push(c->s->arena, &m->keys) =
			(struct qt_column){ .name = k->names.items[i], .type.kind = QT_TYPE_ERROR, .metric = QT_METRIC_COUNT };
}

bool qt_map_keys(struct qt_check *c, struct qt_map_info *m, struct qt_ast *const *nodes, uint32_t n, struct qt_span span, struct qt_expr ***keys,
		 uint32_t *nkeys)
{
	uint32_t number = qt_map_number(c->s, m);
	struct keys k = { 0 };
	bool ok = true;

	for (uint32_t i = 0; i < n; i++)
		add_keys(c, nodes[i], &k);
	m = &c->s->maps.items[number];
	if (!m->keyed && k.bad && !c->s->final)
		return false;
	if (!m->keyed)
		first_keys(c, m, &k, span);
	if (m->keys.len != k.exprs.len) {
		key_count_error(c, m, span, k.exprs.len);
		return false;
	}
	*nkeys = k.exprs.len;
	*keys = k.exprs.items;
	for (uint32_t i = 0; i < *nkeys; i++) {
		if (!qt_x_bad((*keys)[i]))
			(*keys)[i] = join_key(c, &c->s->maps.items[number], (*keys)[i], i);
		ok &= !qt_x_bad((*keys)[i]);
	}
	return ok;
}

struct qt_map_info *qt_map_use(struct qt_check *c, const struct qt_ast_map *node, struct qt_expr ***keys, uint32_t *nkeys)
{
	struct qt_map_info *m = map_find(c->s, node->name, node->head.span);
	uint32_t number = qt_map_number(c->s, m);
	bool ok = qt_map_keys(c, m, node->keys.items, node->keys.len, node->head.span, keys, nkeys);

	return ok ? &c->s->maps.items[number] : NULL;
}

struct qt_map_info *qt_map_named(struct qt_check *c, const struct qt_ast *node)
{
	const struct qt_ast_map *map = QT_AST(map, node);
	struct qt_map_info *m = map_find(c->s, map->name, node->span);

	if (m->written_at.file)
		return m;
	if (c->s->final)
		never_written(c, m, node->span);
	return NULL;
}

/* ---- reading ---- */

struct qt_expr *qt_check_map_read(struct qt_check *c, const struct qt_ast_map *node)
{
	struct qt_expr **keys, *x;
	uint32_t nkeys;
	struct qt_map_info *m = qt_map_use(c, node, &keys, &nkeys);
	struct qt_diag *d;

	if (!m)
		return qt_x_error(c->s, node->head.span);
	if (m->metric == QT_METRIC_hist && m->written_at.file) {
		d = qt_diag_add(c->s->diags, QT_E0211, node->head.span, "`@%s` collects %s() and has no single value to read", m->name,
				qt_metric_info(m->metric)->name);
		qt_diag_note(c->s->diags, d, m->written_at, "here");
		qt_diag_hint(c->s->diags, d, "print(@%s) shows it", m->name);
		return qt_x_error(c->s, node->head.span);
	}
	if (!m->written_at.file && c->s->final)
		never_written(c, m, node->head.span);
	if (m->shape)
		return qt_tuple_error(c, node->head.span);
	x = qt_x_new(c->s, QT_X_MAP, m->written_at.file ? m->value : (struct qt_type){ .kind = QT_TYPE_ERROR }, node->head.span);
	x->index = qt_map_number(c->s, m);
	x->args.items = keys;
	x->args.len = nkeys;
	return x;
}

/* ---- writing ---- */

static const char *value_text(const struct qt_map_info *m)
{
	if (m->shape)
		return "a tuple";
	return m->metric == QT_METRIC_COUNT ? qt_type_words(m->value) : qt_builtin_find(qt_metric_info(m->metric)->name)->written;
}

static void value_clash(struct qt_check *c, const struct qt_map_info *m, struct qt_span span, const char *what)
{
	struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0205, span, "`@%s` holds %s here and %s elsewhere", m->name, what, value_text(m));

	qt_diag_note(c->s->diags, d, m->written_at, "%s here", value_text(m));
}

static bool join_value(struct qt_check *c, struct qt_map_info *m, struct qt_type t, struct qt_span span)
{
	struct qt_type type;

	if (!qt_type_join(m->value, qt_type_stored(t), &type)) {
		value_clash(c, m, span, qt_type_words(t));
		return false;
	}
	if (!qt_type_eq(type, m->value)) {
		m->value = type;
		c->s->changed = true;
	}
	return true;
}

static struct qt_stmt *map_stmt(struct qt_check *c, struct qt_stmts *out, enum qt_stmt_kind kind, struct qt_span span, const struct qt_map_info *m,
				struct qt_expr **keys, uint32_t nkeys)
{
	struct qt_stmt *stmt = qt_stmt_new(c, out, kind, span);

	stmt->index = qt_map_number(c->s, m);
	stmt->keys.items = keys;
	stmt->keys.len = nkeys;
	return stmt;
}

/* @m[...] = count() and the like. */
static void assign_metric(struct qt_check *c, const struct qt_ast_assign *node, const struct qt_builtin *b, struct qt_stmts *out)
{
	const struct qt_ast_call *call = QT_AST(call, node->value);
	struct qt_expr **keys, *arg = NULL;
	uint32_t nkeys, number = qt_map_number(c->s, map_find(c->s, QT_AST(map, node->place)->name, node->place->span));
	struct qt_map_info *m = &c->s->maps.items[number];
	bool keyed;

	if (!m->written_at.file) {
		m->written_at = node->head.span;
		m->metric = b->metric;
	}
	keyed = qt_map_use(c, QT_AST(map, node->place), &keys, &nkeys) != NULL;
	if (!qt_check_arity(c, b, call))
		return;
	if (call->args.len)
		arg = qt_check_number(c, call->args.items[0], b->name);
	if (!keyed)
		return;
	m = &c->s->maps.items[number];
	if (m->metric != b->metric) {
		value_clash(c, m, node->head.span, b->written);
		return;
	}
	if ((arg && qt_x_bad(arg)) || !join_value(c, m, arg ? arg->type : QT_U64, node->head.span))
		return;
	map_stmt(c, out, QT_S_MAP_AGG, node->head.span, m, keys, nkeys)->a = arg ? qt_x_convert(c->s, arg, m->value) : NULL;
}

struct search {
	qt_name name;
	bool found;
};

static void mentions(struct qt_ast *node, void *ctx)
{
	struct search *f = ctx;

	f->found |= node->kind == QT_AST_map && QT_AST(map, node)->name == f->name;
	if (!f->found)
		qt_ast_children(node, mentions, f);
}

/* What @m = e, @m += e leave there; NULL after an error. ADD: what to add atomically instead. */
static struct qt_expr *new_value(struct qt_check *c, const struct qt_ast_assign *node, struct qt_expr *value, struct qt_expr **add)
{
	struct qt_expr *old;
	qt_name op;

	*add = NULL;
	if (!strcmp(node->op, "="))
		return value;
	if (!qt_is_number(value->type)) {
		qt_diag_add(c->s->diags, QT_E0204, value->span, "`%s` cannot take %s", node->op, qt_type_words(value->type));
		return NULL;
	}
	if (!strcmp(node->op, "+="))
		return *add = value;
	if (!strcmp(node->op, "-="))
		return *add = qt_check_unary(c, &node->head, "-", value);
	op = qt_intern_n(c->s->names, node->op, strlen(node->op) - 1);
	old = qt_check_map_read(c, QT_AST(map, node->place));
	return qt_x_bad(old) ? NULL : qt_check_binary(c, &node->head, op, old, value);
}

/* ---- tuples ---- */

static bool join_parts(struct qt_check *c, struct qt_map_info *m, struct qt_form *shape, const struct qt_tree *t, struct qt_leaves *values)
{
	struct qt_type type;
	bool ok = true;

	for (uint32_t i = 0; i < shape->n; i++)
		ok &= join_parts(c, m, &shape->items[i], &t->items[i], values);
	if (shape->n || qt_x_bad(t->leaf))
		return shape->n && ok;
	if (t->leaf->type.kind == QT_TYPE_VOID || !qt_type_join(shape->type, qt_type_stored(t->leaf->type), &type)) {
		value_clash(c, m, t->leaf->span, qt_type_words(t->leaf->type));
		return false;
	}
	if (!qt_type_eq(type, shape->type)) {
		shape->type = type;
		c->s->changed = true;
	}
	*qt_vec_push(c->s->arena, values) = qt_x_convert(c->s, t->leaf, type);
	return true;
}

static void assign_tuple(struct qt_check *c, const struct qt_ast_assign *node, const struct qt_tree *t, struct qt_stmts *out)
{
	uint32_t nkeys, offset = 0;
	struct qt_expr **keys;
	struct qt_map_info *m = qt_map_use(c, QT_AST(map, node->place), &keys, &nkeys);
	struct qt_leaves values = { 0 };
	struct qt_stmt *stmt;

	if (!m)
		return;
	if (strcmp(node->op, "=") || m->metric != QT_METRIC_COUNT || (!m->shape && m->value.kind != QT_TYPE_ERROR)) {
		value_clash(c, m, node->head.span, "a tuple");
		return;
	}
	if (!m->shape) {
		m->shape = qt_form_of(c->s, t);
		qt_form_offsets(m->shape, &offset);
		m->value = QT_U64;
		c->s->changed = true;
	}
	if (!qt_form_fits(c, m->shape, t, node->value->span) || !join_parts(c, m, m->shape, t, &values))
		return;
	stmt = map_stmt(c, out, QT_S_MAP_SET, node->head.span, m, keys, nkeys);
	stmt->args.items = values.items;
	stmt->args.len = values.len;
}

static void assign_plain(struct qt_check *c, const struct qt_ast_assign *node, struct qt_stmts *out)
{
	uint32_t nkeys, number = qt_map_number(c->s, map_find(c->s, QT_AST(map, node->place)->name, node->place->span));
	struct qt_expr **keys, *value, *add;
	struct search self = { QT_AST(map, node->place)->name, false };
	const struct qt_tree *tuple;
	struct qt_map_info *m;

	if (!c->s->maps.items[number].written_at.file)
		c->s->maps.items[number].written_at = node->head.span;
	tuple = qt_tuple_of(c, node->value);
	if (tuple) {
		assign_tuple(c, node, tuple, out);
		return;
	}
	value = qt_check_expr(c, node->value);
	m = qt_map_use(c, QT_AST(map, node->place), &keys, &nkeys);
	mentions(node->value, &self);
	c->s->maps.items[number].from_itself |= self.found || strcmp(node->op, "=");
	if (!m || qt_x_bad(value))
		return;
	if (m->metric != QT_METRIC_COUNT || m->shape || value->type.kind == QT_TYPE_VOID) {
		value_clash(c, m, node->head.span, value->type.kind == QT_TYPE_VOID ? "nothing" : "a plain value");
		return;
	}
	value = qt_x_probe_text(c, value);
	value = qt_x_bad(value) ? NULL : new_value(c, node, value, &add);
	m = &c->s->maps.items[number];
	if (!value || qt_x_bad(value) || !join_value(c, m, value->type, node->head.span))
		return;
	map_stmt(c, out, add ? QT_S_MAP_ADD : QT_S_MAP_SET, node->head.span, m, keys, nkeys)->a = qt_x_convert(c->s, value, m->value);
}

void qt_check_map_assign(struct qt_check *c, const struct qt_ast_assign *node, struct qt_stmts *out)
{
	const struct qt_builtin *b = node->value->kind == QT_AST_call ? qt_builtin_find(QT_AST(call, node->value)->func) : NULL;

	if (!b || b->kind != QT_BUILTIN_METRIC) {
		assign_plain(c, node, out);
	} else if (strcmp(node->op, "=")) {
		struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0211, node->head.span, "%s() is assigned with `=`", b->name);

		qt_diag_hint(c->s->diags, d, "write @%s = %s", QT_AST(map, node->place)->name, b->written);
	} else {
		assign_metric(c, node, b, out);
	}
}

struct qt_expr *qt_check_map_incdec(struct qt_check *c, const struct qt_ast_incdec *node, struct qt_stmts *statement)
{
	uint32_t nkeys, number = qt_map_number(c->s, map_find(c->s, QT_AST(map, node->place)->name, node->place->span));
	struct qt_expr **keys, *x, *one = qt_x_int(c->s, node->op[0] == '+' ? 1 : (uint64_t)-1, QT_I64, node->head.span);
	struct qt_map_info *m;

	if (!c->s->maps.items[number].written_at.file)
		c->s->maps.items[number].written_at = node->head.span;
	m = qt_map_use(c, QT_AST(map, node->place), &keys, &nkeys);
	if (m && (m->metric != QT_METRIC_COUNT || m->shape)) {
		value_clash(c, m, node->head.span, "a plain value");
		m = NULL;
	}
	if (!m || !join_value(c, m, QT_I64, node->head.span))
		return qt_x_error(c->s, node->head.span);
	if (statement) {
		map_stmt(c, statement, QT_S_MAP_ADD, node->head.span, m, keys, nkeys)->a = one;
		return one;
	}
	x = qt_x_new(c->s, QT_X_INCDEC, m->value, node->head.span);
	x->value = one->value;
	x->index = node->prefix;
	x->a = qt_x_new(c->s, QT_X_MAP, m->value, node->place->span);
	x->a->index = number;
	x->a->args.items = keys;
	x->a->args.len = nkeys;
	return x;
}

/* ---- at the end ---- */

bool qt_maps_default(struct qt_sema *s)
{
	bool any = false;

	qt_vec_each (m, &s->maps) {
		if (!m->from_itself || m->value.kind != QT_TYPE_ERROR || m->metric != QT_METRIC_COUNT)
			continue;
		m->value = QT_I64;
		any = true;
	}
	return any;
}

void qt_maps_finish(struct qt_sema *s)
{
	qt_vec_each (m, &s->maps) {
		struct qt_map_decl *d = qt_vec_push(s->arena, &s->program->maps);

		*d = (struct qt_map_decl){ .name = m->name, .span = m->written_at.file ? m->written_at : m->span };
		qt_vec_each (key, &m->keys) {
			key->type.literal = false;
			*qt_vec_push(s->arena, &d->keys) = *key;
		}
		d->value = (struct qt_column){ qt_arena_printf(s->arena, "@%s", m->name), m->value, m->metric };
		d->value.type.literal = false;
		if (m->shape)
			qt_form_columns(s, m->shape, d);
	}
}
