/* Results for people: tags as aligned tables, maps as bpftrace prints them, histograms with bars, losses on standard error. Text that was traced never reaches the
 * output unescaped. On a terminal tables are cut to its width; elsewhere they are whole, and a long text has a line of its own. */
#include "base/check.h"
#include "base/text.h"
#include "report/report_internal.h"

#include <inttypes.h>
#include <string.h>

#define GAP 2 /* blanks between columns */
#define KEY_MIN 12 /* cells that a cut column keeps */
#define PAD_MAX 80 /* off a terminal, longer texts have a line of their own instead of widening all rows */
#define INDENT 4
#define HIST_ROOM (INDENT + 16 + 1 + 8 + 2 + 1) /* what stands around a bar */
#define BAR_FULL 52
#define BAR_MIN 10

#define BOLD "\033[1m"
#define DIM "\033[2m"
#define OFF "\033[0m"

struct column {
	const char *name;
	bool right;
	bool hidden; /* a histogram or a stack: drawn below its row */
	size_t width;
	size_t natural;
};

struct cell {
	const char *text;
	size_t len, cells;
};

struct grid {
	struct qt_report *r;
	const struct qt_result_table *table;
	struct qt_arena *arena;
	struct column *columns;
	uint32_t ncolumns, first, nrows; /* rows shown: from FIRST */
	struct cell *cells; /* row by row */
};

static bool is_right(const struct qt_field *f)
{
	return f->kind == QT_FIELD_INT || f->kind == QT_FIELD_UINT || f->kind == QT_FIELD_METRIC;
}

static const struct qt_value *value_at(const struct grid *g, uint32_t row, uint32_t column)
{
	const struct qt_result_row *r = &g->table->rows.items[g->first + row];
	uint32_t nkeys = g->table->table->keys.len;

	return column < nkeys ? &r->keys[column] : &r->values[column - nkeys];
}

static struct cell *cell_at(const struct grid *g, uint32_t row, uint32_t column)
{
	return &g->cells[(size_t)row * g->ncolumns + column];
}

static struct cell cell_of(struct qt_arena *a, const struct qt_value *v)
{
	struct qt_buf b = { 0 };
	struct cell c;

	qt_value_text(&b, v);
	c = (struct cell){ qt_arena_strndup(a, b.ptr ? b.ptr : "", b.len), b.len, qt_text_cells(b.ptr ? b.ptr : "", b.len) };
	qt_buf_free(&b);
	return c;
}

static void grid_columns(struct grid *g)
{
	const struct qt_plan_table *t = g->table->table;

	g->ncolumns = t->keys.len + t->columns.len;
	g->columns = QT_NEW_ARRAY(g->arena, struct column, g->ncolumns);
	for (uint32_t i = 0; i < g->ncolumns; i++) {
		const struct qt_field *f = i < t->keys.len ? &t->keys.items[i] : &t->columns.items[i - t->keys.len];
		struct qt_buf name = { 0 };

		qt_text_escape(&name, f->name, strlen(f->name), QT_ESCAPE_STREAM);
		g->columns[i] = (struct column){ .name = qt_arena_strndup(g->arena, name.ptr ? name.ptr : "", name.len), .right = is_right(f) };
		g->columns[i].natural = qt_text_cells(g->columns[i].name, name.len);
		g->columns[i].hidden =
			(f->kind == QT_FIELD_METRIC && f->metric == QT_METRIC_hist) || (f->kind == QT_FIELD_SHOWN && f->shown == QT_SHOWN_stack);
		qt_buf_free(&name);
	}
}

static bool is_overlong(const struct grid *g, const struct column *c, const struct cell *cell)
{
	return !g->r->options.width && !c->right && cell->cells > PAD_MAX;
}

static void grid_cells(struct grid *g)
{
	g->cells = QT_NEW_ARRAY(g->arena, struct cell, (size_t)g->nrows * g->ncolumns);
	for (uint32_t r = 0; r < g->nrows; r++) {
		for (uint32_t c = 0; c < g->ncolumns; c++) {
			struct cell *cell = cell_at(g, r, c);

			if (g->columns[c].hidden)
				continue;
			*cell = cell_of(g->arena, value_at(g, r, c));
			if (cell->cells > g->columns[c].natural && !is_overlong(g, &g->columns[c], cell))
				g->columns[c].natural = cell->cells;
		}
	}
}

static size_t grid_width(const struct grid *g)
{
	size_t sum = 0;

	for (uint32_t c = 0; c < g->ncolumns; c++)
		sum += g->columns[c].hidden ? 0 : g->columns[c].width + (sum ? GAP : 0);
	return sum;
}

static struct column *widest_text(const struct grid *g)
{
	struct column *widest = NULL;

	for (uint32_t c = 0; c < g->ncolumns; c++)
		if (!g->columns[c].right && !g->columns[c].hidden && g->columns[c].width > KEY_MIN &&
		    (!widest || g->columns[c].width > widest->width))
			widest = &g->columns[c];
	return widest;
}

