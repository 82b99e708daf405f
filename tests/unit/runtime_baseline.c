/* Rows that begin anew without being touched. */
#include "runtime/baseline.h"

#include "tests/unit/test.h"

#include <string.h>

static uint64_t since(struct qt_baseline *b, uint64_t key, uint64_t total, bool take)
{
	uint64_t row[2] = { total, 2 * total };

	if (!qt_baseline_since(b, &key, row, take))
		return 0;
	QT_EQ_INT(row[1], 2 * row[0]);
	return row[0];
}

QT_TEST(what_came_since)
{
	struct qt_baseline *b = qt_baseline_new(8, 2);

	QT_EQ_INT(since(b, 1, 11, false), 11);
	QT_EQ_INT(since(b, 1, 11, true), 11);
	QT_EQ_INT(since(b, 1, 11, true), 0);
	QT_EQ_INT(since(b, 1, 13, false), 2);
	QT_EQ_INT(since(b, 1, 17, true), 6);
	QT_EQ_INT(since(b, 2, 5, true), 5);
	QT_EQ_INT(since(b, 1, 17, true), 0);
	qt_baseline_free(b);
}

QT_TEST(negative_sums)
{
	struct qt_baseline *b = qt_baseline_new(8, 2);

	QT_EQ_INT(since(b, 1, (uint64_t)-7, true), -7);
	QT_EQ_INT(since(b, 1, (uint64_t)-20, true), -13);
	QT_EQ_INT(since(b, 1, 3, true), 23);
	qt_baseline_free(b);
}

QT_TEST(forgotten_rows_begin_at_zero)
{
	struct qt_baseline *b = qt_baseline_new(8, 2);
	uint64_t one = 1, none = 999;

	since(b, 1, 11, true);
	qt_baseline_forget(b, &none);
	qt_baseline_forget(b, &one);
	QT_EQ_INT(since(b, 1, 3, true), 3);
	qt_baseline_forget_all(b);
	QT_EQ_INT(since(b, 1, 5, true), 5);
	qt_baseline_free(b);
}

QT_TEST(many_rows)
{
	struct qt_baseline *b = qt_baseline_new(8, 2);
	uint64_t sum = 0;

	for (int round = 1; round <= 3; round++)
		for (uint64_t key = 0; key < 10007; key++)
			sum += since(b, key, key * (uint64_t)round, true);
	QT_EQ_INT(sum, 3ull * (10006ull * 10007 / 2));
	for (uint64_t key = 0; key < 10007; key += 2)
		qt_baseline_forget(b, &key);
	QT_EQ_INT(since(b, 4, 4, false), 4);
	QT_EQ_INT(since(b, 5, 15, false), 0);
	qt_baseline_free(b);
}
