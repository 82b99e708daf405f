/* A plan as JSON, indented, one item a line: for --dump=plan and golden tests. The bytes of the object are left out (they move with the compiler), only that there is one is told. */
#include "plan/plan.h"

#include "base/text.h"

#include <string.h>

static const char *const field_kinds[QT_FIELD_KINDS] = { "int", "uint", "text", "comm", "probe", "func", "shown", "metric" };
static const char *const map_kinds[QT_MAP_KINDS] = { "hash", "percpu_hash", "percpu_array", "task_storage", "ringbuf", "array" };
static const char *const roles[] = { "rule", "entry", "fork", "process_exit", "thread_gone" };
static const char *const units[] = { "", "ns", "bytes" };
static const char *const convs[QT_CONV_KINDS] = { "text", "int", "uint", "hex", "hex_upper", "octal", "char", "str", "ptr", "value" };

/* Adds `, "NAME": "TEXT"`, or nothing without a text. */
static void put_text(struct qt_buf *b, const char *name, const char *text)
{
	if (!text)
		return;
	qt_buf_printf(b, ", \"%s\": ", name);
	qt_json_string(b, text, strlen(text));
}

static void put_number(struct qt_buf *b, const char *name, uint64_t n)
{
	if (n)
		qt_buf_printf(b, ", \"%s\": %llu", name, (unsigned long long)n);
}

static void put_flag(struct qt_buf *b, const char *name, bool on)
{
	if (on)
		qt_buf_printf(b, ", \"%s\": true", name);
}

static void put_field(struct qt_buf *b, const struct qt_field *f)
{
	qt_buf_printf(b, "{\"offset\": %u, \"kind\": \"%s\"", f->offset, field_kinds[f->kind]);
	put_text(b, "name", f->name);
	put_text(b, "metric", f->kind == QT_FIELD_METRIC ? qt_metric_info(f->metric)->name : NULL);
	put_text(b, "shown", f->kind == QT_FIELD_SHOWN ? qt_shown_info(f->shown)->name : NULL);
	put_flag(b, "signed", f->is_signed);
	put_text(b, "unit", f->unit != QT_UNIT_NONE ? units[f->unit] : NULL);
	qt_buf_addc(b, '}');
}

static void put_fields(struct qt_buf *b, const char *name, const struct qt_field *items, uint32_t n)
{
	qt_buf_printf(b, ", \"%s\": [", name);
	for (uint32_t i = 0; i < n; i++) {
		qt_buf_adds(b, i ? ", " : "");
		put_field(b, &items[i]);
	}
	qt_buf_addc(b, ']');
}

static void dump_map(struct qt_buf *b, const struct qt_plan *p, uint32_t i)
{
	const struct qt_plan_map *m = &p->maps.items[i];

	qt_buf_printf(b, "\"kind\": \"%s\"", map_kinds[m->kind]);
	put_text(b, "name", m->name);
	put_number(b, "key_size", m->key_size);
	put_number(b, "value_size", m->value_size);
	put_number(b, "max_entries", m->max_entries);
	put_flag(b, "no_prealloc", m->no_prealloc);
}

static void dump_prog(struct qt_buf *b, const struct qt_plan *p, uint32_t i)
{
	const struct qt_plan_prog *g = &p->progs.items[i];

	qt_buf_printf(b, "\"hook\": \"%s\"", qt_hook_info(g->hook)->name);
	put_text(b, "name", g->name);
	put_text(b, "role", roles[g->role]);
	put_text(b, "attach_to", g->attach_to);
	put_text(b, "probe", g->probe);
	put_text(b, "file", g->file);
	put_number(b, "line", g->line);
	put_number(b, "column", g->column);
}

static void dump_point(struct qt_buf *b, const struct qt_plan *p, uint32_t i)
{
	const struct qt_plan_point *t = &p->points.items[i];

	qt_buf_printf(b, "\"program\": %u, \"probe\": %u", t->prog, t->probe);
	put_text(b, "path", t->path);
	put_text(b, "event", t->event);
	put_number(b, "offset", t->offset);
	put_number(b, "semaphore", t->ref_ctr);
	put_number(b, "period_ns", t->period_ns);
}

static void dump_probe(struct qt_buf *b, const struct qt_plan *p, uint32_t i)
{
	qt_buf_printf(b, "\"probe\": %u", i);
	put_text(b, "text", p->probes.items[i].text);
	put_text(b, "func", p->probes.items[i].func);
}

