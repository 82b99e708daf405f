/* Plans saved, loaded, and refused. */
#include "plan/plan.h"

#include "tests/unit/plan_sample.h"
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

static char *dumped(const struct qt_plan *p)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	qt_plan_dump(p, f);
	fclose(f);
	return text;
}

QT_TEST(a_plan_survives_its_file)
{
	struct qt_plan *p = sample_plan(), *q;
	struct qt_buf bytes = { 0 }, again = { 0 }, error = { 0 };
	char *a, *b;

	qt_plan_save(p, &bytes);
	q = qt_plan_load(bytes.ptr, bytes.len, &error);
	QT_EQ_STR(error.ptr, NULL);
	QT_NEED(q);
	qt_plan_save(q, &again);
	QT_TRUE(bytes.len == again.len && !memcmp(bytes.ptr, again.ptr, bytes.len));
	a = dumped(p);
	b = dumped(q);
	QT_EQ_STR(b, a);
	QT_TRUE(strstr(a, "\"name\": \"reads\", \"untagged\": 0") != NULL);
	QT_TRUE(strstr(a, "\"text\": \"a\\u0000b\"") != NULL);
	QT_EQ_INT(q->object_size, 20);
	free(a);
	free(b);
	qt_buf_free(&bytes);
	qt_buf_free(&again);
	qt_plan_free(p);
	qt_plan_free(q);
}

QT_TEST(cut_or_longer_files_are_refused)
{
	struct qt_plan *p = sample_plan();
	struct qt_buf bytes = { 0 }, error = { 0 };

	qt_plan_save(p, &bytes);
	for (size_t len = 0; len < bytes.len; len++) {
		char *copy = malloc(len + 1); /* exact, so that a sanitizer sees reads behind it */

		memcpy(copy, bytes.ptr, len);
		qt_buf_clear(&error);
		QT_TRUE(!qt_plan_load(copy, len, &error));
		QT_TRUE(error.len > 0);
		free(copy);
	}
	qt_buf_addc(&bytes, 'x');
	QT_TRUE(!qt_plan_load(bytes.ptr, bytes.len, &error));
	qt_buf_free(&error);
	qt_buf_free(&bytes);
	qt_plan_free(p);
}

/* Each byte spoiled in turn: refused, or a sound plan. */
QT_TEST(spoiled_bytes_never_crash)
{
	struct qt_plan *p = sample_plan();
	struct qt_buf bytes = { 0 };

	qt_plan_save(p, &bytes);
	for (size_t i = 0; i < bytes.len; i++) {
		struct qt_buf error = { 0 };
		struct qt_plan *q;

		bytes.ptr[i] ^= 0x55;
		QT_TRUE(!qt_plan_load(bytes.ptr, bytes.len, &error)); /* the checksum tells */
		qt_buf_clear(&error);
		qt_plan_seal(bytes.ptr, bytes.len);
		q = qt_plan_load(bytes.ptr, bytes.len, &error);
		QT_TRUE(!q == (error.len > 0));
		qt_plan_free(q);
		qt_buf_free(&error);
		bytes.ptr[i] ^= 0x55;
		qt_plan_seal(bytes.ptr, bytes.len);
	}
	qt_buf_free(&bytes);
	qt_plan_free(p);
}

#define REFUSES(change, words)                                   \
	do {                                                     \
		struct qt_plan *p = sample_plan();               \
		const char *why;                                 \
		change;                                          \
		why = qt_plan_validate(p);                       \
		if (QT_TRUE(why != NULL) && !strstr(why, words)) \
			QT_EQ_STR(why, words);                   \
		qt_plan_free(p);                                 \
	} while (0)

QT_TEST(validation_names_what_is_wrong)
{
	struct qt_plan *sound = sample_plan();

	QT_EQ_STR(qt_plan_validate(sound), NULL);
	qt_plan_free(sound);
	REFUSES(p->maps.items[QT_MAP_FIXED].name = "a name that is too long", "map 7: its name");
	REFUSES(p->maps.items[QT_MAP_FIXED + 1].name = "tag0", "map 8: its name is taken");
	REFUSES(p->maps.items[QT_MAP_FIXED].value_size = 12, "map 7: the size of its values");
	REFUSES(p->maps.items[QT_MAP_RING].max_entries = 4095, "power of two");
	REFUSES(p->maps.items[QT_MAP_COUNTERS].value_size = 8, "counters do not fit");
	REFUSES(p->maps.len = 3, "maps that every plan has");
	REFUSES(p->tables.items[0].map = 99, "table 0: there is no map");
	REFUSES(p->tables.items[0].map = QT_MAP_STRINGS, "table 0: there is no map");
	REFUSES(p->tables.items[0].untagged = 3, "table 0: there is no such counter");
	REFUSES(p->tables.items[0].keys.items[1].offset = 16, "outside of its bytes");
	REFUSES(p->tables.items[0].columns.items[5].offset = 72, "outside of its bytes");
	REFUSES(p->tables.items[0].columns.items[0].metric = QT_METRIC_COUNT, "a metric that does not exist");
	REFUSES(p->points.items[1].prog = 1, "point 1: there is no such program");
	REFUSES(p->points.items[1].probe = 3, "point 1: there is no such probe");
	REFUSES(p->points.items[1].path = NULL, "without a file");
	REFUSES(p->points.items[1].event = "../../etc", "the name of its event");
	REFUSES(p->progs.items[0].name = "a b", "program 0: its name");
	REFUSES(p->progs.items[0].hook = QT_HOOK_fentry, "the function that it belongs to");
	REFUSES(p->formats.items[0].args.len = 2, "more conversions than arguments");
	REFUSES(p->formats.items[0].pieces.len = 4, "more arguments than conversions");
	REFUSES(p->formats.items[0].args.items[1].kind = QT_FIELD_TEXT, "a number is wanted");
	REFUSES(p->formats.items[0].pieces.items[0].width = 1 << 20, "a width");
	REFUSES(p->literals.items[0].len = 65, "literal 0");
}

QT_TEST(room_for_a_text)
{
	struct qt_plan *p = qt_plan_new();

	p->max_strlen = 1024;
	QT_EQ_INT(qt_plan_text_size(p), 8 + 1024 + 8);
	p->max_strlen = 65;
	QT_EQ_INT(qt_plan_text_size(p), 8 + 72 + 8);
	qt_plan_free(p);
}
