/* From typed programs to results: texts, conditions and numbers. */
#include "tests/unit/ir_program.h"

/* ---- texts ---- */

static void text_rule(struct world *w)
{
	uint32_t t = d_tag(w, "t", 0, TEXT, QT_U64, just_count);
	struct qt_rule *r = d_rule(w, QT_HOOK_uprobe, "e");

	s_tag(w, &r->body, t, x_text(w, 0), NULL);
	world_start(w);
}

QT_TEST(texts_are_one_key)
{
	struct world w = world_new();

	text_rule(&w);
	for (unsigned k = 0; k < 3; k++)
		fire(&w, "e", 7, text_at(&w, k == 1 ? "b" : "a"), 0, 0);
	fire(&w, "e", 7, text_at(&w, ""), 0, 0);
	fire(&w, "e", 7, text_at(&w, ""), 0, 0);
	fire(&w, "e", 7, text_at(&w, ""), 0, 0);
	QT_EQ_STR(table(&w, 0), ": 3; a: 2; b: 1; ");
	world_free(&w);
}

QT_TEST(unreadable_and_cut_texts_are_counted)
{
	static const char longer[] = "0123456789012345678901234567890123456789012345678901234567890123X";
	struct world w = world_new();

	text_rule(&w);
	fire(&w, "e", 7, text_at(&w, longer), 0, 0);
	fire(&w, "e", 7, 16, 0, 0);
	fire(&w, "e", 7, 16, 0, 0);
	QT_EQ_STR(table(&w, 0), "<unreadable>: 2; 0123456789012345678901234567890123456789012345678901234567890123...: 1; ");
	QT_EQ_STR(losses(&w), "unreadable - 2; truncated - 1; ");
	world_free(&w);
}

/* max_entries is 5, for the strings too: later ones keep their ids, whose text is lost. */
QT_TEST(full_tables_are_counted)
{
	static const char *const texts[] = { "a", "b", "c", "d", "e", "f", "g" };
	struct world w = world_new();

	text_rule(&w);
	for (unsigned k = 0; k < 7; k++)
		fire(&w, "e", 7, text_at(&w, texts[k]), 0, 0);
	fire(&w, "e", 7, text_at(&w, "a"), 0, 0);
	QT_EQ_STR(losses(&w), "strings_full - 2; map_full t 2; ");
	QT_EQ_STR(table(&w, 0), "a: 2; b: 1; c: 1; d: 1; e: 1; ");
	world_free(&w);
}

QT_TEST(texts_compare_by_contents)
{
	struct world w = world_new();
	uint32_t t = d_tag(&w, "t", 0, QT_I64, QT_U64, just_count);
	struct qt_rule *r = d_rule(&w, QT_HOOK_uprobe, "e");
	struct qt_expr *get = x_eq(&w, x_text(&w, 0), x_str(&w, "GET")), *same = x_eq(&w, x_text(&w, 0), x_text(&w, 1));
	struct qt_expr *name = x_eq(&w, x_str(&w, "comm"), x_comm(&w));

	s_tag(&w, &r->body, t,
	      x_bin(&w, QT_OP_ADD, get, x_bin(&w, QT_OP_ADD, x_bin(&w, QT_OP_MUL, same, x_int(&w, 10)), x_bin(&w, QT_OP_MUL, name, x_int(&w, 100)))),
	      NULL);
	world_start(&w);
	fire(&w, "e", 7, text_at(&w, "GET"), text_at(&w, "GET"), 0);
	fire(&w, "e", 7, text_at(&w, "GET"), text_at(&w, "PUT"), 0);
	fire(&w, "e", 7, text_at(&w, "GETX"), text_at(&w, "GET"), 0);
	QT_EQ_STR(table(&w, 0), "100: 1; 101: 1; 111: 1; ");
	world_free(&w);
}

/* A long name differs from all literals of other lengths; a short one has zeros behind it. */
QT_TEST(names_compare_in_place)
{
	static const char *const literals[] = { "name", "nam", "namex", "0123456789abcde", "0123456789abcdef" };
	struct world w = world_new();
	uint32_t t = d_tag(&w, "t", 0, QT_I64, QT_U64, just_count);
	struct qt_rule *r = d_rule(&w, QT_HOOK_uprobe, "e");
	struct qt_event e = event("e", 1);

	for (int k = 0; k < 5; k++) {
		struct qt_stmt *s = s_add(&w, &r->body, QT_S_IF, 0, x_eq(&w, x_comm(&w), x_str(&w, literals[k])));

		s_tag(&w, &s->then, t, x_int(&w, k), NULL);
	}
	world_start(&w);
	e.comm = "name";
	qt_machine_run(w.m, &e);
	e.comm = "0123456789abcde";
	qt_machine_run(w.m, &e);
	QT_EQ_STR(table(&w, 0), "0: 1; 3: 1; ");
	QT_EQ_INT(w.plan->literals.len, 0);
	world_free(&w);
}

