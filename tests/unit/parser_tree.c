/* The tree: precedence, probes as fields, the checker, the walk over children. */
#include "tests/unit/parser_script.h"
#include "tests/unit/test.h"

/* An expression with all its parentheses. */
static const char *shape(struct qt_arena *a, const struct qt_ast *e)
{
	switch (e->kind) {
	case QT_AST_ident:
		return QT_AST(ident, e)->name;
	case QT_AST_int:
		return qt_arena_printf(a, "%llu", (unsigned long long)QT_AST(int, e)->value);
	case QT_AST_scratch:
		return qt_arena_printf(a, "$%s", QT_AST(scratch, e)->name);
	case QT_AST_map:
		return qt_arena_printf(a, "@%s/%u", QT_AST(map, e)->name, QT_AST(map, e)->keys.len);
	case QT_AST_call:
		return qt_arena_printf(a, "%s()/%u", QT_AST(call, e)->func, QT_AST(call, e)->args.len);
	case QT_AST_unary:
		return qt_arena_printf(a, "(%s%s)", QT_AST(unary, e)->op, shape(a, QT_AST(unary, e)->value));
	case QT_AST_binary:
		return qt_arena_printf(a, "(%s %s %s)", shape(a, QT_AST(binary, e)->left), QT_AST(binary, e)->op, shape(a, QT_AST(binary, e)->right));
	case QT_AST_coalesce:
		return qt_arena_printf(a, "(%s ?? %s)", shape(a, QT_AST(coalesce, e)->value), shape(a, QT_AST(coalesce, e)->fallback));
	case QT_AST_ternary:
		return qt_arena_printf(a, "(%s ? %s : %s)", shape(a, QT_AST(ternary, e)->cond), shape(a, QT_AST(ternary, e)->then),
				       shape(a, QT_AST(ternary, e)->otherwise));
	case QT_AST_member:
		return qt_arena_printf(a, "(%s%s%s)", shape(a, QT_AST(member, e)->object), QT_AST(member, e)->arrow ? "->" : ".",
				       QT_AST(member, e)->name);
	case QT_AST_index:
		return qt_arena_printf(a, "(%s[%s])", shape(a, QT_AST(index, e)->object), shape(a, QT_AST(index, e)->at));
	case QT_AST_cast:
		return qt_arena_printf(a, "(<%s%.*s> %s)", QT_AST(type_name, QT_AST(cast, e)->type)->name,
				       (int)QT_AST(type_name, QT_AST(cast, e)->type)->stars, "****", shape(a, QT_AST(cast, e)->value));
	case QT_AST_incdec:
		return qt_arena_printf(a, QT_AST(incdec, e)->prefix ? "(%s %s)" : "(%2$s %1$s)", QT_AST(incdec, e)->op,
				       shape(a, QT_AST(incdec, e)->place));
	case QT_AST_tuple:
		return qt_arena_printf(a, "tuple/%u", QT_AST(tuple, e)->items.len);
	default:
		return qt_ast_kind_name(e->kind);
	}
}

static void parsed(const char *expr, const char *want)
{
	struct qt_arena *a = qt_arena_new();
	const char *text = qt_arena_printf(a, "on k:f if %s tag x", expr);
	struct script s = script_begin(text, strlen(text));
	struct qt_ast_program *p = qt_parse(s.source, s.arena, s.names, s.diags);

	QT_EQ_STR(script_codes(&s), "");
	QT_EQ_STR(qt_ast_check(s.arena, &p->head), NULL);
	if (QT_TRUE(p->items.len == 1))
		QT_EQ_STR(shape(a, QT_AST(rule, p->items.items[0])->cond), want);
	script_end(&s);
	qt_arena_free(a);
}

QT_TEST(precedence)
{
	parsed("a + b * c - d", "((a + (b * c)) - d)");
	parsed("a << 1 + 2 < 3 == 4", "(((a << (1 + 2)) < 3) == 4)");
	parsed("a & b == c | d ^ e", "((a & (b == c)) | (d ^ e))");
	parsed("a || b && c | d", "(a || (b && (c | d)))");
	parsed("a ?? b || c ? d : e ?? f", "((a ?? (b || c)) ? d : (e ?? f))");
	parsed("a ?? b ?? c", "(a ?? (b ?? c))");
	parsed("a ? b : c ? d : e", "(a ? b : (c ? d : e))");
	parsed("a ? b ? c : d : e", "(a ? (b ? c : d) : e)");
	parsed("-a * !b + ~c", "(((-a) * (!b)) + (~c))");
	parsed("*a.b->c[1]", "(*(((a.b)->c)[1]))");
	parsed("-a.b", "(-(a.b))");
	parsed("a / b / c % d", "(((a / b) / c) % d)");
	parsed("(a + b) * c", "((a + b) * c)");
}

QT_TEST(operands)
{
	parsed("(uint64)x + 1", "((<uint64> x) + 1)");
	parsed("*(uint64 *)arg0", "(*(<uint64*> arg0))");
	parsed("((struct foo **)x)->y", "((<struct foo**> x)->y)");
	parsed("$x++ + ++$y", "(($x ++) + (++ $y))");
	parsed("@a[1, 2]-- - --@", "((@a/2 --) - (-- @/0))");
	parsed("@m[1][2]", "(@m/1[2])");
	parsed("f(a, g()) + (a, b)", "(f()/2 + tuple/2)");
	parsed("$t.0.1", "(($t.0).1)");
	parsed("args.set->on", "((args.set)->on)");
	parsed("$1 + $# + true", "((positional + positional) + bool)");
}

