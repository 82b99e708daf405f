/* Tables and losses of a run: entries of maps through the store interface, merged over CPUs and over keys that are shown alike, then sorted. */
#include "plan/decode.h"

#include "base/check.h"
#include "base/map.h"
#include "plan/fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A row while it is summed: the words of all columns one after another. */
struct sum {
	struct qt_value *keys;
	struct qt_value *plain; /* of columns that are no metrics */
	uint64_t *words;
	struct sum *next; /* another one with the same hash */
};

struct reader {
	const struct qt_plan *plan;
	const struct qt_store *store;
	const struct qt_plan_table *table;
	const struct qt_plan_map *map;
	struct qt_arena *arena;
	struct qt_map by_keys;
	QT_VEC(struct sum *) sums;
	uint32_t nwords;
	bool merges; /* every column is a metric: rows can be added up */
};

static unsigned column_words(const struct qt_field *f)
{
	return f->kind == QT_FIELD_METRIC ? qt_metric_info(f->metric)->words : 0;
}

static uint64_t keys_hash(const struct qt_value *keys, uint32_t n)
{
	uint64_t h = 0x9e3779b97f4a7c15;

	for (uint32_t i = 0; i < n; i++) {
		bool text = keys[i].kind == QT_VALUE_TEXT;

		h = qt_text_id(text ? keys[i].text.ptr : (const char *)&keys[i].u, text ? keys[i].text.len : sizeof(keys[i].u), h, i);
	}
	return h;
}

static bool same_keys(const struct qt_value *a, const struct qt_value *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (qt_value_compare(&a[i], &b[i]))
			return false;
	return true;
}

static struct sum *sum_new(struct reader *r, struct qt_value *keys)
{
	struct sum *s = QT_NEW(r->arena, struct sum);

	s->keys = keys;
	s->words = QT_NEW_ARRAY(r->arena, uint64_t, r->nwords);
	s->plain = QT_NEW_ARRAY(r->arena, struct qt_value, r->table->columns.len);
	*qt_vec_push(r->arena, &r->sums) = s;
	return s;
}

/* The row with these keys; a new one where there is none yet, or where values cannot be added up. */
static struct sum *sum_find(struct reader *r, struct qt_value *keys)
{
	uint64_t hash = keys_hash(keys, r->table->keys.len);
	struct sum *first = qt_map_get(&r->by_keys, hash), *s;

	for (s = first; s; s = s->next)
		if (r->merges && same_keys(s->keys, keys, r->table->keys.len))
			return s;
	s = sum_new(r, keys);
	s->next = first;
	qt_map_put(r->arena, &r->by_keys, hash, s);
	return s;
}

static void add_metrics(struct reader *r, struct sum *s, const char *value)
{
	uint64_t *total = s->words, words[QT_HIST_BUCKETS];

	qt_vec_each (f, &r->table->columns) {
		unsigned n = column_words(f);

		if (!n)
			continue;
		memcpy(words, value + f->offset, n * sizeof(*words));
		qt_metric_merge(f->metric, total, words);
		total += n;
	}
}

static void read_plain(struct reader *r, struct sum *s, const char *value)
{
	for (uint32_t i = 0; i < r->table->columns.len; i++) {
		const struct qt_field *f = &r->table->columns.items[i];

		if (f->kind != QT_FIELD_METRIC)
			s->plain[i] = qt_field_value(r->plan, r->store, f, value + f->offset, r->arena);
	}
}

static bool all_zero(const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes[i])
			return false;
	return true;
}

static bool read_entry(const void *key, const void *values, unsigned ncpu, void *ctx)
{
	struct reader *r = ctx;
	uint32_t nkeys = r->table->keys.len;
	struct qt_value *keys;
	struct sum *s;

	/* The only row of an array is always there: it counts once something is in it. */
	if (r->map->kind == QT_MAP_PERCPU_ARRAY && all_zero(values, (size_t)ncpu * r->map->value_size))
		return true;
	keys = QT_NEW_ARRAY(r->arena, struct qt_value, nkeys);
	for (uint32_t i = 0; i < nkeys; i++) {
		const struct qt_field *f = &r->table->keys.items[i];

		keys[i] = qt_field_value(r->plan, r->store, f, (const char *)key + f->offset, r->arena);
	}
	s = sum_find(r, keys);
	if (ncpu)
		read_plain(r, s, values);
	for (unsigned cpu = 0; cpu < ncpu; cpu++)
		add_metrics(r, s, (const char *)values + (size_t)cpu * r->map->value_size);
	return true;
}

static struct qt_result_row row_of(const struct reader *r, const struct sum *s)
{
	struct qt_result_row row = { .keys = s->keys, .values = s->plain };
	const uint64_t *words = s->words;

	for (uint32_t i = 0; i < r->table->columns.len; i++) {
		const struct qt_field *f = &r->table->columns.items[i];

		if (f->kind == QT_FIELD_METRIC)
			row.values[i] = qt_metric_value(f, words);
		words += column_words(f);
	}
	return row;
}

/* Tags: largest first by the first column. Maps: smallest first. Rows that are equal there follow the order of their keys, so that equal runs print equal tables. */
static int compare_rows(const void *pa, const void *pb, void *ctx)
{
	const struct qt_plan_table *t = ctx;
	const struct qt_result_row *a = pa, *b = pb;
	int d = t->columns.len ? qt_value_compare(&a->values[0], &b->values[0]) : 0;

	if (t->kind == QT_TABLE_TAG)
		d = -d;
	for (uint32_t i = 0; !d && i < t->keys.len; i++)
		d = qt_value_compare(&a->keys[i], &b->keys[i]);
	return d;
}

int qt_decode_table(const struct qt_plan *p, const struct qt_store *store, uint32_t table, struct qt_arena *arena, struct qt_result_table *out)
{
	const struct qt_plan_table *t = &p->tables.items[table];
	struct reader r = { .plan = p, .store = store, .table = t, .map = &p->maps.items[t->map], .arena = arena, .merges = true };
	int err;

	qt_vec_each (f, &t->columns) {
		r.nwords += column_words(f);
		r.merges = r.merges && f->kind == QT_FIELD_METRIC;
	}
	*out = (struct qt_result_table){ .table = t };
	out->untagged = t->untagged >= 0 ? store->counter(store->self, (uint32_t)t->untagged) : 0;
	err = store->entries(store->self, t->map, read_entry, &r);
	if (err)
		return err;
	qt_vec_each (s, &r.sums)
		*qt_vec_push(arena, &out->rows) = row_of(&r, *s);
	if (out->rows.len)
		qsort_r(out->rows.items, out->rows.len, sizeof(*out->rows.items), compare_rows, (void *)t);
	return 0;
}

static void add_loss(struct qt_result_losses *out, struct qt_arena *arena, enum qt_loss cause, const char *subject, uint64_t count)
{
	if (!count || cause >= QT_LOSS_COUNT)
		return;
	out->total[cause] += count;
	*qt_vec_push(arena, &out->items) = (struct qt_result_loss){ cause, subject, count };
}

void qt_decode_losses(const struct qt_plan *p, const struct qt_store *store, uint64_t missed, struct qt_arena *arena, struct qt_result_losses *out)
{
	*out = (struct qt_result_losses){ 0 };
	for (uint32_t i = 0; i < p->counters.len; i++)
		add_loss(out, arena, p->counters.items[i].cause, p->counters.items[i].subject, store->counter(store->self, i));
	add_loss(out, arena, QT_LOSS_missed, NULL, missed);
}
