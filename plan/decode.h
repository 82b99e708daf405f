/* Bytes to results, by the plan's layouts alone; bounds-checked, safe against hostile records. */
#ifndef QT_PLAN_DECODE_H
#define QT_PLAN_DECODE_H

#include "plan/results.h"
#include "plan/store.h"

/* Reads table number TABLE from STORE into OUT, all of it in ARENA. 0 or a negative errno. */
int qt_decode_table(const struct qt_plan *p, const struct qt_store *store, uint32_t table, struct qt_arena *arena, struct qt_result_table *out);

/* A magnitude, or a number, with its unit: 1.25ms, 16KiB, 1234. */
void qt_number_text(struct qt_buf *out, uint64_t n, enum qt_unit unit);
void qt_signed_text(struct qt_buf *out, int64_t n, enum qt_unit unit);

/* How printf's arguments are shown. For people (0) what they bring (never the format itself) has its control characters and invalid UTF-8 escaped: a traced text
 * must not move a terminal's cursor. */
enum qt_printf_form {
	QT_PRINTF_UNESCAPED = 1, /* as they are: JSON escapes by itself */
	QT_PRINTF_PLAIN = 2, /* print shows numbers without their unit */
};

/* Renders a printf record (with its head; SIZE bytes) into OUT; truncated texts get "..." behind. FORM is a sum of the above. False: the record does not fit the
 * plan, OUT is as it was. */
bool qt_decode_printf(const struct qt_plan *p, const struct qt_store *store, const void *record, size_t size, unsigned form, struct qt_buf *out);

/* The same for a command: COMMAND has "${1}" and so on where texts and characters belong, which go to PARAMS, a NUL behind each; *NPARAMS: how many. */
bool qt_decode_command(const struct qt_plan *p, const struct qt_store *store, const void *record, size_t size, struct qt_buf *command, struct qt_buf *params,
		       uint32_t *nparams);

/* Reads the loss counters; MISSED is what the kernel told (total), with no subject. */
void qt_decode_losses(const struct qt_plan *p, const struct qt_store *store, uint64_t missed, struct qt_arena *arena, struct qt_result_losses *out);

#endif
