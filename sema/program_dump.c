/* The typed program as text: declarations, then rules with their points, bodies as typed expressions. For --dump=program and golden tests. */
#include "sema/dump_internal.h"
#include "sema/sema.h"

#include <inttypes.h>

/* ---- statements ---- */

static void indent(struct qt_dump *d, unsigned depth)
{
	while (depth--)
		fputs("  ", d->out);
}

static void dump_place(struct qt_dump *d, const struct qt_stmt *s)
{
	fprintf(d->out, "@%s", d->p->maps.items[s->index].name);
	if (!s->keys.len)
		return;
	fputc('[', d->out);
	qt_dump_list(d, s->keys.items, s->keys.len);
	fputc(']', d->out);
}

static void dump_tag(struct qt_dump *d, const struct qt_stmt *s)
{
	const struct qt_tag *t = &d->p->tags.items[s->index];

	fprintf(d->out, "tag %u ", s->index);
	for (uint32_t i = 0; i < s->keys.len; i++) {
		fputs(i ? ", " : "", d->out);
		qt_dump_typed(d, s->keys.items[i]);
	}
	for (uint32_t i = 0; i < s->args.len; i++) {
		fprintf(d->out, "%s%s(", i ? ", " : " | ", qt_metric_info(t->metrics.items[i].metric)->name);
		if (s->args.items[i])
			qt_dump_typed(d, s->args.items[i]);
		fputc(')', d->out);
	}
}

static void dump_agg(struct qt_dump *d, const struct qt_stmt *s)
{
	dump_place(d, s);
	fprintf(d->out, " = %s(", qt_metric_info(d->p->maps.items[s->index].value.metric)->name);
	if (s->a)
		qt_dump_typed(d, s->a);
	fputc(')', d->out);
}

static void dump_assign(struct qt_dump *d, const struct qt_stmt *s, const char *op)
{
	if (s->kind == QT_S_SET)
		fprintf(d->out, "set %s", qt_dump_context(d, s->index));
	else if (s->kind == QT_S_SCRATCH)
		fprintf(d->out, "$%u", s->index);
	else
		dump_place(d, s);
	fprintf(d->out, " %s ", op);
	qt_dump_typed(d, s->a);
}

static void dump_stmts(struct qt_dump *d, const struct qt_stmts *list, unsigned depth);

static void dump_if(struct qt_dump *d, const struct qt_stmt *s, unsigned depth)
{
	fputs("if ", d->out);
	qt_dump_expr(d, s->a);
	fputc('\n', d->out);
	dump_stmts(d, &s->then, depth + 1);
	if (!s->otherwise.len)
		return;
	indent(d, depth);
	fputs("else\n", d->out);
	dump_stmts(d, &s->otherwise, depth + 1);
}

static void dump_loop(struct qt_dump *d, const struct qt_stmt *s, unsigned depth)
{
	if (s->kind == QT_S_WHILE) {
		fputs("while ", d->out);
		qt_dump_expr(d, s->a);
	} else if (s->kind == QT_S_EACH) {
		fputs("for ", d->out);
		qt_dump_list(d, s->keys.items, s->keys.len);
		qt_dump_list(d, s->args.items, s->args.len);
		fprintf(d->out, " in @%s", d->p->maps.items[s->index].name);
	} else {
		fputs("for ", d->out);
		if (s->index != QT_NO_VARIABLE)
			fprintf(d->out, "$%u in ", s->index);
		qt_dump_expr(d, s->args.items[0]);
		fputs(" .. ", d->out);
		qt_dump_expr(d, s->args.items[1]);
	}
	fputc('\n', d->out);
	dump_stmts(d, &s->then, depth + 1);
}

