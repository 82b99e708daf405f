/* From typed programs to results: lowered by hand-made programs and run by the interpreter. */
#include "tests/unit/ir_program.h"

static const enum qt_metric just_count[] = { QT_METRIC_count, QT_METRIC_COUNT };

#define TEXT ((struct qt_type){ .kind = QT_TYPE_STR })
#define COMM ((struct qt_type){ .kind = QT_TYPE_COMM })
#define NOTHING ((struct qt_type){ .kind = QT_TYPE_VOID })

/* ---- contexts ---- */

/* `on set set c = arg0`, `on use if COND_READS tag c`, `on drop clear c`. */
static void context_rules(struct world *w, bool cond)
{
	uint32_t c = d_context(w, "c", QT_I64), t = d_tag(w, "use", 1, QT_I64, QT_U64, just_count);
	struct qt_rule *r = d_rule(w, QT_HOOK_uprobe, "set");

	s_add(w, &r->body, QT_S_SET, c, x_arg(w, 0));
	r = d_rule(w, QT_HOOK_uprobe, "use");
	w->p.tags.items[t].has_context = true;
	if (cond) {
		r->cond = x_bin(w, QT_OP_GT, x_at(w, QT_X_CONTEXT, QT_I64, c), x_int(w, 10));
		*qt_vec_push(w->arena, &r->cond_requires) = c;
	} else {
		*qt_vec_push(w->arena, &r->requires) = c;
	}
	s_tag(w, &r->body, t, x_at(w, QT_X_CONTEXT, QT_I64, c), NULL);
	r = d_rule(w, QT_HOOK_uprobe, "drop");
	s_add(w, &r->body, QT_S_CLEAR, c, NULL);
	world_start(w);
}

QT_TEST(context_is_of_its_thread)
{
	struct world w = world_new();

	context_rules(&w, false);
	fire(&w, "set", 7, 41, 0, 0);
	fire(&w, "set", 8, (uint64_t)-43, 0, 0);
	fire(&w, "use", 7, 0, 0, 0);
	fire(&w, "use", 8, 0, 0, 0);
	fire(&w, "use", 7, 0, 0, 0);
	QT_EQ_STR(table(&w, 0), "41: 2; -43: 1; ");
	world_free(&w);
}

QT_TEST(untagged_is_counted)
{
	struct world w = world_new();

	context_rules(&w, false);
	fire(&w, "use", 7, 0, 0, 0); /* nothing is kept for the thread */
	fire(&w, "drop", 7, 0, 0, 0);
	fire(&w, "set", 7, 5, 0, 0);
	fire(&w, "use", 7, 0, 0, 0);
	fire(&w, "drop", 7, 0, 0, 0);
	fire(&w, "use", 7, 0, 0, 0); /* set and taken away */
	fire(&w, "set", 7, 6, 0, 0);
	qt_machine_thread_exit(w.m, 7);
	fire(&w, "use", 7, 0, 0, 0); /* gone with its thread */
	QT_EQ_STR(table(&w, 0), "5: 1; untagged 3");
	world_free(&w);
}

QT_TEST(condition_without_context_is_silent)
{
	struct world w = world_new();

	context_rules(&w, true);
	fire(&w, "use", 7, 0, 0, 0);
	fire(&w, "set", 7, 11, 0, 0);
	fire(&w, "use", 7, 0, 0, 0);
	fire(&w, "set", 7, 10, 0, 0);
	fire(&w, "use", 7, 0, 0, 0);
	QT_EQ_STR(table(&w, 0), "11: 1; ");
	world_free(&w);
}