/* On a terminal the widest texts give way until the row fits. */
static void grid_fit(struct grid *g)
{
	size_t limit = g->r->options.width;
	struct column *c;

	for (uint32_t i = 0; i < g->ncolumns; i++)
		g->columns[i].width = g->columns[i].natural;
	while (limit && grid_width(g) > limit && (c = widest_text(g)) != NULL)
		c->width--;
}

/* TEXT cut to CELLS, an ellipsis at its end where something is left out. */
static void put_cut(struct qt_buf *out, const char *text, size_t len, size_t cells)
{
	size_t used = 0, i = 0;

	if (qt_text_cells(text, len) <= cells) {
		qt_buf_add(out, text, len);
		return;
	}
	while (i < len) {
		uint32_t c = 0;
		unsigned n = qt_utf8_decode(text + i, len - i, &c), w = n ? qt_utf8_cells(c) : 1;

		if (used + w + 1 > cells)
			break;
		qt_buf_add(out, text + i, n ? n : 1);
		used += w;
		i += n ? n : 1;
	}
	qt_buf_adds(out, "…");
}

static void put_cell(const struct grid *g, struct qt_buf *out, const struct column *c, const char *text, size_t len)
{
	struct qt_buf cut = { 0 };
	size_t cells;

	if (g->r->options.width)
		put_cut(&cut, text, len, c->width);
	else
		qt_buf_add(&cut, text, len);
	cells = qt_text_cells(cut.ptr ? cut.ptr : "", cut.len);
	if (c->right && cells < c->width)
		qt_buf_pad(out, ' ', c->width - cells);
	if (cut.len)
		qt_buf_add(out, cut.ptr, cut.len);
	if (!c->right && cells < c->width)
		qt_buf_pad(out, ' ', c->width - cells);
	qt_buf_free(&cut);
}

static void trim(struct qt_buf *out)
{
	while (out->len && out->ptr[out->len - 1] == ' ')
		out->ptr[--out->len] = 0;
}

/* The header (ROW beyond the last) or a row: one line, and one more after each text that is too long for its column. */
static void put_line(const struct grid *g, struct qt_buf *out, uint32_t row)
{
	size_t at = 0; /* where the column before ends */
	bool full = false; /* a text stands there already */

	for (uint32_t c = 0; c < g->ncolumns; c++) {
		const struct column *col = &g->columns[c];
		struct cell cell = { col->name, strlen(col->name), 0 };

		if (col->hidden)
			continue;
		if (row < g->nrows)
			cell = *cell_at(g, row, c);
		if (full) {
			qt_buf_addc(out, '\n');
			qt_buf_pad(out, ' ', at);
		}
		qt_buf_pad(out, ' ', at ? GAP : 0);
		put_cell(g, out, col, cell.text, cell.len);
		at += col->width + (at ? GAP : 0);
		full = is_overlong(g, col, &cell);
	}
	trim(out);
	qt_buf_addc(out, '\n');
}

static unsigned bar_width(const struct qt_report *r)
{
	unsigned room = r->options.width;

	if (!room || room >= HIST_ROOM + BAR_FULL)
		return BAR_FULL;
	return room > HIST_ROOM + BAR_MIN ? room - HIST_ROOM : BAR_MIN;
}

static uint32_t hidden_columns(const struct grid *g)
{
	uint32_t n = 0;

	for (uint32_t c = 0; c < g->ncolumns; c++)
		n += g->columns[c].hidden;
	return n;
}

/* A stack that could not be taken, or is kept no more, is a text like others. */
static void put_below(const struct grid *g, struct qt_buf *out, const struct qt_value *v)
{
	if (v->kind == QT_VALUE_HIST) {
		qt_hist_text(out, v, INDENT, bar_width(g->r));
	} else if (v->text.flags & QT_TEXT_LINES) {
		qt_frames_text(out, v, INDENT);
	} else {
		qt_buf_pad(out, ' ', INDENT);
		qt_value_text(out, v);
		qt_buf_addc(out, '\n');
	}
}

static void put_hists(const struct grid *g, struct qt_buf *out, uint32_t row)
{
	for (uint32_t c = 0; c < g->ncolumns; c++) {
		if (!g->columns[c].hidden)
			continue;
		if (hidden_columns(g) > 1)
			qt_buf_printf(out, "%*s%s\n", INDENT, "", g->columns[c].name);
		put_below(g, out, value_at(g, row, c));
	}
}

static void put_title(struct qt_report *r, struct qt_buf *out, const char *name)
{
	qt_buf_adds(out, r->options.colour ? BOLD : "");
	qt_text_escape(out, name, strlen(name), QT_ESCAPE_STREAM);
	qt_buf_adds(out, r->options.colour ? OFF "\n" : "\n");
}

static void put_note(struct qt_report *r, struct qt_buf *out, uint64_t n, const char *one, const char *many)
{
	const char *on = r->options.colour ? DIM : "", *off = r->options.colour ? OFF : "";

	if (n)
		qt_buf_printf(out, "%s%" PRIu64 " %s%s\n", on, n, n == 1 ? one : many, off);
}

