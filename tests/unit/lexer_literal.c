/* Numbers with units, strings with escapes. */
#include "lexer/literal.h"
#include "tests/unit/test.h"

#include <string.h>

static void good(const char *text, uint64_t value, const char *unit)
{
	struct qt_number n;
	struct qt_literal_error e = qt_number_decode(qt_str_from(text), &n);

	QT_EQ_STR(e.problem, NULL);
	QT_EQ_INT(n.value, value);
	QT_EQ_STR(n.unit, unit);
}

/* The error's range is BEGIN to the end of the text, or all of it. */
static void bad(const char *text, size_t begin)
{
	struct qt_number n;
	struct qt_literal_error e = qt_number_decode(qt_str_from(text), &n);

	if (!QT_TRUE(e.problem != NULL))
		return;
	QT_EQ_INT(e.begin, begin);
	QT_EQ_INT(e.end, strlen(text));
}

QT_TEST(numbers)
{
	good("0", 0, NULL);
	good("42", 42, NULL);
	good("1_000_000", 1000000, NULL);
	good("0xff", 255, NULL);
	good("0XFFFF_FFFF", 0xffffffff, NULL);
	good("0xffffffffffffffff", UINT64_MAX, NULL);
	good("18446744073709551615", UINT64_MAX, NULL);
	good("1e6", 1000000, NULL);
	good("12E3", 12000, NULL);
	good("0e99", 0, NULL);
	good("010", 10, NULL);
	good("08", 8, NULL);
}

QT_TEST(units)
{
	good("7ns", 7, "ns");
	good("10us", 10000, "ns");
	good("5ms", 5000000, "ns");
	good("2s", 2000000000, "ns");
	good("1m", 60000000000, "ns");
	good("3h", 10800000000000, "ns");
	good("4k", 4096, "bytes");
	good("4K", 4096, "bytes");
	good("16M", 16777216, "bytes");
	good("1G", 1073741824, "bytes");
	good("2T", 2199023255552, "bytes");
	good("1e3us", 1000000, "ns");
}

QT_TEST(junk_is_rejected_at_its_place)
{
	bad("0xg", 2);
	bad("0x", 0);
	bad("0x1fk", 4);
	bad("1e", 1);
	bad("1ek", 1);
	bad("12abc", 2);
	bad("5d", 1);
	bad("4kb", 1);
	bad("1_", 1);
	bad("18446744073709551616", 0);
	bad("0x10000000000000000", 0);
	bad("1e20", 0);
	bad("20e18", 0);
	bad("18446744073709551615ns1", 20);
	bad("18446744073709551615us", 0);
	bad("16777216T", 0);
}

QT_TEST(leading_zeros_are_told)
{
	struct qt_number n;

	qt_number_decode(QT_STR("010"), &n);
	QT_TRUE(n.looks_octal);
	qt_number_decode(QT_STR("0"), &n);
	QT_TRUE(!n.looks_octal);
	qt_number_decode(QT_STR("0x10"), &n);
	QT_TRUE(!n.looks_octal);
}

QT_TEST(escapes)
{
	struct qt_str s = QT_STR("a\\n\\t\\\\\\\"\\e\\x41\\x4\\101\\0\\x00z\\377");
	char out[64];
	size_t len;

	QT_EQ_STR(qt_string_decode(s, out, &len).problem, NULL);
	QT_EQ_INT(len, 13);
	QT_TRUE(!memcmp(out, "a\n\t\\\"\033A\004A\0\0z", 12));
	QT_EQ_INT((unsigned char)out[12], 0377);
}

QT_TEST(unknown_escapes_are_told)
{
	struct qt_str s = QT_STR("ab\\q\\400\\x");
	struct qt_literal_error e;
	char out[64];
	size_t len;

	e = qt_string_decode(s, out, &len);
	QT_TRUE(e.problem != NULL);
	QT_EQ_INT(e.begin, 2);
	QT_EQ_INT(e.end, 4);
	QT_EQ_INT(len, s.len);
	e = qt_string_decode(QT_STR("\\"), out, &len);
	QT_TRUE(e.problem && e.end == 1 && len == 1);
}