/* A rule that only asks: has() and ??, then changes what it asked for. */
QT_TEST(asking_needs_no_context)
{
	struct world w = world_new();
	uint32_t c = d_context(&w, "c", QT_I64), t = d_tag(&w, "t", 0, QT_I64, QT_U64, just_count);
	struct qt_rule *r = d_rule(&w, QT_HOOK_uprobe, "e");
	struct qt_expr *value = x_op(&w, QT_X_COALESCE, 0, QT_I64, x_at(&w, QT_X_CONTEXT, QT_I64, c), x_int(&w, 1000));
	struct qt_stmt *s;

	s_tag(&w, &r->body, t, value, NULL);
	s = s_add(&w, &r->body, QT_S_IF, 0, x_at(&w, QT_X_HAS, QT_INT(1, false), c));
	s_add(&w, &s->then, QT_S_CLEAR, c, NULL);
	s_add(&w, &s->otherwise, QT_S_SET, c, x_arg(&w, 0));
	s_tag(&w, &r->body, t, value, NULL);
	world_start(&w);
	fire(&w, "e", 7, 41, 0, 0); /* 1000, then 41 */
	fire(&w, "e", 7, 43, 0, 0); /* 41, then 1000 */
	QT_EQ_STR(table(&w, 0), "41: 2; 1000: 2; ");
	world_free(&w);
}

/* ---- metrics ---- */

QT_TEST(metrics_of_signed_and_huge_values)
{
	static const enum qt_metric all[] = { QT_METRIC_count, QT_METRIC_sum, QT_METRIC_avg, QT_METRIC_min, QT_METRIC_max, QT_METRIC_hist, QT_METRIC_COUNT };
	struct world w = world_new();
	uint32_t t = d_tag(&w, "t", 0, QT_I64, QT_I64, all), u = d_tag(&w, "u", 0, QT_I64, QT_U64, all);
	struct qt_rule *r = d_rule(&w, QT_HOOK_uprobe, "e");

	s_tag(&w, &r->body, t, x_arg(&w, 0), x_arg(&w, 1));
	s_tag(&w, &r->body, u, x_arg(&w, 0), x_arg(&w, 1));
	world_start(&w);
	fire(&w, "e", 7, 1, (uint64_t)-7, 0);
	fire(&w, "e", 7, 1, 0, 0);
	fire(&w, "e", 7, 1, 4, 0);
	fire(&w, "e", 7, 2, 1ull << 63, 0);
	fire(&w, "e", 7, 3, INT64_MAX, 0);
	QT_EQ_STR(table(&w, 0), "1: 3 -3 -1 -7 4 [0]1[1]1[4]1; "
				"2: 1 -9223372036854775808 -9223372036854775808 -9223372036854775808 -9223372036854775808 [0]1; "
				"3: 1 9223372036854775807 9223372036854775807 9223372036854775807 9223372036854775807 [64]1; ");
	QT_EQ_STR(table(&w, 1), "1: 3 18446744073709551613 6148914691236517204 0 18446744073709551609 [1]1[4]1[65]1; "
				"2: 1 9223372036854775808 9223372036854775808 9223372036854775808 9223372036854775808 [65]1; "
				"3: 1 9223372036854775807 9223372036854775807 9223372036854775807 9223372036854775807 [64]1; ");
	world_free(&w);
}

static bool any_atomic(const struct qt_ir *ir, uint32_t fn)
{
	qt_vec_each(block, &ir->fns.items[fn].blocks) {
		qt_vec_each(i, &block->ins) {
			if (i->atomic)
				return true;
		}
	}
	return false;
}

/* Plain adds only where no program that touches the table can be interrupted by another. */
QT_TEST(atomic_where_programs_nest)
{
	struct world w = world_new();
	uint32_t alone = d_map(&w, "alone", QT_I64, QT_U64, QT_METRIC_count), shared = d_map(&w, "shared", QT_I64, QT_U64, QT_METRIC_count);
	struct qt_rule *r = d_rule(&w, QT_HOOK_tracepoint, "t");

	s_key(&w, s_add(&w, &r->body, QT_S_MAP_AGG, alone, NULL), x_int(&w, 1));
	r = d_rule(&w, QT_HOOK_tracepoint, "t2");
	s_key(&w, s_add(&w, &r->body, QT_S_MAP_AGG, shared, NULL), x_int(&w, 1));
	r = d_rule(&w, QT_HOOK_uprobe, "u");
	s_key(&w, s_add(&w, &r->body, QT_S_MAP_AGG, shared, NULL), x_int(&w, 1));
	world_start(&w);
	QT_TRUE(!any_atomic(w.ir, 0));
	QT_TRUE(any_atomic(w.ir, 1));
	QT_TRUE(any_atomic(w.ir, 2));
	world_free(&w);
}

