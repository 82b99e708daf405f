/* What has already been told of a table's rows: lets a table of sums begin anew without touching the rows that the kernel's programs write. */
#ifndef QT_RUNTIME_BASELINE_H
#define QT_RUNTIME_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qt_baseline;

/* Keys of KEY_SIZE bytes, rows of WORDS 64-bit words. Never NULL; on the heap. */
struct qt_baseline *qt_baseline_new(uint32_t key_size, uint32_t words);
void qt_baseline_free(struct qt_baseline *b);

/* Turns ROW, as the kernel has it, into what came since it was last taken; with TAKE the whole is remembered as told. False
 * when nothing came. */
bool qt_baseline_since(struct qt_baseline *b, const void *key, uint64_t *row, bool take);

/* Forgets a key (its row was deleted), or all. */
void qt_baseline_forget(struct qt_baseline *b, const void *key);
void qt_baseline_forget_all(struct qt_baseline *b);

#endif
