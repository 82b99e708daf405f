/* Types: what two of them join to, how they are named, and that joining ends. */
#include "base/check.h"
#include "sema/types.h"
#include "tests/unit/test.h"

static struct qt_type literal(void)
{
	struct qt_type t = QT_I64;

	t.literal = true;
	return t;
}

static struct qt_type with_unit(struct qt_type t, enum qt_unit unit)
{
	t.unit = unit;
	return t;
}

static const char *join(struct qt_type a, struct qt_type b)
{
	struct qt_type out;

	return qt_type_join(a, b, &out) ? qt_type_text(out) : "none";
}

static const struct qt_type byte = QT_INT(1, false);
static const struct qt_type str = { .kind = QT_TYPE_STR }, comm = { .kind = QT_TYPE_COMM }, probe = { .kind = QT_TYPE_PROBE },
			    func = { .kind = QT_TYPE_PROBE, .func = true }, error = { .kind = QT_TYPE_ERROR },
			    user = { .kind = QT_TYPE_PTR, .space = QT_SPACE_USER, .to = &byte },
			    kernel = { .kind = QT_TYPE_PTR, .space = QT_SPACE_KERNEL, .to = &byte };

QT_TEST(numbers_join_by_value)
{
	QT_EQ_STR(join(QT_INT(4, false), QT_INT(4, false)), "uint32");
	QT_EQ_STR(join(QT_INT(4, false), QT_INT(2, false)), "uint32");
	QT_EQ_STR(join(QT_INT(4, false), QT_INT(4, true)), "int64");
	QT_EQ_STR(join(QT_INT(1, true), QT_INT(2, true)), "int16");
	QT_EQ_STR(join(QT_U64, QT_I64), "int64");
}

QT_TEST(literals_take_the_other_side)
{
	QT_EQ_STR(join(literal(), QT_U64), "uint64");
	QT_EQ_STR(join(QT_INT(4, false), literal()), "uint64");
	QT_EQ_STR(join(literal(), QT_INT(4, true)), "int64");
	QT_EQ_STR(join(literal(), with_unit(QT_U64, QT_UNIT_NS)), "uint64 (time)");
	QT_EQ_STR(join(with_unit(QT_I64, QT_UNIT_BYTES), literal()), "int64 (bytes)");
	QT_EQ_STR(join(literal(), user), "uint8 *");
}

QT_TEST(units_that_differ_are_lost)
{
	QT_EQ_STR(join(with_unit(QT_U64, QT_UNIT_NS), with_unit(QT_U64, QT_UNIT_BYTES)), "uint64");
	QT_EQ_STR(join(with_unit(QT_U64, QT_UNIT_NS), QT_U64), "uint64");
}

QT_TEST(texts_join_to_strings)
{
	QT_EQ_STR(join(comm, comm), "comm");
	QT_EQ_STR(join(comm, str), "string");
	QT_EQ_STR(join(probe, comm), "string");
	QT_EQ_STR(join(probe, func), "string");
	QT_EQ_STR(join(func, func), "func");
	QT_EQ_STR(join(str, QT_U64), "none");
	QT_EQ_STR(join(user, comm), "none");
}

QT_TEST(addresses_of_two_spaces_are_numbers)
{
	QT_EQ_STR(join(user, user), "uint8 *");
	QT_EQ_STR(join(user, kernel), "uint64");
	QT_EQ_STR(join(user, QT_INT(4, false)), "uint64");
	QT_EQ_STR(join(user, QT_INT(4, true)), "int64");
}

QT_TEST(error_joins_to_the_other)
{
	QT_EQ_STR(join(error, str), "string");
	QT_EQ_STR(join(QT_BOOL, error), "uint8");
	QT_EQ_STR(join(error, error), "unknown");
}

/* Inference ends because a join never narrows: joined with one of its sides again, it stays. */
QT_TEST(joining_is_monotone)
{
	struct qt_type all[] = { QT_BOOL,
				 QT_INT(2, true),
				 QT_INT(4, false),
				 QT_INT(4, true),
				 QT_U64,
				 QT_I64,
				 literal(),
				 with_unit(QT_U64, QT_UNIT_NS),
				 with_unit(QT_I64, QT_UNIT_BYTES),
				 str,
				 comm,
				 probe,
				 func,
				 user,
				 kernel,
				 error };
	struct qt_type out, again;

	for (size_t i = 0; i < QT_COUNT(all); i++) {
		for (size_t k = 0; k < QT_COUNT(all); k++) {
			if (!qt_type_join(all[i], all[k], &out))
				continue;
			QT_TRUE(qt_type_join(out, all[i], &again) && qt_type_eq(out, again));
			QT_TRUE(qt_type_join(out, all[k], &again) && qt_type_eq(out, again));
		}
	}
}

QT_TEST(names_of_casts)
{
	struct qt_type t;

	QT_TRUE(qt_type_find("unsigned int", &t));
	QT_EQ_STR(qt_type_text(t), "uint32");
	QT_TRUE(qt_type_find("ssize_t", &t));
	QT_EQ_STR(qt_type_text(t), "int64");
	QT_TRUE(!qt_type_find("uint46", &t));
}

QT_TEST(words_have_their_article)
{
	QT_EQ_STR(qt_type_words(QT_U64), "a uint64");
	QT_EQ_STR(qt_type_words(QT_INT(4, true)), "an int32");
	QT_EQ_STR(qt_type_words(comm), "a text");
	QT_EQ_STR(qt_type_words(user), "an address (uint8 *)");
}
