/* Splits the command of -c into words by the quoting rules of POSIX shells (XCU 2.2), without any expansion. Takes text,
 * gives words in an arena; an unclosed quote is an error, never a guess. */
#include "runtime/words.h"

#include "base/str.h"
#include "base/vec.h"

#include <string.h>

struct splitter {
	const char *at;
	struct qt_buf word;
	bool quoted;
	const char *error;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void take_single(struct splitter *s)
{
	const char *end = strchr(s->at, '\'');

	if (!end) {
		s->error = "a single quote (') is not closed";
		return;
	}
	qt_buf_add(&s->word, s->at, (size_t)(end - s->at));
	s->at = end + 1;
}

static void take_double(struct splitter *s)
{
	for (; *s->at && *s->at != '"'; s->at++) {
		if (*s->at == '\\' && s->at[1] && strchr("$`\"\\\n", s->at[1])) {
			s->at++;
			if (*s->at == '\n')
				continue;
		}
		qt_buf_addc(&s->word, *s->at);
	}
	if (*s->at)
		s->at++;
	else
		s->error = "a double quote (\") is not closed";
}

static void take_escape(struct splitter *s)
{
	if (!*s->at) {
		s->error = "a backslash at the end escapes nothing";
		return;
	}
	if (*s->at != '\n')
		qt_buf_addc(&s->word, *s->at);
	s->at++;
}

static void take_char(struct splitter *s)
{
	char c = *s->at++;

	s->quoted |= c == '\'' || c == '"' || c == '\\';
	if (c == '\'')
		take_single(s);
	else if (c == '"')
		take_double(s);
	else if (c == '\\')
		take_escape(s);
	else
		qt_buf_addc(&s->word, c);
}

static bool is_shell_word(const char *word)
{
	return strchr("|<>;&", word[0]) && word[0];
}

bool qt_words_split(struct qt_arena *arena, const char *text, struct qt_words *out)
{
	struct splitter s = { .at = text };
	QT_VEC(char *) words = { 0 };

	memset(out, 0, sizeof(*out));
	while (!s.error) {
		while (is_blank(*s.at))
			s.at++;
		if (!*s.at)
			break;
		qt_buf_clear(&s.word);
		s.quoted = false;
		while (*s.at && !is_blank(*s.at) && !s.error)
			take_char(&s);
		*qt_vec_push(arena, &words) = qt_arena_strndup(arena, s.word.len ? s.word.ptr : "", s.word.len);
		if (!s.quoted && !out->shell && is_shell_word(words.items[words.len - 1]))
			out->shell = words.items[words.len - 1];
	}
	qt_buf_free(&s.word);
	out->count = words.len;
	*qt_vec_push(arena, &words) = NULL;
	out->items = words.items;
	out->error = s.error ? s.error : out->count ? NULL : "the command is empty";
	return !out->error;
}
