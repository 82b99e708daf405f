/* What the writers share. */
#ifndef QT_REPORT_REPORT_INTERNAL_H
#define QT_REPORT_REPORT_INTERNAL_H

#include "report/report.h"

#define FORMAT(name) extern const struct qt_report_format qt_format_##name;
#include "report/formats.def"
#undef FORMAT

/* First and last value of a bucket (see metrics.def). Bucket 0 holds all negative values: its first is INT64_MIN. */
struct qt_bounds {
	bool negative;
	uint64_t first, last;
};
struct qt_bounds qt_hist_bounds(unsigned bucket);

/* The first and the last bucket that hold anything; false: none does. */
bool qt_hist_range(const uint64_t *hist, unsigned *first, unsigned *last);

/* Draws a histogram: a line a bucket, INDENT blanks before each, bars of at most BAR cells (0: 52). */
void qt_hist_text(struct qt_buf *out, const struct qt_value *v, unsigned indent, unsigned bar);

/* The value of a map's row when it is a tuple, see tuple.c. */
bool qt_is_tuple(const struct qt_plan_table *t);
void qt_tuple_put(struct qt_buf *out, const struct qt_plan_table *t, const struct qt_result_row *row, bool json);

/* Writes what B holds to the report's output and empties it. */
void qt_report_put(struct qt_report *r, struct qt_buf *b);

#endif
