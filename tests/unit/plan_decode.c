/* Tables, printf records and losses read back from bytes. */
#include "plan/decode.h"

#include "tests/unit/plan_sample.h"
#include "tests/unit/test.h"

#include <string.h>

#define COMM_BASH 0x68736162ULL /* "bash" */

/* Words of the tag's row: count sum avg(2) min(2) max(2) hist. */
static void add_event(struct sample_entry *e, unsigned cpu, int64_t v)
{
	uint64_t *w = e->values[cpu], min = qt_extreme_encode(QT_METRIC_min, (uint64_t)v, true),
		 max = qt_extreme_encode(QT_METRIC_max, (uint64_t)v, true);

	w[0]++;
	w[1] += (uint64_t)v;
	w[2] += (uint64_t)v;
	w[3]++;
	w[4] = min > w[4] ? min : w[4];
	w[5]++;
	w[6] = max > w[6] ? max : w[6];
	w[7]++;
	w[8 + qt_hist_bucket((uint64_t)v, false)]++;
}

QT_TEST(text_ids_are_siphash_1_3)
{
	/* What CPython 3.11 says for the same bytes with PYTHONHASHSEED=0, its hash being SipHash-1-3 under a zero key. */
	static const struct {
		const char *text;
		uint64_t id;
	} known[] = { { "a", 0x407448d2b89b1813 },
		      { "abcdefg", 0x6db12aae9070f506 },
		      { "abcdefgh", 0x3f7b849c0b8e35ea },
		      { "SELECT * FROM t WHERE id = 1", 0x5938563fb19e3530 } };

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		QT_EQ_INT(qt_text_id(known[i].text, strlen(known[i].text), 0, 0), known[i].id);
	QT_TRUE(qt_text_id("a", 1, 0, 0) != qt_text_id("a", 1, 1, 0));
	QT_TRUE(qt_text_id("a", 1, 0, 0) != qt_text_id("a", 1, 0, 1));
	QT_TRUE(qt_text_id("", 0, 0, 0) >= QT_ID_FIRST);
	QT_TRUE(qt_text_id("a", 1, 0, 0) != qt_text_id("a\0", 2, 0, 0));
}

QT_TEST(rows_are_merged_over_cpus)
{
	struct qt_plan *p = sample_plan();
	struct sample_store s;
	struct qt_result_table t;
	struct sample_entry *e;

	sample_store_init(&s, p);
	sample_text(&s, 100, "SELECT 1", 0);
	e = sample_put(&s, QT_MAP_FIXED, 100, COMM_BASH, 0);
	add_event(e, 0, 5);
	add_event(e, 0, -7);
	add_event(e, 1, 13);
	s.counters[SAMPLE_UNTAGGED] = 11;
	QT_NEED(qt_decode_table(p, &s.store, SAMPLE_TAG, p->arena, &t) == 0);
	QT_NEED(t.rows.len == 1);
	QT_EQ_INT(t.untagged, 11);
	QT_EQ_STR(t.rows.items[0].keys[0].text.ptr, "SELECT 1");
	QT_EQ_STR(t.rows.items[0].keys[1].text.ptr, "bash");
	QT_EQ_INT(t.rows.items[0].values[0].u, 3);
	QT_EQ_INT(t.rows.items[0].values[1].u, 11);
	QT_EQ_INT(t.rows.items[0].values[2].u, 3);
	QT_EQ_INT(t.rows.items[0].values[3].i, -7);
	QT_EQ_INT(t.rows.items[0].values[4].i, 13);
	QT_EQ_INT(t.rows.items[0].values[5].kind, QT_VALUE_HIST);
	QT_EQ_INT(t.rows.items[0].values[5].hist[4], 1);
	QT_EQ_INT(t.rows.items[0].values[5].hist[5], 1);
	qt_plan_free(p);
}

QT_TEST(tags_come_largest_first_and_equal_ones_by_key)
{
	static const struct {
		const char *text;
		unsigned events;
	} rows[] = { { "b", 2 }, { "c", 7 }, { "a", 2 }, { "d", 5 } };
	struct qt_plan *p = sample_plan();
	struct sample_store s;
	struct qt_result_table t;

	sample_store_init(&s, p);
	for (unsigned i = 0; i < 4; i++) {
		struct sample_entry *e = sample_put(&s, QT_MAP_FIXED, 100 + i, COMM_BASH, 0);

		sample_text(&s, 100 + i, rows[i].text, 0);
		for (unsigned k = 0; k < rows[i].events; k++)
			add_event(e, k % 2, 1);
	}
	QT_NEED(qt_decode_table(p, &s.store, SAMPLE_TAG, p->arena, &t) == 0 && t.rows.len == 4);
	QT_EQ_STR(t.rows.items[0].keys[0].text.ptr, "c");
	QT_EQ_STR(t.rows.items[1].keys[0].text.ptr, "d");
	QT_EQ_STR(t.rows.items[2].keys[0].text.ptr, "a");
	QT_EQ_STR(t.rows.items[3].keys[0].text.ptr, "b");
	qt_plan_free(p);
}

