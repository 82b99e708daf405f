/* From typed programs to plans: programs and their points, limits, what the passes leave. */
#include "tests/unit/ir_program.h"

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

/* The process in the filter, 0 for none. */
static uint64_t followed(const struct world *w)
{
	const struct qt_store *s = qt_machine_store(w->m);
	uint64_t pid = 0;

	s->entries(s->self, QT_MAP_FILTER, count_entry, &pid);
	return pid;
}

/* Runs the one program at END with RECORD. */
static void run_with(struct world *w, struct qt_event end, const void *record, uint32_t size)
{
	end.ctx = record;
	end.ctx_size = size;
	QT_EQ_INT(qt_machine_run(w->m, &end), 1);
}

/* A world whose wanted process has forked process 97, which is followed then. */
static void forked_world(struct world *w)
{
	static const unsigned char record[48] = { [44] = 97 };

	w->p.fork_child_pid_offset = 44;
	d_rule(w, QT_HOOK_uprobe, "any");
	world_start(w);
	run_with(w, event("tracepoint:sched:sched_process_fork", 7), record, sizeof(record));
	QT_EQ_INT(followed(w), 97);
}

/* A fork of a wanted process puts the child into the filter, its end takes it out. */
QT_TEST(processes_are_followed)
{
	struct world w = world_new();

	forked_world(&w);
	QT_EQ_INT(w.plan->progs.items[1].role, QT_ROLE_FORK);
	QT_EQ_INT(w.plan->progs.items[2].role, QT_ROLE_PROC_EXIT);
	run_with(&w, event("tracepoint:sched:sched_process_exit", 97), NULL, 0);
	QT_EQ_INT(followed(&w), 0);
	world_free(&w);
}

/* The end of a process is when its task is freed, in whatever process that happens. */
QT_TEST(freed_processes_are_forgotten)
{
	static const unsigned char freed[24] = { [12] = 97 };
	struct world w = world_new();

	w.p.free_pid_offset = 12;
	forked_world(&w);
	run_with(&w, event("tracepoint:sched:sched_process_free", 3), freed, sizeof(freed));
	QT_EQ_INT(followed(&w), 0);
	world_free(&w);
}

/* Where the exit says which thread is the last: the first thread's exit before the others leaves the process in. */
QT_TEST(processes_end_with_their_last_thread)
{
	static const unsigned char one[40] = { 0 }, last[40] = { [32] = 1 };
	struct world w = world_new();

	w.p.exit_last_offset = 32;
	forked_world(&w);
	run_with(&w, event("tracepoint:sched:sched_process_exit", 97), one, sizeof(one));
	QT_EQ_INT(followed(&w), 97);
	run_with(&w, event("tracepoint:sched:sched_process_exit", 97), last, sizeof(last));
	QT_EQ_INT(followed(&w), 0);
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

QT_TEST(limit_of_a_record)
{
	struct world w = world_new();

	w.p.max_strlen = 16384;
	many_texts(&w, 4);
	refused(&w, QT_E0505);
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
