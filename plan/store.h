/* Where the tables of a running or simulated program lie: one interface over the kernel's maps (runtime) and the interpreter's. The reader of results uses only this. */
#ifndef QT_PLAN_STORE_H
#define QT_PLAN_STORE_H

#include "base/shown.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One entry of a map: its key and NCPU values (1 for a shared map), each value_size bytes, one after another. Return false to stop. */
typedef bool (*qt_store_entry_fn)(const void *key, const void *values, unsigned ncpu, void *ctx);

struct qt_store {
	void *self;
	/* Calls FN for each entry of plan map MAP. 0 or a negative errno. */
	int (*entries)(void *self, uint32_t map, qt_store_entry_fn fn, void *ctx);
	/* Empties plan map MAP. 0 or a negative errno. */
	int (*clear)(void *self, uint32_t map);
	/* The sum over CPUs of counter COUNTER. */
	uint64_t (*counter)(void *self, uint32_t counter);
	/* The text with this id: pointer valid until the store is freed, NULL when not known. */
	const char *(*text)(void *self, uint64_t id, uint32_t *len, uint32_t *flags);
	/* The text of a value that user space shows: BYTES as shown.def says (a word in place: 8), added to OUT. False when it has nothing better than its plain form. May be NULL. */
	bool (*show)(void *self, enum qt_shown shown, const void *bytes, uint32_t len, struct qt_buf *out);
};

#endif
