/* The list of diagnostics of one compilation: adds, limits, sorts; the table of codes; "did you mean". */
#include "base/diag.h"

#include "base/check.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ERRORS_SHOWN 20
#define WARNINGS_SHOWN 50

struct qt_diags {
	struct qt_arena *arena;
	QT_VEC(struct qt_diag *) list;
	unsigned errors, warnings;
};

static const struct {
	const char *name, *title, *text;
	enum qt_severity severity;
} codes[] = {
	[QT_CODE_NONE] = { "none", "", "", QT_ERROR },
#define DIAG(code, severity, title, text) [QT_##code] = { #code, title, text, severity },
#include "base/diag_codes.def"
#undef DIAG
};

struct qt_diags *qt_diags_new(struct qt_arena *a)
{
	struct qt_diags *d = QT_NEW(a, struct qt_diags);

	d->arena = a;
	return d;
}

static char *format(struct qt_arena *a, const char *fmt, va_list ap)
{
	struct qt_buf b = { 0 };
	char *s;

	qt_buf_vprintf(&b, fmt, ap);
	s = qt_arena_strndup(a, b.ptr, b.len);
	qt_buf_free(&b);
	return s;
}

static bool already_there(const struct qt_diags *d, enum qt_code code, struct qt_span span)
{
	qt_vec_each (it, &d->list) {
		const struct qt_diag *x = *it;

		if (x->code == code && x->span.file == span.file && x->span.begin == span.begin && x->span.end == span.end)
			return span.file != 0;
	}
	return false;
}

/* Counts, and says whether one of this severity is still listed. */
static bool count(struct qt_diags *d, enum qt_severity severity)
{
	return severity == QT_ERROR ? d->errors++ < ERRORS_SHOWN : d->warnings++ < WARNINGS_SHOWN;
}

struct qt_diag *qt_diag_add(struct qt_diags *d, enum qt_code code, struct qt_span span, const char *fmt, ...)
{
	struct qt_diag *x = QT_NEW(d->arena, struct qt_diag);
	va_list ap;

	x->code = code;
	x->severity = codes[code].severity;
	x->span = span;
	va_start(ap, fmt);
	x->message = format(d->arena, fmt, ap);
	va_end(ap);
	if (!already_there(d, code, span) && count(d, x->severity))
		*qt_vec_push(d->arena, &d->list) = x;
	return x;
}

void qt_diag_note(struct qt_diags *d, struct qt_diag *diag, struct qt_span span, const char *fmt, ...)
{
	struct qt_diag_note *note = QT_NEW(d->arena, struct qt_diag_note), **at = &diag->notes;
	va_list ap;

	va_start(ap, fmt);
	note->text = format(d->arena, fmt, ap);
	va_end(ap);
	note->span = span;
	while (*at)
		at = &(*at)->next;
	*at = note;
}

void qt_diag_hint(struct qt_diags *d, struct qt_diag *diag, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag->hint = format(d->arena, fmt, ap);
	va_end(ap);
}

void qt_diags_clear(struct qt_diags *d)
{
	*d = (struct qt_diags){ .arena = d->arena };
}

unsigned qt_diags_errors(const struct qt_diags *d)
{
	return d->errors;
}

unsigned qt_diags_warnings(const struct qt_diags *d)
{
	return d->warnings;
}

struct ranked {
	const struct qt_diag *diag;
	uint32_t order;
};

/* By place; equal places keep the order in which they were found. */
static int by_place(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;
	struct qt_span x = a->diag->span, y = b->diag->span;

	if (!x.file != !y.file)
		return x.file ? -1 : 1;
	if (x.file != y.file)
		return x.file < y.file ? -1 : 1;
	if (x.file && x.begin != y.begin)
		return x.begin < y.begin ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

const struct qt_diag *const *qt_diags_sorted(const struct qt_diags *d, unsigned *count_out)
{
	struct ranked *ranks = QT_NEW_ARRAY(d->arena, struct ranked, d->list.len);
	const struct qt_diag **out = QT_NEW_ARRAY(d->arena, const struct qt_diag *, d->list.len);

	for (uint32_t i = 0; i < d->list.len; i++)
		ranks[i] = (struct ranked){ d->list.items[i], i };
	if (d->list.len)
		qsort(ranks, d->list.len, sizeof(*ranks), by_place);
	for (uint32_t i = 0; i < d->list.len; i++)
		out[i] = ranks[i].diag;
	*count_out = d->list.len;
	return out;
}

const char *qt_code_name(enum qt_code c)
{
	return codes[c].name;
}

const char *qt_code_title(enum qt_code c)
{
	return codes[c].title;
}

const char *qt_code_text(enum qt_code c)
{
	return codes[c].text;
}

enum qt_code qt_code_find(const char *name)
{
	for (int c = QT_CODE_NONE + 1; c < QT_CODE_COUNT; c++)
		if (!strcasecmp(codes[c].name, name))
			return (enum qt_code)c;
	return QT_CODE_NONE;
}

void qt_suggest_begin(struct qt_suggest *s, const char *word)
{
	*s = (struct qt_suggest){ .word = word };
}

/* How far away a candidate may be: a third of the word, at least 1, but never the whole word. */
static unsigned farthest(const char *word)
{
	size_t len = strlen(word);

	return len < 2 ? 0 : len < 6 ? 1 : (unsigned)len / 3;
}

void qt_suggest_offer(struct qt_suggest *s, const char *candidate)
{
	unsigned cap = farthest(s->word), at = s->count;
	unsigned distance = qt_edit_distance(s->word, candidate, cap);

	if (distance > cap)
		return;
	for (unsigned i = 0; i < s->count; i++)
		if (!strcmp(s->best[i], candidate))
			return;
	while (at && s->distance[at - 1] > distance)
		at--;
	if (at == QT_COUNT(s->best))
		return;
	if (s->count < QT_COUNT(s->best))
		s->count++;
	for (unsigned i = s->count - 1; i > at; i--) {
		s->best[i] = s->best[i - 1];
		s->distance[i] = s->distance[i - 1];
	}
	s->best[at] = candidate;
	s->distance[at] = distance;
}

bool qt_suggest_hint(struct qt_diags *d, struct qt_diag *diag, const struct qt_suggest *s)
{
	if (s->count == 1)
		qt_diag_hint(d, diag, "did you mean %s?", s->best[0]);
	else if (s->count == 2)
		qt_diag_hint(d, diag, "did you mean %s or %s?", s->best[0], s->best[1]);
	else if (s->count == 3)
		qt_diag_hint(d, diag, "did you mean %s, %s or %s?", s->best[0], s->best[1], s->best[2]);
	return s->count > 0;
}
