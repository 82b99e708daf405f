/* Diagnostics as data: every stage adds to one list, the command line renders it once. */
#ifndef QT_BASE_DIAG_H
#define QT_BASE_DIAG_H

#include "base/source.h"

#include <stdbool.h>
#include <stdio.h>

/* One row a code in diag_codes.def: enum, default severity, title and the text of `qtrace explain`. */
enum qt_code {
	QT_CODE_NONE,
#define DIAG(code, severity, title, text) QT_##code,
#include "base/diag_codes.def"
#undef DIAG
	QT_CODE_COUNT
};

enum qt_severity { QT_ERROR, QT_WARNING };

struct qt_diag_note {
	struct qt_span span; /* file 0: a note without a place */
	const char *text;
	struct qt_diag_note *next;
};

struct qt_diag {
	enum qt_code code;
	enum qt_severity severity;
	struct qt_span span;
	const char *message; /* one line, no full stop, says what is wrong */
	struct qt_diag_note *notes; /* in order */
	const char *hint; /* what to write or do instead; NULL when there is none */
};

struct qt_diags;
struct qt_diags *qt_diags_new(struct qt_arena *a);

/* Adds a diagnostic (a second one with the same code at the same span is dropped: no cascades). Never NULL: the result takes
 * notes and a hint. After 20 errors further ones are only counted. */
struct qt_diag *qt_diag_add(struct qt_diags *d, enum qt_code code, struct qt_span span, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void qt_diag_note(struct qt_diags *d, struct qt_diag *diag, struct qt_span span, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void qt_diag_hint(struct qt_diags *d, struct qt_diag *diag, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Forgets what was added: it has been told. */
void qt_diags_clear(struct qt_diags *d);
unsigned qt_diags_errors(const struct qt_diags *d);
unsigned qt_diags_warnings(const struct qt_diags *d);
/* In order of place (file, offset), those without a place last. */
const struct qt_diag *const *qt_diags_sorted(const struct qt_diags *d, unsigned *count);

/* "E0101" and so on; the title and the longer text of a code. */
const char *qt_code_name(enum qt_code c);
const char *qt_code_title(enum qt_code c);
const char *qt_code_text(enum qt_code c);
/* QT_CODE_NONE when there is no such code. Case does not matter. */
enum qt_code qt_code_find(const char *name);

/* "Did you mean": feed candidates, ask for the best few (at most 3, distance at most a third of the word). */
struct qt_suggest {
	const char *word;
	const char *best[3];
	unsigned distance[3];
	unsigned count;
};
void qt_suggest_begin(struct qt_suggest *s, const char *word);
void qt_suggest_offer(struct qt_suggest *s, const char *candidate); /* must outlive the diagnostics */
/* Sets the hint "did you mean A, B or C?"; false (and no hint) when nothing was near. */
bool qt_suggest_hint(struct qt_diags *d, struct qt_diag *diag, const struct qt_suggest *s);

/* Renderers (diag_render.c): text with the source line and a caret; one JSON array for editors. */
void qt_diags_render_text(const struct qt_diags *d, const struct qt_sources *s, FILE *out, bool colour);
void qt_diags_render_json(const struct qt_diags *d, const struct qt_sources *s, FILE *out);

#endif
