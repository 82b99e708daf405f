/* A hash map from an interned name (or any 64-bit key) to a pointer; on an arena, never shrinks. */
#ifndef QT_BASE_MAP_H
#define QT_BASE_MAP_H

#include "base/arena.h"

#include <stdint.h>

struct qt_map_slot {
	uint64_t key;
	void *value; /* NULL: free slot */
};

struct qt_map {
	struct qt_map_slot *slots;
	uint32_t len, cap;
};

/* The value under KEY or NULL. */
void *qt_map_get(const struct qt_map *m, uint64_t key);
/* Sets KEY to VALUE (not NULL); returns the value that was there before, or NULL. */
void *qt_map_put(struct qt_arena *a, struct qt_map *m, uint64_t key, void *value);

#define QT_KEY(ptr) ((uint64_t)(uintptr_t)(ptr))

#endif
