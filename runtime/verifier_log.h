/* What a rejection by the kernel's verifier says. */
#ifndef QT_RUNTIME_VERIFIER_LOG_H
#define QT_RUNTIME_VERIFIER_LOG_H

#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

struct qt_rejection {
	const char *sentence; /* the verifier's own last words */
	const char *instruction; /* "12: (79) r1 = *(u64 *)(r1 +8)" or NULL */
	const char *file; /* script, or NULL when the log names no line (kernels before 6.10 don't) */
	uint32_t line;
};

/* Reads LOG (possibly cut at its begin); all strings in ARENA. False when there is no sentence in it. */
bool qt_verifier_log_read(struct qt_arena *arena, struct qt_str log, struct qt_rejection *out);

#endif
