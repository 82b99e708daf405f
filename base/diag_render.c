/* Diagnostics for people (text with the source line and carets) and for editors (one JSON array).
 * Source lines may hold anything: what could move a cursor or reorder text is shown as an escape. */
#include "base/diag.h"

#include "base/check.h"
#include "base/text.h"

#include <string.h>

#define WINDOW 120 /* cells of a source line that are shown */
#define NO_BREAK_SPACE 0xa0 /* shown as an escape: it is what the error is about */
#define NEAR 4096 /* bytes looked at on each side of the span */

struct colours {
	const char *error, *warning, *bold, *gutter, *help, *off;
};

static const struct colours plain = { "", "", "", "", "", "" };
static const struct colours bright = { "\033[1;31m", "\033[1;33m", "\033[1m", "\033[34m", "\033[36m", "\033[0m" };

/* A line as shown: its text, and for each cell boundary the byte of the text, so that a window can be cut out. */
struct shown {
	struct qt_buf text;
	struct qt_buf starts; /* uint32_t a cell: the offset in text of the character that covers it */
	size_t cells;
	size_t mark_begin, mark_end; /* cells under which carets go */
};

static void show_cells(struct shown *s, const char *bytes, size_t len, unsigned cells)
{
	uint32_t at = (uint32_t)s->text.len;

	qt_buf_add(&s->text, bytes, len);
	for (unsigned i = 0; i < cells; i++)
		qt_buf_add(&s->starts, &at, sizeof(at));
	s->cells += cells;
}

/* Text that is wholly ASCII: each byte its own cell. */
static void show_ascii(struct shown *s, const char *text)
{
	for (; *text; text++)
		show_cells(s, text, 1, 1);
}

/* Adds the character at P and returns its length in the source. */
static unsigned show_char(struct shown *s, const char *p, size_t left)
{
	char escape[16];
	uint32_t c;
	unsigned n = qt_utf8_decode(p, left, &c);

	if (n && c == '\t') {
		do
			show_cells(s, " ", 1, 1);
		while (s->cells % 8);
	} else if (n && !qt_utf8_is_unsafe(c) && c != NO_BREAK_SPACE) {
		show_cells(s, p, n, qt_utf8_cells(c));
	} else {
		snprintf(escape, sizeof(escape), n && c >= 0x80 ? "\\u{%x}" : "\\x%02x", n ? c : (unsigned char)*p);
		show_ascii(s, escape);
	}
	return n ? n : 1;
}

/* LINE begins at source offset BASE; carets go under SPAN's part of it, one at least. */
static void show_line(struct shown *s, struct qt_str line, uint32_t base, struct qt_span span)
{
	size_t begin = span.begin - base, end = span.end > base + line.len ? line.len : span.end - base;
	size_t from = begin > NEAR ? begin - NEAR : 0, to = line.len > begin + NEAR ? begin + NEAR : line.len;
	size_t i = from;
	bool began = false;

	while (i < to && (line.ptr[i] & 0xc0) == 0x80 && i > 0)
		i++;
	while (i < to) {
		if (!began && i >= begin) {
			s->mark_begin = s->cells;
			began = true;
		}
		i += show_char(s, line.ptr + i, to - i);
		if (i <= end)
			s->mark_end = s->cells;
	}
	if (!began)
		s->mark_begin = s->cells;
	if (s->mark_end <= s->mark_begin)
		s->mark_end = s->mark_begin + 1;
}

static uint32_t cell_byte(const struct shown *s, size_t cell)
{
	uint32_t at = (uint32_t)s->text.len;

	if (cell < s->cells)
		memcpy(&at, s->starts.ptr + cell * sizeof(at), sizeof(at));
	return at;
}

static void put_repeat(FILE *out, char c, size_t n)
{
	while (n--)
		fputc(c, out);
}

/* Prints the line and its carets, cut to a window around the carets when it is too wide. */
static void put_shown(FILE *out, const struct shown *s, unsigned gutter, uint32_t line, const struct colours *col, const char *mark)
{
	size_t from = 0, to = s->cells, end = s->mark_end;
	const char *left, *right;

	if (s->cells > WINDOW) {
		size_t width = s->mark_end - s->mark_begin;
		size_t before = width < WINDOW / 2 ? (WINDOW - width) / 2 : 20;

		from = s->mark_begin > before ? s->mark_begin - before : 0;
		if (from + WINDOW > s->cells)
			from = s->cells - WINDOW;
		to = from + WINDOW;
	}
	left = from ? "..." : "";
	right = to < s->cells ? "..." : "";
	if (end > to && *right)
		end = to;
	fprintf(out, "%s%*u |%s ", col->gutter, (int)gutter, line, col->off);
	fprintf(out, "%s%.*s%s\n", left, (int)(cell_byte(s, to) - cell_byte(s, from)), s->text.ptr ? s->text.ptr + cell_byte(s, from) : "", right);
	fprintf(out, "%s%*s |%s ", col->gutter, (int)gutter, "", col->off);
	put_repeat(out, ' ', strlen(left) + (s->mark_begin - from));
	fputs(mark, out);
	put_repeat(out, '^', end > s->mark_begin ? end - s->mark_begin : 1);
	fprintf(out, "%s\n", col->off);
}

static unsigned digits(uint32_t n)
{
	unsigned d = 1;

	while (n /= 10)
		d++;
	return d;
}

