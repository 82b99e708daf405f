/* Decoding of literals: pure functions from the written text to the value. */
#ifndef QT_LEXER_LITERAL_H
#define QT_LEXER_LITERAL_H

#include "base/str.h"

#include <stdint.h>

/* What is wrong with a literal, and where: a byte range of its text. problem is NULL when all is well. */
struct qt_literal_error {
	const char *problem; /* for a message: "the number ... PROBLEM" */
	const char *hint; /* or NULL */
	size_t begin, end;
};

struct qt_number {
	uint64_t value; /* nanoseconds for durations, bytes for sizes */
	const char *unit; /* NULL, "ns" or "bytes" */
	bool looks_octal; /* a leading zero, which is no octal here */
};

/* 42 0xff 1_000_000 1e6 10us 64k: the whole of TEXT or an error. */
struct qt_literal_error qt_number_decode(struct qt_str text, struct qt_number *out);

/* Decodes the C escapes of TEXT (what stands between the quotes) into OUT, which has room for TEXT.len bytes; *LEN is what was
 * written. Bytes of an unknown escape are kept as they are, and the first such is the error. */
struct qt_literal_error qt_string_decode(struct qt_str text, char *out, size_t *len);

#endif
