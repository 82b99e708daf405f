/* The hash map: open addressing with linear probing, at most three quarters full. */
#include "base/map.h"

#include "base/check.h"

/* The finaliser of splitmix64 (Steele, Lea, Flood 2014): spreads pointers and small numbers alike. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/* The slot of KEY, or the free slot where it would go. There is always a free slot. */
static struct qt_map_slot *find(const struct qt_map *m, uint64_t key)
{
	uint32_t mask = m->cap - 1;

	for (uint32_t i = (uint32_t)mix(key) & mask;; i = (i + 1) & mask) {
		struct qt_map_slot *s = &m->slots[i];

		if (!s->value || s->key == key)
			return s;
	}
}

static void grow(struct qt_arena *a, struct qt_map *m)
{
	struct qt_map old = *m;

	if (m->cap > UINT32_MAX / 2)
		qt_oom();
	m->cap = m->cap ? m->cap * 2 : 16;
	m->slots = QT_NEW_ARRAY(a, struct qt_map_slot, m->cap);
	for (uint32_t i = 0; i < old.cap; i++)
		if (old.slots[i].value)
			*find(m, old.slots[i].key) = old.slots[i];
}

void *qt_map_get(const struct qt_map *m, uint64_t key)
{
	return m->cap ? find(m, key)->value : NULL;
}

void *qt_map_put(struct qt_arena *a, struct qt_map *m, uint64_t key, void *value)
{
	struct qt_map_slot *s;
	void *before;

	QT_ASSERT(value);
	if (m->len + 1 > m->cap / 4 * 3)
		grow(a, m);
	s = find(m, key);
	before = s->value;
	if (!before)
		m->len++;
	*s = (struct qt_map_slot){ key, value };
	return before;
}
