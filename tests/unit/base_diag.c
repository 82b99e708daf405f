/* Sources, places, and diagnostics as lists, text and JSON. */
#include "base/diag.h"
#include "tests/unit/test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct setup {
	struct qt_arena *arena;
	struct qt_sources *sources;
	struct qt_diags *diags;
	char *text;
};

static struct setup begin(const char *text, size_t len)
{
	struct setup s = { .arena = qt_arena_new() };

	s.sources = qt_sources_new(s.arena);
	s.diags = qt_diags_new(s.arena);
	qt_sources_add(s.sources, "x.qt", text, len);
	return s;
}

static const char *render(struct setup *s, bool json)
{
	size_t len;
	FILE *f;

	free(s->text);
	f = open_memstream(&s->text, &len);
	if (json)
		qt_diags_render_json(s->diags, s->sources, f);
	else
		qt_diags_render_text(s->diags, s->sources, f, false);
	fclose(f);
	return s->text;
}

static void end(struct setup *s)
{
	free(s->text);
	qt_arena_free(s->arena);
}

#define BEGIN(lit) begin(lit, sizeof(lit) - 1)

QT_TEST(positions_count_characters)
{
	struct setup s = BEGIN("\xef\xbb\xbf"
			       "ab\r\n\xc3\xbc\xe2\x82\xacx\n");
	const struct qt_source *src = qt_sources_get(s.sources, 1);
	struct qt_position p = qt_source_position(src, 9);

	QT_EQ_INT(src->text.len, 11);
	QT_EQ_INT(src->nlines, 3);
	QT_EQ_INT(p.line, 2);
	QT_EQ_INT(p.column, 3);
	QT_TRUE(qt_str_is(qt_source_line(src, 1), "ab"));
	QT_TRUE(qt_str_is(qt_source_line(src, 3), ""));
	QT_EQ_INT(qt_source_position(src, 999).line, 3);
	QT_TRUE(!qt_sources_get(s.sources, 0));
	QT_TRUE(!qt_sources_get(s.sources, 2));
	end(&s);
}

QT_TEST(load_says_why_not)
{
	struct setup s = BEGIN("");

	QT_TRUE(!qt_sources_load(s.sources, "/no/such/file"));
	QT_EQ_INT(errno, ENOENT);
	QT_TRUE(!qt_sources_load(s.sources, "/"));
	QT_EQ_INT(errno, EISDIR);
	QT_TRUE(!qt_sources_load(s.sources, "/dev/zero"));
	QT_EQ_INT(errno, EFBIG);
	end(&s);
}

QT_TEST(the_span_gets_carets)
{
	struct setup s = BEGIN("first\n\tpid == retvla\n");
	struct qt_diag *d = qt_diag_add(s.diags, QT_E0104, (struct qt_span){ 1, 14, 20 }, "wrong `%s`", "retvla");

	qt_diag_note(s.diags, d, (struct qt_span){ 1, 0, 5 }, "begins here");
	qt_diag_note(s.diags, d, (struct qt_span){ 0 }, "no place");
	qt_diag_hint(s.diags, d, "do that");
	QT_EQ_STR(render(&s, false), "error[E0104]: wrong `retvla`\n"
				     "  --> x.qt:2:9\n"
				     "   |\n"
				     " 2 |         pid == retvla\n"
				     "   |                ^^^^^^\n"
				     "  = note: begins here\n"
				     "  --> x.qt:1:1\n"
				     "   |\n"
				     " 1 | first\n"
				     "   | ^^^^^\n"
				     "  = note: no place\n"
				     "  = help: do that\n");
	end(&s);
}

QT_TEST(hostile_lines_are_shown_as_escapes)
{
	struct setup s = BEGIN("a\x1b[2J\xff\xe2\x80\xae \xe4\xb8\xad\xcc\x81z");

	qt_diag_add(s.diags, QT_W0101, (struct qt_span){ 1, 14, 15 }, "z\x07");
	QT_EQ_STR(render(&s, false), "warning[W0101]: z\\x07\n"
				     "  --> x.qt:1:11\n"
				     "   |\n"
				     " 1 | a\\x1b[2J\\xff\\u{202e} \xe4\xb8\xad\xcc\x81z\n"
				     "   |                        ^\n");
	end(&s);
}

QT_TEST(wide_lines_are_cut_to_a_window)
{
	char line[3000];
	struct setup s;
	const char *at;

	memset(line, 'x', sizeof(line));
	memcpy(line + 2000, "HERE", 4);
	s = begin(line, sizeof(line));
	qt_diag_add(s.diags, QT_E0104, (struct qt_span){ 1, 2000, 2004 }, "wide");
	at = strstr(render(&s, false), " 1 | ");
	QT_NEED(at);
	QT_TRUE(strcspn(at, "\n") < 135);
	QT_TRUE(strstr(at, "...xxx") && strstr(at, "xxx...") && strstr(at, "HERE"));
	QT_EQ_INT(strstr(at, "HERE") - at, strstr(at, "^^^^") - strstr(at, "\n") - 1);
	QT_TRUE(!strstr(at, "^^^^^"));
	end(&s);
}

