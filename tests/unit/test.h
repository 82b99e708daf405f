/* Unit tests. QT_TEST(name) { ... } defines a case and registers it through a linker section; the runner (test.c) forks for each
 * case, so that a crash or an endless loop (10 s) is one failed line. A failed check is told with its place and both values, and
 * the case goes on; QT_NEED ends it. */
#ifndef QT_TESTS_UNIT_TEST_H
#define QT_TESTS_UNIT_TEST_H

#include <stdbool.h>
#include <stdint.h>

struct qt_unit_case {
	const char *file; /* tests/unit/base_str.c */
	const char *name;
	void (*run)(void);
};

#define QT_TEST(name_)                                                                                                                   \
	static void test_##name_(void);                                                                                                  \
	static const struct qt_unit_case entry_##name_ = { .file = __FILE__, .name = #name_, .run = test_##name_ };                      \
	static const struct qt_unit_case *const qt_test_##name_ __attribute__((used, no_reorder, section("qt_tests"))) = &entry_##name_; \
	static void test_##name_(void)

/* Each of these evaluates its arguments once. Integers are compared as 64-bit patterns; NULL equals only NULL as a string. */
#define QT_TRUE(cond) qt_test_true(__FILE__, __LINE__, #cond, (cond))
#define QT_EQ_INT(got, want) qt_test_eq_int(__FILE__, __LINE__, #got, (int64_t)(got), (int64_t)(want))
#define QT_EQ_STR(got, want) qt_test_eq_str(__FILE__, __LINE__, #got, (got), (want))

/* Ends the case when COND does not hold: for what the rest of the case depends on. */
#define QT_NEED(cond)               \
	do {                        \
		if (!QT_TRUE(cond)) \
			return;     \
	} while (0)

/* Ends the case (and the process that runs it): it cannot be run here. The reason is shown and counted. */
#define QT_SKIP(reason) qt_test_skip(reason)

bool qt_test_true(const char *file, int line, const char *text, bool holds);
bool qt_test_eq_int(const char *file, int line, const char *text, int64_t got, int64_t want);
bool qt_test_eq_str(const char *file, int line, const char *text, const char *got, const char *want);
_Noreturn void qt_test_skip(const char *reason);

#endif
