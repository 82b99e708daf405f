/* Single values as text for people and as JSON. */
#include "report/report.h"

#include "base/check.h"
#include "base/text.h"
#include "report/report_internal.h"

#include <inttypes.h>
#include <string.h>

#define SECOND 1000000000ULL
#define JSON_EXACT (1ULL << 53) /* above, readers that keep numbers as doubles would round */

struct step {
	uint64_t size;
	const char *name;
};

static const struct step times[] = { { 1, "ns" }, { 1000, "us" }, { 1000000, "ms" }, { SECOND, "s" } };
static const struct step sizes[] = {
	{ 1, "B" },	      { 1ULL << 10, "KiB" }, { 1ULL << 20, "MiB" }, { 1ULL << 30, "GiB" }, { 1ULL << 40, "TiB" }, { 1ULL << 50, "PiB" },
	{ 1ULL << 60, "EiB" }
};

static const uint64_t tens[] = { 1, 10, 100 };

/* N / SIZE with DECIMALS places, rounded, as an integer. */
static uint64_t scaled(uint64_t n, uint64_t size, unsigned decimals)
{
	return (uint64_t)(((unsigned __int128)n * tens[decimals] + size / 2) / size);
}

static void put_fraction(struct qt_buf *out, uint64_t digits, unsigned decimals, const char *name)
{
	for (; decimals && digits % 10 == 0; decimals--)
		digits /= 10;
	if (decimals)
		qt_buf_printf(out, "%" PRIu64 ".%0*" PRIu64 "%s", digits / tens[decimals], (int)decimals, digits % tens[decimals], name);
	else
		qt_buf_printf(out, "%" PRIu64 "%s", digits, name);
}

/* Three digits are enough to compare; what rounds up to the next step is told in it. */
static void put_scaled(struct qt_buf *out, uint64_t n, const struct step *steps, size_t count)
{
	size_t at = 0;
	unsigned decimals = 0;

	while (at + 1 < count && n >= steps[at + 1].size)
		at++;
	if (at)
		decimals = n / steps[at].size >= 100 ? 0 : n / steps[at].size >= 10 ? 1 : 2;
	while (decimals && scaled(n, steps[at].size, decimals) >= 1000)
		decimals--;
	if (at + 1 < count && scaled(n, steps[at].size, decimals) >= steps[at + 1].size / steps[at].size * tens[decimals])
		put_fraction(out, 1, 0, steps[at + 1].name);
	else
		put_fraction(out, scaled(n, steps[at].size, decimals), decimals, steps[at].name);
}

/* From a minute on: two steps of the clock, 1m30s 2h05m 3d04h. */
static void put_clock(struct qt_buf *out, uint64_t seconds)
{
	if (seconds < 3600)
		qt_buf_printf(out, "%" PRIu64 "m%02" PRIu64 "s", seconds / 60, seconds % 60);
	else if (seconds < 86400)
		qt_buf_printf(out, "%" PRIu64 "h%02" PRIu64 "m", seconds / 3600, seconds / 60 % 60);
	else
		qt_buf_printf(out, "%" PRIu64 "d%02" PRIu64 "h", seconds / 86400, seconds / 3600 % 24);
}

void qt_number_text(struct qt_buf *out, uint64_t n, enum qt_unit unit)
{
	if (unit == QT_UNIT_NS && n >= 60 * SECOND - SECOND / 20)
		put_clock(out, n / SECOND + (n % SECOND >= SECOND / 2));
	else if (unit == QT_UNIT_NS)
		put_scaled(out, n, times, QT_COUNT(times));
	else if (unit == QT_UNIT_BYTES)
		put_scaled(out, n, sizes, QT_COUNT(sizes));
	else
		qt_buf_printf(out, "%" PRIu64, n);
}

void qt_frames_text(struct qt_buf *out, const struct qt_value *v, unsigned indent)
{
	const char *s = v->text.ptr, *end = s + v->text.len;

	for (; s < end; s += strcspn(s, "\n") + 1) {
		qt_buf_pad(out, ' ', indent);
		qt_text_escape(out, s, strcspn(s, "\n"), QT_ESCAPE_CELL);
		qt_buf_addc(out, '\n');
	}
}

