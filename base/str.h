/* Text: a view (pointer and length, owned by someone else) and a growable buffer on the heap. */
#ifndef QT_BASE_STR_H
#define QT_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct qt_str {
	const char *ptr;
	size_t len;
};

#define QT_STR(lit) ((struct qt_str){ (lit), sizeof(lit) - 1 })
/* For printf: "%.*s", QT_STR_ARG(s). */
#define QT_STR_ARG(s) (int)(s).len, (s).ptr

struct qt_str qt_str_from(const char *s);
bool qt_str_eq(struct qt_str a, struct qt_str b);
bool qt_str_is(struct qt_str a, const char *b);
bool qt_str_has_prefix(struct qt_str s, const char *prefix);

/* Glob match: * ? [a-z] [!a-z] {a,b}. Backslash escapes. Recursion is bounded by the pattern's braces. */
bool qt_glob_match(const char *pattern, const char *text);
bool qt_glob_is_pattern(const char *text);

/* Damerau-Levenshtein distance, capped at CAP + 1; for "did you mean". */
unsigned qt_edit_distance(const char *a, const char *b, unsigned cap);

/* A growable byte buffer; always NUL-terminated when ptr is not NULL. Zero-initialise; free with qt_buf_free. */
struct qt_buf {
	char *ptr;
	size_t len, cap;
};

void qt_buf_add(struct qt_buf *b, const void *bytes, size_t len);
void qt_buf_adds(struct qt_buf *b, const char *s);
void qt_buf_addc(struct qt_buf *b, char c);
void qt_buf_pad(struct qt_buf *b, char c, size_t n);
void qt_buf_printf(struct qt_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void qt_buf_vprintf(struct qt_buf *b, const char *fmt, va_list ap);
void qt_buf_clear(struct qt_buf *b);
void qt_buf_free(struct qt_buf *b);

#endif
