/* Characters that belong to no token: names them by code point, and knows which ones come from word processors and web pages. */
#include "lexer/lexer_internal.h"

#include "base/check.h"
#include "base/text.h"

struct known {
	uint32_t code;
	const char *name, *instead;
};

static const struct known knowns[] = {
	{ 0x201c, "a typographic quote", "\"" },
	{ 0x201d, "a typographic quote", "\"" },
	{ 0x201e, "a typographic quote", "\"" },
	{ 0x201f, "a typographic quote", "\"" },
	{ 0x2018, "a typographic quote", "\"" },
	{ 0x2019, "a typographic quote", "\"" },
	{ 0x201a, "a typographic quote", "\"" },
	{ 0xab, "a typographic quote", "\"" },
	{ 0xbb, "a typographic quote", "\"" },
	{ 0x2010, "a hyphen", "-" },
	{ 0x2011, "a hyphen", "-" },
	{ 0x2012, "a dash", "-" },
	{ 0x2013, "a dash", "-" },
	{ 0x2014, "a dash", "-" },
	{ 0x2212, "a minus sign", "-" },
	{ 0xd7, "a multiplication sign", "*" },
	{ 0xf7, "a division sign", "/" },
	{ 0x2026, "an ellipsis", "..." },
	{ 0x2260, "a not-equal sign", "!=" },
	{ 0x2264, "a less-or-equal sign", "<=" },
	{ 0x2265, "a greater-or-equal sign", ">=" },
	{ 0x2192, "an arrow", "->" },
	{ 0xa0, "a no-break space", "a space" },
	{ 0x2007, "a no-break space", "a space" },
	{ 0x202f, "a no-break space", "a space" },
	{ 0x200b, "a zero-width space", "nothing" },
	{ 0xfeff, "a byte order mark", "nothing" },
	{ 0x3000, "an ideographic space", "a space" },
	{ 0x37e, "a Greek question mark", ";" },
	{ 0xff1b, "a full-width semicolon", ";" },
	{ 0xff1a, "a full-width colon", ":" },
	{ 0xff0c, "a full-width comma", "," },
	{ 0xff08, "a full-width parenthesis", "(" },
	{ 0xff09, "a full-width parenthesis", ")" },
};

static const struct known *known_find(uint32_t code)
{
	for (size_t i = 0; i < QT_COUNT(knowns); i++)
		if (knowns[i].code == code)
			return &knowns[i];
	return NULL;
}

static bool is_quote(uint32_t code)
{
	const struct known *k = known_find(code);

	return k && k->instead[0] == '"';
}

/* The text between the quote that ends at FROM and the next one on the line that may close it: a single quote for a single one, else
 * any typographic or double quote. *END is behind that. */
static struct qt_str quoted_text(struct qt_str text, uint32_t from, bool single, uint32_t *end)
{
	uint32_t code, n;

	for (uint32_t at = from; at < text.len && text.ptr[at] != '\n'; at += n ? n : 1) {
		n = qt_utf8_decode(text.ptr + at, text.len - at, &code);
		if (n && (single ? code == '\'' : is_quote(code) || code == '"')) {
			*end = at + n;
			return (struct qt_str){ text.ptr + from, at - from };
		}
	}
	return (struct qt_str){ 0 };
}

/* Of ASCII only control characters and a few signs are no tokens. */
static void report_ascii(struct qt_diags *diags, struct qt_span span, char c)
{
	struct qt_diag *d;

	if ((unsigned char)c < 0x20 || c == 0x7f) {
		qt_diag_add(diags, QT_E0101, span, "the control character 0x%02x cannot stand here", (unsigned char)c);
		return;
	}
	d = qt_diag_add(diags, QT_E0101, span, "the character `%c` cannot stand here", c);
	if (c == '\'')
		qt_diag_hint(diags, d, "strings stand in double quotes: \"text\"");
	else if (c == '$')
		qt_diag_hint(diags, d, "a scratch variable has a name behind the $ ($x), a positional parameter a number ($1)");
}

/* The end of the word that goes on at AT: one error is enough for it. */
static uint32_t word_end(struct qt_str text, uint32_t at)
{
	uint32_t code, n;

	while (at < text.len) {
		n = qt_utf8_decode(text.ptr + at, text.len - at, &code);
		if (!n || (n == 1 && !qt_word_length((struct qt_str){ text.ptr + at, 1 }, 0) && (code < '0' || code > '9')) || known_find(code))
			break;
		at += n;
	}
	return at;
}

uint32_t qt_stray_report(const struct qt_source *source, uint32_t at, struct qt_diags *diags, struct qt_str *quoted)
{
	struct qt_span span = { source->file, at, at + 1 };
	const struct known *k;
	struct qt_diag *d;
	uint32_t code, n = qt_utf8_decode(source->text.ptr + at, source->text.len - at, &code), end = at + n;

	*quoted = (struct qt_str){ 0 };
	if (n == 1) {
		report_ascii(diags, span, source->text.ptr[at]);
		if (code == '\'')
			*quoted = quoted_text(source->text, end, true, &end);
		return end - at;
	}
	if (!n) {
		qt_diag_add(diags, QT_E0101, span, "the byte 0x%02x is not UTF-8 text", (unsigned char)source->text.ptr[at]);
		return 1;
	}
	span.end = end;
	k = known_find(code);
	if (!k) {
		d = qt_diag_add(diags, QT_E0101, span, "the character U+%04X cannot stand here", code);
		qt_diag_hint(diags, d, "names consist of ASCII letters, digits and _; anything may stand in strings and comments");
		return word_end(source->text, end) - at;
	}
	d = qt_diag_add(diags, QT_E0101, span, "%s (U+%04X) cannot stand here", k->name, code);
	if (k->instead[0] == '"') {
		qt_diag_hint(diags, d, "type plain double quotes: \"text\"");
		*quoted = quoted_text(source->text, end, false, &end);
	} else {
		qt_diag_hint(diags, d, "write %s instead", k->instead);
	}
	return end - at;
}
