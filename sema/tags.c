/* tag: keys, metrics, and the table that they make. The groups of one rule share a table, so types are joined over them. */
#include "sema/sema_internal.h"

/* ---- the joined types ---- */

static struct qt_tag_info *tag_info(struct qt_sema *s, const struct qt_ast_tag *node)
{
	struct qt_tag_info *t;

	qt_vec_each (it, &s->tags) {
		if (it->node == node)
			return it;
	}
	t = qt_vec_push(s->arena, &s->tags);
	t->node = node;
	return t;
}

static struct qt_expr *join_type(struct qt_check *c, struct qt_type *at, struct qt_expr *x)
{
	struct qt_type type;

	if (qt_x_bad(x))
		return x;
	if (!qt_type_join(*at, x->type, &type)) {
		qt_diag_add(c->s->diags, QT_E0204, x->span, "this is %s at %s, and %s at another probe of the rule", qt_type_words(x->type),
			    c->group->points.len ? c->group->points.items[0].probe : c->rule->text, qt_type_words(*at));
		return qt_x_error(c->s, x->span);
	}
	if (!qt_type_eq(type, *at)) {
		*at = type;
		c->s->changed = true;
	}
	return qt_x_fit(c, x, type);
}

/* ---- the table in the program ---- */

static bool name_taken(const struct qt_sema *s, const char *name)
{
	qt_vec_each (t, &s->program->tags) {
		if (!strcmp(t->name, name))
			return true;
	}
	return false;
}

static const char *table_name(struct qt_check *c, const struct qt_ast_tag *node)
{
	const char *base = node->name ? node->name : c->rule->text, *name = base;

	for (unsigned n = 2; name_taken(c->s, name); n++)
		name = qt_arena_printf(c->s->arena, "%s (%u)", base, n);
	return name;
}

static bool ends_in_bytes(const char *name)
{
	size_t len = name ? strlen(name) : 0;

	return len >= 5 && !strcmp(name + len - 5, "bytes");
}

struct one_metric {
	enum qt_metric metric;
	const struct qt_ast *arg; /* NULL: none */
	const char *name; /* `as`, or NULL */
};

struct tag_parts {
	QT_VEC(const struct qt_ast *) keys;
	QT_VEC(struct one_metric) metrics;
};

static const char *column_name(struct qt_sema *s, const struct tag_parts *p, uint32_t i)
{
	const char *base = p->metrics.items[i].name ? p->metrics.items[i].name : qt_metric_info(p->metrics.items[i].metric)->name;
	unsigned same = 1;

	for (uint32_t k = 0; k < i; k++) {
		const struct one_metric *m = &p->metrics.items[k];

		same += !strcmp(m->name ? m->name : qt_metric_info(m->metric)->name, base);
	}
	return same == 1 ? base : qt_arena_printf(s->arena, "%s_%u", base, same);
}

/* A context with a default is called by its name. */
static const char *key_name(struct qt_check *c, const struct qt_ast *key)
{
	while (key->kind == QT_AST_coalesce)
		key = QT_AST(coalesce, key)->value;
	return qt_ast_text(c->s, key);
}

static void place_table(struct qt_check *c, struct qt_tag_info *info, const struct tag_parts *p)
{
	struct qt_tag *t;
	const char *name = table_name(c, info->node);

	info->placed = true;
	info->index = c->s->program->tags.len;
	t = qt_vec_push(c->s->arena, &c->s->program->tags);
	*t = (struct qt_tag){ .name = name, .span = info->node->head.span, .rule = c->rule->source };
	for (uint32_t i = 0; i < p->keys.len; i++) {
		struct qt_column *col = qt_vec_push(c->s->arena, &t->keys);

		*col = (struct qt_column){ key_name(c, p->keys.items[i]), info->keys.items[i], QT_METRIC_COUNT };
		col->type.literal = false;
	}
	for (uint32_t i = 0; i < p->metrics.len; i++) {
		struct qt_column *col = qt_vec_push(c->s->arena, &t->metrics);

		*col = (struct qt_column){ column_name(c->s, p, i), info->metrics.items[i], p->metrics.items[i].metric };
		col->type.literal = false;
		if (ends_in_bytes(p->metrics.items[i].name) && col->type.unit == QT_UNIT_NONE && col->metric != QT_METRIC_count)
			col->type.unit = QT_UNIT_BYTES;
	}
}

/* ---- reading the node ---- */

static void metric_arity(struct qt_check *c, struct qt_span span, const struct qt_builtin *b)
{
	struct qt_diag *d =
		qt_diag_add(c->s->diags, QT_E0203, span, "%s", b->min_args ? "a value to aggregate is missing" : "count() takes no value");

	qt_diag_hint(c->s->diags, d, "write %s", b->written);
}

static void add_metric(struct qt_check *c, struct tag_parts *p, const char *func, const struct qt_ast_list *args, const char *name,
		       struct qt_span span)
{
	const struct qt_builtin *b = qt_builtin_find(func), *it;
	struct qt_suggest near;
	struct qt_diag *d;

