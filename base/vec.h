/* A growable array on an arena, typed by macro: QT_VEC(struct x) v = {0}; *qt_vec_push(arena, &v) = item. */
#ifndef QT_BASE_VEC_H
#define QT_BASE_VEC_H

#include "base/arena.h"

#include <stdint.h>

#define QT_VEC(type)          \
	struct {              \
		type *items;  \
		uint32_t len; \
		uint32_t cap; \
	}

/* Room for one more item; the pointer is to the new, zeroed item and holds until the next push. */
#define qt_vec_push(arena, v) ((v)->items = qt_vec_grow((arena), (v)->items, (v)->len, &(v)->cap, sizeof(*(v)->items)), &(v)->items[(v)->len++])

/* for (each item pointer in a vector); the vector must not grow meanwhile. */
#define qt_vec_each(it, v) for (__typeof__((v)->items + 0) it = (v)->items, it##_end = it ? it + (v)->len : it; it < it##_end; it++)

void *qt_vec_grow(struct qt_arena *a, void *items, uint32_t len, uint32_t *cap, size_t size);

#endif