static const struct qt_ast_probe *probe_of(struct script *s, const char *spec)
{
	const char *text = qt_arena_printf(s->arena, "on %s tag x", spec);
	struct qt_source *source = qt_sources_add(s->sources, "probe", text, strlen(text));
	struct qt_ast_program *p = qt_parse(source, s->arena, s->names, s->diags);

	return QT_AST(probe, QT_AST(rule, p->items.items[0])->probes.items[0]);
}

static void field(const struct qt_ast_probe *p, uint32_t i, const char *text, bool quoted, uint32_t begin, uint32_t end)
{
	const struct qt_ast_probe_field *f;

	if (!QT_TRUE(i < p->fields.len))
		return;
	f = QT_AST(probe_field, p->fields.items[i]);
	QT_TRUE(qt_str_is(f->text, text));
	QT_EQ_INT(f->quoted, quoted);
	QT_EQ_INT(f->head.span.begin, begin);
	QT_EQ_INT(f->head.span.end, end);
}

QT_TEST(specs_are_split_at_colons)
{
	struct script s = script_begin("", 0);
	const struct qt_ast_probe *p = probe_of(&s, "uprobe:/bin/sh:main+0x10");

	QT_EQ_STR(p->provider, "uprobe");
	QT_EQ_INT(p->fields.len, 2);
	field(p, 0, "/bin/sh", false, 10, 17);
	field(p, 1, "main+0x10", false, 18, 27);
	QT_TRUE(qt_str_is(p->text, "uprobe:/bin/sh:main+0x10"));
	p = probe_of(&s, "u:\"/a:b \\\"c\":\"ns::f(int)\"");
	QT_EQ_INT(p->fields.len, 2);
	field(p, 0, "/a:b \"c", true, 5, 15);
	field(p, 1, "ns::f(int)", true, 16, 28);
	p = probe_of(&s, "usdt:./a::name");
	QT_EQ_INT(p->fields.len, 3);
	field(p, 1, "", false, 12, 12);
	p = probe_of(&s, "begin");
	QT_EQ_STR(p->provider, "begin");
	QT_EQ_INT(p->fields.len, 0);
	p = probe_of(&s, "kprobe:");
	QT_EQ_INT(p->fields.len, 1);
	field(p, 0, "", false, 10, 10);
	script_end(&s);
}

QT_TEST(the_checker_finds_damage)
{
	struct script s = script_begin("on k:f if a + b tag x", 21);
	struct qt_ast_program *p = qt_parse(s.source, s.arena, s.names, s.diags);
	struct qt_ast_rule *r = QT_AST(rule, p->items.items[0]);
	struct qt_ast_binary *b = QT_AST(binary, r->cond);
	struct qt_ast *left = b->left;

	QT_EQ_STR(qt_ast_check(s.arena, &p->head), NULL);
	b->left = NULL;
	QT_EQ_STR(qt_ast_check(s.arena, &p->head), "binary.left at 10 is missing");
	b->left = r->probes.items[0];
	QT_EQ_STR(qt_ast_check(s.arena, &p->head), "binary.left at 10 is of the wrong class");
	b->left = left;
	left->span.begin = 0;
	QT_EQ_STR(qt_ast_check(s.arena, &p->head), "binary.left at 10 is outside its parent's span");
	left->span.begin = 10;
	left->depth = 7;
	QT_EQ_STR(qt_ast_check(s.arena, &p->head), "binary.left at 10 is deeper than its parent says");
	script_end(&s);
}

static void count_child(struct qt_ast *child, void *ctx)
{
	unsigned *seen = ctx;

	*seen = *seen * 10 + (unsigned)child->span.begin;
}

QT_TEST(children_come_in_source_order)
{
	struct script s = script_begin("k:f{a?b:c}", 10);
	struct qt_ast_program *p = qt_parse(s.source, s.arena, s.names, s.diags);
	struct qt_ast_block *b = QT_AST(block, QT_AST(rule, p->items.items[0])->actions.items[0]);
	unsigned seen = 0;

	qt_ast_children(QT_AST(expr_stmt, b->stmts.items[0])->value, count_child, &seen);
	QT_EQ_INT(seen, 468);
	script_end(&s);
}

/* N times PART, then END, in a block. */
static void nested(const char *part, unsigned n, const char *close, const char *want)
{
	struct qt_buf b = { 0 };
	struct qt_ast_program *p;
	struct script s;

	qt_buf_adds(&b, "k:f { $x = ");
	for (unsigned i = 0; i < n; i++)
		qt_buf_adds(&b, part);
	qt_buf_adds(&b, "1");
	for (unsigned i = 0; i < n; i++)
		qt_buf_adds(&b, close);
	qt_buf_adds(&b, "; }");
	s = script_begin(b.ptr, b.len);
	p = qt_parse(s.source, s.arena, s.names, s.diags);
	QT_EQ_STR(qt_ast_check(s.arena, &p->head), NULL);
	if (*want)
		QT_TRUE(!strncmp(script_codes(&s), want, 5) && qt_diags_errors(s.diags) == 1);
	else
		QT_EQ_STR(script_codes(&s), "");
	script_end(&s);
	qt_buf_free(&b);
}

QT_TEST(nesting_is_limited)
{
	nested("(", 100, ")", "");
	nested("(", 300, ")", "E0111");
	nested("(", 100000, ")", "E0111");
	nested("!", 100, "", "");
	nested("!", 300, "", "E0111");
	nested("!", 100000, "", "E0111");
	nested("1 + ", 150, "", "");
	nested("1 + ", 300, "", "E0111");
	nested("a ? b : ", 300, "", "E0111");
	nested("f(", 190, ")", "");
	nested("1; if (1) { ", 300, "}", "E0111");
}
