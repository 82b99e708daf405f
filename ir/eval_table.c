/* Hash tables of fixed-size keys and values, and the store interface over them. Entries of a full table are refused, as the kernel does. */
#include "ir/eval_internal.h"

#include <errno.h>
#include <string.h>

#define BUCKETS_FIRST 64u

void qt_eval_table_init(struct qt_eval_table *t, struct qt_arena *arena, uint32_t key_size, uint32_t value_size, uint32_t copies,
			uint32_t max_entries)
{
	*t = (struct qt_eval_table){ .arena = arena, .key_size = key_size, .value_size = value_size, .copies = copies, .max_entries = max_entries };
	t->nbuckets = BUCKETS_FIRST;
	t->buckets = QT_NEW_ARRAY(arena, struct qt_eval_entry *, t->nbuckets);
}

static struct qt_eval_entry **find(const struct qt_eval_table *t, const void *key, uint64_t hash)
{
	struct qt_eval_entry **at = &t->buckets[hash % t->nbuckets];

	while (*at && memcmp((*at)->key, key, t->key_size) != 0)
		at = &(*at)->next;
	return at;
}

static uint64_t hash_of(const struct qt_eval_table *t, const void *key)
{
	return qt_text_id(key, t->key_size, 0, 0);
}

static void grow(struct qt_eval_table *t)
{
	uint32_t n = t->nbuckets * 2;
	struct qt_eval_entry **buckets = QT_NEW_ARRAY(t->arena, struct qt_eval_entry *, n);

	for (uint32_t k = 0; k < t->nbuckets; k++) {
		for (struct qt_eval_entry *e = t->buckets[k], *next; e; e = next) {
			next = e->next;
			e->next = buckets[e->hash % n];
			buckets[e->hash % n] = e;
		}
	}
	t->buckets = buckets;
	t->nbuckets = n;
}

struct qt_eval_entry *qt_eval_table_get(const struct qt_eval_table *t, const void *key)
{
	return *find(t, key, hash_of(t, key));
}

struct qt_eval_entry *qt_eval_table_upsert(struct qt_eval_table *t, const void *key)
{
	uint64_t hash = hash_of(t, key);
	struct qt_eval_entry **at = find(t, key, hash), *e = *at;

	if (e)
		return e;
	if (t->max_entries && t->len >= t->max_entries)
		return NULL;
	e = QT_NEW(t->arena, struct qt_eval_entry);
	e->hash = hash;
	e->key = qt_arena_alloc(t->arena, t->key_size);
	memcpy(e->key, key, t->key_size);
	e->values = qt_arena_alloc(t->arena, (size_t)t->value_size * t->copies);
	*at = e;
	if (++t->len > t->nbuckets * 2)
		grow(t);
	return e;
}

void qt_eval_table_delete(struct qt_eval_table *t, const void *key)
{
	struct qt_eval_entry **at = find(t, key, hash_of(t, key));

	if (*at) {
		*at = (*at)->next;
		t->len--;
	}
}

void qt_eval_table_clear(struct qt_eval_table *t)
{
	memset(t->buckets, 0, t->nbuckets * sizeof(t->buckets[0]));
	t->len = 0;
}

/* ---- the store ---- */

static struct qt_eval_table *store_map(void *self, uint32_t map)
{
	struct qt_machine *m = self;

	return map < m->ir->plan->maps.len ? &m->maps[map] : NULL;
}

static int store_entries(void *self, uint32_t map, qt_store_entry_fn fn, void *ctx)
{
	const struct qt_eval_table *t = store_map(self, map);

	if (!t || !t->buckets)
		return -EINVAL;
	for (uint32_t k = 0; k < t->nbuckets; k++) {
		for (const struct qt_eval_entry *e = t->buckets[k]; e; e = e->next) {
			if (!fn(e->key, e->values, t->copies, ctx))
				return 0;
		}
	}
	return 0;
}

static int store_clear(void *self, uint32_t map)
{
	struct qt_eval_table *t = store_map(self, map);

	if (!t || !t->buckets)
		return -EINVAL;
	qt_eval_table_clear(t);
	return 0;
}

static uint64_t store_counter(void *self, uint32_t counter)
{
	const struct qt_machine *m = self;
	uint32_t n = m->ir->plan->counters.len;
	uint64_t sum = 0;

	for (unsigned cpu = 0; cpu < m->ncpu && counter < n; cpu++)
		sum += m->counters[cpu * n + counter];
	return sum;
}

static const char *store_text(void *self, uint64_t id, uint32_t *len, uint32_t *flags)
{
	const struct qt_machine *m = self;
	const struct qt_eval_entry *e = m->maps[QT_MAP_STRINGS].buckets ? qt_eval_table_get(&m->maps[QT_MAP_STRINGS], &id) : NULL;
	const struct qt_text *text = e ? (const struct qt_text *)e->values : NULL;

	if (!text)
		return NULL;
	*len = text->len;
	*flags = text->flags;
	return text->bytes;
}

void qt_eval_store_init(struct qt_machine *m)
{
	m->store = (struct qt_store){ .self = m, .entries = store_entries, .clear = store_clear, .counter = store_counter, .text = store_text };
}