QT_TEST(keys_that_are_shown_alike_are_one_row)
{
	struct qt_plan *p = sample_plan();
	struct sample_store s;
	struct qt_result_table t;

	sample_store_init(&s, p);
	sample_put(&s, QT_MAP_FIXED + 1, 0, 0, 0)->values[0][0] = 3;
	sample_put(&s, QT_MAP_FIXED + 1, 2, 0, 0)->values[1][0] = 4;
	sample_put(&s, QT_MAP_FIXED + 1, 1, 0, 0)->values[1][0] = 2;
	QT_NEED(qt_decode_table(p, &s.store, SAMPLE_FUNCS, p->arena, &t) == 0);
	QT_NEED(t.rows.len == 2);
	QT_EQ_STR(t.rows.items[0].keys[0].text.ptr, "fb");
	QT_EQ_INT(t.rows.items[0].values[0].u, 4);
	QT_EQ_STR(t.rows.items[1].keys[0].text.ptr, "fa");
	QT_EQ_INT(t.rows.items[1].values[0].u, 5);
	qt_plan_free(p);
}

QT_TEST(reserved_and_unknown_texts)
{
	struct qt_plan *p = sample_plan();
	struct sample_store s;
	struct qt_result_table t;

	sample_store_init(&s, p);
	add_event(sample_put(&s, QT_MAP_FIXED, QT_ID_NONE, 0, 0), 0, 1);
	add_event(sample_put(&s, QT_MAP_FIXED, QT_ID_UNREADABLE, 0, 0), 0, 1);
	add_event(sample_put(&s, QT_MAP_FIXED, 12345, 0, 0), 0, 1);
	QT_NEED(qt_decode_table(p, &s.store, SAMPLE_TAG, p->arena, &t) == 0 && t.rows.len == 3);
	QT_EQ_INT(t.rows.items[0].keys[0].text.len, 0);
	QT_EQ_INT(t.rows.items[0].keys[0].text.flags, 0);
	QT_EQ_INT(t.rows.items[1].keys[0].text.flags, QT_TEXT_UNREADABLE);
	QT_EQ_STR(t.rows.items[2].keys[0].text.ptr, "<lost>");
	qt_plan_free(p);
}

QT_TEST(plain_values_come_smallest_first)
{
	struct qt_plan *p = sample_plan();
	struct sample_store s;
	struct qt_result_table t;

	sample_store_init(&s, p);
	sample_put(&s, QT_MAP_FIXED + 2, 1, 0, 0)->values[0][0] = 5;
	sample_put(&s, QT_MAP_FIXED + 2, 2, 0, 0)->values[0][0] = (uint64_t)-3;
	QT_NEED(qt_decode_table(p, &s.store, SAMPLE_PLAIN, p->arena, &t) == 0 && t.rows.len == 2);
	QT_EQ_INT(t.rows.items[0].values[0].i, -3);
	QT_EQ_INT(t.rows.items[1].values[0].i, 5);
	qt_plan_free(p);
}

struct record {
	struct qt_record_head head;
	uint64_t words[4]; /* text, number, comm */
	char text[16];
};

static struct record record_of(const char *text, uint32_t flags, int64_t number)
{
	struct record r = { .head = { .kind = QT_RECORD_PRINTF, .size = sizeof(r.head) + sizeof(r.words) + (uint32_t)strlen(text) } };

	r.words[0] = (uint64_t)flags << 32 | strlen(text);
	r.words[1] = (uint64_t)number;
	r.words[2] = COMM_BASH;
	memcpy(r.text, text, strlen(text));
	return r;
}

static void check_record(const struct record *r, bool raw, const char *want)
{
	struct qt_plan *p = sample_plan();
	struct qt_buf b = { 0 };

	if (QT_TRUE(qt_decode_printf(p, NULL, r, r->head.size, raw, &b)))
		QT_EQ_STR(b.ptr, want);
	qt_buf_free(&b);
	qt_plan_free(p);
}

