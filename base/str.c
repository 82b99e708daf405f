/* Views, the growable buffer, and the edit distance behind "did you mean". */
#include "base/str.h"

#include "base/arena.h"
#include "base/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qt_str qt_str_from(const char *s)
{
	return (struct qt_str){ s, s ? strlen(s) : 0 };
}

bool qt_str_eq(struct qt_str a, struct qt_str b)
{
	return a.len == b.len && (!a.len || !memcmp(a.ptr, b.ptr, a.len));
}

bool qt_str_is(struct qt_str a, const char *b)
{
	return qt_str_eq(a, qt_str_from(b));
}

bool qt_str_has_prefix(struct qt_str s, const char *prefix)
{
	size_t len = strlen(prefix);

	return s.len >= len && (!len || !memcmp(s.ptr, prefix, len));
}

/* Room for LEN more bytes and a NUL. */
static void reserve(struct qt_buf *b, size_t len)
{
	size_t need = b->len + len + 1;

	if (need < len)
		qt_oom();
	if (need <= b->cap)
		return;
	b->cap = b->cap ? b->cap : 64;
	while (b->cap < need)
		b->cap *= 2;
	b->ptr = qt_xrealloc(b->ptr, b->cap);
}

void qt_buf_add(struct qt_buf *b, const void *bytes, size_t len)
{
	reserve(b, len);
	if (len)
		memcpy(b->ptr + b->len, bytes, len);
	b->len += len;
	b->ptr[b->len] = 0;
}

void qt_buf_adds(struct qt_buf *b, const char *s)
{
	qt_buf_add(b, s, strlen(s));
}

void qt_buf_addc(struct qt_buf *b, char c)
{
	qt_buf_add(b, &c, 1);
}

void qt_buf_pad(struct qt_buf *b, char c, size_t n)
{
	reserve(b, n);
	memset(b->ptr + b->len, c, n);
	b->len += n;
	b->ptr[b->len] = 0;
}

void qt_buf_printf(struct qt_buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	qt_buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void qt_buf_vprintf(struct qt_buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int len;

	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (len < 0)
		QT_BUG("a format that cannot be printed: %s", fmt);
	reserve(b, (size_t)len);
	vsnprintf(b->ptr + b->len, (size_t)len + 1, fmt, ap);
	b->len += (size_t)len;
}

void qt_buf_clear(struct qt_buf *b)
{
	b->len = 0;
	if (b->ptr)
		b->ptr[0] = 0;
}

void qt_buf_free(struct qt_buf *b)
{
	free(b->ptr);
	*b = (struct qt_buf){ 0 };
}

#define WORD_MAX 64

static unsigned min_of(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours each cost 1. Three rows are kept. */
unsigned qt_edit_distance(const char *a, const char *b, unsigned cap)
{
	size_t la = strlen(a), lb = strlen(b);
	unsigned rows[3][WORD_MAX + 1];

	if (la > WORD_MAX || lb > WORD_MAX || (la > lb ? la - lb : lb - la) > cap)
		return strcmp(a, b) ? cap + 1 : 0;
	for (size_t j = 0; j <= lb; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= la; i++) {
		unsigned *cur = rows[i % 3], *prev = rows[(i + 2) % 3], *prev2 = rows[(i + 1) % 3];

		cur[0] = (unsigned)i;
		for (size_t j = 1; j <= lb; j++) {
			unsigned cost = a[i - 1] != b[j - 1];

			cur[j] = min_of(min_of(prev[j], cur[j - 1]) + 1, prev[j - 1] + cost);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				cur[j] = min_of(cur[j], prev2[j - 2] + 1);
		}
	}
	return min_of(rows[la % 3][lb], cap + 1);
}