QT_TEST(spans_at_the_end_and_over_lines)
{
	struct setup s = BEGIN("ab\ncd");

	qt_diag_add(s.diags, QT_E0104, (struct qt_span){ 1, 5, 5 }, "end");
	qt_diag_add(s.diags, QT_E0104, (struct qt_span){ 1, 1, 4 }, "lines");
	QT_EQ_STR(render(&s, false), "error[E0104]: lines\n  --> x.qt:1:2\n   |\n 1 | ab\n   |  ^\n\n"
				     "error[E0104]: end\n  --> x.qt:2:3\n   |\n 2 | cd\n   |   ^\n");
	end(&s);
}

QT_TEST(json_is_valid_whatever_the_bytes)
{
	struct setup s = BEGIN("ab\n");
	struct qt_diag *d;

	QT_EQ_STR(render(&s, true), "[]\n");
	d = qt_diag_add(s.diags, QT_E0104, (struct qt_span){ 1, 0, 2 }, "a \"b\" \\ \x01 \xff \xc3\xbc");
	qt_diag_hint(s.diags, d, "h");
	qt_diag_note(s.diags, d, (struct qt_span){ 0 }, "n");
	QT_EQ_STR(render(&s, true), "[{\"code\":\"E0104\",\"severity\":\"error\",\"message\":\"a \\\"b\\\" \\\\ \\u0001 \\ufffd \xc3\xbc\","
				    "\"file\":\"x.qt\",\"line\":1,\"column\":1,\"end_line\":1,\"end_column\":3,"
				    "\"notes\":[{\"message\":\"n\"}],\"hint\":\"h\"}]\n");
	end(&s);
}

QT_TEST(lists_are_sorted_and_limited)
{
	struct setup s = BEGIN("0123456789012345678901234567890123456789");
	const struct qt_diag *const *list;
	unsigned count;

	qt_diag_add(s.diags, QT_E0104, (struct qt_span){ 0 }, "nowhere");
	for (uint32_t i = 30; i-- > 0;)
		qt_diag_add(s.diags, QT_E0104, (struct qt_span){ 1, i, i + 1 }, "x");
	qt_diag_add(s.diags, QT_E0104, (struct qt_span){ 1, 29, 30 }, "again");
	list = qt_diags_sorted(s.diags, &count);
	QT_EQ_INT(count, 20);
	QT_EQ_INT(qt_diags_errors(s.diags), 31);
	QT_EQ_INT(qt_diags_warnings(s.diags), 0);
	QT_EQ_INT(list[0]->span.begin, 11);
	QT_EQ_STR(list[19]->message, "nowhere");
	end(&s);
}

QT_TEST(codes_are_found_and_named)
{
	QT_EQ_STR(qt_code_name(QT_E0101), "E0101");
	QT_TRUE(qt_code_find("e0101") == QT_E0101);
	QT_TRUE(qt_code_find("E9999") == QT_CODE_NONE);
	for (int c = QT_CODE_NONE + 1; c < QT_CODE_COUNT; c++) {
		const char *name = qt_code_name((enum qt_code)c), *text = qt_code_text((enum qt_code)c);

		QT_TRUE(strlen(name) == 5 && strspn(name + 1, "0123456789") == 4);
		QT_TRUE(*qt_code_title((enum qt_code)c) && strlen(text) > 20);
		QT_TRUE(qt_code_find(name) == (enum qt_code)c);
	}
}

static const char *suggestion(struct setup *s, const char *word, const char *const *candidates)
{
	struct qt_diag *d = qt_diag_add(s->diags, QT_E0104, (struct qt_span){ 0 }, "x");
	struct qt_suggest g;

	qt_suggest_begin(&g, word);
	for (; *candidates; candidates++)
		qt_suggest_offer(&g, *candidates);
	return qt_suggest_hint(s->diags, d, &g) ? d->hint : NULL;
}

QT_TEST(did_you_mean)
{
	static const char *const list[] = { "sum", "count", "retval", "retvals", "retvalue", "comm", "count", NULL };
	struct setup s = BEGIN("");

	QT_EQ_STR(suggestion(&s, "cuont", list), "did you mean count?");
	QT_EQ_STR(suggestion(&s, "retvla", list), "did you mean retval or retvals?");
	QT_EQ_STR(suggestion(&s, "xyzzy", list), NULL);
	QT_EQ_STR(suggestion(&s, "z", list), NULL);
	QT_EQ_STR(suggestion(&s, "", list), NULL);
	end(&s);
}
