/* The text of -c as words. */
#ifndef QT_RUNTIME_WORDS_H
#define QT_RUNTIME_WORDS_H

#include "base/arena.h"

#include <stdbool.h>

struct qt_words {
	char **items; /* ended by NULL */
	unsigned count;
	const char *error; /* NULL, or what is wrong: no full stop */
	const char *shell; /* the first unquoted word that only a shell would understand ("|", ">file"), or NULL */
};

/* Splits TEXT as a shell would: blanks part words; '...' is literal; in "..." a backslash escapes $ ` " \ and a line end; elsewhere
 * it escapes anything. Nothing is expanded. False with error set for an open quote, a lone backslash at the end, or no word at
 * all. Everything lies in ARENA. */
bool qt_words_split(struct qt_arena *arena, const char *text, struct qt_words *out);

#endif
