/* The arena, vectors, maps and interned names. */
#include "base/arena.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

QT_TEST(arena_gives_zeroed_aligned_memory)
{
	struct qt_arena *a = qt_arena_new();

	for (size_t size = 0; size < 100000; size = size * 2 + 1) {
		unsigned char *p = qt_arena_alloc(a, size);

		QT_EQ_INT((uintptr_t)p % 16, 0);
		for (size_t i = 0; i < size; i++)
			QT_NEED(!p[i]);
		memset(p, 0xff, size);
	}
	QT_EQ_STR(qt_arena_strndup(a, "probe:x", 5), "probe");
	QT_EQ_STR(qt_arena_printf(a, "%s-%d", "x", 7), "x-7");
	QT_TRUE(qt_arena_used(a) > 100000);
	qt_arena_free(a);
	qt_arena_free(NULL);
}

QT_TEST(vector_keeps_its_items)
{
	struct qt_arena *a = qt_arena_new();
	QT_VEC(uint64_t) v = { 0 };
	uint64_t sum = 0;

	qt_vec_each (it, &v)
		sum += *it;
	QT_EQ_INT(sum, 0);
	for (uint64_t i = 0; i < 1009; i++)
		*qt_vec_push(a, &v) = i;
	qt_vec_each (it, &v)
		sum += *it;
	QT_EQ_INT(v.len, 1009);
	QT_EQ_INT(sum, 1009 * 1008 / 2);
	qt_arena_free(a);
}

QT_TEST(map_finds_what_was_put)
{
	struct qt_arena *a = qt_arena_new();
	struct qt_map m = { 0 };
	static char values[5003];

	QT_TRUE(!qt_map_get(&m, 7));
	for (uint64_t i = 0; i < 5003; i++)
		QT_NEED(!qt_map_put(a, &m, i << 12, &values[i]));
	for (uint64_t i = 0; i < 5003; i++)
		QT_NEED(qt_map_get(&m, i << 12) == &values[i]);
	QT_TRUE(!qt_map_get(&m, 1));
	QT_EQ_INT(m.len, 5003);
	QT_TRUE(qt_map_put(a, &m, 0, &values[1]) == &values[0]);
	QT_TRUE(qt_map_get(&m, 0) == &values[1]);
	QT_EQ_INT(m.len, 5003);
	qt_arena_free(a);
}

QT_TEST(equal_names_are_equal_pointers)
{
	struct qt_arena *a = qt_arena_new();
	struct qt_interns *t = qt_interns_new(a);
	qt_name first = qt_intern(t, "retval");
	char text[32];

	for (int i = 0; i < 2003; i++) {
		snprintf(text, sizeof(text), "name%d", i);
		QT_NEED(qt_intern(t, text) == qt_intern_n(t, text, strlen(text)));
	}
	QT_TRUE(qt_intern_n(t, "retval()", 6) == first);
	QT_TRUE(qt_intern(t, "retva") != first);
	QT_EQ_STR(qt_intern_n(t, "", 0), "");
	qt_arena_free(a);
}
