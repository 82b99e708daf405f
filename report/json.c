/* Results as JSON lines: one object a line with its `type`. Maps, histograms and printf keep bpftrace's shapes; a map with several keys also has them apart, since keys joined
 * by commas cannot be told from each other. Field names end in their unit. Text is always valid UTF-8; where bytes had to be replaced, NAME_b64 beside has them all. */
#include "base/check.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/text.h"
#include "report/report_internal.h"

#include <inttypes.h>
#include <string.h>

static void put_base64(struct qt_buf *out, const char *bytes, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	qt_buf_addc(out, '"');
	for (size_t i = 0; i < len; i += 3) {
		uint32_t w = 0;

		for (size_t k = 0; k < 3; k++)
			w = w << 8 | (i + k < len ? (unsigned char)bytes[i + k] : 0);
		qt_buf_addc(out, digits[w >> 18]);
		qt_buf_addc(out, digits[w >> 12 & 63]);
		qt_buf_addc(out, i + 1 < len ? digits[w >> 6 & 63] : '=');
		qt_buf_addc(out, i + 2 < len ? digits[w & 63] : '=');
	}
	qt_buf_addc(out, '"');
}

static void put_string(struct qt_buf *out, const char *s)
{
	qt_json_string(out, s, strlen(s));
}

/* ---- names of fields ---- */

static bool ends_with(const char *s, const char *end)
{
	size_t a = strlen(s), b = strlen(end);

	return a >= b && !strcmp(s + a - b, end);
}

/* NAME with its unit behind, unless it says it already: latency_ns, but bytes and read_bytes stay. */
static const char *with_unit(struct qt_arena *a, const char *name, enum qt_unit unit)
{
	const char *word = unit == QT_UNIT_NS ? "ns" : "bytes";

	if (unit == QT_UNIT_NONE || !strcmp(name, word) || ends_with(name, qt_arena_printf(a, "_%s", word)))
		return name;
	return qt_arena_printf(a, "%s_%s", name, word);
}

struct naming {
	struct qt_arena *arena;
	struct qt_interns *names;
	struct qt_map taken;
};

/* NAME, or NAME_2 and so on when a field before it has that name: a JSON object has each name once. */
static const char *unique(struct naming *n, const char *name)
{
	const char *s = name;

	for (unsigned i = 2; qt_map_put(n->arena, &n->taken, QT_KEY(qt_intern(n->names, s)), n); i++)
		s = qt_arena_printf(n->arena, "%s_%u", name, i);
	return s;
}

static const char **field_names(struct qt_arena *a, const struct qt_plan_table *t)
{
	struct naming n = { .arena = a, .names = qt_interns_new(a) };
	const char **names = QT_NEW_ARRAY(a, const char *, t->keys.len + t->columns.len);

	for (uint32_t i = 0; i < t->keys.len; i++)
		names[i] = unique(&n, with_unit(a, t->keys.items[i].name, t->keys.items[i].unit));
	for (uint32_t i = 0; i < t->columns.len; i++)
		names[t->keys.len + i] = unique(&n, with_unit(a, t->columns.items[i].name, t->columns.items[i].unit));
	return names;
}

/* ---- tags ---- */

static bool is_utf8(const char *s, size_t len)
{
	struct qt_buf b = { 0 };
	bool whole = qt_json_string(&b, s, len);

	qt_buf_free(&b);
	return whole;
}

static void put_member(struct qt_buf *out, const char *name, const struct qt_value *v)
{
	struct qt_buf longer = { 0 };

	put_string(out, name);
	qt_buf_addc(out, ':');
	qt_value_json(out, v);
	if (v->kind != QT_VALUE_TEXT || is_utf8(v->text.ptr, v->text.len))
		return;
	qt_buf_addc(out, ',');
	qt_buf_adds(&longer, name);
	qt_buf_adds(&longer, "_b64");
	put_string(out, longer.ptr);
	qt_buf_addc(out, ':');
	qt_buf_free(&longer);
	put_base64(out, v->text.ptr, v->text.len);
}

