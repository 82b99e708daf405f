/* Bytes of single fields to values, merging and order of values. */
#include "plan/fields.h"

#include "base/check.h"

#include <string.h>

#define COMM_BYTES 16

uint32_t qt_field_size(const struct qt_field *field)
{
	switch (field->kind) {
	case QT_FIELD_COMM:
		return COMM_BYTES;
	case QT_FIELD_METRIC:
		return 8 * qt_metric_info(field->metric)->words;
	default:
		return 8;
	}
}

static struct qt_value text_value(const char *s, size_t len, uint32_t flags)
{
	return (struct qt_value){ .kind = QT_VALUE_TEXT, .text = { s, (uint32_t)len, flags } };
}

struct qt_str qt_comm_text(const void *bytes)
{
	return (struct qt_str){ bytes, strnlen(bytes, COMM_BYTES) };
}

static uint64_t word_at(const void *bytes)
{
	uint64_t w;

	memcpy(&w, bytes, sizeof(w));
	return w;
}

/* A text that the run had no room to keep is told as lost, never as empty. */
static struct qt_value interned_value(const struct qt_store *store, uint64_t id, struct qt_arena *arena)
{
	uint32_t len = 0, flags = 0;
	const char *s;

	if (id == QT_ID_NONE)
		return text_value("", 0, 0);
	if (id == QT_ID_UNREADABLE)
		return text_value("", 0, QT_TEXT_UNREADABLE);
	s = store ? store->text(store->self, id, &len, &flags) : NULL;
	return s ? text_value(qt_arena_strndup(arena, s, len), len, flags) : text_value("<lost>", 6, 0);
}

static struct qt_value probe_value(const struct qt_plan *p, uint64_t index, bool func)
{
	const char *s = "";

	if (index < p->probes.len)
		s = func ? p->probes.items[index].func : p->probes.items[index].text;
	return text_value(s ? s : "", s ? strlen(s) : 0, 0);
}

/* What user space shows: by the store's means, else plainly. */
struct qt_value qt_shown_value(const struct qt_store *store, enum qt_shown shown, const void *bytes, uint32_t len, struct qt_arena *arena)
{
	struct qt_buf text = { 0 };
	struct qt_value v;

	if (!store || !store->show || !store->show(store->self, shown, bytes, len, &text))
		qt_show_plainly(shown, bytes, len, &text);
	v = text_value(qt_arena_strndup(arena, text.ptr ? text.ptr : "", text.len), text.len, shown == QT_SHOWN_stack ? QT_TEXT_LINES : 0);
	qt_buf_free(&text);
	return v;
}

static struct qt_value shown_value(const struct qt_store *store, enum qt_shown shown, const void *word, struct qt_arena *arena)
{
	uint64_t id = word_at(word);
	uint32_t len = 0, flags = 0;
	const char *s;

	if (!qt_shown_info(shown)->bytes)
		return qt_shown_value(store, shown, word, 8, arena);
	s = store && id >= QT_ID_FIRST ? store->text(store->self, id, &len, &flags) : NULL;
	return s ? qt_shown_value(store, shown, s, len, arena) : interned_value(store, id, arena);
}

static struct qt_value comm_value(const void *bytes, struct qt_arena *arena)
{
	struct qt_str s = qt_comm_text(bytes);

	return text_value(qt_arena_strndup(arena, s.ptr, s.len), s.len, 0);
}

struct qt_value qt_field_value(const struct qt_plan *p, const struct qt_store *store, const struct qt_field *field, const void *bytes,
			       struct qt_arena *arena)
{
	switch (field->kind) {
	case QT_FIELD_INT:
		return (struct qt_value){ .kind = QT_VALUE_INT, .unit = field->unit, .i = (int64_t)word_at(bytes) };
	case QT_FIELD_UINT:
		return (struct qt_value){ .kind = QT_VALUE_UINT, .unit = field->unit, .u = word_at(bytes) };
	case QT_FIELD_TEXT:
		return interned_value(store, word_at(bytes), arena);
	case QT_FIELD_SHOWN:
		return shown_value(store, field->shown, bytes, arena);
	case QT_FIELD_COMM:
		return comm_value(bytes, arena);
	case QT_FIELD_PROBE:
		return probe_value(p, word_at(bytes), false);
	case QT_FIELD_FUNC:
		return probe_value(p, word_at(bytes), true);
	default:
		return (struct qt_value){ .kind = QT_VALUE_NONE };
	}
}

void qt_metric_merge(enum qt_metric m, uint64_t *total, const uint64_t *words)
{
	unsigned n = qt_metric_info(m)->words;

	if (m == QT_METRIC_min || m == QT_METRIC_max) {
		total[0] = words[0] > total[0] ? words[0] : total[0];
		total[1] += words[1];
		return;
	}
	for (unsigned i = 0; i < n; i++)
		total[i] += words[i];
}

static struct qt_value number(const struct qt_field *field, uint64_t word)
{
	struct qt_value v = { .kind = field->is_signed ? QT_VALUE_INT : QT_VALUE_UINT, .unit = field->unit };

	v.u = word;
	return v;
}

static uint64_t average(uint64_t sum, uint64_t count, bool is_signed)
{
	return is_signed ? (uint64_t)((int64_t)sum / (int64_t)count) : sum / count;
}

struct qt_value qt_metric_value(const struct qt_field *field, const uint64_t *words)
{
	static const struct qt_value none = { .kind = QT_VALUE_NONE };

	switch (field->metric) {
	case QT_METRIC_count:
		return (struct qt_value){ .kind = QT_VALUE_UINT, .u = words[0] };
	case QT_METRIC_avg:
		return words[1] && words[1] <= INT64_MAX ? number(field, average(words[0], words[1], field->is_signed)) : none;
	case QT_METRIC_min:
	case QT_METRIC_max:
		return words[1] ? number(field, qt_extreme_decode(field->metric, words[0], field->is_signed)) : none;
	case QT_METRIC_hist:
		return (struct qt_value){ .kind = QT_VALUE_HIST, .unit = field->unit, .hist = words };
	default:
		return number(field, words[0]);
	}
}

static uint64_t hist_total(const uint64_t *buckets)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < QT_HIST_BUCKETS; i++)
		n += buckets[i];
	return n;
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_text(const struct qt_value *a, const struct qt_value *b)
{
	uint32_t n = a->text.len < b->text.len ? a->text.len : b->text.len;
	int d = n ? memcmp(a->text.ptr, b->text.ptr, n) : 0;

	if (!d)
		d = compare_u64(a->text.len, b->text.len);
	return d ? d : compare_u64(a->text.flags, b->text.flags);
}

int qt_value_compare(const struct qt_value *a, const struct qt_value *b)
{
	if (a->kind != b->kind)
		return a->kind == QT_VALUE_NONE ? -1 : b->kind == QT_VALUE_NONE ? 1 : a->kind < b->kind ? -1 : 1;
	switch (a->kind) {
	case QT_VALUE_INT:
		return a->i < b->i ? -1 : a->i > b->i;
	case QT_VALUE_UINT:
		return compare_u64(a->u, b->u);
	case QT_VALUE_TEXT:
		return compare_text(a, b);
	case QT_VALUE_HIST:
		return compare_u64(hist_total(a->hist), hist_total(b->hist));
	default:
		return 0;
	}
}
