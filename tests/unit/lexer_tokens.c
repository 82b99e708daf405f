/* Which tokens a script becomes: keywords by place, probes as wholes, filters, stray characters. */
#include "tests/unit/parser_script.h"
#include "tests/unit/test.h"

static void lexed(const char *text, const char *want, const char *codes)
{
	struct script s = script_begin(text, strlen(text));

	QT_EQ_STR(script_tokens(&s), want);
	QT_EQ_STR(script_codes(&s), codes);
	script_end(&s);
}

static void good(const char *text, const char *want)
{
	lexed(text, want, "");
}

QT_TEST(the_headline)
{
	good("on uprobe:./target:fn set ctx=arg1; on kprobe:vfs_read tag ctx",
	     "on PROBE(uprobe:./target:fn) set NAME(ctx) = NAME(arg1) ; on PROBE(kprobe:vfs_read) tag NAME(ctx)");
}

QT_TEST(where_probes_can_stand)
{
	good("kprobe:a,kprobe:b , k:c{}", "PROBE(kprobe:a) , PROBE(kprobe:b) , PROBE(k:c) { }");
	good("BEGIN { } end{}", "PROBE(BEGIN) { } PROBE(end) { }");
	good("on begin set a = 1 kprobe:x tag a", "on PROBE(begin) set NAME(a) = NUMBER(1) PROBE(kprobe:x) tag NAME(a)");
	good("on kprobe:f tag a ? k:x", "on PROBE(kprobe:f) tag NAME(a) ? NAME(k) : NAME(x)");
	good("on kprobe:f tag a BEGIN { }", "on PROBE(kprobe:f) tag NAME(a) PROBE(BEGIN) { }");
	good("on kprobe:f tag begin", "on PROBE(kprobe:f) tag NAME(begin)");
	good("foo:bar { } k:f { $s ? s:t }", "PROBE(foo:bar) { } PROBE(k:f) { SCRATCH(s) ? NAME(s) : NAME(t) }");
	good("test \"t\" { feed kprobe:f(1) ; feed begin }", "test STRING(t) { feed PROBE(kprobe:f) ( NUMBER(1) ) ; feed PROBE(begin) }");
	good("span q over u:a:b from k:c to kr:c", "span NAME(q) over PROBE(u:a:b) from PROBE(k:c) to PROBE(kr:c)");
	good("param p:int = 3 kprobe:f { }", "param NAME(p) : TYPE(int) = NUMBER(3) PROBE(kprobe:f) { }");
	good("on # comment\n kprobe:f tag x", "on PROBE(kprobe:f) tag NAME(x)");
}

QT_TEST(how_far_a_spec_goes)
{
	good("uprobe:/a+b#c@d/\xc3\xbc:f+0x10 { }", "PROBE(uprobe:/a+b#c@d/\xc3\xbc:f+0x10) { }");
	good("u:\"/a b:c,d;{\":\"ns::f(int, char)\" { }", "PROBE(u:\"/a b:c,d;{\":\"ns::f(int, char)\") { }");
	good("u:\"a\\\"b\":f{}", "PROBE(u:\"a\\\"b\":f) { }");
	good("kprobe:vfs_{read,write}{ }", "PROBE(kprobe:vfs_{read,write}) { }");
	good("kprobe:vfs_{read,{a,b}}x{ }", "PROBE(kprobe:vfs_{read,{a,b}}x) { }");
	good("kprobe:f{a}", "PROBE(kprobe:f) { NAME(a) }");
	good("kprobe:f{@a,b}", "PROBE(kprobe:f) { MAP(a) , NAME(b) }");
	good("u:${lib}:$1 { }", "PROBE(u:${lib}:$1) { }");
	good("kprobe:f/pid/{ }", "PROBE(kprobe:f) / NAME(pid) / { }");
	good("u:/bin/sh:f/pid/{ }", "PROBE(u:/bin/sh:f) / NAME(pid) / { }");
	good("usdt:/bin/sh:a:b/pid/{ }", "PROBE(usdt:/bin/sh:a:b) / NAME(pid) / { }");
	good("usdt:/lib/*/libc.so*:* { }", "PROBE(usdt:/lib/*/libc.so*:*) { }");
	good("tracepoint:a:b // c\n{ }", "PROBE(tracepoint:a:b) { }");
}