static void dump_simple(struct qt_dump *d, const struct qt_stmt *s)
{
	switch (s->kind) {
	case QT_S_SET:
	case QT_S_SCRATCH:
	case QT_S_MAP_SET:
		dump_assign(d, s, "=");
		break;
	case QT_S_SCRATCHES:
		qt_dump_list(d, s->keys.items, s->keys.len);
		fputs(" = ", d->out);
		qt_dump_list(d, s->args.items, s->args.len);
		break;
	case QT_S_MAP_ADD:
		dump_assign(d, s, "+=");
		break;
	case QT_S_CLEAR:
		fprintf(d->out, "clear %s", qt_dump_context(d, s->index));
		break;
	case QT_S_TAG:
		dump_tag(d, s);
		break;
	case QT_S_MAP_AGG:
		dump_agg(d, s);
		break;
	case QT_S_MAP_DELETE:
		fputs("delete ", d->out), dump_place(d, s);
		break;
	case QT_S_PRINT:
		fputs("print ", d->out), dump_place(d, s);
		break;
	case QT_S_CLEAR_MAP:
		fputs("empty ", d->out), dump_place(d, s);
		break;
	case QT_S_EXPR:
		qt_dump_typed(d, s->a);
		break;
	case QT_S_SIGNAL:
		fputs(s->index ? "signal thread " : "signal ", d->out);
		qt_dump_expr(d, s->a);
		break;
	case QT_S_SYSTEM:
	case QT_S_CAT:
	case QT_S_PRINTF:
		fprintf(d->out, "%s %u ", s->kind == QT_S_PRINTF ? "printf" : s->kind == QT_S_CAT ? "cat" : "system", s->index);
		qt_dump_list(d, s->args.items, s->args.len);
		break;
	case QT_S_EXIT:
		fputs("exit ", d->out);
		if (s->a)
			qt_dump_expr(d, s->a);
		break;
	case QT_S_RETURN:
		fputs("return", d->out);
		break;
	case QT_S_BREAK:
		fputs("break", d->out);
		break;
	case QT_S_CONTINUE:
		fputs("continue", d->out);
		break;
	case QT_S_IF:
	case QT_S_WHILE:
	case QT_S_RANGE:
	case QT_S_EACH:
		break;
	}
	fputc('\n', d->out);
}

static void dump_stmts(struct qt_dump *d, const struct qt_stmts *list, unsigned depth)
{
	for (uint32_t i = 0; i < list->len; i++) {
		indent(d, depth);
		if (list->items[i]->kind == QT_S_IF)
			dump_if(d, list->items[i], depth);
		else if (list->items[i]->kind == QT_S_WHILE || list->items[i]->kind == QT_S_RANGE || list->items[i]->kind == QT_S_EACH)
			dump_loop(d, list->items[i], depth);
		else
			dump_simple(d, list->items[i]);
	}
}

/* ---- declarations ---- */

static void dump_columns(struct qt_dump *d, const struct qt_column *cols, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (cols[i].metric != QT_METRIC_COUNT)
			fprintf(d->out, "%s%s = %s: %s", i ? ", " : "", cols[i].name, qt_metric_info(cols[i].metric)->name,
				qt_type_text(cols[i].type));
		else
			fprintf(d->out, "%s%s: %s", i ? ", " : "", cols[i].name, qt_type_text(cols[i].type));
	}
}

static void dump_map_decl(struct qt_dump *d, const struct qt_map_decl *m)
{
	fprintf(d->out, "map @%s[", m->name);
	dump_columns(d, m->keys.items, m->keys.len);
	if (m->value.metric != QT_METRIC_COUNT)
		fprintf(d->out, "] %s of %s\n", qt_metric_info(m->value.metric)->name, qt_type_text(m->value.type));
	else if (m->parts.len)
		fputs("] (", d->out), dump_columns(d, m->parts.items, m->parts.len), fputs(")\n", d->out);
	else
		fprintf(d->out, "] %s\n", qt_type_text(m->value.type));
}

