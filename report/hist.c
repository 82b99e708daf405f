/* Histograms in powers of two: the bounds of their buckets, and bars for people. */
#include "base/check.h"
#include "base/text.h"
#include "plan/decode.h"
#include "report/report_internal.h"

#include <inttypes.h>

#define BAR 52
#define LABEL 16
#define COUNT 8

struct qt_bounds qt_hist_bounds(unsigned bucket)
{
	QT_ASSERT(bucket < QT_HIST_BUCKETS);
	if (bucket == 0)
		return (struct qt_bounds){ .negative = true };
	if (bucket == 1)
		return (struct qt_bounds){ 0 };
	return (struct qt_bounds){ .first = 1ULL << (bucket - 2), .last = (1ULL << (bucket - 2)) + ((1ULL << (bucket - 2)) - 1) };
}

bool qt_hist_range(const uint64_t *hist, unsigned *first, unsigned *last)
{
	unsigned lo = 0, hi = QT_HIST_BUCKETS;

	while (lo < hi && !hist[lo])
		lo++;
	while (hi > lo && !hist[hi - 1])
		hi--;
	if (lo == hi)
		return false;
	*first = lo;
	*last = hi - 1;
	return true;
}

/* 2^EXPONENT: 512, 4k, 16M; with a unit as any other value of it. */
static void put_bound(struct qt_buf *out, unsigned exponent, enum qt_unit unit)
{
	static const char steps[] = " kMGTPE";

	if (unit != QT_UNIT_NONE)
		qt_number_text(out, exponent < 64 ? 1ULL << exponent : UINT64_MAX, unit);
	else if (exponent < 10)
		qt_buf_printf(out, "%u", 1u << exponent);
	else
		qt_buf_printf(out, "%u%c", 1u << exponent % 10, steps[exponent / 10]);
}

static void put_label(struct qt_buf *out, unsigned bucket, enum qt_unit unit)
{
	if (bucket == 0) {
		qt_buf_adds(out, "(..., 0)");
		return;
	}
	qt_buf_addc(out, '[');
	if (bucket == 1) {
		qt_buf_addc(out, '0');
	} else {
		put_bound(out, bucket - 2, unit);
		if (bucket > 2) {
			qt_buf_adds(out, ", ");
			put_bound(out, bucket - 1, unit);
		}
	}
	qt_buf_addc(out, bucket > 2 ? ')' : ']');
}

static uint64_t largest(const uint64_t *hist)
{
	uint64_t max = 0;

	for (unsigned i = 0; i < QT_HIST_BUCKETS; i++)
		max = hist[i] > max ? hist[i] : max;
	return max;
}

static void put_line(struct qt_buf *out, const struct qt_value *v, unsigned bucket, uint64_t max, unsigned bar)
{
	size_t begin = out->len, cells;
	unsigned full = (unsigned)((unsigned __int128)v->hist[bucket] * bar / max);

	put_label(out, bucket, v->unit);
	cells = qt_text_cells(out->ptr + begin, out->len - begin);
	qt_buf_pad(out, ' ', cells < LABEL ? LABEL - cells : 0);
	qt_buf_printf(out, " %*" PRIu64 " |", COUNT, v->hist[bucket]);
	qt_buf_pad(out, '@', full);
	qt_buf_pad(out, ' ', bar - full);
	qt_buf_adds(out, "|\n");
}

void qt_hist_text(struct qt_buf *out, const struct qt_value *v, unsigned indent, unsigned bar)
{
	unsigned first, last;
	uint64_t max = largest(v->hist);

	if (!qt_hist_range(v->hist, &first, &last))
		return;
	for (unsigned i = first; i <= last; i++) {
		qt_buf_pad(out, ' ', indent);
		put_line(out, v, i, max, bar ? bar : BAR);
	}
}