/* ---- pairs ---- */

/* `on ret tag entry.arg0 count(), sum(latency)` */
static void pair_rules(struct world *w, enum qt_hook entry, enum qt_hook ret)
{
	static const enum qt_metric metrics[] = { QT_METRIC_count, QT_METRIC_sum, QT_METRIC_COUNT };
	uint32_t t = d_tag(w, "t", 0, QT_I64, QT_U64, metrics);
	struct qt_rule *r = d_rule(w, ret, "ret");
	struct qt_pair *pair = d_pair(w, r, entry, "in");

	*qt_vec_push(w->arena, &pair->captures) = entry == QT_HOOK_tracepoint ? x_env(w, QT_ENV_cpu, QT_U64) : x_arg(w, 0);
	s_tag(w, &r->body, t, x_at(w, QT_X_ENTRY, QT_I64, 0), x_at(w, QT_X_LATENCY, QT_U64, 0));
	world_start(w);
}

static void at(struct world *w, const char *probe, uint64_t time, uint64_t sp, uint64_t arg0)
{
	struct qt_event e = event(probe, 7);

	e.time_ns = time;
	e.regs[QT_REG_rsp] = sp;
	e.regs[QT_REG_rdi] = arg0;
	QT_EQ_INT(qt_machine_run(w->m, &e), 1);
}

/* At the return the stack pointer is above the return address. */
QT_TEST(recursion_is_paired)
{
	struct world w = world_new();

	pair_rules(&w, QT_HOOK_uprobe, QT_HOOK_uretprobe);
	at(&w, "in", 100, 1000, 11);
	at(&w, "in", 110, 900, 13);
	at(&w, "ret", 117, 908, 0);
	at(&w, "in", 120, 900, 17);
	at(&w, "ret", 123, 908, 0);
	at(&w, "ret", 141, 1008, 0);
	QT_EQ_STR(table(&w, 0), "11: 1 41; 13: 1 7; 17: 1 3; ");
	QT_EQ_STR(losses(&w), "");
	world_free(&w);
}

QT_TEST(returns_without_entry_are_counted)
{
	struct world w = world_new();

	pair_rules(&w, QT_HOOK_uprobe, QT_HOOK_uretprobe);
	at(&w, "ret", 1, 1008, 0);
	at(&w, "in", 2, 1000, 5);
	at(&w, "ret", 3, 2008, 0);
	at(&w, "ret", 4, 1008, 0);
	QT_EQ_STR(table(&w, 0), "5: 1 2; ");
	QT_EQ_STR(losses(&w), "unpaired ret 2; ");
	world_free(&w);
}

/* The 33rd call gives up the frame of the first, whose return then has no entry. */
QT_TEST(too_deep_calls_are_counted)
{
	struct world w = world_new();

	pair_rules(&w, QT_HOOK_uprobe, QT_HOOK_uretprobe);
	for (unsigned k = 0; k <= QT_FRAME_DEPTH; k++)
		at(&w, "in", k, 10000 - 100 * k, 1);
	QT_EQ_STR(losses(&w), "unpaired ret 1; ");
	for (unsigned k = QT_FRAME_DEPTH + 1; k-- > 0;)
		at(&w, "ret", k, 10008 - 100 * k, 0);
	QT_EQ_STR(table(&w, 0), "1: 32 0; ");
	QT_EQ_STR(losses(&w), "unpaired ret 2; ");
	world_free(&w);
}

/* A call left by a jump: the next one at the same place of the stack takes its frame, and that is told. */
QT_TEST(calls_left_by_a_jump_are_counted)
{
	struct world w = world_new();

	pair_rules(&w, QT_HOOK_uprobe, QT_HOOK_uretprobe);
	at(&w, "in", 10, 1000, 5);
	at(&w, "in", 20, 1000, 7);
	at(&w, "ret", 23, 1008, 0);
	QT_EQ_STR(table(&w, 0), "7: 1 3; ");
	QT_EQ_STR(losses(&w), "unpaired ret 1; ");
	world_free(&w);
}

