/* Bytes to results, by the plan's layouts alone; bounds-checked, safe against hostile records. */
#ifndef QT_PLAN_DECODE_H
#define QT_PLAN_DECODE_H

#include "plan/results.h"
#include "plan/store.h"

/* Reads table number TABLE from STORE into OUT, all of it in ARENA. 0 or a negative errno. */
int qt_decode_table(const struct qt_plan *p, const struct qt_store *store, uint32_t table, struct qt_arena *arena, struct qt_result_table *out);

/* Renders a printf record (with its head; SIZE bytes) into OUT; truncated texts get "..." behind. What the arguments bring (never the format itself) has its control characters and
 * invalid UTF-8 escaped unless RAW: a traced text must not move a terminal's cursor, while JSON escapes by itself. False: the record does not fit the plan, OUT is as it was. */
bool qt_decode_printf(const struct qt_plan *p, const struct qt_store *store, const void *record, size_t size, bool raw, struct qt_buf *out);

/* Reads the loss counters; MISSED is what the kernel told (total), with no subject. */
void qt_decode_losses(const struct qt_plan *p, const struct qt_store *store, uint64_t missed, struct qt_arena *arena, struct qt_result_losses *out);

#endif
