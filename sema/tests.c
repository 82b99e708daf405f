/* Tests that stand in a script: feeds become synthetic events (feed.c), expectations are held against the tables of the program. */
#include "sema/sema_internal.h"
#include "sema/tests_internal.h"

#define STEP_NS 1000

/* ---- feed ---- */

static bool is_where(const char *name)
{
	static const char *const names[] = { "pid", "tid", "uid", "cpu", "comm", "at" };

	for (size_t i = 0; i < QT_COUNT(names); i++) {
		if (!strcmp(names[i], name))
			return true;
	}
	return false;
}

static void set_where(struct qt_sema *s, const struct qt_ast_feed *node, struct qt_feed *f)
{
	bool has_tid = false, has_pid = false;

	for (uint32_t i = 0; i < node->where.len; i++) {
		const struct qt_ast_feed_arg *a = QT_AST(feed_arg, node->where.items[i]);
		struct qt_cell cell;
		const char *name = a->name ? a->name : "";

		if (!qt_const_cell(s, a->value, &cell))
			continue;
		if (is_where(name) && cell.is_text != !strcmp(name, "comm"))
			qt_diag_add(s->diags, QT_E0216, a->head.span, "%s is a %s", name, cell.is_text ? "number" : "text");
		else if (!strcmp(name, "comm"))
			f->comm = qt_str_dup(s, cell.text);
		else if (!strcmp(name, "pid"))
			f->pid = (uint32_t)cell.value, has_pid = true;
		else if (!strcmp(name, "tid"))
			f->tid = (uint32_t)cell.value, has_tid = true;
		else if (!strcmp(name, "uid"))
			f->uid = (uint32_t)cell.value;
		else if (!strcmp(name, "cpu"))
			f->cpu = (uint32_t)cell.value;
		else if (!strcmp(name, "at"))
			f->time_ns = cell.value;
		else
			qt_diag_hint(s->diags, qt_diag_add(s->diags, QT_E0216, a->head.span, "an event has no `%s`", name),
				     "it has pid, tid, uid, cpu, comm and at (its time)");
	}
	if (has_pid && !has_tid)
		f->tid = f->pid;
}

static bool point_fed(const struct qt_rule *r, const char *probe)
{
	qt_vec_each (p, &r->points) {
		if (!strcmp(p->probe, probe))
			return true;
	}
	for (uint32_t i = 0; r->pair && i < r->pair->points.len; i++) {
		if (!strcmp(r->pair->points.items[i].probe, probe))
			return true;
	}
	return false;
}

static void check_heard(struct qt_sema *s, const struct qt_ast_probe *probe, const char *text)
{
	struct qt_suggest near;
	struct qt_diag *d;

	qt_vec_each (r, &s->program->rules) {
		if (point_fed(r, text))
			return;
	}
	d = qt_diag_add(s->diags, QT_W0403, probe->head.span, "no rule has this probe: the event does nothing");
	qt_suggest_begin(&near, text);
	qt_vec_each (r, &s->program->rules) {
		qt_vec_each (p, &r->points)
			qt_suggest_offer(&near, p->probe);
	}
	qt_suggest_hint(s->diags, d, &near);
}

static void check_feed(struct qt_sema *s, const struct qt_ast *node, struct qt_test *test, uint64_t *clock)
{
	const struct qt_ast_feed *f = QT_AST(feed, node);
	const struct qt_ast_probe *probe = QT_AST(probe, f->probe);
	struct qt_rule_info rule = { .text = qt_str_dup(s, probe->text) };
	struct qt_feed like = { .span = node->span, .pid = 1000, .tid = 1000, .comm = "test", .time_ns = *clock + STEP_NS };
	const struct qt_group *g;

	qt_resolve_probe(s, &rule, probe);
	if (!rule.groups.len)
		return;
	g = rule.groups.items[0];
	qt_vec_each (p, &g->points) {
		if (!strcmp(p->probe, g->points.items[0].probe))
			continue;
		qt_diag_add(s->diags, QT_E0216, probe->head.span, "an event is fed to one probe, and this names several");
		return;
	}
	set_where(s, f, &like);
	qt_check_feed(s, f, g, &like, clock, test);
	if (!qt_diags_errors(s->diags))
		check_heard(s, probe, g->points.items[0].probe);
}

/* ---- expect ---- */

struct table {
	const char *name;
	const struct qt_column *keys, *values; /* NULL: not checked */
	uint32_t nkeys, nvalues;
	bool free_form;
};

static bool find_table(const struct qt_sema *s, const char *name, struct table *out)
{
	*out = (struct table){ .name = name, .free_form = !strcmp(name, "output") || !strcmp(name, "losses") };
	if (out->free_form)
		return true;
	qt_vec_each (t, &s->program->tags) {
		if (strcmp(t->name, name))
			continue;
		*out = (struct table){ name, t->keys.items, t->metrics.items, t->keys.len, t->metrics.len, false };
		return true;
	}
	qt_vec_each (m, &s->program->maps) {
		if (name[0] != '@' || strcmp(m->name, name + 1))
			continue;
		*out = (struct table){ name, m->keys.items, m->parts.len ? m->parts.items : &m->value, m->keys.len, m->parts.len ? m->parts.len : 1,
				       false };
		return true;
	}
	return false;
}