static void put_row(struct qt_buf *out, const struct qt_plan_table *t, const char *const *names, const struct qt_result_row *row)
{
	qt_buf_addc(out, '{');
	for (uint32_t i = 0; i < t->keys.len + t->columns.len; i++) {
		qt_buf_adds(out, i ? "," : "");
		put_member(out, names[i], i < t->keys.len ? &row->keys[i] : &row->values[i - t->keys.len]);
	}
	qt_buf_addc(out, '}');
}

static void put_tag(struct qt_buf *out, const struct qt_result_table *table, uint32_t nrows)
{
	const struct qt_plan_table *t = table->table;
	struct qt_arena *a = qt_arena_new();
	const char **names = field_names(a, t);

	qt_buf_adds(out, "{\"type\":\"tag\",\"name\":");
	put_string(out, t->name);
	qt_buf_adds(out, ",\"keys\":[");
	for (uint32_t i = 0; i < t->keys.len; i++) {
		qt_buf_adds(out, i ? "," : "");
		put_string(out, names[i]);
	}
	qt_buf_adds(out, "],\"rows\":[");
	for (uint32_t i = 0; i < nrows; i++) {
		qt_buf_adds(out, i ? "," : "");
		put_row(out, t, names, &table->rows.items[i]);
	}
	qt_buf_printf(out, "],\"untagged\":%" PRIu64, table->untagged);
	if (nrows < table->rows.len)
		qt_buf_printf(out, ",\"more\":%u", table->rows.len - nrows);
	qt_buf_adds(out, "}\n");
	qt_arena_free(a);
}

/* ---- maps ---- */

/* Keys as bpftrace joins them, without quotes: "a,1". */
static void put_joined(struct qt_buf *out, const struct qt_plan_table *t, const struct qt_result_row *row)
{
	struct qt_buf joined = { 0 };

	for (uint32_t i = 0; i < t->keys.len; i++) {
		const struct qt_value *v = &row->keys[i];

		qt_buf_adds(&joined, i ? "," : "");
		if (v->kind == QT_VALUE_TEXT && v->text.flags & QT_TEXT_UNREADABLE)
			qt_buf_adds(&joined, "<unreadable>");
		else if (v->kind == QT_VALUE_TEXT)
			qt_buf_add(&joined, v->text.ptr, v->text.len);
		else
			qt_buf_printf(&joined, v->kind == QT_VALUE_INT ? "%" PRId64 : "%" PRIu64, v->u);
	}
	qt_json_string(out, joined.ptr ? joined.ptr : "", joined.len);
	qt_buf_free(&joined);
}

static void put_apart(struct qt_buf *out, const struct qt_plan_table *t, const struct qt_result_row *row)
{
	qt_buf_adds(out, "{\"key\":[");
	for (uint32_t i = 0; i < t->keys.len; i++) {
		qt_buf_adds(out, i ? "," : "");
		qt_value_json(out, &row->keys[i]);
	}
	qt_buf_adds(out, "],");
	if (qt_is_tuple(t)) {
		qt_buf_adds(out, "\"value\":");
		qt_tuple_put(out, t, row, true);
	} else {
		put_member(out, "value", &row->values[0]);
	}
	qt_buf_addc(out, '}');
}

static bool is_hist(const struct qt_plan_table *t)
{
	return t->columns.items[0].kind == QT_FIELD_METRIC && t->columns.items[0].metric == QT_METRIC_hist;
}

static void put_entries(struct qt_buf *out, const struct qt_result_table *table, uint32_t first)
{
	const struct qt_plan_table *t = table->table;

	qt_buf_adds(out, t->keys.len ? "{" : "");
	for (uint32_t i = first; i < table->rows.len; i++) {
		qt_buf_adds(out, i > first ? "," : "");
		if (t->keys.len) {
			put_joined(out, t, &table->rows.items[i]);
			qt_buf_addc(out, ':');
		}
		if (qt_is_tuple(t))
			qt_tuple_put(out, t, &table->rows.items[i], true);
		else
			qt_value_json(out, &table->rows.items[i].values[0]);
	}
	qt_buf_adds(out, t->keys.len ? "}" : "");
}

