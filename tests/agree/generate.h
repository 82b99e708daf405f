/* Random well-typed programs over the functions of tests/triggers/agree.c, and random calls of those functions. The same seed gives the same
 * program and calls on every machine. */
#ifndef QT_TESTS_AGREE_GENERATE_H
#define QT_TESTS_AGREE_GENERATE_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

#define AGREE_TEXT_MAX 200

/* One call: step(args[0..2], text, args[4], args[5]), which returns args[5], or mark(args[0], text). */
struct agree_call {
	bool is_mark;
	bool null_text;
	uint64_t args[6];
	char text[AGREE_TEXT_MAX];
	uint32_t text_len;
};

/* Writes the program of SEED to OUT; BINARY is the path of the traced program. */
void agree_program(uint64_t seed, const char *binary, struct qt_buf *out);

/* Fills COUNT calls. */
void agree_calls(uint64_t seed, struct agree_call *calls, unsigned count);

#endif
