/* Processes and threads that come and go. The process tree of a traced command: one program puts what a wanted process forks into the map `filter`, one takes it out at its end. A new process's thread id is its process id;
 * ids of plain threads get there too and do no harm, since the filter asks for process ids and each id is taken out at the end of its thread. The
 * first thread of a process stays until all others have ended, also when it exits before them. */
#include "ir/lower_internal.h"

static void point_at(struct qt_lower *l, const char *probe, const char *event)
{
	struct qt_plan_point point = { .prog = l->plan->progs.len - 1 };

	point.probe = qt_layout_probe(l, probe, event + sizeof("sched/") - 1);
	point.event = qt_layout_copy(l, event);
	l->plan->progs.items[point.prog].probe = l->plan->probes.items[point.probe].text;
	*qt_vec_push(l->plan->arena, &l->plan->points) = point;
}

static uint32_t word_buf(struct qt_lower *l, uint32_t v)
{
	uint32_t buf = qt_flow_words(l, 8, (struct qt_span){ 0 });

	qt_flow_buf(l, QT_IR_buf_store, v, 0, buf);
	return buf;
}

/* Runs in the parent. */
static void fork_program(struct qt_lower *l)
{
	struct qt_ir_ins *i;
	uint32_t child, one, full;

	qt_flow_begin(l, NULL, QT_HOOK_tracepoint, "fork", QT_ROLE_FORK);
	point_at(l, "tracepoint:sched:sched_process_fork", "sched/sched_process_fork");
	qt_flow_may_fail(l, QT_IR_filter, 0, 0, 0, qt_flow_leave(l));
	child = word_buf(l, qt_flow_sized(l, QT_IR_ctx_load, 0, 0, l->program->fork_child_pid_offset, 4, false));
	one = word_buf(l, qt_ir_const(&l->b, 1));
	full = qt_flow_count(l, QT_LOSS_map_full, "processes", qt_flow_leave(l));
	i = qt_ir_emit(&l->b, QT_IR_map_put, 0, 0);
	i->imm = QT_MAP_FILTER;
	i->buf = child;
	i->buf2 = one;
	i->fail = full;
	qt_flow_br(l, qt_flow_leave(l));
}

static void forget(struct qt_lower *l, uint32_t id)
{
	qt_flow_buf(l, QT_IR_map_delete, 0, QT_MAP_FILTER, word_buf(l, id));
}

/* The exit says whether it is that of the last thread (since Linux 6.16): then the process goes, else only a thread that is not the first. Id 0 is nobody's. */
static void forget_at_exit(struct qt_lower *l)
{
	uint32_t both = qt_flow_pid_tgid(l), tid = qt_flow_sized(l, QT_IR_ext, both, 0, 0, 4, false);
	uint32_t pid = qt_ir_bin(&l->b, QT_IR_lshr, both, qt_ir_const(&l->b, 32));
	uint32_t last = qt_flow_sized(l, QT_IR_ctx_load, 0, 0, l->program->exit_last_offset, 1, false);

	forget(l, qt_ir_bin(&l->b, QT_IR_mul, tid, qt_ir_bin(&l->b, QT_IR_ne, tid, pid)));
	forget(l, qt_ir_bin(&l->b, QT_IR_mul, pid, last));
}

static void exit_program(struct qt_lower *l)
{
	const struct qt_program *p = l->program;

	qt_flow_begin(l, NULL, QT_HOOK_tracepoint, "proc_exit", QT_ROLE_PROC_EXIT);
	if (p->exit_last_offset) {
		point_at(l, "tracepoint:sched:sched_process_exit", "sched/sched_process_exit");
		forget_at_exit(l);
	} else if (p->free_pid_offset) { /* older kernels: the first thread's task is freed after all others have ended */
		point_at(l, "tracepoint:sched:sched_process_free", "sched/sched_process_free");
		forget(l, qt_flow_sized(l, QT_IR_ctx_load, 0, 0, p->free_pid_offset, 4, false));
	} else { /* facts without either: the exit of the first thread has to do */
		point_at(l, "tracepoint:sched:sched_process_exit", "sched/sched_process_exit");
		forget(l, qt_flow_sized(l, QT_IR_ext, qt_flow_pid_tgid(l), 0, 0, 4, false));
	}
	qt_flow_br(l, qt_flow_leave(l));
}

/* Programs that run at timers alone ask for no process. */
static bool filters_any(const struct qt_ir *ir)
{
	qt_vec_each (fn, &ir->fns) {
		if (fn->hook != QT_HOOK_begin && fn->hook != QT_HOOK_end && fn->hook != QT_HOOK_interval)
			return true;
	}
	return false;
}

void qt_lower_processes(struct qt_lower *l)
{
	if (!l->program->fork_child_pid_offset || !filters_any(l->ir))
		return;
	fork_program(l);
	exit_program(l);
}

/* A thread's place is freed when nothing can happen on the thread any more: the kernel tells, later and on whatever CPU, with the task_struct as argument. */
void qt_lower_thread_end(struct qt_lower *l)
{
	if (!l->plan->maps.items[QT_MAP_THREADS].max_entries)
		return;
	qt_flow_begin(l, NULL, QT_HOOK_raw_tracepoint, "thread_gone", QT_ROLE_THREAD_GONE);
	l->plan->progs.items[l->plan->progs.len - 1].attach_to = qt_layout_copy(l, "sched_process_free");
	point_at(l, "rawtracepoint:sched_process_free", "sched_process_free");
	qt_flow_op(l, QT_IR_task_drop, qt_flow_sized(l, QT_IR_ctx_load, 0, 0, 0, 8, false), 0, 0);
	qt_flow_br(l, qt_flow_leave(l));
}