static void put_header(const struct grid *g, struct qt_buf *out)
{
	size_t begin = out->len;

	qt_buf_adds(out, g->r->options.colour ? DIM : "");
	put_line(g, out, g->nrows);
	if (g->r->options.colour && out->len > begin) {
		out->ptr[--out->len] = 0;
		qt_buf_adds(out, OFF "\n");
	}
}

static void tag(struct grid *g, struct qt_buf *out)
{
	put_title(g->r, out, g->table->table->name);
	if (g->nrows) {
		grid_columns(g);
		grid_cells(g);
		grid_fit(g);
		put_header(g, out);
	} else {
		qt_buf_adds(out, "(no events)\n");
	}
	for (uint32_t i = 0; i < g->nrows; i++) {
		put_line(g, out, i);
		put_hists(g, out, i);
	}
	put_note(g->r, out, g->table->rows.len - g->nrows, "row more", "rows more");
	put_note(g->r, out, g->table->untagged, "event had no context (untagged)", "events had no context (untagged)");
}

/* @name[key, key]: value */
static void map_row(struct qt_report *r, struct qt_buf *out, const struct qt_plan_table *t, const struct qt_result_row *row)
{
	const struct qt_value *v = &row->values[0];

	qt_text_escape(out, t->name, strlen(t->name), QT_ESCAPE_STREAM);
	for (uint32_t i = 0; i < t->keys.len; i++) {
		qt_buf_adds(out, i ? ", " : "[");
		qt_value_text(out, &row->keys[i]);
	}
	qt_buf_adds(out, t->keys.len ? "]:" : ":");
	if (v->kind == QT_VALUE_HIST) {
		qt_buf_addc(out, '\n');
		qt_hist_text(out, v, 0, bar_width(r));
	} else {
		qt_buf_addc(out, ' ');
		if (qt_is_tuple(t))
			qt_tuple_put(out, t, row, false);
		else
			qt_value_text(out, v);
	}
	qt_buf_addc(out, '\n');
}

static void map(struct grid *g, struct qt_buf *out)
{
	for (uint32_t i = 0; i < g->nrows; i++)
		map_row(g->r, out, g->table->table, &g->table->rows.items[g->first + i]);
}

static void text_table(struct qt_report *r, const struct qt_result_table *table)
{
	struct grid g = { .r = r, .table = table, .arena = qt_arena_new(), .nrows = table->rows.len };
	struct qt_buf out = { 0 };

	if (r->options.top && g.nrows > r->options.top)
		g.nrows = r->options.top;
	/* Maps end with their largest. */
	g.first = table->table->kind == QT_TABLE_MAP ? table->rows.len - g.nrows : 0;
	if (table->table->kind == QT_TABLE_TAG)
		tag(&g, &out);
	else
		map(&g, &out);
	if (out.len && r->began)
		fputc('\n', r->options.out);
	r->began = r->began || out.len;
	qt_report_put(r, &out);
	qt_buf_free(&out);
	qt_arena_free(g.arena);
}

static void text_attached(struct qt_report *r, unsigned probes)
{
	if (!r->options.quiet)
		fprintf(r->options.err, "Attaching %u probe%s...\n", probes, probes == 1 ? "" : "s");
}

static void text_printed(struct qt_report *r, struct qt_str text)
{
	fwrite(text.ptr, 1, text.len, r->options.out);
}

/* (@a), or (@a: 3, @b: 4) when several share a cause. */
static void put_subjects(struct qt_buf *out, const struct qt_result_losses *l, enum qt_loss cause)
{
	bool whole = true, first = true;

	qt_vec_each (it, &l->items) {
		if (it->cause == cause && it->count != l->total[cause])
			whole = false;
	}
	qt_vec_each (it, &l->items) {
		if (it->cause != cause || !it->subject)
			continue;
		qt_buf_adds(out, first ? " (" : ", ");
		qt_text_escape(out, it->subject, strlen(it->subject), QT_ESCAPE_STREAM);
		if (!whole)
			qt_buf_printf(out, ": %" PRIu64, it->count);
		first = false;
	}
	qt_buf_adds(out, first ? "" : ")");
}

static void text_losses(struct qt_report *r, const struct qt_result_losses *losses)
{
	struct qt_buf out = { 0 };

	for (unsigned cause = 0; cause < QT_LOSS_COUNT; cause++) {
		const struct qt_loss_info *info = qt_loss_info((enum qt_loss)cause);

		if (!losses->total[cause])
			continue;
		qt_buf_printf(&out, "lost: %" PRIu64 " %s", losses->total[cause], info->text);
		put_subjects(&out, losses, (enum qt_loss)cause);
		qt_buf_printf(&out, "%s%s\n", *info->advice ? "; " : "", info->advice);
	}
	if (out.len)
		fwrite(out.ptr, 1, out.len, r->options.err);
	qt_buf_free(&out);
}

const struct qt_report_format qt_format_text = {
	.name = "text",
	.text = "tables for people (the default)",
	.attached = text_attached,
	.printed = text_printed,
	.table = text_table,
	.losses = text_losses,
};
