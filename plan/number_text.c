/* Numbers with a unit as people read them: 1.25ms, 3d04h, 16KiB. */
#include "plan/decode.h"

#include "base/check.h"

#include <inttypes.h>

#define SECOND 1000000000ULL

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

void qt_signed_text(struct qt_buf *out, int64_t n, enum qt_unit unit)
{
	if (n < 0)
		qt_buf_addc(out, '-');
	qt_number_text(out, n < 0 ? 0 - (uint64_t)n : (uint64_t)n, unit);
}
