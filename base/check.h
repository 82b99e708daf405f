/* Broken invariants end the program at once, with their place: they are bugs of qtrace, never of a script. */
#ifndef QT_BASE_CHECK_H
#define QT_BASE_CHECK_H

_Noreturn void qt_bug(const char *file, int line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#define QT_BUG(...) qt_bug(__FILE__, __LINE__, __VA_ARGS__)
#define QT_ASSERT(cond)                                        \
	do {                                                   \
		if (!(cond))                                   \
			QT_BUG("assertion failed: %s", #cond); \
	} while (0)

#define QT_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define QT_ALIGN(x, to) (((x) + (to) - 1) / (to) * (to))

#endif
