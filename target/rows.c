/* Facts as rows of text: one a line, fields separated by tabs, a backslash before tab, newline (as \t, \n) and itself, # for
 * comments. A live target that records adds a row for each answer; a snapshot is such rows read back. Equal rows are kept once. */
#include "target/target_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FIELDS 64

static void escape(struct qt_buf *b, const char *s)
{
	for (; *s; s++) {
		const char *special = strchr("\t\n\\", *s);

		if (special) {
			qt_buf_addc(b, '\\');
			qt_buf_addc(b, "tn\\"[special - "\t\n\\"]);
		} else {
			qt_buf_addc(b, *s);
		}
	}
}

static void add_line(struct qt_buf *b, const char **fields, unsigned nfields)
{
	for (unsigned i = 0; i < nfields; i++) {
		if (i)
			qt_buf_addc(b, '\t');
		escape(b, fields[i]);
	}
}

void qt_rows_add_fields(struct qt_target *t, const char **fields, unsigned nfields)
{
	struct qt_buf line = { 0 };
	struct qt_row *r;
	uint64_t key;

	if (t->live && !t->options.record)
		return;
	add_line(&line, fields, nfields);
	key = QT_KEY(qt_intern_n(t->names, line.ptr, line.len));
	qt_buf_free(&line);
	if (qt_map_put(t->arena, &t->rows.seen, key, t))
		return;
	r = qt_vec_push(t->arena, &t->rows.list);
	r->nfields = nfields;
	r->fields = QT_NEW_ARRAY(t->arena, const char *, nfields);
	for (unsigned i = 0; i < nfields; i++)
		r->fields[i] = qt_intern(t->names, fields[i]);
}

void qt_rows_add(struct qt_target *t, const char *kind, ...)
{
	const char *fields[MAX_FIELDS] = { kind };
	unsigned n = 1;
	va_list ap;

	va_start(ap, kind);
	while (n < MAX_FIELDS && (fields[n] = va_arg(ap, const char *)))
		n++;
	va_end(ap);
	qt_rows_add_fields(t, fields, n);
}

const char *qt_row_field(const struct qt_row *r, unsigned i)
{
	return i < r->nfields ? r->fields[i] : "";
}

uint64_t qt_row_number(const struct qt_row *r, unsigned i)
{
	return strtoull(qt_row_field(r, i), NULL, 0);
}

const struct qt_row *qt_rows_find(const struct qt_target *t, const char *kind, const char *a, const char *b)
{
	QT_ROWS_EACH(r, t)
	{
		if (QT_ROW_IS(r, kind) && (!a || strcmp(qt_row_field(r, 1), a) == 0) && (!b || strcmp(qt_row_field(r, 2), b) == 0))
			return r;
	}
	return NULL;
}

/* Splits a line in place: tabs end fields, escapes are undone. */
static unsigned split(char *line, const char **fields)
{
	unsigned n = 0;
	char *out = line;

	fields[n++] = out;
	for (char *in = line; *in; in++) {
		if (*in == '\t' && n < MAX_FIELDS) {
			*out++ = 0;
			fields[n++] = out;
		} else if (*in == '\\' && in[1]) {
			in++;
			*out++ = *in == 't' ? '\t' : *in == 'n' ? '\n' : *in;
		} else {
			*out++ = *in;
		}
	}
	*out = 0;
	return n;
}

bool qt_rows_read(struct qt_target *t, const char *path)
{
	const char *fields[MAX_FIELDS];
	char *text = qt_read_text(t, -1, path, 64u << 20, NULL);

	if (!text)
		return false;
	for (char *line = text, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (*line && *line != '#')
			qt_rows_add_fields(t, fields, split(line, fields));
	}
	return true;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted, so that two snapshots differ only where the facts do. */
bool qt_rows_write(const struct qt_target *t, const char *path)
{
	FILE *f = fopen(path, "we");
	unsigned n = t->rows.list.len;
	char **lines = qt_xcalloc(n + 1, sizeof(*lines));
	bool ok = f != NULL;

	for (unsigned i = 0; i < n; i++) {
		struct qt_buf b = { 0 };

		add_line(&b, t->rows.list.items[i].fields, t->rows.list.items[i].nfields);
		lines[i] = b.ptr;
	}
	qsort(lines, n, sizeof(*lines), compare_lines);
	for (unsigned i = 0; i < n; i++) {
		ok = ok && fprintf(f, "%s\n", lines[i]) > 0;
		free(lines[i]);
	}
	free(lines);
	return f && fclose(f) == 0 && ok;
}