QT_TEST(filters)
{
	good("k:f /a / 2 == 1/ { }", "PROBE(k:f) / NAME(a) / NUMBER(2) == NUMBER(1) / { }");
	good("k:f /(a / 2)/ tag x / 2", "PROBE(k:f) / ( NAME(a) / NUMBER(2) ) / tag NAME(x) / NUMBER(2)");
	good("k:f /str(a) == \"/ {\"/ /* / { */ { }", "PROBE(k:f) / NAME(str) ( NAME(a) ) == STRING(/ {) / { }");
	good("on k:f /$# > 1/ if x { }", "on PROBE(k:f) / POSITIONAL(0) > NUMBER(1) / if NAME(x) { }");
	good("k:f { $x / $y / $z }", "PROBE(k:f) { SCRATCH(x) / SCRATCH(y) / SCRATCH(z) }");
}

static enum qt_token_kind kind_of(const char *text, uint32_t at)
{
	struct script s = script_begin(text, strlen(text));
	struct qt_tokens list = qt_lex(s.source, s.arena, s.names, s.diags);
	enum qt_token_kind kind = at < list.len ? list.items[at].kind : QT_TOK_EOF;

	script_end(&s);
	return kind;
}

QT_TEST(filter_slashes_have_their_own_kinds)
{
	QT_EQ_INT(kind_of("k:f /a / b/ { }", 1), QT_TOK_FILTER_OPEN);
	QT_EQ_INT(kind_of("k:f /a / b/ { }", 3), QT_TOK_SLASH);
	QT_EQ_INT(kind_of("k:f /a / b/ { }", 5), QT_TOK_FILTER_CLOSE);
	QT_EQ_INT(kind_of("k:f /a/", 3), QT_TOK_FILTER_CLOSE);
	QT_EQ_INT(kind_of("k:f /a/ foo { }", 3), QT_TOK_FILTER_CLOSE);
}

QT_TEST(keywords_only_where_they_can_stand)
{
	good("k:f { x.set + x->tag + $if + @on + args.int }",
	     "PROBE(k:f) { NAME(x) . NAME(set) + NAME(x) -> NAME(tag) + SCRATCH(if) + MAP(on) + NAME(args) . NAME(int) }");
	good("k:f { clear(@x); set(1); if(1) { return(2) } }",
	     "PROBE(k:f) { NAME(clear) ( MAP(x) ) ; NAME(set) ( NUMBER(1) ) ; if ( NUMBER(1) ) { return ( NUMBER(2) ) } }");
	good("on k:f tag key, from, span, tag as set count()",
	     "on PROBE(k:f) tag NAME(key) , NAME(from) , NAME(span) , NAME(tag) as NAME(set) NAME(count) ( )");
	good("k:f { on = feed + at + test + config + param + in + with }",
	     "PROBE(k:f) { NAME(on) = NAME(feed) + NAME(at) + NAME(test) + NAME(config) + NAME(param) + NAME(in) + NAME(with) }");
	good("config = { on_x = true; }", "config = { NAME(on_x) = true ; }");
	good("on k:f set inherit = 1 inherit", "on PROBE(k:f) set NAME(inherit) = NUMBER(1) inherit");
}

QT_TEST(types)
{
	good("k:f { (unsigned   long)x; (struct foo *)y; (uint64 *)z; sizeof(int) }",
	     "PROBE(k:f) { ( TYPE(unsigned long) ) NAME(x) ; ( TYPE(struct foo) * ) NAME(y) ; ( TYPE(uint64) * ) NAME(z) ; sizeof ( "
	     "TYPE(int) ) }");
	good("k:f { intx; uint65; int8(3) }", "PROBE(k:f) { NAME(intx) ; NAME(uint65) ; NAME(int8) ( NUMBER(3) ) }");
}

QT_TEST(operators)
{
	good("k:f { ?? ? : || && | ^ & == != < <= > >= << >> + - * / % ! ~ ++ -- }",
	     "PROBE(k:f) { ?? ? : || && | ^ & == != < <= > >= << >> + - * / % ! ~ ++ -- }");
	good("k:f { += -= *= /= %= &= |= ^= <<= >>= . -> [ ] ( ) }", "PROBE(k:f) { += -= *= /= %= &= |= ^= <<= >>= . -> [ ] ( ) }");
	good("k:f { @ @x $y $1 $# }", "PROBE(k:f) { MAP() MAP(x) SCRATCH(y) POSITIONAL(1) POSITIONAL(0) }");
}

QT_TEST(comments_and_line_ends)
{
	good("#!/usr/bin/env qtrace\r\n#: name x\r\n#include <a.h>\r\n/* a\r\n * b **/ on k:f tag x # c", "on PROBE(k:f) tag NAME(x)");
	good("\xef\xbb\xbfon k:f tag x", "on PROBE(k:f) tag NAME(x)");
	good("", "");
	lexed("on k:f tag x /* a", "on PROBE(k:f) tag NAME(x)", "E0106@1:14");
	lexed("on k:f tag x /*", "on PROBE(k:f) tag NAME(x)", "E0106@1:14");
}

