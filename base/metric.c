/* The table behind metric.h and the arithmetic that the kernel's programs, the interpreter and the readers share. */
#include "base/metric.h"

#include <string.h>

static const struct qt_metric_info metrics[] = {
#define METRIC(name, words, arg, text) { #name, words, arg, text },
#include "base/metrics.def"
#undef METRIC
	{ "value", 1, true, "a plain value" },
};

const struct qt_metric_info *qt_metric_info(enum qt_metric m)
{
	return &metrics[m];
}

enum qt_metric qt_metric_find(const char *name)
{
	for (unsigned i = 0; i < QT_METRIC_COUNT; i++) {
		if (strcmp(metrics[i].name, name) == 0)
			return (enum qt_metric)i;
	}
	return QT_METRIC_COUNT;
}

unsigned qt_hist_bucket(uint64_t value, bool is_signed)
{
	if (is_signed && (int64_t)value < 0)
		return 0;
	if (value == 0)
		return 1;
	return 2 + (63 - (unsigned)__builtin_clzll(value));
}

static uint64_t extreme_mask(enum qt_metric m, bool is_signed)
{
	uint64_t sign = is_signed ? 1ULL << 63 : 0;
	return m == QT_METRIC_min ? ~sign : sign;
}

uint64_t qt_extreme_encode(enum qt_metric m, uint64_t value, bool is_signed)
{
	return value ^ extreme_mask(m, is_signed);
}

uint64_t qt_extreme_decode(enum qt_metric m, uint64_t stored, bool is_signed)
{
	return stored ^ extreme_mask(m, is_signed);
}
