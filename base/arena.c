/* The bump allocator: a list of chunks, each twice the last up to a megabyte; large requests get a chunk of their own.
 * Heap helpers that never return NULL stand here too, since they share the answer to "no memory". */
#include "base/arena.h"

#include "base/check.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_FIRST ((size_t)16 << 10)
#define CHUNK_MAX ((size_t)1 << 20)
#define ALIGNMENT ((size_t)16)

struct chunk {
	struct chunk *next;
	size_t size; /* of the whole, this head included */
};

struct qt_arena {
	struct chunk *chunks;
	char *at, *end;
	size_t next_size;
	size_t used;
};

/* Set once at start by the command line, before any thread is there. */
static qt_oom_fn oom_handler;

void qt_oom_set(qt_oom_fn fn)
{
	oom_handler = fn;
}

void qt_oom(void)
{
	if (oom_handler)
		oom_handler();
	abort();
}

void *qt_xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		qt_oom();
	return p;
}

void *qt_xrealloc(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		qt_oom();
	return p;
}

struct qt_arena *qt_arena_new(void)
{
	struct qt_arena *a = qt_xcalloc(1, sizeof(*a));

	a->next_size = CHUNK_FIRST;
	return a;
}

void qt_arena_free(struct qt_arena *a)
{
	if (!a)
		return;
	for (struct chunk *c = a->chunks, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	free(a);
}

/* A zeroed chunk with room for SIZE bytes behind its head. */
static char *chunk_add(struct qt_arena *a, size_t size)
{
	size_t head = QT_ALIGN(sizeof(struct chunk), ALIGNMENT);
	struct chunk *c = qt_xcalloc(1, head + size);

	c->size = head + size;
	c->next = a->chunks;
	a->chunks = c;
	return (char *)c + head;
}

void *qt_arena_alloc(struct qt_arena *a, size_t size)
{
	char *p;

	if (size > SIZE_MAX / 2)
		qt_oom();
	size = QT_ALIGN(size ? size : 1, ALIGNMENT);
	a->used += size;
	if (size > (size_t)(a->end - a->at)) {
		if (size > a->next_size / 4)
			return chunk_add(a, size);
		a->at = chunk_add(a, a->next_size);
		a->end = a->at + a->next_size;
		if (a->next_size < CHUNK_MAX)
			a->next_size *= 2;
	}
	p = a->at;
	a->at += size;
	return p;
}

char *qt_arena_strndup(struct qt_arena *a, const char *s, size_t len)
{
	char *p = qt_arena_alloc(a, len + 1);

	if (len)
		memcpy(p, s, len);
	return p;
}

char *qt_arena_printf(struct qt_arena *a, const char *fmt, ...)
{
	va_list ap, again;
	char *p;
	int len;

	va_start(ap, fmt);
	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len < 0)
		QT_BUG("a format that cannot be printed: %s", fmt);
	p = qt_arena_alloc(a, (size_t)len + 1);
	vsnprintf(p, (size_t)len + 1, fmt, again);
	va_end(again);
	return p;
}

size_t qt_arena_used(const struct qt_arena *a)
{
	return a->used;
}
