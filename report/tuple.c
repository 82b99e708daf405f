/* Values of maps that are tuples. A table has a column for each leaf, whose name is its path: "1.0" is part 0 of part 1, "1.size" the part `size` of it. Shown as (a, b) and
 * (size = a, b = c), in JSON as arrays and objects. */
#include "base/text.h"
#include "report/report_internal.h"

#include <string.h>

struct show {
	struct qt_buf *out;
	const struct qt_plan_table *table;
	const struct qt_result_row *row;
	bool json;
};

bool qt_is_tuple(const struct qt_plan_table *t)
{
	return t->kind == QT_TABLE_MAP && t->columns.len && t->columns.items[0].kind != QT_FIELD_METRIC && t->columns.items[0].name &&
	       t->columns.items[0].name[0] != '@';
}

static const char *path(const struct show *s, uint32_t column)
{
	const char *name = s->table->columns.items[column].name;

	return name ? name : "";
}

/* How many bytes of the path from SKIP on name one part. */
static size_t part_len(const struct show *s, uint32_t column, size_t skip)
{
	return strcspn(path(s, column) + skip, ".");
}

static bool is_number(const char *s, size_t len)
{
	return len && strspn(s, "0123456789") >= len;
}

static void put_value(const struct show *s, uint32_t column)
{
	if (s->json)
		qt_value_json(s->out, &s->row->values[column]);
	else
		qt_value_text(s->out, &s->row->values[column]);
}

static void put_name(const struct show *s, const char *name, size_t len)
{
	if (is_number(name, len))
		return;
	if (s->json)
		qt_json_string(s->out, name, len);
	else
		qt_text_escape(s->out, name, len, QT_ESCAPE_STREAM);
	qt_buf_adds(s->out, s->json ? ":" : " = ");
}

/* The column behind those that belong to the same part as FIRST. */
static uint32_t part_end(const struct show *s, uint32_t first, uint32_t last, size_t skip)
{
	size_t len = part_len(s, first, skip);
	uint32_t end = first + 1;

	while (end < last && part_len(s, end, skip) == len && !memcmp(path(s, end) + skip, path(s, first) + skip, len))
		end++;
	return end;
}

/* Columns FIRST to LAST - 1, whose paths are alike up to SKIP. */
static void put_part(const struct show *s, uint32_t first, uint32_t last, size_t skip)
{
	bool named;

	if (!path(s, first)[skip]) {
		put_value(s, first);
		return;
	}
	named = !is_number(path(s, first) + skip, part_len(s, first, skip));
	qt_buf_adds(s->out, !s->json ? "(" : named ? "{" : "[");
	for (uint32_t i = first; i < last;) {
		uint32_t end = part_end(s, i, last, skip);
		size_t len = part_len(s, i, skip);

		qt_buf_adds(s->out, i == first ? "" : s->json ? "," : ", ");
		put_name(s, path(s, i) + skip, len);
		put_part(s, i, end, skip + len + (path(s, i)[skip + len] == '.'));
		i = end;
	}
	qt_buf_adds(s->out, !s->json ? ")" : named ? "}" : "]");
}

void qt_tuple_put(struct qt_buf *out, const struct qt_plan_table *t, const struct qt_result_row *row, bool json)
{
	put_part(&(struct show){ out, t, row, json }, 0, t->columns.len, 0);
}