QT_TEST(names_are_keys_in_place)
{
	struct world w = world_new();
	uint32_t t = d_tag(&w, "t", 0, COMM, QT_U64, just_count);
	struct qt_rule *r = d_rule(&w, QT_HOOK_uprobe, "e");

	s_tag(&w, &r->body, t, x_comm(&w), NULL);
	world_start(&w);
	fire(&w, "e", 7, 0, 0, 0);
	QT_EQ_STR(table(&w, 0), "comm: 1; ");
	QT_EQ_INT(w.plan->maps.items[w.plan->tables.items[0].map].key_size, 16);
	QT_EQ_INT(w.plan->maps.items[QT_MAP_STRINGS].max_entries, 0);
	world_free(&w);
}

/* ---- conditions ---- */

/* arg0 > 0 && (str(arg1) == "x" || !(arg0 < 5)): scratch is taken on no path twice, given on all. */
QT_TEST(short_circuits)
{
	struct world w = world_new();
	uint32_t t = d_tag(&w, "t", 0, QT_I64, QT_U64, just_count);
	struct qt_rule *r = d_rule(&w, QT_HOOK_uprobe, "e");
	struct qt_expr *small = x_op(&w, QT_X_UNARY, QT_OP_NOT, QT_INT(1, false), x_bin(&w, QT_OP_LT, x_arg(&w, 0), x_int(&w, 5)), NULL);
	struct qt_expr *either = x_op(&w, QT_X_OR, 0, QT_INT(1, false), x_eq(&w, x_text(&w, 1), x_str(&w, "x")), small);

	r->cond = x_op(&w, QT_X_AND, 0, QT_INT(1, false), x_bin(&w, QT_OP_GT, x_arg(&w, 0), x_int(&w, 0)), either);
	s_tag(&w, &r->body, t, x_arg(&w, 0), NULL);
	world_start(&w);
	fire(&w, "e", 7, (uint64_t)-1, 16, 0); /* the text is not read */
	fire(&w, "e", 7, 3, text_at(&w, "x"), 0);
	fire(&w, "e", 7, 4, text_at(&w, "y"), 0);
	fire(&w, "e", 7, 5, text_at(&w, "y"), 0);
	fire(&w, "e", 7, 6, 16, 0); /* read in vain, the other half holds */
	QT_EQ_STR(table(&w, 0), "3: 1; 5: 1; 6: 1; ");
	QT_EQ_STR(losses(&w), "unreadable - 1; ");
	world_free(&w);
}

/* Texts in both ways of an if, one of which ends the program. */
QT_TEST(branches_with_texts)
{
	struct world w = world_new();
	uint32_t t = d_tag(&w, "t", 0, TEXT, QT_U64, just_count);
	struct qt_rule *r = d_rule(&w, QT_HOOK_uprobe, "e");
	struct qt_stmt *s = s_add(&w, &r->body, QT_S_IF, 0, x_bin(&w, QT_OP_EQ, x_arg(&w, 1), x_int(&w, 1)));

	s_tag(&w, &s->then, t, x_text(&w, 0), NULL);
	s_add(&w, &s->then, QT_S_RETURN, 0, NULL);
	s_tag(&w, &s->otherwise, t, x_str(&w, "other"), NULL);
	s_tag(&w, &r->body, t, x_text(&w, 0), NULL);
	world_start(&w);
	fire(&w, "e", 7, text_at(&w, "a"), 1, 0);
	fire(&w, "e", 7, text_at(&w, "b"), 2, 0);
	QT_EQ_STR(table(&w, 0), "a: 1; b: 1; other: 1; ");
	world_free(&w);
}

QT_TEST(division_by_zero)
{
	struct world w = world_new();
	uint32_t t = d_tag(&w, "t", 0, QT_I64, QT_U64, just_count);
	struct qt_rule *r = d_rule(&w, QT_HOOK_uprobe, "e");

	s_tag(&w, &r->body, t, x_bin(&w, QT_OP_DIV, x_arg(&w, 0), x_arg(&w, 1)), NULL);
	s_tag(&w, &r->body, t, x_bin(&w, QT_OP_MOD, x_arg(&w, 0), x_arg(&w, 1)), NULL);
	world_start(&w);
	fire(&w, "e", 7, (uint64_t)-7, 2, 0);
	fire(&w, "e", 7, 9, 0, 0);
	QT_EQ_STR(table(&w, 0), "0: 2; -3: 1; -1: 1; ");
	QT_EQ_STR(losses(&w), "div_zero - 2; ");
	world_free(&w);
}

/* Narrow types wrap where C's would. */
QT_TEST(narrow_numbers)
{
	struct world w = world_new();
	uint32_t t = d_tag(&w, "t", 0, QT_I64, QT_U64, just_count);
	struct qt_rule *r = d_rule(&w, QT_HOOK_uprobe, "e");

	s_tag(&w, &r->body, t, x_op(&w, QT_X_CAST, 0, QT_INT(1, true), x_arg(&w, 0), NULL), NULL);
	s_tag(&w, &r->body, t, x_op(&w, QT_X_CAST, 0, QT_INT(2, false), x_arg(&w, 0), NULL), NULL);
	s_tag(&w, &r->body, t, x_at(&w, QT_X_ARG, QT_INT(4, true), 0), NULL);
	world_start(&w);
	fire(&w, "e", 7, 0x12345678fffffff0, 0, 0);
	QT_EQ_STR(table(&w, 0), "-16: 2; 65520: 1; ");
	world_free(&w);
}
