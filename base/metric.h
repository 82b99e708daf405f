/* Metrics (aggregating functions): one row each in metrics.def. */
#ifndef QT_BASE_METRIC_H
#define QT_BASE_METRIC_H

#include <stdbool.h>
#include <stdint.h>

enum qt_metric {
#define METRIC(name, words, arg, text) QT_METRIC_##name,
#include "base/metrics.def"
#undef METRIC
	QT_METRIC_COUNT /* also: not a metric, a plain value */
};

struct qt_metric_info {
	const char *name;
	unsigned words;
	bool takes_arg;
	const char *text;
};

const struct qt_metric_info *qt_metric_info(enum qt_metric m);
/* QT_METRIC_COUNT when there is no metric of that name. */
enum qt_metric qt_metric_find(const char *name);

#define QT_HIST_BUCKETS 66
/* The bucket of VALUE (see metrics.def). */
unsigned qt_hist_bucket(uint64_t value, bool is_signed);
/* The stored form of a minimum or maximum, and the value of a stored form. */
uint64_t qt_extreme_encode(enum qt_metric m, uint64_t value, bool is_signed);
uint64_t qt_extreme_decode(enum qt_metric m, uint64_t stored, bool is_signed);

#endif