/* The name of a file and the texts of messages may hold bytes of the script: made harmless here. */
static void put_safe(FILE *out, const char *text)
{
	struct shown s = { 0 };

	for (size_t len = strlen(text), i = 0; i < len;)
		i += show_char(&s, text + i, len - i);
	fputs(s.text.ptr ? s.text.ptr : "", out);
	qt_buf_free(&s.text);
	qt_buf_free(&s.starts);
}

static void put_place(FILE *out, const struct qt_sources *sources, struct qt_span span, unsigned gutter, const struct colours *col, const char *mark)
{
	const struct qt_source *src = qt_sources_get(sources, span.file);
	struct qt_position pos;
	struct shown s = { 0 };

	if (!src)
		return;
	if (span.begin > src->text.len)
		span.begin = (uint32_t)src->text.len;
	if (span.end < span.begin)
		span.end = span.begin;
	pos = qt_source_position(src, span.begin);
	show_line(&s, qt_source_line(src, pos.line), src->lines[pos.line - 1], span);
	fprintf(out, "%s%*s-->%s ", col->gutter, (int)gutter, "", col->off);
	put_safe(out, src->name);
	fprintf(out, ":%u:%u\n%s%*s |%s\n", pos.line, pos.column, col->gutter, (int)gutter, "", col->off);
	put_shown(out, &s, gutter, pos.line, col, mark);
	qt_buf_free(&s.text);
	qt_buf_free(&s.starts);
}

/* The width of the widest line number shown for one diagnostic, at least 2. */
static unsigned gutter_of(const struct qt_diag *d, const struct qt_sources *sources)
{
	const struct qt_source *src = qt_sources_get(sources, d->span.file);
	unsigned width = src ? digits(qt_source_position(src, d->span.begin).line) : 1;

	for (const struct qt_diag_note *n = d->notes; n; n = n->next) {
		unsigned w;

		src = qt_sources_get(sources, n->span.file);
		w = src ? digits(qt_source_position(src, n->span.begin).line) : 1;
		width = w > width ? w : width;
	}
	return width < 2 ? 2 : width;
}

static void put_diag(const struct qt_diag *d, const struct qt_sources *sources, FILE *out, const struct colours *col)
{
	const char *mark = d->severity == QT_ERROR ? col->error : col->warning;
	unsigned gutter = gutter_of(d, sources);

	fprintf(out, "%s%s[%s]%s: %s", mark, d->severity == QT_ERROR ? "error" : "warning", qt_code_name(d->code), col->off, col->bold);
	put_safe(out, d->message);
	fprintf(out, "%s\n", col->off);
	put_place(out, sources, d->span, gutter, col, mark);
	for (const struct qt_diag_note *n = d->notes; n; n = n->next) {
		fprintf(out, "%*s%s= note:%s ", (int)gutter, "", col->help, col->off);
		put_safe(out, n->text);
		fputc('\n', out);
		put_place(out, sources, n->span, gutter, col, col->help);
	}
	if (d->hint) {
		fprintf(out, "%*s%s= help:%s ", (int)gutter, "", col->help, col->off);
		put_safe(out, d->hint);
		fputc('\n', out);
	}
}

void qt_diags_render_text(const struct qt_diags *d, const struct qt_sources *s, FILE *out, bool colour)
{
	unsigned count;
	const struct qt_diag *const *list = qt_diags_sorted(d, &count);

	for (unsigned i = 0; i < count; i++) {
		if (i)
			fputc('\n', out);
		put_diag(list[i], s, out, colour ? &bright : &plain);
	}
}

static void put_json(FILE *out, const char *text)
{
	struct qt_buf b = { 0 };

	qt_json_string(&b, text, strlen(text));
	fwrite(b.ptr, 1, b.len, out);
	qt_buf_free(&b);
}

static void put_json_place(FILE *out, const struct qt_sources *sources, struct qt_span span)
{
	const struct qt_source *src = qt_sources_get(sources, span.file);
	struct qt_position a, b;

	if (!src)
		return;
	a = qt_source_position(src, span.begin);
	b = qt_source_position(src, span.end);
	fputs(",\"file\":", out);
	put_json(out, src->name);
	fprintf(out, ",\"line\":%u,\"column\":%u,\"end_line\":%u,\"end_column\":%u", a.line, a.column, b.line, b.column);
}

static void put_json_diag(FILE *out, const struct qt_diag *d, const struct qt_sources *s)
{
	fprintf(out, "{\"code\":\"%s\",\"severity\":\"%s\",\"message\":", qt_code_name(d->code), d->severity == QT_ERROR ? "error" : "warning");
	put_json(out, d->message);
	put_json_place(out, s, d->span);
	fputs(",\"notes\":[", out);
	for (const struct qt_diag_note *n = d->notes; n; n = n->next) {
		fputs("{\"message\":", out);
		put_json(out, n->text);
		put_json_place(out, s, n->span);
		fprintf(out, "}%s", n->next ? "," : "");
	}
	fputs("],\"hint\":", out);
	if (d->hint)
		put_json(out, d->hint);
	else
		fputs("null", out);
	fputc('}', out);
}

void qt_diags_render_json(const struct qt_diags *d, const struct qt_sources *s, FILE *out)
{
	unsigned count;
	const struct qt_diag *const *list = qt_diags_sorted(d, &count);

	fputc('[', out);
	for (unsigned i = 0; i < count; i++) {
		fputs(i ? ",\n " : "", out);
		put_json_diag(out, list[i], s);
	}
	fputs("]\n", out);
}
