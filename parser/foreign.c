/* See foreign.def. Names of error numbers (EAGAIN) are known from the C library. */
#include "parser/parser.h"

#include "base/check.h"

#include <string.h>
#include <strings.h>

struct foreign {
	const char *word, *hint;
};

static const struct foreign foreigns[] = {
#define FOREIGN(word, hint) { #word, hint },
#include "parser/foreign.def"
#undef FOREIGN
};

/* Linux has no error number beyond. */
#define ERRNO_MAX 133

static const char *error_number(struct qt_arena *a, const char *word)
{
	for (int n = 1; n <= ERRNO_MAX; n++) {
		const char *name = strerrorname_np(n);

		if (name && !strcmp(name, word))
			return qt_arena_printf(a, "a system call that fails returns the negative error number: %s is -%d", word, n);
	}
	return NULL;
}

const char *qt_foreign_hint(struct qt_arena *a, const char *word)
{
	for (size_t i = 0; i < QT_COUNT(foreigns); i++)
		if (!strcasecmp(word, foreigns[i].word))
			return foreigns[i].hint;
	return word[0] == 'E' ? error_number(a, word) : NULL;
}