static void dump_tag_decl(struct qt_dump *d, uint32_t i)
{
	const struct qt_tag *t = &d->p->tags.items[i];

	fprintf(d->out, "table %u \"%s\" rule %u%s\n  keys ", i, t->name, t->rule, t->has_context ? " counts untagged" : "");
	dump_columns(d, t->keys.items, t->keys.len);
	fputs("\n  columns ", d->out);
	dump_columns(d, t->metrics.items, t->metrics.len);
	fputc('\n', d->out);
}

static const char format_letter[] = { [QT_FMT_INT] = 'd',   [QT_FMT_UINT] = 'u', [QT_FMT_HEX] = 'x', [QT_FMT_HEX_UPPER] = 'X',
				      [QT_FMT_OCTAL] = 'o', [QT_FMT_CHAR] = 'c', [QT_FMT_STR] = 's', [QT_FMT_PTR] = 'p', [QT_FMT_VALUE] = 'v' };

static void dump_piece(struct qt_dump *d, const struct qt_format_piece *piece)
{
	if (piece->kind == QT_FMT_TEXT) {
		fputc(' ', d->out);
		qt_dump_text(d->out, piece->text);
		return;
	}
	fprintf(d->out, " %%%s%s%s%s%s", piece->left ? "-" : "", piece->zero ? "0" : "", piece->plus ? "+" : "", piece->space ? "_" : "",
		piece->alternate ? "#" : "");
	if (piece->width >= 0)
		fprintf(d->out, "%d", piece->width);
	if (piece->precision >= 0)
		fprintf(d->out, ".%d", piece->precision);
	fputc(format_letter[piece->kind], d->out);
}

static void dump_format(struct qt_dump *d, uint32_t i)
{
	const struct qt_format *f = &d->p->formats.items[i];

	fprintf(d->out, "format %u:", i);
	qt_vec_each (piece, &f->pieces)
		dump_piece(d, piece);
	fputs(" (", d->out);
	for (uint32_t k = 0; k < f->args.len; k++)
		fprintf(d->out, "%s%s", k ? ", " : "", qt_type_text(f->args.items[k]));
	fputs(")\n", d->out);
}

static void dump_declarations(struct qt_dump *d)
{
	fprintf(d->out, "max_strlen %u, max_entries %u\n", d->p->max_strlen, d->p->max_entries);
	qt_vec_each (v, &d->p->contexts)
		fprintf(d->out, "context %s: %s\n", v->name, qt_type_text(v->type));
	qt_vec_each (m, &d->p->maps)
		dump_map_decl(d, m);
	for (uint32_t i = 0; i < d->p->tags.len; i++)
		dump_tag_decl(d, i);
	for (uint32_t i = 0; i < d->p->formats.len; i++)
		dump_format(d, i);
}

/* ---- rules ---- */

static void dump_point(struct qt_dump *d, const struct qt_point *p, const char *what)
{
	fprintf(d->out, "  %s %s", what, p->probe);
	if (p->path)
		fprintf(d->out, " file %s", p->path);
	if (p->event)
		fprintf(d->out, " event %s", p->event);
	if (p->offset)
		fprintf(d->out, " offset 0x%" PRIx64, p->offset);
	if (p->ref_ctr)
		fprintf(d->out, " semaphore 0x%" PRIx64, p->ref_ctr);
	if (p->period_ns)
		fprintf(d->out, " period %" PRIu64 "ns", p->period_ns);
	fputc('\n', d->out);
}

static void dump_pair(struct qt_dump *d, const struct qt_pair *pair)
{
	fprintf(d->out, "  pair %s\n", qt_hook_info(pair->hook)->name);
	qt_vec_each (p, &pair->points)
		dump_point(d, p, "  entry");
	for (uint32_t i = 0; i < pair->captures.len; i++) {
		fprintf(d->out, "    capture %u ", i);
		qt_dump_typed(d, pair->captures.items[i]);
		fputc('\n', d->out);
	}
}

