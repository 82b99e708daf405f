/* A bump allocator: everything that one compilation makes lives in one arena and dies with it.
 * Nothing in it is freed singly. */
#ifndef QT_BASE_ARENA_H
#define QT_BASE_ARENA_H

#include <stddef.h>

struct qt_arena;

/* Called when memory runs out; must not return. The command line sets one that says so and ends with code 1. */
typedef void (*qt_oom_fn)(void);
void qt_oom_set(qt_oom_fn fn);
_Noreturn void qt_oom(void);

/* A new, empty arena; free it with qt_arena_free. Never NULL. */
struct qt_arena *qt_arena_new(void);
void qt_arena_free(struct qt_arena *a);

/* SIZE zeroed bytes, aligned to 16; never NULL (qt_oom is called instead). */
void *qt_arena_alloc(struct qt_arena *a, size_t size);

/* A copy of LEN bytes with a NUL behind them. */
char *qt_arena_strndup(struct qt_arena *a, const char *s, size_t len);

/* printf into the arena. */
char *qt_arena_printf(struct qt_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Bytes handed out so far. */
size_t qt_arena_used(const struct qt_arena *a);

#define QT_NEW(arena, type) ((type *)qt_arena_alloc((arena), sizeof(type)))
#define QT_NEW_ARRAY(arena, type, n) ((type *)qt_arena_alloc((arena), sizeof(type) * (size_t)(n)))

/* Heap allocation for what outlives a compilation: zeroed, never NULL, freed with free(). */
void *qt_xcalloc(size_t n, size_t size);
void *qt_xrealloc(void *p, size_t size);

#endif