static void json_frames(struct qt_buf *out, const struct qt_value *v)
{
	const char *s = v->text.ptr, *end = s + v->text.len;

	qt_buf_addc(out, '[');
	for (; s < end; s += strcspn(s, "\n") + 1) {
		qt_buf_adds(out, s > v->text.ptr ? "," : "");
		qt_json_string(out, s, strcspn(s, "\n"));
	}
	qt_buf_addc(out, ']');
}

static void put_text(struct qt_buf *out, const struct qt_value *v)
{
	if (v->text.flags & QT_TEXT_UNREADABLE) {
		qt_buf_adds(out, "<unreadable>");
		return;
	}
	if (v->text.flags & QT_TEXT_LINES) {
		qt_buf_addc(out, '\n');
		qt_frames_text(out, v, 4);
		return;
	}
	qt_text_escape(out, v->text.ptr, v->text.len, QT_ESCAPE_CELL);
	if (v->text.flags & QT_TEXT_TRUNCATED)
		qt_buf_adds(out, "...");
}

void qt_value_text(struct qt_buf *out, const struct qt_value *v)
{
	switch (v->kind) {
	case QT_VALUE_INT:
		if (v->i < 0)
			qt_buf_addc(out, '-');
		qt_number_text(out, v->i < 0 ? 0 - (uint64_t)v->i : (uint64_t)v->i, v->unit);
		break;
	case QT_VALUE_UINT:
		qt_number_text(out, v->u, v->unit);
		break;
	case QT_VALUE_TEXT:
		put_text(out, v);
		break;
	case QT_VALUE_HIST:
		qt_hist_text(out, v, 0, 0);
		break;
	case QT_VALUE_NONE:
		qt_buf_addc(out, '-');
		break;
	}
}

static void json_uint(struct qt_buf *out, uint64_t n)
{
	const char *quote = n > JSON_EXACT ? "\"" : "";

	qt_buf_printf(out, "%s%" PRIu64 "%s", quote, n, quote);
}

static void json_int(struct qt_buf *out, int64_t n)
{
	const char *quote = n > (int64_t)JSON_EXACT || n < -(int64_t)JSON_EXACT ? "\"" : "";

	qt_buf_printf(out, "%s%" PRId64 "%s", quote, n, quote);
}

static void json_hist(struct qt_buf *out, const uint64_t *hist)
{
	unsigned first = 1, last = 0;

	qt_buf_addc(out, '[');
	qt_hist_range(hist, &first, &last);
	for (unsigned i = first; i <= last; i++) {
		struct qt_bounds b = qt_hist_bounds(i);

		qt_buf_adds(out, i > first ? ",{" : "{");
		if (!b.negative) {
			qt_buf_adds(out, "\"min\":");
			json_uint(out, b.first);
			qt_buf_addc(out, ',');
		}
		qt_buf_adds(out, "\"max\":");
		if (b.negative)
			qt_buf_adds(out, "-1");
		else
			json_uint(out, b.last);
		qt_buf_adds(out, ",\"count\":");
		json_uint(out, hist[i]);
		qt_buf_addc(out, '}');
	}
	qt_buf_addc(out, ']');
}

static void json_text(struct qt_buf *out, const struct qt_value *v)
{
	struct qt_buf whole = { 0 };

	if (v->text.flags & QT_TEXT_LINES) {
		json_frames(out, v);
		return;
	}
	if (v->text.flags & QT_TEXT_UNREADABLE)
		qt_buf_adds(&whole, "<unreadable>");
	else
		qt_buf_add(&whole, v->text.ptr, v->text.len);
	if (v->text.flags & QT_TEXT_TRUNCATED)
		qt_buf_adds(&whole, "...");
	qt_json_string(out, whole.ptr ? whole.ptr : "", whole.len);
	qt_buf_free(&whole);
}

void qt_value_json(struct qt_buf *out, const struct qt_value *v)
{
	switch (v->kind) {
	case QT_VALUE_INT:
		json_int(out, v->i);
		break;
	case QT_VALUE_UINT:
		json_uint(out, v->u);
		break;
	case QT_VALUE_TEXT:
		json_text(out, v);
		break;
	case QT_VALUE_HIST:
		json_hist(out, v->hist);
		break;
	case QT_VALUE_NONE:
		qt_buf_adds(out, "null");
		break;
	}
}
