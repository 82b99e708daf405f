/* The command line as data. */
#include "cli/options.h"

#include "report/report.h"
#include "target/target.h"
#include "tests/unit/test.h"

#include <string.h>

struct parsed {
	struct qt_arena *arena;
	struct qt_diags *diags;
	struct qt_options o;
	bool ok;
};

/* LINE is cut at blanks; its first word stands for the program's name. */
static struct parsed parse(const char *line, const char *env)
{
	struct parsed p = { .arena = qt_arena_new() };
	QT_VEC(char *) words = { 0 };

	p.diags = qt_diags_new(p.arena);
	for (char *w = strtok(qt_arena_strndup(p.arena, line, strlen(line)), " "); w; w = strtok(NULL, " "))
		*qt_vec_push(p.arena, &words) = w;
	p.ok = qt_options_parse(&p.o, (int)words.len, words.items, env, p.arena, p.diags);
	return p;
}

static void done(struct parsed *p)
{
	qt_arena_free(p->arena);
}

QT_TEST(options_and_words_mix)
{
	struct parsed p = parse("qtrace -qv script.qt -c ./app 7 -5 --top=3 -- --more -x", NULL);

	QT_TRUE(p.ok && p.o.quiet);
	QT_EQ_INT(p.o.which, QT_COMMAND_run);
	QT_EQ_INT(p.o.verbose, 1);
	QT_EQ_INT(p.o.top, 3);
	QT_EQ_STR(p.o.command, "./app");
	QT_NEED(p.o.words.len == 5);
	QT_EQ_STR(p.o.words.items[0], "script.qt");
	QT_EQ_STR(p.o.words.items[2], "-5");
	QT_EQ_STR(p.o.words.items[4], "-x");
	done(&p);
}

QT_TEST(a_command_is_the_first_word_only)
{
	struct parsed p = parse("qtrace --verbose check check", NULL);

	QT_EQ_INT(p.o.which, QT_COMMAND_check);
	QT_NEED(p.o.words.len == 1);
	QT_EQ_STR(p.o.words.items[0], "check");
	done(&p);
	p = parse("qtrace -e x test", NULL);
	QT_EQ_INT(p.o.which, QT_COMMAND_run);
	QT_EQ_INT(p.o.words.len, 1);
	done(&p);
}

QT_TEST(forms_of_values)
{
	static const char *const lines[] = { "qtrace -d5 x", "qtrace -d 5s x", "qtrace --duration=5000ms x", "qtrace --duration 5 x",
					     "qtrace --dur 5000000us x" };

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct parsed p = parse(lines[i], NULL);

		QT_TRUE(p.ok);
		QT_EQ_INT(p.o.duration_ns, 5000000000);
		done(&p);
	}
}

QT_TEST(lists_and_names)
{
	struct parsed p = parse("qtrace -p 17,42 -p 43 -f json --without kprobe --without fentry --dump plan x", NULL);

	QT_TRUE(p.ok);
	QT_NEED(p.o.pids.len == 3);
	QT_EQ_INT(p.o.pids.items[1], 42);
	QT_EQ_STR(p.o.format->name, "json");
	QT_EQ_INT(p.o.without, 1u << QT_FEATURE_KPROBE | 1u << QT_FEATURE_FENTRY);
	QT_EQ_INT(p.o.dump, QT_STAGE_plan);
	done(&p);
}

QT_TEST(the_environment_comes_first)
{
	struct parsed p = parse("qtrace --top 5 check x", "-q --top '7' -f \"json\"");

	/* --top on the command line is of no use to check; in the environment it would be passed over. */
	QT_TRUE(!p.ok);
	done(&p);
	p = parse("qtrace check x", "-q --top '7' -f \"json\"");
	QT_TRUE(p.ok);
	QT_EQ_INT(p.o.top, 7);
	QT_EQ_STR(p.o.format->name, "json");
	done(&p);
	p = parse("qtrace -f text x", "-f json");
	QT_EQ_STR(p.o.format->name, "text");
	done(&p);
}

QT_TEST(wrong_lines_are_told_once)
{
	static const char *const lines[] = { "qtrace --nope",	 "qtrace -Z",	    "qtrace -f",	  "qtrace -d 5x y", "qtrace -p 0 y",
					     "qtrace --top 0 y", "qtrace --help=1", "qtrace test -o f x", "qtrace --p x" };

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct parsed p = parse(lines[i], NULL);

		if (QT_TRUE(!p.ok))
			QT_EQ_INT(qt_diags_errors(p.diags), 1);
		done(&p);
	}
}
