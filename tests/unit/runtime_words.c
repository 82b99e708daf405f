/* The text of -c as words: quotes, escapes, and what a shell would have done. */
#include "runtime/words.h"

#include "base/str.h"
#include "tests/unit/test.h"

#include <string.h>

/* The words with | between them, or the error. */
static const char *split(struct qt_arena *a, const char *text)
{
	struct qt_words w;
	struct qt_buf out = { 0 };
	const char *copy;

	if (!qt_words_split(a, text, &w))
		return w.error;
	for (unsigned i = 0; i < w.count; i++) {
		qt_buf_adds(&out, i ? "|" : "");
		qt_buf_adds(&out, w.items[i]);
	}
	copy = qt_arena_strndup(a, out.ptr ? out.ptr : "", out.len);
	qt_buf_free(&out);
	return w.items[w.count] ? "not ended by NULL" : copy;
}

static const struct {
	const char *text, *words;
} splits[] = {
	{ "ls", "ls" },
	{ "  ls \t -l\n /tmp  ", "ls|-l|/tmp" },
	{ "echo 'a b' c", "echo|a b|c" },
	{ "echo \"a b\" c", "echo|a b|c" },
	{ "echo a'b 'c\" d\"", "echo|ab c d" },
	{ "echo '' \"\"", "echo||" },
	{ "echo a\\ b", "echo|a b" },
	{ "echo 'a\\b'", "echo|a\\b" },
	{ "echo \"a\\b\\\"\\\\\\$x\\`\"", "echo|a\\b\"\\$x`" },
	{ "echo \\'", "echo|'" },
	{ "a\\\nb", "ab" },
	{ "echo \"a\\\nb\"", "echo|ab" },
	{ "echo $HOME *", "echo|$HOME|*" },
	{ "echo 'it'\\''s'", "echo|it's" },
	{ "sh -c 'exit 3'", "sh|-c|exit 3" },
	{ "./a#b # c", "./a#b|#|c" },
};

QT_TEST(splits)
{
	struct qt_arena *a = qt_arena_new();

	for (size_t i = 0; i < sizeof(splits) / sizeof(splits[0]); i++)
		QT_EQ_STR(split(a, splits[i].text), splits[i].words);
	qt_arena_free(a);
}

QT_TEST(open_quotes_are_errors)
{
	struct qt_arena *a = qt_arena_new();

	QT_EQ_STR(split(a, "echo 'a b"), "a single quote (') is not closed");
	QT_EQ_STR(split(a, "echo \"a b"), "a double quote (\") is not closed");
	QT_EQ_STR(split(a, "echo \"a\\"), "a double quote (\") is not closed");
	QT_EQ_STR(split(a, "echo \"a\\\""), "a double quote (\") is not closed");
	QT_EQ_STR(split(a, "echo a\\"), "a backslash at the end escapes nothing");
	QT_EQ_STR(split(a, ""), "the command is empty");
	QT_EQ_STR(split(a, " \t\n"), "the command is empty");
	qt_arena_free(a);
}

QT_TEST(words_for_a_shell)
{
	struct qt_arena *a = qt_arena_new();
	struct qt_words w;

	QT_TRUE(qt_words_split(a, "ls | wc", &w));
	QT_EQ_STR(w.shell, "|");
	QT_TRUE(qt_words_split(a, "ls >/dev/null 2>&1", &w));
	QT_EQ_STR(w.shell, ">/dev/null");
	QT_TRUE(qt_words_split(a, "echo '|' \">\" \\;", &w));
	QT_EQ_STR(w.shell, NULL);
	QT_TRUE(qt_words_split(a, "echo '' a|b", &w));
	QT_EQ_STR(w.shell, NULL);
	qt_arena_free(a);
}

/* Whatever comes in, words stay inside of the text. */
QT_TEST(any_bytes)
{
	static const char alphabet[] = "a b'\"\\\n$|\t\x80";
	struct qt_arena *a = qt_arena_new();
	struct qt_words w;
	char text[13];
	uint32_t seed = 7;

	for (int round = 0; round < 20011; round++) {
		size_t n = 0, total = 0;

		for (n = 0; n < sizeof(text) - 1; n++) {
			seed = seed * 1664525u + 1013904223u;
			text[n] = alphabet[(seed >> 16) % sizeof(alphabet)];
		}
		text[n] = 0;
		if (!qt_words_split(a, text, &w))
			continue;
		for (unsigned i = 0; i < w.count; i++)
			total += strlen(w.items[i]);
		QT_NEED(w.count && total <= strlen(text));
	}
	qt_arena_free(a);
}