static void put_map(struct qt_buf *out, const struct qt_result_table *table, uint32_t nrows)
{
	const struct qt_plan_table *t = table->table;
	uint32_t first = table->rows.len - nrows;

	if (!table->rows.len)
		return;
	qt_buf_printf(out, "{\"type\":\"%s\",\"data\":{", is_hist(t) ? "hist" : "map");
	put_string(out, t->name);
	qt_buf_addc(out, ':');
	put_entries(out, table, first);
	qt_buf_addc(out, '}');
	if (t->keys.len > 1) {
		qt_buf_adds(out, ",\"rows\":[");
		for (uint32_t i = first; i < table->rows.len; i++) {
			qt_buf_adds(out, i > first ? "," : "");
			put_apart(out, t, &table->rows.items[i]);
		}
		qt_buf_addc(out, ']');
	}
	qt_buf_adds(out, "}\n");
}

/* ---- the writer ---- */

static void json_table(struct qt_report *r, const struct qt_result_table *table)
{
	uint32_t n = r->options.top && table->rows.len > r->options.top ? r->options.top : table->rows.len;
	struct qt_buf out = { 0 };

	if (table->table->kind == QT_TABLE_TAG)
		put_tag(&out, table, n);
	else
		put_map(&out, table, n);
	qt_report_put(r, &out);
	qt_buf_free(&out);
}

static void json_attached(struct qt_report *r, unsigned probes)
{
	fprintf(r->options.out, "{\"type\":\"attached_probes\",\"data\":{\"probes\":%u}}\n", probes);
}

static void json_printed(struct qt_report *r, struct qt_str text)
{
	struct qt_buf out = { 0 };

	qt_buf_adds(&out, "{\"type\":\"printf\",\"data\":");
	if (!qt_json_string(&out, text.ptr, text.len)) {
		qt_buf_adds(&out, ",\"data_b64\":");
		put_base64(&out, text.ptr, text.len);
	}
	qt_buf_adds(&out, "}\n");
	qt_report_put(r, &out);
	qt_buf_free(&out);
}

static void put_loss(struct qt_buf *out, const struct qt_result_loss *l)
{
	qt_buf_printf(out, "{\"cause\":\"%s\",\"subject\":", qt_loss_info(l->cause)->cause);
	put_string(out, l->subject);
	qt_buf_printf(out, ",\"count\":%" PRIu64 "}", l->count);
}

/* Always all causes; which maps, tags and probes they are about stands beside where it is known. */
static void json_losses(struct qt_report *r, const struct qt_result_losses *losses)
{
	struct qt_buf out = { 0 };
	bool any = false;

	qt_buf_adds(&out, "{\"type\":\"losses\",\"data\":{");
	for (unsigned i = 0; i < QT_LOSS_COUNT; i++)
		qt_buf_printf(&out, "%s\"%s\":%" PRIu64, i ? "," : "", qt_loss_info((enum qt_loss)i)->cause, losses->total[i]);
	qt_buf_addc(&out, '}');
	qt_vec_each (it, &losses->items) {
		if (!it->subject)
			continue;
		qt_buf_adds(&out, any ? "," : ",\"subjects\":[");
		put_loss(&out, it);
		any = true;
	}
	qt_buf_adds(&out, any ? "]}\n" : "}\n");
	qt_report_put(r, &out);
	qt_buf_free(&out);
}

const struct qt_report_format qt_format_json = {
	.name = "json",
	.text = "one JSON object a line, for programs",
	.attached = json_attached,
	.printed = json_printed,
	.table = json_table,
	.losses = json_losses,
	.raw_text = true,
};