	if (b && b->kind == QT_BUILTIN_METRIC) {
		if (args->len < b->min_args || args->len > b->max_args)
			metric_arity(c, span, b);
		else
			*qt_vec_push(c->s->arena, &p->metrics) = (struct one_metric){ b->metric, args->len ? args->items[0] : NULL, name };
		return;
	}
	d = qt_diag_add(c->s->diags, b && b->kind == QT_BUILTIN_LATER ? QT_E0213 : QT_E0202, span, "`%s` is no metric%s", func,
			b && b->kind == QT_BUILTIN_LATER ? " that is available" : "");
	if (b && b->kind == QT_BUILTIN_LATER && b->text[0]) {
		qt_diag_hint(c->s->diags, d, "%s", b->text);
		return;
	}
	qt_suggest_begin(&near, func);
	for (unsigned i = 0; (it = qt_builtin_at(i)); i++) {
		if (it->kind == QT_BUILTIN_METRIC)
			qt_suggest_offer(&near, it->name);
	}
	if (!qt_suggest_hint(c->s->diags, d, &near))
		qt_diag_hint(c->s->diags, d, "metrics are count(), sum(value), avg(value), min(value), max(value), hist(value)");
}

/* `tag sql, count()` means the metric: no key is made of one. */
static bool key_is_metric(struct qt_check *c, const struct qt_ast_tag *node, const struct qt_ast *key, struct tag_parts *p)
{
	const struct qt_builtin *b = key->kind == QT_AST_call ? qt_builtin_find(QT_AST(call, key)->func) : NULL;
	struct qt_diag *d;

	if (!b || b->kind != QT_BUILTIN_METRIC)
		return false;
	if (node->name) {
		d = qt_diag_add(c->s->diags, QT_E0407, key->span, "%s() is a metric, and stands among the keys", b->name);
		qt_diag_hint(c->s->diags, d, "drop the comma before it: tag KEY %s as %s", b->written, node->name);
		return true;
	}
	add_metric(c, p, b->name, &QT_AST(call, key)->args, NULL, key->span);
	return true;
}

static void read_parts(struct qt_check *c, const struct qt_ast_tag *node, struct tag_parts *p)
{
	for (uint32_t i = 0; i < node->keys.len; i++) {
		const struct qt_ast *key = QT_AST(tag_key, node->keys.items[i])->value;

		if (!key_is_metric(c, node, key, p))
			*qt_vec_push(c->s->arena, &p->keys) = key;
	}
	for (uint32_t i = 0; i < node->metrics.len; i++) {
		const struct qt_ast_metric *m = QT_AST(metric, node->metrics.items[i]);

		add_metric(c, p, m->func, &m->args, m->name, m->head.span);
	}
	if (!p->metrics.len && !node->metrics.len)
		*qt_vec_push(c->s->arena, &p->metrics) = (struct one_metric){ QT_METRIC_count, NULL, NULL };
}

/* ---- checking ---- */

static struct qt_expr *check_key(struct qt_check *c, const struct qt_ast *key, struct qt_type *at)
{
	struct qt_expr *x = qt_check_expr(c, key);

	if (!qt_x_bad(x) && x->type.kind == QT_TYPE_VOID) {
		qt_diag_add(c->s->diags, QT_E0204, key->span, "this gives no value and cannot be a key");
		return qt_x_error(c->s, key->span);
	}
	return join_type(c, at, x);
}

static struct qt_expr *check_metric(struct qt_check *c, const struct one_metric *m, struct qt_type *at)
{
	struct qt_expr *x;

	if (!m->arg) {
		*at = QT_U64;
		return NULL;
	}
	x = qt_check_number(c, m->arg, qt_metric_info(m->metric)->name);
	if (x->type.kind == QT_TYPE_PTR)
		x = qt_x_convert(c->s, x, QT_U64);
	return join_type(c, at, x);
}

void qt_check_tag(struct qt_check *c, const struct qt_ast *n, struct qt_stmts *out)
{
	const struct qt_ast_tag *node = QT_AST(tag, n);
	struct qt_tag_info *info = tag_info(c->s, node);
	struct tag_parts p = { 0 };
	struct qt_stmt *stmt = qt_stmt_new(c, out, QT_S_TAG, n->span);

	read_parts(c, node, &p);
	while (info->keys.len < p.keys.len)
		*qt_vec_push(c->s->arena, &info->keys) = (struct qt_type){ .kind = QT_TYPE_ERROR };
	while (info->metrics.len < p.metrics.len)
		*qt_vec_push(c->s->arena, &info->metrics) = (struct qt_type){ .kind = QT_TYPE_ERROR };
	for (uint32_t i = 0; i < p.keys.len; i++)
		*qt_vec_push(c->s->arena, &stmt->keys) = check_key(c, p.keys.items[i], &info->keys.items[i]);
	for (uint32_t i = 0; i < p.metrics.len; i++)
		*qt_vec_push(c->s->arena, &stmt->args) = check_metric(c, &p.metrics.items[i], &info->metrics.items[i]);
	if (c->s->final && !info->placed)
		place_table(c, info, &p);
	stmt->index = info->index;
}
