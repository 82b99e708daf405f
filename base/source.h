/* Loaded script text, places in it, and its line table. */
#ifndef QT_BASE_SOURCE_H
#define QT_BASE_SOURCE_H

#include "base/arena.h"
#include "base/str.h"

#include <stdint.h>

/* The only notion of place: a byte range of a loaded file. file 0 is "no place"; files count from 1. */
struct qt_span {
	uint32_t file, begin, end;
};

struct qt_source {
	const char *name; /* as shown in messages: a path, "-e" or "-" */
	struct qt_str text; /* BOM removed; a NUL stands behind the last byte */
	uint32_t file; /* its number in spans */
	uint32_t *lines; /* offset of each line's first byte */
	uint32_t nlines;
};

struct qt_sources;
struct qt_sources *qt_sources_new(struct qt_arena *a);

/* Adds text (copied). Never NULL. */
struct qt_source *qt_sources_add(struct qt_sources *s, const char *name, const char *text, size_t len);
/* Reads a file ("-" is standard input); NULL with errno set when it cannot be read or is over 16 MiB (EFBIG). */
struct qt_source *qt_sources_load(struct qt_sources *s, const char *path);
const struct qt_source *qt_sources_get(const struct qt_sources *s, uint32_t file);

/* Line and column (both from 1, the column in characters, not bytes) of an offset. */
struct qt_position {
	uint32_t line, column;
};
struct qt_position qt_source_position(const struct qt_source *s, uint32_t offset);
/* The text of line LINE (from 1) without its end. */
struct qt_str qt_source_line(const struct qt_source *s, uint32_t line);

static inline struct qt_span qt_span_join(struct qt_span a, struct qt_span b)
{
	if (!a.file)
		return b;
	if (!b.file)
		return a;
	return (struct qt_span){ a.file, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end };
}

#endif
