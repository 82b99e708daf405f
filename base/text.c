/* UTF-8 decoding and the escapes of text.h. */
#include "base/text.h"

#include "base/check.h"

unsigned qt_utf8_decode(const char *s, size_t left, uint32_t *out)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char b = (unsigned char)s[0];
	unsigned n = b < 0x80 ? 1 : b < 0xc2 ? 0 : b < 0xe0 ? 2 : b < 0xf0 ? 3 : b < 0xf5 ? 4 : 0;
	uint32_t c = n == 1 ? b : n ? b & (0x7fu >> n) : 0;

	if (!n || n > left)
		return 0;
	for (unsigned i = 1; i < n; i++) {
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | ((unsigned char)s[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	*out = c;
	return n;
}

struct range {
	uint32_t first, last;
};

static bool in_ranges(uint32_t c, const struct range *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (c >= r[i].first && c <= r[i].last)
			return true;
	return false;
}

bool qt_utf8_is_unsafe(uint32_t c)
{
	static const struct range r[] = { { 0, 0x1f },	      { 0x7f, 0x9f },	  { 0xad, 0xad },     { 0x61c, 0x61c },
					  { 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0xfeff, 0xfeff } };

	return in_ranges(c, r, QT_COUNT(r));
}

unsigned qt_utf8_cells(uint32_t c)
{
	static const struct range none[] = { { 0x300, 0x36f }, { 0x1ab0, 0x1aff }, { 0x20d0, 0x20ff }, { 0xfe00, 0xfe0f } };
	static const struct range two[] = {
		{ 0x1100, 0x115f }, { 0x2e80, 0xa4cf }, { 0xac00, 0xd7a3 },   { 0xf900, 0xfaff },   { 0xfe30, 0xfe6f },
		{ 0xff00, 0xff60 }, { 0xffe0, 0xffe6 }, { 0x1f300, 0x1f64f }, { 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd }
	};

	return in_ranges(c, none, QT_COUNT(none)) ? 0 : in_ranges(c, two, QT_COUNT(two)) ? 2 : 1;
}

size_t qt_text_cells(const char *s, size_t len)
{
	size_t cells = 0;
	uint32_t c;

	for (size_t i = 0; i < len;) {
		unsigned n = qt_utf8_decode(s + i, len - i, &c);

		cells += n ? qt_utf8_cells(c) : 1;
		i += n ? n : 1;
	}
	return cells;
}

/* The short escape of a character in a table's cell, or NULL. */
static const char *short_escape(uint32_t c)
{
	return c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\r' ? "\\r" : c == '\\' ? "\\\\" : NULL;
}

static void escape_char(struct qt_buf *out, uint32_t c, enum qt_escape how)
{
	const char *s = how == QT_ESCAPE_CELL || c == '\r' ? short_escape(c) : NULL;

	if (s)
		qt_buf_adds(out, s);
	else
		qt_buf_printf(out, c < 0x80 ? "\\x%02x" : "\\u{%x}", c);
}

static bool is_kept(uint32_t c, enum qt_escape how)
{
	if (how == QT_ESCAPE_STREAM && (c == '\n' || c == '\t'))
		return true;
	return !qt_utf8_is_unsafe(c) && !(how == QT_ESCAPE_CELL && c == '\\');
}

void qt_text_escape(struct qt_buf *out, const char *s, size_t len, enum qt_escape how)
{
	uint32_t c;

	for (size_t i = 0; i < len;) {
		unsigned n = qt_utf8_decode(s + i, len - i, &c);

		if (!n)
			qt_buf_printf(out, "\\x%02x", (unsigned char)s[i]);
		else if (is_kept(c, how))
			qt_buf_add(out, s + i, n);
		else
			escape_char(out, c, how);
		i += n ? n : 1;
	}
}

static void json_char(struct qt_buf *out, const char *s, unsigned n, uint32_t c)
{
	if (c == '"' || c == '\\')
		qt_buf_printf(out, "\\%c", (char)c);
	else if (c == '\n')
		qt_buf_adds(out, "\\n");
	else if (c == '\t')
		qt_buf_adds(out, "\\t");
	else if (c < 0x20 || c == 0x7f)
		qt_buf_printf(out, "\\u%04x", c);
	else
		qt_buf_add(out, s, n);
}

bool qt_json_string(struct qt_buf *out, const char *s, size_t len)
{
	bool whole = true;
	uint32_t c;

	qt_buf_addc(out, '"');
	for (size_t i = 0; i < len;) {
		unsigned n = qt_utf8_decode(s + i, len - i, &c);

		if (n) {
			json_char(out, s + i, n, c);
		} else {
			qt_buf_adds(out, "\\ufffd");
			whole = false;
		}
		i += n ? n : 1;
	}
	qt_buf_addc(out, '"');
	return whole;
}
