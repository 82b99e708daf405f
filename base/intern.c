/* The name table: open addressing over FNV-1a hashes; the names themselves live in the arena. */
#include "base/intern.h"

#include <stdint.h>
#include <string.h>

struct entry {
	const char *name; /* NULL: free */
	uint32_t len, hash;
};

struct qt_interns {
	struct qt_arena *arena;
	struct entry *slots;
	uint32_t len, cap;
};

struct qt_interns *qt_interns_new(struct qt_arena *a)
{
	struct qt_interns *t = QT_NEW(a, struct qt_interns);

	t->arena = a;
	t->cap = 256;
	t->slots = QT_NEW_ARRAY(a, struct entry, t->cap);
	return t;
}

static uint32_t hash_bytes(const char *s, size_t len)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	return h;
}

static struct entry *find(struct qt_interns *t, const char *s, size_t len, uint32_t hash)
{
	for (uint32_t i = hash & (t->cap - 1);; i = (i + 1) & (t->cap - 1)) {
		struct entry *e = &t->slots[i];

		if (!e->name || (e->hash == hash && e->len == len && !memcmp(e->name, s, len)))
			return e;
	}
}

static void grow(struct qt_interns *t)
{
	struct entry *old = t->slots;
	uint32_t n = t->cap;

	if (t->cap > UINT32_MAX / 2)
		qt_oom();
	t->cap *= 2;
	t->slots = QT_NEW_ARRAY(t->arena, struct entry, t->cap);
	for (uint32_t i = 0; i < n; i++)
		if (old[i].name)
			*find(t, old[i].name, old[i].len, old[i].hash) = old[i];
}

qt_name qt_intern_n(struct qt_interns *t, const char *s, size_t len)
{
	uint32_t hash = hash_bytes(s, len);
	struct entry *e;

	if (t->len + 1 > t->cap / 4 * 3)
		grow(t);
	e = find(t, s, len, hash);
	if (!e->name) {
		*e = (struct entry){ qt_arena_strndup(t->arena, s, len), (uint32_t)len, hash };
		t->len++;
	}
	return e->name;
}

qt_name qt_intern(struct qt_interns *t, const char *s)
{
	return qt_intern_n(t, s, strlen(s));
}
