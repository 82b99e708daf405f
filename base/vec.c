/* Growth of typed arrays: doubles, copies, leaves the old items to the arena. */
#include "base/vec.h"

#include <string.h>

void *qt_vec_grow(struct qt_arena *a, void *items, uint32_t len, uint32_t *cap, size_t size)
{
	void *bigger;

	if (len < *cap)
		return items;
	if (*cap > UINT32_MAX / 2)
		qt_oom();
	*cap = *cap ? *cap * 2 : 4;
	bigger = qt_arena_alloc(a, *cap * size);
	if (len)
		memcpy(bigger, items, len * size);
	return bigger;
}
