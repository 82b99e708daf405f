/* From typed programs to results: maps, and records of the ring. */
#include "tests/unit/ir_program.h"

/* ---- maps ---- */

QT_TEST(maps_of_every_kind)
{
	struct world w = world_new();
	uint32_t keyed = d_map(&w, "keyed", QT_I64, QT_I64, QT_METRIC_COUNT), only = d_map(&w, "only", NOTHING, QT_I64, QT_METRIC_COUNT);
	uint32_t text = d_map(&w, "text", QT_I64, TEXT, QT_METRIC_COUNT), sum = d_map(&w, "sum", NOTHING, QT_I64, QT_METRIC_sum);
	struct qt_rule *r = d_rule(&w, QT_HOOK_uprobe, "e");
	struct qt_expr *read = x_at(&w, QT_X_MAP, QT_I64, keyed), *step = x_at(&w, QT_X_INCDEC, QT_I64, 1);

	*qt_vec_push(w.arena, &read->args) = x_arg(&w, 0);
	s_key(&w, s_add(&w, &r->body, QT_S_MAP_SET, keyed, x_bin(&w, QT_OP_ADD, read, x_arg(&w, 1))), x_arg(&w, 0));
	s_add(&w, &r->body, QT_S_MAP_ADD, only, x_arg(&w, 1));
	step->a = x_at(&w, QT_X_MAP, QT_I64, only);
	step->value = (uint64_t)-1;
	s_add(&w, &r->body, QT_S_MAP_AGG, sum, step);
	s_key(&w, s_add(&w, &r->body, QT_S_MAP_SET, text, x_str(&w, "t")), x_arg(&w, 0));
	r = d_rule(&w, QT_HOOK_uprobe, "drop");
	s_key(&w, s_add(&w, &r->body, QT_S_MAP_DELETE, keyed, NULL), x_arg(&w, 0));
	world_start(&w);
	fire(&w, "e", 7, 1, 10, 0); /* only: 10, 9 */
	fire(&w, "e", 7, 1, 5, 0); /* 14, 13 */
	fire(&w, "e", 7, 2, (uint64_t)-3, 0); /* 10, 9 */
	QT_EQ_STR(table(&w, 0), "2: -3; 1: 15; ");
	QT_EQ_STR(table(&w, 1), "9; ");
	QT_EQ_STR(table(&w, 2), "1: t; 2: t; ");
	QT_EQ_STR(table(&w, 3), "31; ");
	fire(&w, "drop", 7, 1, 0, 0);
	QT_EQ_STR(table(&w, 0), "2: -3; ");
	world_free(&w);
}

/* What is absent is the empty text, equal to "". */
QT_TEST(absent_text_is_empty)
{
	struct world w = world_new();
	uint32_t text = d_map(&w, "text", QT_I64, TEXT, QT_METRIC_COUNT), t = d_tag(&w, "t", 0, QT_I64, QT_U64, just_count);
	struct qt_rule *r = d_rule(&w, QT_HOOK_uprobe, "e");
	struct qt_expr *read = x_at(&w, QT_X_MAP, TEXT, text);

	*qt_vec_push(w.arena, &read->args) = x_arg(&w, 0);
	s_tag(&w, &r->body, t, x_eq(&w, read, x_str(&w, "")), NULL);
	world_start(&w);
	fire(&w, "e", 7, 1, 0, 0);
	QT_EQ_STR(table(&w, 0), "1: 1; ");
	world_free(&w);
}

/* ---- records ---- */

/* printf("%d|%s|%s|%s\n", arg0, str(arg1), comm, "lit") */
static void printf_rule(struct world *w)
{
	struct qt_format *f = qt_vec_push(w->arena, &w->p.formats);
	struct qt_rule *r = d_rule(w, QT_HOOK_uprobe, "e");
	struct qt_expr *args[] = { x_arg(w, 0), x_text(w, 1), x_comm(w), x_str(w, "lit") };
	struct qt_stmt *s = s_add(w, &r->body, QT_S_PRINTF, 0, NULL);

	for (unsigned k = 0; k < 4; k++) {
		piece(w, f, k ? QT_FMT_STR : QT_FMT_INT, "");
		piece(w, f, QT_FMT_TEXT, k < 3 ? "|" : "\n");
		*qt_vec_push(w->arena, &f->args) = args[k]->type;
		s_arg(w, s, args[k]);
	}
	world_start(w);
}

QT_TEST(printf_with_texts)
{
	static const char longer[] = "0123456789012345678901234567890123456789012345678901234567890123X";
	struct world w = world_new();

	printf_rule(&w);
	fire(&w, "e", 7, (uint64_t)-5, text_at(&w, "some text"), 0);
	fire(&w, "e", 7, 1, text_at(&w, ""), 0);
	QT_EQ_STR(output(&w), "-5|some text|comm|lit\n1||comm|lit\n");
	fire(&w, "e", 7, 2, 16, 0);
	fire(&w, "e", 7, 3, text_at(&w, longer), 0);
	QT_EQ_STR(output(&w), "2|<unreadable>|comm|lit\n3|0123456789012345678901234567890123456789012345678901234567890123...|comm|lit\n");
	QT_EQ_STR(losses(&w), "unreadable - 1; truncated - 1; ");
	world_free(&w);
}

QT_TEST(full_ring_is_counted)
{
	struct world w = world_new();
	uint64_t text;

	printf_rule(&w);
	text = text_at(&w, "12345678");
	qt_machine_set_ring(w.m, 300); /* a record: 24 + 5 * 8 + 11, rounded up, and a head of 8: 88 */
	for (unsigned k = 0; k < 5; k++)
		fire(&w, "e", 7, k, text, 0);
	QT_EQ_STR(output(&w), "0|12345678|comm|lit\n1|12345678|comm|lit\n2|12345678|comm|lit\n");
	QT_EQ_STR(losses(&w), "ring_full - 2; ");
	world_free(&w);
}

QT_TEST(exit_ends_everything)
{
	struct world w = world_new();
	uint32_t m = d_map(&w, "m", NOTHING, QT_I64, QT_METRIC_COUNT);
	struct qt_rule *r = d_rule(&w, QT_HOOK_uprobe, "e");
	int code = -1;

	s_add(&w, &r->body, QT_S_PRINT, m, NULL);
	s_add(&w, &r->body, QT_S_EXIT, 0, x_int(&w, 3));
	s_add(&w, &r->body, QT_S_PRINT, m, NULL);
	world_start(&w);
	fire(&w, "e", 7, 0, 0, 0);
	QT_TRUE(qt_machine_exited(w.m, &code));
	QT_EQ_INT(code, 3);
	fire(&w, "e", 7, 0, 0, 0); /* disabled */
	QT_EQ_STR(output(&w), "(record 1 of table 0)");
	world_free(&w);
}