QT_TEST(system_calls_pair_by_thread)
{
	struct world w = world_new();

	pair_rules(&w, QT_HOOK_tracepoint, QT_HOOK_tracepoint);
	at(&w, "in", 10, 0, 0);
	at(&w, "ret", 15, 0, 0);
	at(&w, "ret", 16, 0, 0);
	QT_EQ_STR(table(&w, 0), "0: 1 5; ");
	QT_EQ_STR(losses(&w), "unpaired ret 1; ");
	world_free(&w);
}

QT_TEST(trampolines_pair_by_frame)
{
	struct world w = world_new();

	pair_rules(&w, QT_HOOK_fentry, QT_HOOK_fexit);
	QT_EQ_STR(w.plan->progs.items[0].attach_to, "f");
	at(&w, "in", 10, 500, 0);
	at(&w, "in", 11, 400, 0);
	at(&w, "ret", 12, 400, 0);
	at(&w, "ret", 15, 500, 0);
	QT_EQ_STR(table(&w, 0), "0: 2 6; ");
	world_free(&w);
}

/* Two rules at one return: one program at the entry, a frame for each. */
QT_TEST(rules_share_an_entry)
{
	struct world w = world_new();
	uint32_t a = d_tag(&w, "a", 0, QT_I64, QT_U64, just_count), b = d_tag(&w, "b", 1, QT_I64, QT_U64, just_count);
	struct qt_rule *r;

	for (unsigned k = 0; k < 2; k++) {
		r = d_rule(&w, QT_HOOK_uretprobe, "ret");
		d_pair(&w, r, QT_HOOK_uprobe, "in");
		s_tag(&w, &r->body, k ? b : a, x_at(&w, QT_X_LATENCY, QT_U64, 0), NULL);
	}
	world_start(&w);
	QT_EQ_INT(w.plan->progs.len, 3);
	at(&w, "in", 10, 1000, 0);
	QT_EQ_INT(fire(&w, "ret", 7, 0, 0, 1008), 2);
	QT_EQ_STR(table(&w, 0), "-10: 1; ");
	QT_EQ_STR(table(&w, 1), table(&w, 0));
	QT_EQ_STR(losses(&w), "");
	world_free(&w);
}

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
	QT_EQ_STR(losses(&w), "map_full strings 2; map_full t 2; ");
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

	s_tag(&w, &r->body, t, x_bin(&w, QT_OP_ADD, get, x_bin(&w, QT_OP_ADD, x_bin(&w, QT_OP_MUL, same, x_int(&w, 10)), x_bin(&w, QT_OP_MUL, name, x_int(&w, 100)))),
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

static void piece(struct world *w, struct qt_format *f, enum qt_format_kind kind, const char *text)
{
	*qt_vec_push(w->arena, &f->pieces) = (struct qt_format_piece){ .kind = kind, .text = qt_str_from(text), .width = -1, .precision = -1 };
}

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

/* ---- programs and points ---- */

QT_TEST(cookies_tell_points_apart)
{
	struct qt_type probe = { .kind = QT_TYPE_PROBE };
	struct world w = world_new();
	uint32_t t = d_tag(&w, "t", 0, probe, QT_U64, just_count);
	struct qt_rule *r = d_rule(&w, QT_HOOK_uprobe, "one");

	*qt_vec_push(w.arena, &r->points) = (struct qt_point){ .probe = "two", .func = "g", .path = "/bin/x", .offset = 8 };
	s_tag(&w, &r->body, t, x_env(&w, QT_ENV_probe, probe), NULL);
	r = d_rule(&w, QT_HOOK_raw_tracepoint, "three");
	*qt_vec_push(w.arena, &r->points) = (struct qt_point){ .probe = "four", .func = "h", .event = "h" };
	s_tag(&w, &r->body, t, x_env(&w, QT_ENV_probe, probe), NULL);
	world_start(&w);
	QT_EQ_INT(w.plan->progs.len, 3);
	QT_EQ_STR(w.plan->progs.items[2].attach_to, "h");
	fire(&w, "two", 7, 0, 0, 0);
	fire(&w, "four", 7, 0, 0, 0);
	fire(&w, "two", 7, 0, 0, 0);
	fire(&w, "one", 7, 0, 0, 0);
	fire(&w, "three", 7, 0, 0, 0);
	QT_EQ_STR(table(&w, 0), "two: 2; four: 1; one: 1; three: 1; ");
	world_free(&w);
}

/* Sites of one probe with other layouts of their arguments: the event's site picks; without one the first stands for all. */
QT_TEST(sites_of_one_rule)
{
	struct world w = world_new();
	uint32_t t = d_tag(&w, "t", 0, QT_I64, QT_U64, just_count);
	struct qt_event e = event("usdt", 7);
	struct qt_rule *r;

	for (uint32_t k = 0; k < 2; k++) {
		r = d_rule(&w, QT_HOOK_uprobe, "usdt");
		r->span = (struct qt_span){ 1, 0, 10 };
		r->source = 0;
		r->points.items[0].offset = 100 + k;
		s_tag(&w, &r->body, t, x_int(&w, k), NULL);
	}
	world_start(&w);
	QT_EQ_INT(qt_machine_run(w.m, &e), 1);
	e.site = 101;
	QT_EQ_INT(qt_machine_run(w.m, &e), 1);
	QT_EQ_INT(qt_machine_run(w.m, &e), 1);
	QT_EQ_STR(table(&w, 0), "1: 2; 0: 1; ");
	world_free(&w);
}

static bool count_entry(const void *key, const void *values, unsigned ncpu, void *ctx)
{
	(void)values;
	(void)ncpu;
	memcpy(ctx, key, 8);
	return true;
}

/* A fork of a wanted process puts the child into the filter, its end takes it out. */
QT_TEST(processes_are_followed)
{
	static const unsigned char record[48] = { [44] = 99 };
	struct world w = world_new();
	struct qt_event e = event("tracepoint:sched:sched_process_fork", 7);
	const struct qt_store *s;
	uint64_t pid = 0;

	w.p.fork_child_pid_offset = 44;
	d_rule(&w, QT_HOOK_uprobe, "any");
	world_start(&w);
	QT_EQ_INT(w.plan->progs.items[1].role, QT_ROLE_FORK);
	QT_EQ_INT(w.plan->progs.items[2].role, QT_ROLE_PROC_EXIT);
	s = qt_machine_store(w.m);
	e.ctx = record;
	e.ctx_size = sizeof(record);
	QT_EQ_INT(qt_machine_run(w.m, &e), 1);
	s->entries(s->self, QT_MAP_FILTER, count_entry, &pid);
	QT_EQ_INT(pid, 99);
	e = event("tracepoint:sched:sched_process_exit", 99);
	QT_EQ_INT(qt_machine_run(w.m, &e), 1);
	pid = 0;
	s->entries(s->self, QT_MAP_FILTER, count_entry, &pid);
	QT_EQ_INT(pid, 0);
	world_free(&w);
}

/* ---- limits ---- */

static void refused(struct world *w, enum qt_code code)
{
	unsigned n = 0;

	QT_TRUE(!world_lower(w));
	qt_diags_sorted(w->diags, &n);
	QT_NEED(n > 0);
	QT_EQ_STR(qt_code_name(qt_diags_sorted(w->diags, &n)[0]->code), qt_code_name(code));
	QT_TRUE(qt_diags_sorted(w->diags, &n)[0]->hint != NULL);
	world_free(w);
}

QT_TEST(limit_of_the_stack)
{
	struct world w = world_new();
	uint32_t t = d_tag(&w, "t", 0, QT_I64, QT_U64, just_count);
	struct qt_rule *r = d_rule(&w, QT_HOOK_uprobe, "e");
	struct qt_stmt *s = s_add(&w, &r->body, QT_S_TAG, t, NULL);

	for (unsigned k = 0; k < 33; k++) {
		if (k)
			*qt_vec_push(w.arena, &w.p.tags.items[t].keys) = (struct qt_column){ "k", QT_I64, QT_METRIC_COUNT };
		s_key(&w, s, x_int(&w, k));
	}
	s_arg(&w, s, NULL);
	refused(&w, QT_E0501);
}

QT_TEST(limit_of_task_storage)
{
	struct world w = world_new();

	for (unsigned k = 0; k < 64; k++)
		d_pair(&w, d_rule(&w, QT_HOOK_uretprobe, "ret"), QT_HOOK_uprobe, "in");
	refused(&w, QT_E0502);
}

static void many_texts(struct world *w, unsigned n)
{
	struct qt_format *f = qt_vec_push(w->arena, &w->p.formats);
	struct qt_rule *r = d_rule(w, QT_HOOK_uprobe, "e");
	struct qt_stmt *s = s_add(w, &r->body, QT_S_PRINTF, 0, NULL);

	for (unsigned k = 0; k < n; k++) {
		piece(w, f, QT_FMT_STR, "");
		*qt_vec_push(w->arena, &f->args) = TEXT;
		s_arg(w, s, x_text(w, 0));
	}
}

QT_TEST(limit_of_scratch)
{
	struct world w = world_new();

	w.p.max_strlen = 16384;
	many_texts(&w, 2);
	refused(&w, QT_E0503);
}

QT_TEST(limit_of_a_row)
{
	struct world w = world_new();
	enum qt_metric hists[64];

	for (unsigned k = 0; k < 63; k++)
		hists[k] = QT_METRIC_hist;
	hists[63] = QT_METRIC_COUNT;
	d_tag(&w, "t", 0, QT_I64, QT_I64, hists);
	refused(&w, QT_E0504);
}

QT_TEST(limit_of_nesting)
{
	struct world w = world_new();
	uint32_t t = d_tag(&w, "t", 0, QT_I64, QT_U64, just_count);
	struct qt_rule *r = d_rule(&w, QT_HOOK_uprobe, "e");
	struct qt_expr *e = x_int(&w, 1);

	for (unsigned k = 0; k < 5000; k++)
		e = x_bin(&w, QT_OP_ADD, e, x_arg(&w, 0));
	s_tag(&w, &r->body, t, e, NULL);
	refused(&w, QT_E0505);
}

QT_TEST(limit_of_a_record)
{
	struct world w = world_new();

	w.p.max_strlen = 16384;
	many_texts(&w, 4);
	refused(&w, QT_E0506);
}

/* ---- passes ---- */

QT_TEST(constants_are_folded)
{
	struct world w = world_new();
	uint32_t m = d_map(&w, "m", NOTHING, QT_I64, QT_METRIC_COUNT);
	struct qt_rule *r = d_rule(&w, QT_HOOK_begin, "begin");
	struct qt_stmt *s = s_add(&w, &r->body, QT_S_IF, 0, x_bin(&w, QT_OP_LT, x_int(&w, 2), x_int(&w, 1)));
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	s_add(&w, &s->then, QT_S_EXIT, 0, NULL);
	s_add(&w, &r->body, QT_S_MAP_ADD, m, x_bin(&w, QT_OP_MUL, x_int(&w, 6), x_int(&w, 7)));
	world_start(&w);
	qt_ir_dump(w.ir, out);
	fclose(out);
	QT_EQ_STR(text, "program begin_0 (begin)\n"
			"\tb0: words, 8 bytes\n"
			"0:\n"
			"\tv10 = const 42\n"
			"\tv11 = const 0\n"
			"\tbuf_store v11 +0 b0\n"
			"\tv12 = map_upsert map0 b0 else 2\n"
			"\trow_add v12, v10 +0 atomic\n"
			"\tbr -> 1\n"
			"1:\n"
			"\tret\n"
			"2:\n"
			"\tcount map_full \"@m\"\n"
			"\tbr -> 1\n");
	free(text);
	world_free(&w);
}
