/* Globs as probes use them: * ? [a-z] [!a-z] {a,b}, with backslash escapes. Braces are expanded one group at a time; the work
 * is bounded, since patterns come from strangers. */
#include "base/str.h"

#include <string.h>

#define BRACES_MAX 8 /* groups expanded inside each other's results */
#define TRIES_MAX 4096 /* expansions tried for one text */

bool qt_glob_is_pattern(const char *text)
{
	for (; *text; text++) {
		if (*text == '\\' && text[1])
			text++;
		else if (strchr("*?[{", *text))
			return true;
	}
	return false;
}

/* Matches C against the set behind '[' at P; *END is behind the ']'. False with *END NULL when the set is not closed. */
static bool set_has(const char *p, unsigned char c, const char **end)
{
	bool invert = *p == '!' || *p == '^', hit = false;
	const char *first = p += invert;

	for (; *p && (*p != ']' || p == first); p++) {
		unsigned char lo = (unsigned char)*p, hi = lo;

		if (p[1] == '-' && p[2] && p[2] != ']') {
			hi = (unsigned char)p[2];
			p += 2;
		}
		hit |= lo <= c && c <= hi;
	}
	*end = *p ? p + 1 : NULL;
	return *p && hit != invert;
}

/* Matches one character of TEXT at one element of the pattern P (not '*'); *NEXT is behind the element. */
static bool one(const char *p, const char *text, const char **next)
{
	*next = p + 1;
	if (*p == '?')
		return true;
	if (*p == '[') {
		bool hit = set_has(p + 1, (unsigned char)*text, next);

		if (*next)
			return hit;
		*next = p + 1; /* never closed: an ordinary character */
	} else if (*p == '\\' && p[1]) {
		*next = p + 2;
		p++;
	}
	return *p == *text;
}

/* A pattern without braces. Only the last star needs to be tried again. */
static bool match_flat(const char *p, const char *text)
{
	const char *star = NULL, *star_text = NULL, *next;

	while (*text) {
		if (*p == '*') {
			star = ++p;
			star_text = text;
		} else if (*p && one(p, text, &next)) {
			p = next;
			text++;
		} else if (star) {
			p = star;
			text = ++star_text;
		} else {
			return false;
		}
	}
	while (*p == '*')
		p++;
	return !*p;
}

/* The first '{' with a matching '}'; NULL when there is none. */
static const char *brace_find(const char *p, const char **close)
{
	for (; *p; p++) {
		int depth = 0;

		if (*p == '\\' && p[1]) {
			p++;
			continue;
		}
		if (*p != '{')
			continue;
		for (const char *q = p; *q; q++) {
			if (*q == '\\' && q[1])
				q++;
			else if (*q == '{')
				depth++;
			else if (*q == '}' && !--depth) {
				*close = q;
				return p;
			}
		}
	}
	return NULL;
}

/* The end of the alternative that begins at P: its comma or the group's CLOSE. */
static const char *alternative_end(const char *p, const char *close)
{
	int depth = 0;

	for (; p < close; p++) {
		if (*p == '\\' && p[1])
			p++;
		else if (*p == '{')
			depth++;
		else if (*p == '}')
			depth--;
		else if (*p == ',' && !depth)
			return p;
	}
	return close;
}

static bool match(const char *pattern, const char *text, unsigned depth, unsigned *tries)
{
	const char *close, *open = brace_find(pattern, &close);
	struct qt_buf b = { 0 };
	bool hit = false;

	if (!open || depth == BRACES_MAX)
		return match_flat(pattern, text);
	for (const char *p = open + 1, *end; !hit && p <= close && *tries < TRIES_MAX; p = end + 1) {
		end = alternative_end(p, close);
		qt_buf_clear(&b);
		qt_buf_add(&b, pattern, (size_t)(open - pattern));
		qt_buf_add(&b, p, (size_t)(end - p));
		qt_buf_adds(&b, close + 1);
		++*tries;
		hit = match(b.ptr, text, depth + 1, tries);
	}
	qt_buf_free(&b);
	return hit;
}

bool qt_glob_match(const char *pattern, const char *text)
{
	unsigned tries = 0;

	return match(pattern, text, 0, &tries);
}
