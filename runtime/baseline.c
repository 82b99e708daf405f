/* A hash table from the keys of a map to the values that were last told of them. Holds at most as many rows as the map does, since rows
 * that are deleted there are forgotten here. */
#include "runtime/baseline.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

struct row {
	struct row *next;
	uint64_t hash;
	uint64_t words[]; /* the values, then the key */
};

struct qt_baseline {
	uint32_t key_size, words;
	uint32_t count, cap; /* cap: a power of two */
	struct row **slots;
};

struct qt_baseline *qt_baseline_new(uint32_t key_size, uint32_t words)
{
	struct qt_baseline *b = qt_xcalloc(1, sizeof(*b));

	*b = (struct qt_baseline){ .key_size = key_size, .words = words, .cap = 64, .slots = qt_xcalloc(64, sizeof(*b->slots)) };
	return b;
}

/* FNV-1a (Fowler, Noll, Vo), folded. */
static uint64_t hash_key(const struct qt_baseline *b, const void *key)
{
	uint64_t h = 0xcbf29ce484222325;

	for (uint32_t i = 0; i < b->key_size; i++)
		h = (h ^ ((const uint8_t *)key)[i]) * 0x100000001b3;
	return h ^ h >> 32;
}

static struct row **find(const struct qt_baseline *b, const void *key, uint64_t hash)
{
	struct row **at = &b->slots[hash & (b->cap - 1)];

	while (*at && ((*at)->hash != hash || memcmp((*at)->words + b->words, key, b->key_size) != 0))
		at = &(*at)->next;
	return at;
}

static void grow(struct qt_baseline *b)
{
	uint32_t cap = b->cap * 2;
	struct row **slots = qt_xcalloc(cap, sizeof(*slots));

	for (uint32_t i = 0; i < b->cap; i++)
		for (struct row *r = b->slots[i], *next; r; r = next) {
			next = r->next;
			r->next = slots[r->hash & (cap - 1)];
			slots[r->hash & (cap - 1)] = r;
		}
	free(b->slots);
	b->slots = slots;
	b->cap = cap;
}

static void remember(struct qt_baseline *b, const void *key, uint64_t hash, const uint64_t *row)
{
	struct row *r = qt_xcalloc(1, sizeof(*r) + b->words * sizeof(*row) + b->key_size), **slot;

	if (b->count >= b->cap)
		grow(b);
	slot = &b->slots[hash & (b->cap - 1)];
	r->hash = hash;
	memcpy(r->words, row, b->words * sizeof(*row));
	memcpy(r->words + b->words, key, b->key_size);
	r->next = *slot;
	*slot = r;
	b->count++;
}

/* A word that was told and is remembered: what came since. */
static bool subtract(const struct qt_baseline *b, struct row *told, uint64_t *row, bool take)
{
	bool any = false;

	for (uint32_t i = 0; i < b->words; i++) {
		uint64_t now = row[i];

		row[i] = now - told->words[i];
		any |= row[i] != 0;
		if (take)
			told->words[i] = now;
	}
	return any;
}

bool qt_baseline_since(struct qt_baseline *b, const void *key, uint64_t *row, bool take)
{
	uint64_t hash = hash_key(b, key);
	struct row **at = find(b, key, hash);

	if (*at)
		return subtract(b, *at, row, take);
	if (take)
		remember(b, key, hash, row);
	return true;
}

void qt_baseline_forget(struct qt_baseline *b, const void *key)
{
	struct row **at = find(b, key, hash_key(b, key)), *r = *at;

	if (!r)
		return;
	*at = r->next;
	free(r);
	b->count--;
}

void qt_baseline_forget_all(struct qt_baseline *b)
{
	for (uint32_t i = 0; i < b->cap; i++) {
		for (struct row *r = b->slots[i], *next; r; r = next) {
			next = r->next;
			free(r);
		}
		b->slots[i] = NULL;
	}
	b->count = 0;
}

void qt_baseline_free(struct qt_baseline *b)
{
	if (!b)
		return;
	qt_baseline_forget_all(b);
	free(b->slots);
	free(b);
}
