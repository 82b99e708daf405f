/* Writers of results: one a format, all with the same face; a row each in formats.def. */
#ifndef QT_REPORT_REPORT_H
#define QT_REPORT_REPORT_H

#include "plan/results.h"

struct qt_report_options {
	FILE *out; /* results */
	FILE *err; /* what is not a result: losses in text */
	bool colour;
	unsigned width; /* columns of the terminal, 0: not a terminal */
	unsigned top; /* rows of each table, 0: all */
	bool quiet;
};

struct qt_report;

/* What a format does with each kind of result. Any may be NULL: ignored. */
struct qt_report_format {
	const char *name, *text; /* "json", "one JSON object a line" */
	void (*attached)(struct qt_report *r, unsigned probes);
	void (*printed)(struct qt_report *r, struct qt_str text);
	void (*table)(struct qt_report *r, const struct qt_result_table *table);
	void (*losses)(struct qt_report *r, const struct qt_result_losses *losses);
	bool raw_text; /* printed() escapes by itself, see qt_decode_printf */
};

struct qt_report {
	const struct qt_report_format *format;
	struct qt_report_options options;
	bool began; /* a table was written: a blank line goes before the next */
};

/* NULL when there is no such format. */
const struct qt_report_format *qt_report_find(const char *name);
/* All formats, ended by NULL. */
const struct qt_report_format *const *qt_report_formats(void);

/* A value as text with its unit (1.25ms, 16KiB), control characters and invalid UTF-8 escaped: what text tables show. */
void qt_value_text(struct qt_buf *out, const struct qt_value *v);
/* A value as JSON (numbers beyond 2^53 as strings, always valid UTF-8). */
/* The lines of a stack, each INDENT blanks in. */
void qt_frames_text(struct qt_buf *out, const struct qt_value *v, unsigned indent);
void qt_value_json(struct qt_buf *out, const struct qt_value *v);

#endif