QT_TEST(printf_escapes_what_arguments_bring)
{
	struct record r = record_of("a\x1b[31m\n\xff\r", 0, -13);

	check_record(&r, false, "a\\x1b[31m\n\\xff\\r says\t-13, bash\n");
	check_record(&r, true, "a\x1b[31m\n\xff\r says\t-13, bash\n");
}

QT_TEST(printf_marks_truncated_and_unreadable)
{
	struct record r = record_of("abc", QT_TEXT_TRUNCATED, 1);

	check_record(&r, false, "abc... says\t1, bash\n");
	r = record_of("", QT_TEXT_UNREADABLE, 1);
	check_record(&r, false, "<unreadable> says\t1, bash\n");
}

QT_TEST(records_that_lie_are_refused)
{
	struct qt_plan *p = sample_plan();
	struct record good = record_of("abc", 0, 1), r;
	struct qt_buf b = { 0 };

	qt_buf_adds(&b, "before");
	for (uint32_t size = 0; size < good.head.size; size++)
		QT_TRUE(!qt_decode_printf(p, NULL, &good, size, false, &b));
	r = good;
	r.words[0] = 4;
	QT_TRUE(!qt_decode_printf(p, NULL, &r, r.head.size, false, &b));
	r.words[0] = UINT32_MAX;
	QT_TRUE(!qt_decode_printf(p, NULL, &r, r.head.size, false, &b));
	r = good;
	r.head.index = 1;
	QT_TRUE(!qt_decode_printf(p, NULL, &r, r.head.size, false, &b));
	r = good;
	r.head.kind = QT_RECORD_PRINT;
	QT_TRUE(!qt_decode_printf(p, NULL, &r, r.head.size, false, &b));
	QT_EQ_STR(b.ptr, "before");
	qt_buf_free(&b);
	qt_plan_free(p);
}

QT_TEST(printf_widths)
{
	static const struct {
		struct qt_plan_piece piece;
		int64_t value;
		const char *want;
	} cases[] = {
		{ { .conv = QT_CONV_INT, .width = 5, .precision = -1 }, -42, "  -42" },
		{ { .conv = QT_CONV_INT, .width = 5, .precision = -1, .left = true }, 42, "42   " },
		{ { .conv = QT_CONV_HEX, .width = 8, .precision = -1, .zero = true, .alternate = true }, 255, "0x0000ff" },
		{ { .conv = QT_CONV_UINT, .width = -1, .precision = -1 }, -1, "18446744073709551615" },
		{ { .conv = QT_CONV_PTR, .width = -1, .precision = -1 }, 0x7f00, "0x7f00" },
		{ { .conv = QT_CONV_CHAR, .width = -1, .precision = -1 }, 'q', "q" },
		{ { .conv = QT_CONV_CHAR, .width = -1, .precision = -1 }, 7, "\\x07" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct qt_plan *p = qt_plan_new();
		struct qt_plan_format *f = qt_vec_push(p->arena, &p->formats);
		struct {
			struct qt_record_head head;
			int64_t word;
		} r = { { .kind = QT_RECORD_PRINTF, .size = sizeof(r) }, cases[i].value };
		struct qt_buf b = { 0 };

		*qt_vec_push(p->arena, &f->pieces) = cases[i].piece;
		*qt_vec_push(p->arena, &f->args) = (struct qt_field){ .kind = QT_FIELD_INT };
		if (QT_TRUE(qt_decode_printf(p, NULL, &r, sizeof(r), false, &b)))
			QT_EQ_STR(b.ptr, cases[i].want);
		qt_buf_free(&b);
		qt_plan_free(p);
	}
}

QT_TEST(losses_by_cause_and_subject)
{
	struct qt_plan *p = sample_plan();
	struct sample_store s;
	struct qt_result_losses l;

	sample_store_init(&s, p);
	s.counters[SAMPLE_UNTAGGED] = 5;
	s.counters[SAMPLE_MAP_FULL] = 17;
	qt_decode_losses(p, &s.store, 3, p->arena, &l);
	QT_EQ_INT(l.total[QT_LOSS_map_full], 17);
	QT_EQ_INT(l.total[QT_LOSS_missed], 3);
	QT_EQ_INT(l.total[QT_LOSS_truncated], 0);
	QT_NEED(l.items.len == 2);
	QT_EQ_STR(l.items.items[0].subject, "reads");
	QT_EQ_STR(l.items.items[1].subject, NULL);
	qt_plan_free(p);
}