QT_TEST(strings)
{
	good("k:f { \"a\\tb\" \"\" \"\xc3\xbc\" }", "PROBE(k:f) { STRING(a\tb) STRING() STRING(\xc3\xbc) }");
	lexed("k:f { \"abc\n}", "PROBE(k:f) { STRING(abc) }", "E0102@1:7");
	lexed("k:f { \"abc\\\n}", "PROBE(k:f) { STRING(abc\\) }", "E0102@1:7");
	lexed("k:f { \"ab\\qc\" }", "PROBE(k:f) { STRING(ab\\qc) }", "E0105@1:10");
	lexed("u:\"/a:f { }\nk:g { }", "PROBE(u:\"/a:f { }) PROBE(k:g) { }", "E0102@1:3");
}

QT_TEST(strings_keep_nul)
{
	struct script s = script_begin("k:f { \"a\\0b\" }", 15);
	struct qt_tokens list = qt_lex(s.source, s.arena, s.names, s.diags);

	QT_NEED(list.len > 2);
	QT_EQ_INT(list.items[2].text.len, 3);
	QT_TRUE(!memcmp(list.items[2].text.ptr, "a\0b", 3));
	script_end(&s);
}

QT_TEST(numbers_are_told_with_their_column)
{
	lexed("k:f { 0xg }", "PROBE(k:f) { NUMBER(0) }", "E0103@1:9");
	lexed("k:f { 12abc }", "PROBE(k:f) { NUMBER(12) }", "E0103@1:9");
	lexed("k:f { 1.5ms; }", "PROBE(k:f) { NUMBER(1) ; }", "E0103@1:7");
	lexed("k:f { 010 }", "PROBE(k:f) { NUMBER(10) }", "W0101@1:7");
	good("k:f { $t.0.1; 10us }", "PROBE(k:f) { SCRATCH(t) . NUMBER(0) . NUMBER(1) ; NUMBER(10000ns) }");
	lexed("k:f { $0 $99999999999999999999 }", "PROBE(k:f) { POSITIONAL(0) POSITIONAL(0) }", "E0103@1:7 E0103@1:10");
}

QT_TEST(stray_characters)
{
	lexed("k:f { \xe2\x80\x9chi\xe2\x80\x9d }", "PROBE(k:f) { STRING(hi) }", "E0101@1:7");
	lexed("k:f { gr\xc3\xb6\xc3\x9f"
	      "e = 1 }",
	      "PROBE(k:f) { NAME(gr) = NUMBER(1) }", "E0101@1:9");
	lexed("k:f {\xc2\xa0x }", "PROBE(k:f) { NAME(x) }", "E0101@1:6");
	lexed("k:f { 'x' \\ \x01 \xff }", "PROBE(k:f) { STRING(x) }", "E0101@1:7 E0101@1:11 E0101@1:13 E0101@1:15");
	lexed("k:f { it's }", "PROBE(k:f) { NAME(it) NAME(s) }", "E0101@1:9");
	lexed("k:f { a \xe2\x88\x92 b }", "PROBE(k:f) { NAME(a) NAME(b) }", "E0101@1:9");
}

QT_TEST(stray_characters_are_named)
{
	static const char text[] = "k:f { \xe2\x80\x9chi\xe2\x80\x9d \xc2\xa0 }";
	struct script s = script_begin(text, strlen(text));
	const struct qt_diag *const *list;
	unsigned count;

	script_tokens(&s);
	list = qt_diags_sorted(s.diags, &count);
	QT_NEED(count == 2);
	QT_EQ_STR(list[0]->message, "a typographic quote (U+201C) cannot stand here");
	QT_EQ_STR(list[0]->hint, "type plain double quotes: \"text\"");
	QT_EQ_STR(list[1]->message, "a no-break space (U+00A0) cannot stand here");
	QT_EQ_STR(list[1]->hint, "write a space instead");
	script_end(&s);
}

QT_TEST(a_forgotten_brace_does_not_hide_the_next_rule)
{
	good("k:f {\n  @x = 1;\non k:g tag x", "PROBE(k:f) { MAP(x) = NUMBER(1) ; on PROBE(k:g) tag NAME(x)");
	good("k:f {\n  @x = 1;\nkprobe:g { }", "PROBE(k:f) { MAP(x) = NUMBER(1) ; PROBE(kprobe:g) { }");
	good("k:f {\n$x ?\nk:g\n}", "PROBE(k:f) { SCRATCH(x) ? NAME(k) : NAME(g) }");
}