static void dump_table(struct qt_buf *b, const struct qt_plan *p, uint32_t i)
{
	const struct qt_plan_table *t = &p->tables.items[i];

	qt_buf_printf(b, "\"kind\": \"%s\", \"map\": %u", t->kind == QT_TABLE_TAG ? "tag" : "map", t->map);
	put_text(b, "name", t->name);
	if (t->untagged >= 0)
		qt_buf_printf(b, ", \"untagged\": %d", t->untagged);
	put_fields(b, "keys", t->keys.items, t->keys.len);
	put_fields(b, "columns", t->columns.items, t->columns.len);
}

static void dump_ask(struct qt_buf *b, const struct qt_plan *p, uint32_t i)
{
	static const char *const kinds[QT_ASK_COUNT] = { "kernel_symbol", "cgroup", "cpus", "command" };

	qt_buf_printf(b, "\"kind\": \"%s\"", kinds[p->asks.items[i].kind]);
	put_text(b, "text", p->asks.items[i].text);
}

static void dump_counter(struct qt_buf *b, const struct qt_plan *p, uint32_t i)
{
	const struct qt_plan_counter *c = &p->counters.items[i];

	qt_buf_printf(b, "\"counter\": %u", i);
	put_text(b, "cause", c->cause < QT_LOSS_COUNT ? qt_loss_info(c->cause)->cause : "untagged");
	put_text(b, "subject", c->subject);
}

static void put_piece(struct qt_buf *b, const struct qt_plan_piece *piece)
{
	qt_buf_printf(b, "{\"conv\": \"%s\"", convs[piece->conv]);
	if (piece->conv == QT_CONV_TEXT) {
		qt_buf_adds(b, ", \"text\": ");
		qt_json_string(b, piece->text.ptr, piece->text.len);
	} else {
		put_number(b, "width", piece->width > 0 ? (uint64_t)piece->width : 0);
		if (piece->precision >= 0)
			qt_buf_printf(b, ", \"precision\": %d", piece->precision);
		put_flag(b, "left", piece->left);
		put_flag(b, "zero", piece->zero);
		put_flag(b, "plus", piece->plus);
		put_flag(b, "space", piece->space);
		put_flag(b, "alternate", piece->alternate);
	}
	qt_buf_addc(b, '}');
}

static void dump_format(struct qt_buf *b, const struct qt_plan *p, uint32_t i)
{
	const struct qt_plan_format *f = &p->formats.items[i];

	qt_buf_adds(b, "\"pieces\": [");
	for (uint32_t k = 0; k < f->pieces.len; k++) {
		qt_buf_adds(b, k ? ", " : "");
		put_piece(b, &f->pieces.items[k]);
	}
	qt_buf_addc(b, ']');
	put_fields(b, "args", f->args.items, f->args.len);
}

static void dump_literal(struct qt_buf *b, const struct qt_plan *p, uint32_t i)
{
	qt_buf_printf(b, "\"literal\": %u, \"text\": ", i);
	qt_json_string(b, p->literals.items[i].ptr, p->literals.items[i].len);
}

static void dump_list(struct qt_buf *b, const struct qt_plan *p, const char *name, uint32_t n,
		      void (*item)(struct qt_buf *b, const struct qt_plan *p, uint32_t i))
{
	qt_buf_printf(b, ",\n  \"%s\": [", name);
	for (uint32_t i = 0; i < n; i++) {
		qt_buf_adds(b, i ? ",\n    {" : "\n    {");
		item(b, p, i);
		qt_buf_addc(b, '}');
	}
	qt_buf_adds(b, n ? "\n  ]" : "]");
}

void qt_plan_dump(const struct qt_plan *p, FILE *out)
{
	struct qt_buf b = { 0 };

	qt_buf_printf(&b, "{\n  \"max_strlen\": %u", p->max_strlen);
	if (p->names_user)
		qt_buf_adds(&b, ",\n  \"names_user\": true");
	if (p->stack_frames)
		qt_buf_printf(&b, ",\n  \"stack_frames\": %u", p->stack_frames);
	put_flag(&b, "object", p->object != NULL);
	dump_list(&b, p, "maps", p->maps.len, dump_map);
	dump_list(&b, p, "programs", p->progs.len, dump_prog);
	dump_list(&b, p, "points", p->points.len, dump_point);
	dump_list(&b, p, "probes", p->probes.len, dump_probe);
	dump_list(&b, p, "tables", p->tables.len, dump_table);
	dump_list(&b, p, "counters", p->counters.len, dump_counter);
	dump_list(&b, p, "formats", p->formats.len, dump_format);
	if (p->asks.len)
		dump_list(&b, p, "asks", p->asks.len, dump_ask);
	dump_list(&b, p, "literals", p->literals.len, dump_literal);
	qt_buf_adds(&b, "\n}\n");
	fwrite(b.ptr, 1, b.len, out);
	qt_buf_free(&b);
}
