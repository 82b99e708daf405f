/* From typed programs to results: contexts, metrics and pairs, lowered by hand-made programs and run by the interpreter. */
#include "tests/unit/ir_program.h"

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
	static const enum qt_metric all[] = { QT_METRIC_count, QT_METRIC_sum,  QT_METRIC_avg,  QT_METRIC_min,
					      QT_METRIC_max,   QT_METRIC_hist, QT_METRIC_COUNT };
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
	qt_vec_each (block, &ir->fns.items[fn].blocks) {
		qt_vec_each (i, &block->ins) {
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