static void dump_requires(struct qt_dump *d, const char *what, const uint32_t *items, uint32_t n)
{
	if (!n)
		return;
	fprintf(d->out, "  %s", what);
	for (uint32_t i = 0; i < n; i++)
		fprintf(d->out, " %s", qt_dump_context(d, items[i]));
	fputc('\n', d->out);
}

static void dump_rule(struct qt_dump *d, const struct qt_rule *r)
{
	fprintf(d->out, "rule %u %s \"%s\"\n", r->source, qt_hook_info(r->hook)->name, r->text);
	qt_vec_each (p, &r->points)
		dump_point(d, p, "at");
	if (r->pair)
		dump_pair(d, r->pair);
	for (uint32_t i = 0; i < r->scratch.len; i++)
		fprintf(d->out, "  $%u: %s\n", i, qt_type_text(r->scratch.items[i]));
	dump_requires(d, "passes over without", r->cond_requires.items, r->cond_requires.len);
	if (r->cond) {
		fputs("  if ", d->out);
		qt_dump_expr(d, r->cond);
		fputc('\n', d->out);
	}
	dump_requires(d, "needs", r->requires.items, r->requires.len);
	dump_stmts(d, &r->body, 1);
}

/* ---- tests ---- */

static void dump_cell(struct qt_dump *d, const struct qt_cell *c)
{
	if (c->is_text)
		qt_dump_text(d->out, c->text);
	else
		fprintf(d->out, "%" PRId64, (int64_t)c->value);
}

static void dump_feed_value(struct qt_dump *d, const struct qt_feed_value *v)
{
	if (v->in_reg)
		fprintf(d->out, "    %s = ", qt_reg_name(v->reg));
	else
		fprintf(d->out, "    %s%u:%u = ", v->on_stack ? "stack+" : "record+", v->offset, v->size);
	if (!v->is_text)
		fprintf(d->out, "0x%" PRIx64, v->value);
	else if (v->text.len >= 4096)
		fprintf(d->out, "memory of %zu bytes", v->text.len);
	else
		qt_dump_text(d->out, v->text);
	fprintf(d->out, "%s\n", v->in_place ? " in place" : v->is_text ? " by address" : "");
}

static void dump_feed(struct qt_dump *d, const struct qt_feed *f)
{
	fprintf(d->out, "  feed %s pid %u tid %u uid %u cpu %u comm %s at %" PRIu64 "ns\n", f->probe, f->pid, f->tid, f->uid, f->cpu, f->comm,
		f->time_ns);
	qt_vec_each (v, &f->values)
		dump_feed_value(d, v);
}

static void dump_cells(struct qt_dump *d, const struct qt_cell *cells, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		fputs(i ? ", " : "", d->out);
		dump_cell(d, &cells[i]);
	}
}

static void dump_expect(struct qt_dump *d, const struct qt_expect *e)
{
	fprintf(d->out, "  expect \"%s\"", e->table);
	if (e->has_untagged)
		fprintf(d->out, " untagged %" PRIu64, e->untagged);
	fputc('\n', d->out);
	qt_vec_each (row, &e->rows) {
		fputs("    ", d->out);
		dump_cells(d, row->keys.items, row->keys.len);
		fputs(" -> ", d->out);
		dump_cells(d, row->values.items, row->values.len);
		fputc('\n', d->out);
	}
}

static void dump_test(struct qt_dump *d, const struct qt_test *t)
{
	fputs("test ", d->out);
	qt_dump_text(d->out, t->name);
	fputc('\n', d->out);
	qt_vec_each (step, &t->steps) {
		if (step->feed)
			dump_feed(d, step->feed);
		else
			dump_expect(d, step->expect);
	}
}

void qt_program_dump(const struct qt_program *p, FILE *out)
{
	struct qt_dump d = { .p = p, .out = out };

	dump_declarations(&d);
	qt_vec_each (r, &p->rules)
		dump_rule(&d, r);
	qt_vec_each (t, &p->tests)
		dump_test(&d, t);
}
