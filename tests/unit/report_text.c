/* What people see: values with units, tables, maps, histograms, losses. */
#include "report/report.h"

#include "tests/unit/plan_sample.h"
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

static void check_value(struct qt_value v, const char *want)
{
	struct qt_buf b = { 0 };

	qt_value_text(&b, &v);
	QT_EQ_STR(b.ptr, want);
	qt_buf_free(&b);
}

static struct qt_value number(uint64_t n, enum qt_unit unit)
{
	return (struct qt_value){ .kind = QT_VALUE_UINT, .unit = unit, .u = n };
}

static struct qt_value text(const char *s, uint32_t flags)
{
	return (struct qt_value){ .kind = QT_VALUE_TEXT, .text = { s, (uint32_t)strlen(s), flags } };
}

QT_TEST(durations)
{
	static const struct {
		uint64_t ns;
		const char *want;
	} cases[] = {
		{ 0, "0ns" },
		{ 999, "999ns" },
		{ 1000, "1us" },
		{ 1024, "1.02us" },
		{ 1250000, "1.25ms" },
		{ 9999, "10us" },
		{ 12345, "12.3us" },
		{ 999499, "999us" },
		{ 999500, "1ms" },
		{ 1500000000, "1.5s" },
		{ 59940000000, "59.9s" },
		{ 59960000000, "1m00s" },
		{ 90000000000, "1m30s" },
		{ 7500000000000, "2h05m" },
		{ 273600000000000, "3d04h" },
		{ UINT64_MAX, "213503d23h" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_value(number(cases[i].ns, QT_UNIT_NS), cases[i].want);
	check_value((struct qt_value){ .kind = QT_VALUE_INT, .unit = QT_UNIT_NS, .i = -1250000 }, "-1.25ms");
}

QT_TEST(sizes_and_plain_numbers)
{
	check_value(number(1023, QT_UNIT_BYTES), "1023B");
	check_value(number(16384, QT_UNIT_BYTES), "16KiB");
	check_value(number(1536, QT_UNIT_BYTES), "1.5KiB");
	check_value(number((1 << 20) - 1, QT_UNIT_BYTES), "1MiB");
	check_value(number(UINT64_MAX, QT_UNIT_BYTES), "16EiB");
	check_value(number(1234567, QT_UNIT_NONE), "1234567");
	check_value((struct qt_value){ .kind = QT_VALUE_INT, .i = INT64_MIN }, "-9223372036854775808");
	check_value((struct qt_value){ .kind = QT_VALUE_NONE }, "-");
}

QT_TEST(hostile_texts)
{
	check_value(text("SELECT\n\t1 \x1b[2J \\ \xff \xc2\x9b", 0), "SELECT\\n\\t1 \\x1b[2J \\\\ \\xff \\u{9b}");
	check_value(text("caf\xc3\xa9", QT_TEXT_TRUNCATED), "caf\xc3\xa9...");
	check_value(text("", QT_TEXT_UNREADABLE), "<unreadable>");
	check_value(text("\xe2\x80\xae", 0), "\\u{202e}");
}

struct capture {
	char *out, *err;
	size_t nout, nerr;
	struct qt_report r;
};

static void capture_begin(struct capture *c, unsigned width, unsigned top)
{
	memset(c, 0, sizeof(*c));
	c->r.format = qt_report_find("text");
	c->r.options = (struct qt_report_options){
		.out = open_memstream(&c->out, &c->nout), .err = open_memstream(&c->err, &c->nerr), .width = width, .top = top
	};
}

static void capture_end(struct capture *c, const char *want_out, const char *want_err)
{
	fclose(c->r.options.out);
	fclose(c->r.options.err);
	QT_EQ_STR(c->out, want_out);
	QT_EQ_STR(c->err, want_err);
	free(c->out);
	free(c->err);
}

/* A tag "reads" by sql: count and bytes. */
static void tag_table(struct qt_plan *p, struct qt_result_table *out, const char *const *sql, const uint64_t *counts, unsigned n)
{
	struct qt_plan_table *t = qt_vec_push(p->arena, &p->tables);

	*t = (struct qt_plan_table){ .kind = QT_TABLE_TAG, .name = "reads", .untagged = 0 };
	*qt_vec_push(p->arena, &t->keys) = (struct qt_field){ .name = "sql", .kind = QT_FIELD_TEXT };
	*qt_vec_push(p->arena, &t->columns) = sample_metric("count", QT_METRIC_count, false, QT_UNIT_NONE, 0);
	*qt_vec_push(p->arena, &t->columns) = sample_metric("bytes", QT_METRIC_sum, false, QT_UNIT_BYTES, 8);
	*out = (struct qt_result_table){ .table = t };
	for (unsigned i = 0; i < n; i++) {
		struct qt_result_row *row = qt_vec_push(p->arena, &out->rows);

		row->keys = QT_NEW(p->arena, struct qt_value);
		row->keys[0] = text(sql[i], 0);
		row->values = QT_NEW_ARRAY(p->arena, struct qt_value, 2);
		row->values[0] = number(counts[i], QT_UNIT_NONE);
		row->values[1] = number(counts[i] * 4096, QT_UNIT_BYTES);
	}
}

QT_TEST(a_tag_is_a_table)
{
	static const char *const sql[] = { "SELECT 1", "UPDATE t SET a = 'x\ny'" };
	static const uint64_t counts[] = { 10007, 3 };
	struct qt_plan *p = qt_plan_new();
	struct qt_result_table t;
	struct capture c;

	tag_table(p, &t, sql, counts, 2);
	t.untagged = 9;
	capture_begin(&c, 0, 0);
	c.r.format->table(&c.r, &t);
	t.untagged = 1;
	c.r.options.top = 1;
	c.r.format->table(&c.r, &t);
	t.rows.len = 0;
	t.untagged = 0;
	c.r.format->table(&c.r, &t);
	capture_end(&c,
		    "reads\n"
		    "sql                      count    bytes\n"
		    "SELECT 1                 10007  39.1MiB\n"
		    "UPDATE t SET a = 'x\\ny'      3    12KiB\n"
		    "9 events had no context (untagged)\n"
		    "\n"
		    "reads\n"
		    "sql       count    bytes\n"
		    "SELECT 1  10007  39.1MiB\n"
		    "1 row more\n"
		    "1 event had no context (untagged)\n"
		    "\n"
		    "reads\n"
		    "(no events)\n",
		    "");
	qt_plan_free(p);
}

QT_TEST(a_table_fits_the_terminal)
{
	static const char *const sql[] = { "SELECT a, b, c, d, e FROM some_table WHERE x = 1" };
	static const uint64_t counts[] = { 3 };
	struct qt_plan *p = qt_plan_new();
	struct qt_result_table t;
	struct capture c;

	tag_table(p, &t, sql, counts, 1);
	capture_begin(&c, 40, 0);
	c.r.format->table(&c.r, &t);
	capture_end(&c,
		    "reads\n"
		    "sql                         count  bytes\n"
		    "SELECT a, b, c, d, e FROM…      3  12KiB\n",
		    "");
	qt_plan_free(p);
}

#define LONG_SQL "SELECT customer, sum(cents) AS total FROM orders GROUP BY customer ORDER BY total DESC LIMIT 10"

QT_TEST(off_a_terminal_a_long_text_takes_a_line_of_its_own)
{
	static const char *const sql[] = { LONG_SQL, "UPDATE t SET a = 1" };
	static const uint64_t counts[] = { 1000003, 3 };
	struct qt_plan *p = qt_plan_new();
	struct qt_result_table t;
	struct capture c;

	tag_table(p, &t, sql, counts, 2);
	capture_begin(&c, 0, 0);
	c.r.format->table(&c.r, &t);
	capture_end(&c,
		    "reads\n"
		    "sql                   count    bytes\n" LONG_SQL "\n"
		    "                    1000003  3.81GiB\n"
		    "UPDATE t SET a = 1        3    12KiB\n",
		    "");
	qt_plan_free(p);
}

static const uint64_t hist[QT_HIST_BUCKETS] = { [0] = 1, [1] = 2, [3] = 4, [12] = 1 };

QT_TEST(a_histogram_has_bars)
{
	check_value((struct qt_value){ .kind = QT_VALUE_HIST, .hist = (const uint64_t[QT_HIST_BUCKETS]){ [12] = 3, [13] = 6 } },
		    "[1k, 2k)                3 |@@@@@@@@@@@@@@@@@@@@@@@@@@                          |\n"
		    "[2k, 4k)                6 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n");
	check_value((struct qt_value){ .kind = QT_VALUE_HIST, .unit = QT_UNIT_NS, .hist = (const uint64_t[QT_HIST_BUCKETS]){ [12] = 1 } },
		    "[1.02us, 2.05us)        1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n");
	check_value((struct qt_value){ .kind = QT_VALUE_HIST, .hist = (const uint64_t[QT_HIST_BUCKETS]){ [0] = 1, [1] = 1, [2] = 1 } },
		    "(..., 0)                1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"
		    "[0]                     1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"
		    "[1]                     1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n");
	check_value((struct qt_value){ .kind = QT_VALUE_HIST, .hist = (const uint64_t[QT_HIST_BUCKETS]){ [65] = 1 } },
		    "[8E, 16E)               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n");
}

static void map_table(struct qt_plan *p, struct qt_result_table *out, bool keyed, struct qt_value a, struct qt_value b)
{
	struct qt_plan_table *t = qt_vec_push(p->arena, &p->tables);
	struct qt_value values[] = { a, b };

	*t = (struct qt_plan_table){ .kind = QT_TABLE_MAP, .name = "@m", .untagged = -1 };
	if (keyed) {
		*qt_vec_push(p->arena, &t->keys) = (struct qt_field){ .name = "comm", .kind = QT_FIELD_COMM };
		*qt_vec_push(p->arena, &t->keys) = (struct qt_field){ .name = "tid", .kind = QT_FIELD_UINT };
	}
	*qt_vec_push(p->arena, &t->columns) =
		sample_metric("hist", a.kind == QT_VALUE_HIST ? QT_METRIC_hist : QT_METRIC_count, false, QT_UNIT_NONE, 0);
	*out = (struct qt_result_table){ .table = t };
	for (unsigned i = 0; i < (keyed ? 2 : 1); i++) {
		struct qt_result_row *row = qt_vec_push(p->arena, &out->rows);

		row->keys = QT_NEW_ARRAY(p->arena, struct qt_value, 2);
		row->keys[0] = text(i ? "b,c" : "a\n", 0);
		row->keys[1] = number(41 + i, QT_UNIT_NONE);
		row->values = QT_NEW(p->arena, struct qt_value);
		*row->values = values[i];
	}
}

QT_TEST(maps_look_as_in_bpftrace)
{
	struct qt_value none = { .kind = QT_VALUE_NONE }, h = { .kind = QT_VALUE_HIST, .hist = (const uint64_t[QT_HIST_BUCKETS]){ [4] = 2 } };
	struct qt_plan *p = qt_plan_new();
	struct qt_result_table t;
	struct capture c;

	capture_begin(&c, 0, 0);
	map_table(p, &t, true, number(3, QT_UNIT_NONE), number(1000003, QT_UNIT_NONE));
	c.r.format->table(&c.r, &t);
	c.r.options.top = 1;
	c.r.format->table(&c.r, &t);
	map_table(p, &t, false, number(7, QT_UNIT_NONE), none);
	c.r.format->table(&c.r, &t);
	map_table(p, &t, false, h, none);
	c.r.format->table(&c.r, &t);
	capture_end(&c,
		    "@m[a\\n, 41]: 3\n"
		    "@m[b,c, 42]: 1000003\n"
		    "\n"
		    "@m[b,c, 42]: 1000003\n"
		    "\n"
		    "@m: 7\n"
		    "\n"
		    "@m:\n"
		    "[4, 8)                  2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"
		    "\n",
		    "");
	qt_plan_free(p);
}

QT_TEST(losses_name_count_subject_and_advice)
{
	struct qt_plan *p = sample_plan();
	struct qt_result_losses l = { 0 };
	struct capture c;

	l.total[QT_LOSS_map_full] = 7;
	l.total[QT_LOSS_ring_full] = 5;
	*qt_vec_push(p->arena, &l.items) = (struct qt_result_loss){ QT_LOSS_map_full, "@a", 3 };
	*qt_vec_push(p->arena, &l.items) = (struct qt_result_loss){ QT_LOSS_map_full, "reads", 4 };
	*qt_vec_push(p->arena, &l.items) = (struct qt_result_loss){ QT_LOSS_ring_full, NULL, 5 };
	capture_begin(&c, 0, 0);
	c.r.format->losses(&c.r, &l);
	capture_end(&c, "",
		    "lost: 5 events dropped because the ring buffer was full; print less, or aggregate with tag instead of printf\n"
		    "lost: 7 updates dropped because a table was full (@a: 3, reads: 4); raise it: config = { max_entries = N; }\n");
	l = (struct qt_result_losses){ 0 };
	capture_begin(&c, 0, 0);
	c.r.format->losses(&c.r, &l);
	capture_end(&c, "", "");
	qt_plan_free(p);
}

static void check_json(struct qt_value v, const char *want)
{
	struct qt_buf b = { 0 };

	qt_value_json(&b, &v);
	QT_EQ_STR(b.ptr, want);
	qt_buf_free(&b);
}

QT_TEST(json_values)
{
	check_json(number(1ULL << 53, QT_UNIT_NONE), "9007199254740992");
	check_json(number((1ULL << 53) + 1, QT_UNIT_NONE), "\"9007199254740993\"");
	check_json((struct qt_value){ .kind = QT_VALUE_INT, .i = -5 }, "-5");
	check_json((struct qt_value){ .kind = QT_VALUE_INT, .i = INT64_MIN }, "\"-9223372036854775808\"");
	check_json(text("a\"\\\n\x01\xff", 0), "\"a\\\"\\\\\\n\\u0001\\ufffd\"");
	check_json(text("ab", QT_TEXT_TRUNCATED), "\"ab...\"");
	check_json((struct qt_value){ .kind = QT_VALUE_NONE }, "null");
	check_json((struct qt_value){ .kind = QT_VALUE_HIST, .hist = (const uint64_t[QT_HIST_BUCKETS]){ 0 } }, "[]");
	check_json((struct qt_value){ .kind = QT_VALUE_HIST, .hist = hist },
		   "[{\"max\":-1,\"count\":1},{\"min\":0,\"max\":0,\"count\":2},{\"min\":1,\"max\":1,\"count\":0},{\"min\":2,\"max\":3,\"count\":4},"
		   "{\"min\":4,\"max\":7,\"count\":0},{\"min\":8,\"max\":15,\"count\":0},{\"min\":16,\"max\":31,\"count\":0},{\"min\":32,\"max\":63,"
		   "\"count\":0},"
		   "{\"min\":64,\"max\":127,\"count\":0},{\"min\":128,\"max\":255,\"count\":0},{\"min\":256,\"max\":511,\"count\":0},{\"min\":512,"
		   "\"max\":1023,\"count\":0},"
		   "{\"min\":1024,\"max\":2047,\"count\":1}]");
}

static void json_begin(struct capture *c)
{
	capture_begin(c, 0, 0);
	c->r.format = qt_report_find("json");
}

QT_TEST(json_lines_of_tables)
{
	static const char *const sql[] = { "SELECT 1", "\xff" };
	static const uint64_t counts[] = { 5, 3 };
	struct qt_value h = { .kind = QT_VALUE_HIST, .hist = (const uint64_t[QT_HIST_BUCKETS]){ [4] = 2 } }, none = { .kind = QT_VALUE_NONE };
	struct qt_plan *p = qt_plan_new();
	struct qt_result_table t;
	struct capture c;

	json_begin(&c);
	tag_table(p, &t, sql, counts, 2);
	t.untagged = 9;
	c.r.format->table(&c.r, &t);
	map_table(p, &t, true, number(3, QT_UNIT_NONE), number(5, QT_UNIT_NONE));
	c.r.format->table(&c.r, &t);
	map_table(p, &t, false, h, none);
	c.r.format->table(&c.r, &t);
	capture_end(&c,
		    "{\"type\":\"tag\",\"name\":\"reads\",\"keys\":[\"sql\"],\"rows\":[{\"sql\":\"SELECT 1\",\"count\":5,\"bytes\":20480},"
		    "{\"sql\":\"\\ufffd\",\"sql_b64\":\"/w==\",\"count\":3,\"bytes\":12288}],\"untagged\":9}\n"
		    "{\"type\":\"map\",\"data\":{\"@m\":{\"a\\n,41\":3,\"b,c,42\":5}},\"rows\":[{\"key\":[\"a\\n\",41],\"value\":3},{\"key\":[\"b,"
		    "c\",42],\"value\":5}]}\n"
		    "{\"type\":\"hist\",\"data\":{\"@m\":[{\"min\":4,\"max\":7,\"count\":2}]}}\n",
		    "");
	qt_plan_free(p);
}

QT_TEST(json_names_carry_units_once)
{
	static const struct {
		const char *name, *want;
		enum qt_unit unit;
	} cols[] = { { "latency", "\"latency_ns\":1", QT_UNIT_NS }, { "wait_ns", "\"wait_ns\":1", QT_UNIT_NS },
		     { "bytes", "\"bytes\":1", QT_UNIT_BYTES },	    { "size", "\"size_bytes\":1", QT_UNIT_BYTES },
		     { "count", "\"count\":1", QT_UNIT_NONE },	    { "count", "\"count_2\":1", QT_UNIT_NONE } };
	struct qt_plan *p = qt_plan_new();
	struct qt_plan_table *t = qt_vec_push(p->arena, &p->tables);
	struct qt_result_table table = { .table = t };
	struct qt_result_row *row = qt_vec_push(p->arena, &table.rows);
	struct capture c;

	*t = (struct qt_plan_table){ .kind = QT_TABLE_TAG, .name = "t", .untagged = -1 };
	row->values = QT_NEW_ARRAY(p->arena, struct qt_value, 6);
	for (unsigned i = 0; i < 6; i++) {
		*qt_vec_push(p->arena, &t->columns) = sample_metric(cols[i].name, QT_METRIC_sum, false, cols[i].unit, 0);
		row->values[i] = number(1, cols[i].unit);
	}
	json_begin(&c);
	c.r.format->table(&c.r, &table);
	fflush(c.r.options.out);
	for (unsigned i = 0; i < 6; i++)
		QT_TRUE(strstr(c.out, cols[i].want) != NULL);
	fclose(c.r.options.out);
	fclose(c.r.options.err);
	free(c.out);
	free(c.err);
	qt_plan_free(p);
}

QT_TEST(json_lines_of_events_and_losses)
{
	struct qt_plan *p = qt_plan_new();
	struct qt_result_losses l = { 0 };
	struct capture c;

	l.total[QT_LOSS_map_full] = 3;
	*qt_vec_push(p->arena, &l.items) = (struct qt_result_loss){ QT_LOSS_map_full, "@a", 3 };
	json_begin(&c);
	c.r.format->attached(&c.r, 2);
	c.r.format->printed(&c.r, QT_STR("hello\n"));
	c.r.format->printed(&c.r, QT_STR("\xfe"));
	c.r.format->losses(&c.r, &l);
	capture_end(&c,
		    "{\"type\":\"attached_probes\",\"data\":{\"probes\":2}}\n"
		    "{\"type\":\"printf\",\"data\":\"hello\\n\"}\n"
		    "{\"type\":\"printf\",\"data\":\"\\ufffd\",\"data_b64\":\"/g==\"}\n"
		    "{\"type\":\"losses\",\"data\":{\"ring_full\":0,\"map_full\":3,\"strings_full\":0,\"missed\":0,\"truncated\":0,\"unreadable\":0,\"no_stack\":0,\"unsent\":0,\"unpaired\":0,"
		    "\"busy\":0,\"div_zero\":0,\"loop_limit\":0,\"unfinished\":0,\"uncollected\":0},"
		    "\"subjects\":[{\"cause\":\"map_full\",\"subject\":\"@a\",\"count\":3}]}\n",
		    "");
	qt_plan_free(p);
}
