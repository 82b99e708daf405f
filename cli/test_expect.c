/* Expectations of a test against what the interpreter's maps hold: both become lines of text in the language's own form (keys: values), are sorted and compared. */
#include "cli/test_internal.h"

#include "base/check.h"
#include "base/text.h"
#include "plan/decode.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct lines {
	struct qt_arena *arena;
	QT_VEC(const char *) items;
};

static void add_line(struct lines *l, struct qt_buf *b)
{
	*qt_vec_push(l->arena, &l->items) = qt_arena_strndup(l->arena, b->ptr ? b->ptr : "", b->len);
	qt_buf_clear(b);
}

static void put_text(struct qt_buf *b, const char *s, size_t len)
{
	qt_buf_addc(b, '"');
	qt_text_escape(b, s, len, QT_ESCAPE_CELL);
	qt_buf_addc(b, '"');
}

/* ---- what was expected ---- */

static void put_cells(struct qt_buf *b, const struct qt_cell *cells, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		qt_buf_adds(b, i ? ", " : "");
		if (cells[i].is_text)
			put_text(b, cells[i].text.ptr, cells[i].text.len);
		else
			qt_buf_printf(b, "%" PRId64, (int64_t)cells[i].value);
	}
}

static void expected_rows(const struct qt_expect *e, struct lines *out)
{
	struct qt_buf b = { 0 };

	qt_vec_each (row, &e->rows) {
		put_cells(&b, row->keys.items, row->keys.len);
		qt_buf_adds(&b, row->keys.len && row->values.len ? ": " : "");
		put_cells(&b, row->values.items, row->values.len);
		add_line(out, &b);
	}
	if (e->has_untagged) {
		qt_buf_printf(&b, "untagged %" PRIu64, e->untagged);
		add_line(out, &b);
	}
	qt_buf_free(&b);
}

/* ---- what was found ---- */

static uint64_t hist_events(const uint64_t *hist)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < QT_HIST_BUCKETS; i++)
		n += hist[i];
	return n;
}

/* A histogram is held against its number of events. */
static void put_value(struct qt_buf *b, const struct qt_value *v)
{
	if (v->kind == QT_VALUE_TEXT && v->text.flags & QT_TEXT_UNREADABLE)
		put_text(b, "<unreadable>", strlen("<unreadable>"));
	else if (v->kind == QT_VALUE_TEXT)
		put_text(b, v->text.ptr, v->text.len);
	else if (v->kind == QT_VALUE_HIST)
		qt_buf_printf(b, "%" PRIu64, hist_events(v->hist));
	else if (v->kind == QT_VALUE_NONE)
		qt_buf_adds(b, "nothing");
	else
		qt_buf_printf(b, "%" PRId64, v->i);
}

static void put_values(struct qt_buf *b, const struct qt_value *values, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		qt_buf_adds(b, i ? ", " : "");
		put_value(b, &values[i]);
	}
}

static void found_table(const struct qt_result_table *t, bool untagged, struct lines *out)
{
	uint32_t nkeys = t->table->keys.len;
	struct qt_buf b = { 0 };

	qt_vec_each (row, &t->rows) {
		put_values(&b, row->keys, nkeys);
		qt_buf_adds(&b, nkeys ? ": " : "");
		put_values(&b, row->values, t->table->columns.len);
		add_line(out, &b);
	}
	if (untagged) {
		qt_buf_printf(&b, "untagged %" PRIu64, t->untagged);
		add_line(out, &b);
	}
	qt_buf_free(&b);
}

static void found_output(const struct qt_test_output *output, struct lines *out)
{
	struct qt_buf b = { 0 };

	qt_vec_each (line, &output->lines) {
		size_t len = line->len;

		while (len && line->ptr[len - 1] == '\n')
			len--;
		put_text(&b, line->ptr, len);
		add_line(out, &b);
	}
	qt_buf_free(&b);
}

static void found_losses(const struct qt_plan *plan, const struct qt_store *store, struct lines *out)
{
	struct qt_result_losses losses;
	struct qt_buf b = { 0 };

	qt_decode_losses(plan, store, 0, out->arena, &losses);
	for (int i = 0; i < QT_LOSS_COUNT; i++) {
		const char *cause = qt_loss_info((enum qt_loss)i)->cause;

		if (!losses.total[i])
			continue;
		put_text(&b, cause, strlen(cause));
		qt_buf_printf(&b, ": %" PRIu64, losses.total[i]);
		add_line(out, &b);
	}
	qt_buf_free(&b);
}

static bool found_rows(const struct qt_plan *plan, const struct qt_store *store, const struct qt_expect *e, struct lines *out)
{
	struct qt_result_table t;

	for (uint32_t i = 0; i < plan->tables.len; i++) {
		if (strcmp(plan->tables.items[i].name, e->table) != 0)
			continue;
		if (qt_decode_table(plan, store, i, out->arena, &t))
			return false;
		found_table(&t, e->has_untagged, out);
		return true;
	}
	return false;
}

/* ---- comparing ---- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort(struct lines *l)
{
	if (l->items.len)
		qsort(l->items.items, l->items.len, sizeof(*l->items.items), by_text);
}

static const char *line_at(const struct lines *l, uint32_t i)
{
	return i < l->items.len ? l->items.items[i] : NULL;
}

/* Both sorted: one walk tells what only one of them has. Lines in their own order (ORDERED) are compared one by one. */
static bool compare(const struct lines *want, const struct lines *got, bool ordered, struct qt_buf *diff)
{
	uint32_t i = 0, k = 0;
	bool same = true;

	while (line_at(want, i) || line_at(got, k)) {
		const char *w = line_at(want, i), *g = line_at(got, k);
		int d = !w ? 1 : !g ? -1 : strcmp(w, g);

		same = same && !d;
		if (!d)
			qt_buf_printf(diff, "      %s\n", w);
		if (d && w && (d < 0 || ordered))
			qt_buf_printf(diff, "    - %s\n", w);
		if (d && g && (d > 0 || ordered))
			qt_buf_printf(diff, "    + %s\n", g);
		i += w && (d <= 0 || ordered);
		k += g && (d >= 0 || ordered);
	}
	return same;
}

bool qt_test_expect(const struct qt_plan *plan, const struct qt_store *store, const struct qt_test_output *output, const struct qt_expect *e,
		    struct qt_arena *arena, struct qt_buf *diff)
{
	struct lines want = { .arena = arena }, got = { .arena = arena };
	bool ordered = !strcmp(e->table, "output");

	expected_rows(e, &want);
	if (ordered) {
		found_output(output, &got);
	} else if (!strcmp(e->table, "losses")) {
		found_losses(plan, store, &got);
	} else if (!found_rows(plan, store, e, &got)) {
		qt_buf_printf(diff, "    there is no table %s\n", e->table);
		return false;
	}
	if (!ordered) {
		sort(&want);
		sort(&got);
	}
	return compare(&want, &got, ordered, diff);
}
