/* Single values as text for people and as JSON. */
#include "report/report.h"

#include "base/check.h"
#include "base/text.h"
#include "plan/decode.h"
#include "report/report_internal.h"

#include <inttypes.h>
#include <string.h>

#define JSON_EXACT (1ULL << 53) /* above, readers that keep numbers as doubles would round */

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
		qt_signed_text(out, v->i, v->unit);
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
