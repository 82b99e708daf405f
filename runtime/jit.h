/* Names that JIT compilers give away: /tmp/perf-PID.map, lines "START SIZE NAME" in hexadecimal (as the kernel's perf reads them). */
#ifndef QT_RUNTIME_JIT_H
#define QT_RUNTIME_JIT_H

#include <stdint.h>

struct qt_jits;
struct qt_jits *qt_jits_new(void);
void qt_jits_free(struct qt_jits *j);

/* The name of what covers ADDRESS in PID and its begin; NULL when nobody says. The file is read again when it has grown. */
const char *qt_jit_symbol(struct qt_jits *j, uint32_t pid, uint64_t address, uint64_t *begin);

#endif
