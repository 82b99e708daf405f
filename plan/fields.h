/* What the kinds of fields have in common: their size and how their bytes become a value. */
#ifndef QT_PLAN_FIELDS_H
#define QT_PLAN_FIELDS_H

#include "plan/results.h"
#include "plan/store.h"

/* Bytes that FIELD takes in a key, a value or a record. */
uint32_t qt_field_size(const struct qt_field *field);

/* The value of FIELD (not a METRIC) whose bytes lie at BYTES. Texts are asked of STORE (NULL: every text is unknown) and copied into ARENA. */
struct qt_value qt_field_value(const struct qt_plan *p, const struct qt_store *store, const struct qt_field *field, const void *bytes,
			       struct qt_arena *arena);

/* The text of a SHOWN value (its bytes, or its word): as STORE shows it, else plainly. */
struct qt_value qt_shown_value(const struct qt_store *store, enum qt_shown shown, const void *bytes, uint32_t len, struct qt_arena *arena);
/* The form that needs no machine: numbers and addresses as such. Bytes of a wrong length are shown as "?". */
void qt_show_plainly(enum qt_shown shown, const void *bytes, uint32_t len, struct qt_buf *out);

/* The name of a thread at BYTES: 16 of them, up to the first NUL. */
struct qt_str qt_comm_text(const void *bytes);

/* Adds the words of a metric of one CPU to the total. */
void qt_metric_merge(enum qt_metric m, uint64_t *total, const uint64_t *words);

/* The value of a METRIC field from its merged words; a histogram is referred to, not copied. */
struct qt_value qt_metric_value(const struct qt_field *field, const uint64_t *words);

/* Order of two values of one field: below, equal or above 0. Nothing is less than everything, histograms compare by their number of events. */
int qt_value_compare(const struct qt_value *a, const struct qt_value *b);

#endif