static void unknown_table(struct qt_sema *s, const struct qt_ast_expect *node, const char *name)
{
	struct qt_diag *d = qt_diag_add(s->diags, QT_E0216, node->head.span, "the script has no table `%s`", name);
	struct qt_suggest near;

	qt_suggest_begin(&near, name);
	qt_vec_each (t, &s->program->tags)
		qt_suggest_offer(&near, t->name);
	qt_vec_each (m, &s->program->maps)
		qt_suggest_offer(&near, qt_arena_printf(s->arena, "@%s", m->name));
	qt_suggest_offer(&near, "output");
	qt_suggest_offer(&near, "losses");
	if (!qt_suggest_hint(s->diags, d, &near))
		qt_diag_hint(s->diags, d, "tables are the tags by their names, maps (@name), output and losses");
}

/* A bare name is its own text: losses { unpaired: 1 }. */
static bool read_cell(struct qt_sema *s, const struct qt_ast *node, bool names, struct qt_cell *out)
{
	if (names && node->kind == QT_AST_ident) {
		*out = (struct qt_cell){ .is_text = true, .text = qt_str_from(QT_AST(ident, node)->name) };
		return true;
	}
	return qt_const_cell(s, node, out);
}

static void check_cell(struct qt_sema *s, const struct qt_ast *node, const struct qt_column *col, const struct qt_cell *cell)
{
	bool text = col->metric == QT_METRIC_COUNT && (qt_is_text(col->type) || col->type.kind == QT_TYPE_SHOWN);

	if (text != cell->is_text)
		qt_diag_add(s->diags, QT_E0216, node->span, "`%s` is a %s", col->name, text ? "text" : "number");
}

static void check_row(struct qt_sema *s, const struct table *t, const struct qt_ast_expect_row *node, struct qt_expect_row *out)
{
	out->span = node->head.span;
	if (!t->free_form && (node->keys.len != t->nkeys || node->values.len != t->nvalues)) {
		qt_diag_add(s->diags, QT_E0216, node->head.span, "`%s` has %u key%s and %u value%s, this row %u and %u", t->name, t->nkeys,
			    t->nkeys == 1 ? "" : "s", t->nvalues, t->nvalues == 1 ? "" : "s", node->keys.len, node->values.len);
		return;
	}
	for (uint32_t i = 0; i < node->keys.len; i++) {
		struct qt_cell *cell = qt_vec_push(s->arena, &out->keys);

		if (read_cell(s, node->keys.items[i], t->free_form, cell) && t->keys)
			check_cell(s, node->keys.items[i], &t->keys[i], cell);
	}
	for (uint32_t i = 0; i < node->values.len; i++) {
		struct qt_cell *cell = qt_vec_push(s->arena, &out->values);

		if (read_cell(s, node->values.items[i], t->free_form, cell) && t->values)
			check_cell(s, node->values.items[i], &t->values[i], cell);
	}
}

static void check_expect(struct qt_sema *s, const struct qt_ast *node, struct qt_test *test)
{
	const struct qt_ast_expect *e = QT_AST(expect, node);
	struct qt_expect *out = QT_NEW(s->arena, struct qt_expect);
	struct table t;

	out->span = node->span;
	out->table = qt_str_dup(s, e->table);
	out->has_untagged = e->has_untagged;
	out->untagged = e->untagged;
	if (!find_table(s, out->table, &t)) {
		unknown_table(s, e, out->table);
		return;
	}
	for (uint32_t i = 0; i < e->rows.len; i++)
		check_row(s, &t, QT_AST(expect_row, e->rows.items[i]), qt_vec_push(s->arena, &out->rows));
	qt_vec_push(s->arena, &test->steps)->expect = out;
}

/* ---- tests ---- */

static void check_test(struct qt_sema *s, const struct qt_ast_test *node)
{
	struct qt_test test = { .name = node->name, .span = node->head.span };
	uint64_t clock = 0;

	for (uint32_t i = 0; i < node->steps.len; i++) {
		if (node->steps.items[i]->kind == QT_AST_feed)
			check_feed(s, node->steps.items[i], &test, &clock);
		else
			check_expect(s, node->steps.items[i], &test);
	}
	*qt_vec_push(s->arena, &s->program->tests) = test;
}

void qt_check_tests(struct qt_sema *s)
{
	bool failed = qt_diags_errors(s->diags) > 0;

	for (uint32_t i = 0; !failed && i < s->tree->items.len; i++) {
		if (s->tree->items.items[i]->kind == QT_AST_test)
			check_test(s, QT_AST(test, s->tree->items.items[i]));
	}
}
