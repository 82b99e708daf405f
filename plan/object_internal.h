/* What the two parts of the check share: bytes that are only read within their bounds. */
#ifndef QT_PLAN_OBJECT_INTERNAL_H
#define QT_PLAN_OBJECT_INTERNAL_H

#include "plan/object.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct qt_bytes {
	const uint8_t *at;
	uint64_t size;
};

/* Copies SIZE bytes at OFFSET, whatever their alignment. False when they are not all there. */
static inline bool qt_bytes_get(struct qt_bytes b, uint64_t offset, void *out, uint64_t size)
{
	if (offset > b.size || size > b.size - offset)
		return false;
	memcpy(out, b.at + offset, size);
	return true;
}

/* A part; empty when it is not all there. */
static inline bool qt_bytes_part(struct qt_bytes b, uint64_t offset, uint64_t size, struct qt_bytes *out)
{
	*out = (struct qt_bytes){ b.at, 0 };
	if (offset > b.size || size > b.size - offset)
		return false;
	*out = (struct qt_bytes){ b.at + offset, size };
	return true;
}

/* Texts that end with NUL, one behind the other. */
static inline bool qt_bytes_are_texts(struct qt_bytes b)
{
	return b.size && !b.at[0] && !b.at[b.size - 1];
}

/* The sections .BTF and .BTF.ext; NULL, or what is wrong. */
const char *qt_object_check_types(struct qt_bytes btf, struct qt_bytes ext);

#endif
