/* Syntax errors: each mistake gives its own code at its own place, several in one run, none twice. */
#include "tests/unit/parser_script.h"
#include "tests/unit/test.h"

static void codes(const char *text, const char *want)
{
	struct script s = script_begin(text, strlen(text));
	struct qt_ast_program *p = qt_parse(s.source, s.arena, s.names, s.diags);

	QT_EQ_STR(script_codes(&s), want);
	QT_EQ_STR(qt_ast_check(s.arena, &p->head), NULL);
	script_end(&s);
}

/* The first message, with its hint behind a bar. */
static void message(const char *text, const char *want)
{
	struct script s = script_begin(text, strlen(text));
	const struct qt_diag *const *list;
	unsigned count;

	qt_parse(s.source, s.arena, s.names, s.diags);
	list = qt_diags_sorted(s.diags, &count);
	if (QT_TRUE(count > 0))
		QT_EQ_STR(qt_arena_printf(s.arena, "%s%s%s", list[0]->message, list[0]->hint ? " | " : "", list[0]->hint ? list[0]->hint : ""), want);
	script_end(&s);
}

QT_TEST(good_scripts_have_no_messages)
{
	codes("", "");
	codes(";;", "");
	codes("k:f { }", "");
	codes("k:f { ; @x = 1;; if 1 { } { } @y = 2 }", "");
	codes("on k:f, k:g /b/ if a set x = 1, y = 2 inherit clear x, y tag a, b as n count() as c, sum(ret) { exit() } on k:h tag x;", "");
	codes("k:f tag pid", "");
	codes("config = { a = 1; b = \"x\" } param p: bytes = 4k \"doc\"; import \"lib/x\"", "");
	codes("test \"t\" { feed k:f (1, n = 2) as tid 3, comm \"x\" at 5us; expect @m { 1, 2: 3; 4 } expect losses expect n untagged 7; }", "");
}

QT_TEST(several_errors_in_one_run)
{
	codes("k:f { @x = ; @y = 1 2; @z = 3; foo bar }\non k:g tga x\nk:h { ) }", "E0104@1:12 E0104@1:21 E0109@1:32 E0109@2:8 E0112@3:7");
}

QT_TEST(no_cascades)
{
	codes("k:f { if (a = ) { @x = 1; } else { @y = 2; } @z = 3; }", "E0104@1:15");
	codes("k:f { while (1) { if (1) { @x = 1; } } @z = ; }", "E0104@1:45");
	codes("on k:f foo { @x = 1; } tag y; tag z\non k:g tag x", "E0109@1:8");
	codes("k:f { printf(\"abc); }\non k:g tag x", "E0102@1:14");
	codes("k:f { printf(\xe2\x80\x9chi\xe2\x80\x9d, 1); }", "E0101@1:14");
	codes("struct foo { int x; char y; };\nk:f { }", "E0110@1:1");
	codes("span q from u:a:b set x = 1 to u:a:c max 60s\non k:g tag x", "E0110@1:1");
}

QT_TEST(brackets)
{
	codes("k:f {\n  @x = 1;\n", "E0107@2:10");
	codes("k:f {\n  @x = 1;\non k:g tag x", "E0107@2:10");
	codes("k:f { print(@x; @y = 1; }", "E0107@1:15");
	codes("k:f { @x[1 = 2; }", "E0107@1:12");
	codes("k:f { @x[$y = 1] = 2; }", "E0108@1:13");
	codes("k:f { @x[1; }", "E0107@1:11");
	codes("k:f { if (a { @x = 1 } }", "E0107@1:13");
	codes("k:f } on k:g tag x", "E0112@1:5 E0104@1:7");
	codes("k:f { } }", "E0112@1:9");
	codes("k:f /pid == 1 { }", "E0107@1:15");
	message("k:f { print(@x; }", "expected `)`, found `;`");
	message("k:f { } }", "this `}` closes nothing");
}

QT_TEST(the_opening_bracket_is_shown)
{
	struct script s = script_begin("k:f { print(@x; }", 17);
	const struct qt_diag *const *list;
	unsigned count;

	qt_parse(s.source, s.arena, s.names, s.diags);
	list = qt_diags_sorted(s.diags, &count);
	QT_NEED(count == 1 && list[0]->notes);
	QT_EQ_INT(list[0]->notes->span.begin, 11);
	QT_EQ_STR(list[0]->notes->text, "this `(` is not closed");
	script_end(&s);
}

QT_TEST(assignments_in_wrong_places)
{
	message("k:f { if (a = 1) { } }", "`=` gives a value and cannot stand in an expression | to compare, write `==`");
	message("on k:f if a = 1 tag x", "`=` gives a value and cannot stand in an expression | to compare, write `==`");
	message("k:f { foo = 1 }", "the bare name `foo` cannot be assigned to | write `set foo = ...` for a context variable of the thread, "
				   "`$foo = ...` for a variable of this block");
	message("k:f { a.b = 1 }", "what stands before this `=` cannot be assigned to | values are kept in $name, @name and @name[key]");
	message("on k:f foo = 1", "unknown action `foo` | write `set foo = ...` for a context variable of the thread");
}

QT_TEST(unknown_words)
{
	message("om k:f tag x", "no rule begins with `om` | did you mean on?");
	message("printf(1);", "no rule begins with `printf` | a rule begins with a probe: `on PROBE ACTION`, or `PROBE { ... }` with statements in "
			      "braces");
	message("kprobe { }", "the probe `kprobe` lacks its target | the parts of a probe are joined by colons, as in kprobe:vfs_read or "
			      "uprobe:libc:malloc");
	message("tag x", "`tag` stands without a probe before it | say when it happens: on PROBE tag ...");
	message("on k:f cleer x", "unknown action `cleer` | did you mean clear?");
	message("on k:f tag x count", "`count` is neither an action nor a metric | a metric has parentheses, as in count(); keys are separated by "
				      "commas");
	message("k:f { retrun 5; }", "unknown statement `retrun` | did you mean return?");
}

QT_TEST(what_was_expected)
{
	message("on tag x", "expected a probe, found `tag`");
	message("on k:f", "expected an action (set, clear, tag or a block), found the end of the script");
	message("k:f { $x = 1 $y = 2 }", "expected `;` or `}`, found `$y`");
	message("k:f { $x = + ; }", "expected an expression, found `+`");
	message("k:f { if (1) exit(); }", "expected `{`, found `exit` | the branches of an if stand in braces: if (...) { ... }");
	message("k:f { set x; }", "expected `=`, found `;` | write set NAME = VALUE");
	message("import foo", "expected a string, found `foo`");
	message("k:f { else { } }", "expected a statement, `;` or `}`, found `else`");
}
