/* Numbers with their units, and strings with their escapes. Nothing here allocates or reports; errors are returned with their place. */
#include "lexer/literal.h"

#include "base/check.h"

#include <string.h>

struct unit {
	const char *suffix;
	uint64_t factor;
	const char *unit;
};

static const struct unit units[] = {
	{ "", 1, NULL },
	{ "ns", 1, "ns" },
	{ "us", 1000, "ns" },
	{ "ms", 1000000, "ns" },
	{ "s", 1000000000, "ns" },
	{ "m", 60 * 1000000000ull, "ns" },
	{ "h", 3600 * 1000000000ull, "ns" },
	{ "k", 1ull << 10, "bytes" },
	{ "K", 1ull << 10, "bytes" },
	{ "M", 1ull << 20, "bytes" },
	{ "G", 1ull << 30, "bytes" },
	{ "T", 1ull << 40, "bytes" },
};

static const char too_big[] = "does not fit in 64 bits";
static const char unit_hint[] = "durations end in ns, us, ms, s, m or h; sizes in k, M, G or T";

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 99;
}

static struct qt_literal_error wrong(const char *problem, const char *hint, size_t begin, size_t end)
{
	return (struct qt_literal_error){ problem, hint, begin, end };
}

/* Reads digits of BASE and underscores between them from *AT on; false when the value is too large. At least one digit is there when
 * *AT moves. */
static bool read_digits(struct qt_str s, size_t *at, unsigned base, uint64_t *value)
{
	bool fits = true;

	for (*value = 0; *at < s.len; ++*at) {
		int d = digit_of(s.ptr[*at]);

		if (s.ptr[*at] == '_' && *at + 1 < s.len && digit_of(s.ptr[*at + 1]) < (int)base)
			continue;
		if (d >= (int)base)
			break;
		fits &= !__builtin_mul_overflow(*value, base, value) && !__builtin_add_overflow(*value, (uint64_t)d, value);
	}
	return fits;
}

static struct qt_literal_error decode_hex(struct qt_str s, struct qt_number *out)
{
	size_t at = 2;
	bool fits = read_digits(s, &at, 16, &out->value);

	if (at == 2)
		return wrong("has no digits behind its 0x", NULL, at < s.len ? at : 0, s.len);
	if (at < s.len)
		return wrong("has a character that is no hexadecimal digit", NULL, at, s.len);
	return fits ? (struct qt_literal_error){ 0 } : wrong(too_big, NULL, 0, s.len);
}

/* e6 behind the digits: multiplies. */
static bool scale(uint64_t *value, uint64_t exponent)
{
	if (!*value)
		return true;
	if (exponent > 19)
		return false;
	while (exponent--)
		if (__builtin_mul_overflow(*value, (uint64_t)10, value))
			return false;
	return true;
}

static const struct unit *unit_find(struct qt_str suffix)
{
	for (size_t i = 0; i < QT_COUNT(units); i++)
		if (qt_str_is(suffix, units[i].suffix))
			return &units[i];
	return NULL;
}

struct qt_literal_error qt_number_decode(struct qt_str s, struct qt_number *out)
{
	const struct unit *unit;
	uint64_t exponent = 0;
	size_t at = 0;
	bool fits;

	*out = (struct qt_number){ 0 };
	if (s.len >= 2 && s.ptr[0] == '0' && (s.ptr[1] == 'x' || s.ptr[1] == 'X'))
		return decode_hex(s, out);
	fits = read_digits(s, &at, 10, &out->value);
	out->looks_octal = at > 1 && s.ptr[0] == '0';
	if (at < s.len && (s.ptr[at] == 'e' || s.ptr[at] == 'E')) {
		size_t e = at++;

		fits &= read_digits(s, &at, 10, &exponent) && scale(&out->value, exponent);
		if (at == e + 1)
			return wrong("has no digits behind its e", "write an exponent as in 1e6", e, s.len);
	}
	unit = unit_find((struct qt_str){ s.ptr + at, s.len - at });
	if (!unit)
		return wrong("has an unknown unit", unit_hint, at, s.len);
	out->unit = unit->unit;
	fits &= !__builtin_mul_overflow(out->value, unit->factor, &out->value);
	return fits ? (struct qt_literal_error){ 0 } : wrong(too_big, NULL, 0, s.len);
}

/* The value of a one-letter escape, or -1. */
static int simple_escape(char c)
{
	static const char letters[] = "abefnrtv\\\"'?";
	static const char values[] = "\a\b\033\f\n\r\t\v\\\"'?";
	const char *at = c ? strchr(letters, c) : NULL;

	return at ? (unsigned char)values[at - letters] : -1;
}

/* Reads at most MAX digits of BASE; the number of digits read. */
static size_t escape_digits(struct qt_str s, size_t at, unsigned base, size_t max, unsigned *value)
{
	size_t n = 0;

	for (*value = 0; n < max && at + n < s.len && digit_of(s.ptr[at + n]) < (int)base; n++)
		*value = *value * base + (unsigned)digit_of(s.ptr[at + n]);
	return n;
}

/* Decodes the escape behind the backslash at AT into *VALUE; its length with the backslash, 0 when it is none. */
static size_t escape(struct qt_str s, size_t at, unsigned *value)
{
	char c = at + 1 < s.len ? s.ptr[at + 1] : 0;
	int simple = simple_escape(c);
	size_t n;

	if (simple >= 0) {
		*value = (unsigned)simple;
		return 2;
	}
	if (c == 'x') {
		n = escape_digits(s, at + 2, 16, 2, value);
		return n ? n + 2 : 0;
	}
	n = escape_digits(s, at + 1, 8, 3, value);
	return n && *value < 256 ? n + 1 : 0;
}

struct qt_literal_error qt_string_decode(struct qt_str s, char *out, size_t *len)
{
	struct qt_literal_error error = { 0 };

	*len = 0;
	for (size_t at = 0; at < s.len;) {
		unsigned value = (unsigned char)s.ptr[at];
		size_t n = 1;

		if (s.ptr[at] == '\\') {
			n = escape(s, at, &value);
			if (!n && !error.problem)
				error = wrong("unknown escape", "write \\\\ for a backslash itself", at, at + 2 < s.len ? at + 2 : s.len);
			if (!n) {
				value = '\\';
				n = 1;
			}
		}
		out[(*len)++] = (char)value;
		at += n;
	}
	return error;
}
