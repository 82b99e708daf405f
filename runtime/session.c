/* One run from its first check to its last byte, as a line of steps: check, hold the command, load, begin, attach, go, wait, stop. Everything that
 * happens while it waits (signals, ends of processes, timers, records) comes through one epoll; nothing happens in signal handlers. Whatever
 * fails, cleaning up is the same: detach, no child left, signal mask as before. */
#include "runtime/session.h"

#include "base/check.h"
#include "runtime/child.h"
#include "runtime/command.h"
#include "runtime/impatience.h"
#include "runtime/runtime_internal.h"
#include "runtime/show.h"
#include "runtime/spaces.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define TICK_MS 50 /* how long a record, exit() or a closed output may wait */
#define BUSY_MS 2 /* the same while the ring fills quickly */
#define PATIENCE_MS 1000 /* for a command that was asked to end */
#define CATCH_UP 1000 /* missed runs of an interval program that are made up for at once */

#define SECOND_NS 1000000000u

struct session {
	struct qt_run run;
	const struct qt_session_options *options;
	struct qt_session_end *end;
	uint64_t begin_ns;

	struct qt_child child;
	char *path; /* of the command */
	struct qt_words words;

	struct qt_loaded loaded;
	struct qt_attachment attachment;
	struct qt_kernel_store store;
	struct qt_collector collector;

	sigset_t old_mask;
	struct rlimit old_files;
	int epoll, signals;
	struct qt_impatience impatience;
	QT_VEC(int) fds; /* timers and processes: closed at the end */
	int *pidfds;
	unsigned pids_left;
	bool stopping;
	uint64_t checked_ns; /* when the output was last asked whether it is closed */
	uint64_t missed;
};

/* A thing that epoll watches: FN is called when FD can be read. */
struct source {
	void (*fn)(struct session *s, struct source *source);
	int fd;
	uint32_t prog;
};

/* ---- sources --------------------------------------------------------------------------------------------------------- */

static bool watch(struct session *s, int fd, void (*fn)(struct session *, struct source *), uint32_t prog)
{
	struct source *source = QT_NEW(s->run.arena, struct source);
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = source };

	*source = (struct source){ fn, fd, prog };
	if (epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &event) == 0)
		return true;
	qt_diag_run(&s->run, QT_E0612, "an event could not be watched: %s", qt_errno_text(&s->run, errno));
	return false;
}

static void on_signal(struct session *s, struct source *source)
{
	struct signalfd_siginfo info;

	if (read(source->fd, &info, sizeof(info)) == sizeof(info))
		s->stopping = true;
}

static void on_asked(struct session *s, struct source *source)
{
	(void)source;
	s->stopping = true;
}

static void on_command_end(struct session *s, struct source *source)
{
	(void)source;
	if (qt_child_ended(&s->child)) {
		s->end->command_ended = true;
		s->stopping = true;
	}
}

static void on_process_end(struct session *s, struct source *source)
{
	epoll_ctl(s->epoll, EPOLL_CTL_DEL, source->fd, NULL);
	if (--s->pids_left == 0)
		s->stopping = true;
}

static void on_duration(struct session *s, struct source *source)
{
	(void)source;
	s->stopping = true;
}

static uint64_t expirations(int fd)
{
	uint64_t times = 0;

	return read(fd, &times, sizeof(times)) == sizeof(times) ? times : 0;
}

static void on_report(struct session *s, struct source *source)
{
	if (!expirations(source->fd))
		return;
	qt_collect_tables(&s->collector, s->options->clear);
	qt_collect_flush(&s->collector);
}

static void on_interval(struct session *s, struct source *source)
{
	uint64_t times = expirations(source->fd);

	for (uint64_t i = 0; i < times && i < CATCH_UP && !qt_live_get(&s->loaded, QT_LIVE_EXIT); i++)
		qt_run_program(&s->loaded, source->prog);
}

static void on_ring(struct session *s, struct source *source)
{
	(void)s, (void)source; /* each round reads the ring */
}

static bool watch_timer(struct session *s, uint64_t ns, bool again, void (*fn)(struct session *, struct source *), uint32_t prog)
{
	struct timespec span = { (time_t)(ns / SECOND_NS), (long)(ns % SECOND_NS) };
	struct itimerspec spec = { .it_value = span };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	if (again)
		spec.it_interval = span;
	*qt_vec_push(s->run.arena, &s->fds) = fd;
	if (fd < 0 || timerfd_settime(fd, 0, &spec, NULL) < 0) {
		qt_diag_run(&s->run, QT_E0612, "a timer could not be started: %s", qt_errno_text(&s->run, errno));
		return false;
	}
	return watch(s, fd, fn, prog);
}

static bool watch_timers(struct session *s)
{
	const struct qt_plan *plan = s->run.plan;
	bool ok = true;

	if (s->options->duration_ns)
		ok &= watch_timer(s, s->options->duration_ns, false, on_duration, 0);
	if (s->options->interval_ns)
		ok &= watch_timer(s, s->options->interval_ns, true, on_report, 0);
	qt_vec_each (p, &plan->points)
		if (plan->progs.items[p->prog].hook == QT_HOOK_interval && p->period_ns)
			ok &= watch_timer(s, p->period_ns, true, on_interval, p->prog);
	return ok;
}

/* ---- check ----------------------------------------------------------------------------------------------------------- */

static bool block_signals(struct session *s)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &set, &s->old_mask);
	s->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (s->signals < 0 || s->epoll < 0) {
		int err = -errno;

		qt_hint_files(&s->run, qt_diag_run(&s->run, QT_E0612, "signals cannot be watched: %s", qt_errno_text(&s->run, err)), err);
		return false;
	}
	return watch(s, s->signals, on_signal, 0);
}

/* While it traces, a thread of its own serves the signals: this one may be blocked by whoever reads the results. */
static bool heed_signals(struct session *s)
{
	if (!qt_impatience_begin(&s->impatience, s->signals, s->child.pidfd))
		return true;
	epoll_ctl(s->epoll, EPOLL_CTL_DEL, s->signals, NULL);
	return watch(s, s->impatience.asked, on_asked, 0);
}

static bool open_processes(struct session *s)
{
	bool ok;

	s->pidfds = QT_NEW_ARRAY(s->run.arena, int, s->options->npids + 1);
	for (unsigned i = 0; i < s->options->npids; i++)
		s->pidfds[i] = -1;
	ok = qt_processes_open(&s->run, s->pidfds);
	for (unsigned i = 0; i < s->options->npids; i++) {
		*qt_vec_push(s->run.arena, &s->fds) = s->pidfds[i];
		if (s->pidfds[i] < 0 || !ok)
			continue;
		if (!watch(s, s->pidfds[i], on_process_end, 0))
			return false;
		s->pids_left++;
	}
	return ok;
}

static bool check(struct session *s)
{
	qt_files_raise(&s->old_files);
	if (!s->run.plan->object) {
		qt_diag_run(&s->run, QT_E0604, "the plan holds no compiled programs");
		return false;
	}
	return qt_privileges_check(&s->run) && (!s->options->from_file || qt_binaries_check(&s->run)) && qt_command_prepare(&s->run, &s->words, &s->path) && block_signals(s) && open_processes(s);
}

/* ---- load ------------------------------------------------------------------------------------------------------------ */

/* The child is there before the programs are loaded, since their constant area holds its id. */
static bool hold_command(struct session *s)
{
	int err;

	if (!s->path || s->options->dry_run)
		return true;
	err = qt_child_start(&s->child, s->path, s->words.items, &(struct qt_child_gets){ &s->old_mask, &s->old_files });
	if (err)
		qt_hint_files(&s->run, qt_diag_run(&s->run, QT_E0612, "no process could be started for the command: %s", qt_errno_text(&s->run, err)), err);
	return !err && watch(s, s->child.pidfd, on_command_end, 0);
}

static unsigned count_loaded(const struct session *s)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < s->run.plan->progs.len; i++)
		n += s->loaded.prog_fds[i] >= 0;
	return n;
}

static bool load(struct session *s)
{
	const struct qt_session_options *o = s->options;
	uint32_t *pids = QT_NEW_ARRAY(s->run.arena, uint32_t, o->npids + 1);
	struct qt_load_options load = { .pids = pids };
	int err;

	if (s->child.pid)
		pids[load.npids++] = (uint32_t)s->child.pid;
	for (unsigned i = 0; i < o->npids; i++)
		pids[load.npids++] = o->pids[i];
	if (!o->all) {
		load.tree = s->child.pid != 0;
		load.filter = load.npids == 0 ? QT_FILTER_NONE : load.npids == 1 && !load.tree ? QT_FILTER_ONE : QT_FILTER_TREE;
	}
	if (!qt_run_load(&s->run, &load, &s->loaded))
		return false;
	qt_store_open(&s->store, &s->run, &s->loaded);
	err = qt_collector_open(&s->collector, &s->run, &s->store, &s->loaded);
	if (err)
		qt_diag_run(&s->run, QT_E0612, "the ring buffer cannot be mapped: %s", qt_errno_text(&s->run, err));
	qt_message(&s->run, 1, "loaded %u programs after %.1f ms\n", count_loaded(s), (double)(qt_now_ns() - s->begin_ns) / 1e6);
	return !err;
}

/* ---- begin, attach, go ----------------------------------------------------------------------------------------------- */

/* begin and end programs are the only ones that do not ask for `enabled`: they run while it is 0, and so alone. */
static bool run_alone(struct session *s, enum qt_hook hook)
{
	bool ok;

	if (!qt_live_get(&s->loaded, QT_LIVE_START))
		qt_live_set(&s->loaded, QT_LIVE_START, qt_now_ns());
	ok = qt_run_hook(&s->run, &s->loaded, hook);
	if (qt_live_get(&s->loaded, QT_LIVE_EXIT))
		s->stopping = true;
	return ok;
}

static bool is_interrupted(void *ctx)
{
	struct session *s = ctx;
	struct source source = { .fd = s->signals };

	on_signal(s, &source);
	return s->stopping;
}

/* One process only: then the breakpoints of user probes need not be in all others. Multi links took a process id for a thread's before 6.10. */
static pid_t only_process(const struct session *s)
{
	const struct qt_session_options *o = s->options;

	if (o->npids != 1 || o->command || o->all)
		return 0;
	if (s->loaded.uprobe_multi && qt_target_kernel(s->run.target)->version < (6 << 16 | 10 << 8))
		return 0;
	return (pid_t)o->pids[0];
}

/* Before anything is attached, so that no process is missed. What only runs because it was asked for by -c tells of itself. */
static void watch_spaces(struct session *s)
{
	struct qt_spaces *spaces = qt_shower_spaces(s->store.shower);
	int err;

	if (!s->run.plan->names_user)
		return;
	err = qt_spaces_watch(spaces);
	if (err)
		qt_message(&s->run, 1, "processes that end before they are printed will have no symbols: %s\n", qt_errno_text(&s->run, err));
	for (unsigned i = 0; i < s->options->npids; i++)
		qt_spaces_snapshot(spaces, s->options->pids[i]);
	if (!s->options->npids && !s->child.pid)
		qt_spaces_snapshot_all(spaces);
}

static bool attach(struct session *s)
{
	struct qt_attachment *a = &s->attachment;

	*a = (struct qt_attachment){ .run = &s->run, .loaded = &s->loaded, .pid = only_process(s), .interrupted = is_interrupted, .ctx = s };
	return qt_attach(a);
}

/* The one store that begins everything stands between the child's last system call and its exec. */
static bool go(struct session *s)
{
	int err = s->child.pid ? qt_child_ready(&s->child) : 0;

	if (err == -ECHILD)
		return true; /* a signal took it: the loop sees its end */
	qt_live_set(&s->loaded, QT_LIVE_START, qt_now_ns());
	qt_live_set(&s->loaded, QT_LIVE_ENABLED, 1);
	s->end->attach_ns = qt_now_ns() - s->begin_ns;
	if (!err && s->child.pid)
		err = qt_child_release(&s->child);
	if (err) {
		qt_command_report(&s->run, s->words.items[0], err);
		return false;
	}
	s->end->command_ran = s->child.pid != 0;
	qt_message(&s->run, 1, "attached %u probes by %u links after %.1f ms%s\n", s->attachment.probes, s->attachment.links.len,
		   (double)s->end->attach_ns / 1e6, s->loaded.uprobe_multi ? " (uprobe_multi)" : "");
	return watch_timers(s) && (!s->collector.has_ring || watch(s, s->loaded.map_fds[QT_MAP_RING], on_ring, 0));
}

/* ---- wait ------------------------------------------------------------------------------------------------------------ */

static void check_output(struct session *s)
{
	uint64_t now = qt_now_ns();

	if (now - s->checked_ns < TICK_MS * 1000000ull || !s->run.sink->closed)
		return;
	s->checked_ns = now;
	if (s->run.sink->closed(s->run.sink->ctx)) {
		s->end->closed = s->collector.silent = true;
		s->stopping = true;
	}
}

static void wait_once(struct session *s, bool *busy)
{
	struct epoll_event events[16];
	int n = epoll_wait(s->epoll, events, (int)QT_COUNT(events), *busy ? BUSY_MS : TICK_MS);

	for (int i = 0; i < n; i++) {
		struct source *source = events[i].data.ptr;

		source->fn(s, source);
	}
	qt_spaces_read(qt_shower_spaces(s->store.shower));
	*busy = s->collector.has_ring && qt_ring_waiting(&s->collector.ring) > s->collector.ring.size / 8;
	if (!qt_collect(&s->collector))
		qt_collect_flush(&s->collector);
	if (qt_live_get(&s->loaded, QT_LIVE_EXIT))
		s->stopping = true;
	check_output(s);
}

/* ---- stop ------------------------------------------------------------------------------------------------------------ */

static void drain(struct session *s)
{
	while (qt_collect(&s->collector))
		check_output(s);
}

static void *detach_thread(void *ctx)
{
	qt_detach(ctx);
	return NULL;
}

/* Detaching waits for RCU, reading does not: both at once. */
static bool detach_aside(struct session *s, pthread_t *thread)
{
	if (s->attachment.links.len && pthread_create(thread, NULL, detach_thread, &s->attachment) == 0)
		return true;
	qt_detach(&s->attachment);
	return false;
}

static bool collect_all(struct session *s)
{
	bool ok;

	qt_quiesce();
	drain(s);
	ok = run_alone(s, QT_HOOK_end);
	drain(s);
	check_output(s);
	if (s->collector.silent)
		return ok;
	qt_collect_tables(&s->collector, false);
	s->end->lost = qt_collect_losses(&s->collector, s->missed + qt_programs_missed(s->run.plan, &s->loaded));
	qt_collect_flush(&s->collector);
	return ok;
}

static bool stop(struct session *s)
{
	uint64_t code = qt_live_get(&s->loaded, QT_LIVE_EXIT);
	pthread_t thread;
	bool aside, ok;

	qt_live_set(&s->loaded, QT_LIVE_ENABLED, 0);
	qt_impatience_ending(&s->impatience);
	qt_child_terminate(&s->child);
	if (s->attachment.links.len)
		s->missed = qt_links_missed(&s->attachment);
	aside = detach_aside(s, &thread);
	ok = collect_all(s);
	if (aside)
		pthread_join(thread, NULL);
	s->end->exit_code = code ? (int)(code - 1) : 0;
	s->end->command_status = s->child.status;
	qt_child_finish(&s->child, PATIENCE_MS);
	return ok;
}

/* ---- all of it ------------------------------------------------------------------------------------------------------- */

static bool trace(struct session *s)
{
	bool busy = false;

	watch_spaces(s);
	if (!attach(s) || !heed_signals(s))
		return false;
	if (!s->stopping && !run_alone(s, QT_HOOK_begin))
		return false;
	if (s->run.sink->attached)
		s->run.sink->attached(s->run.sink->ctx, s->attachment.probes);
	s->collector.unflushed = true;
	if (!s->stopping && !go(s))
		return false;
	drain(s);
	qt_collect_flush(&s->collector);
	while (!s->stopping)
		wait_once(s, &busy);
	return stop(s);
}

static void close_all(struct session *s)
{
	if (s->loaded.live)
		qt_live_set(&s->loaded, QT_LIVE_ENABLED, 0);
	if (s->attachment.links.len)
		qt_detach(&s->attachment);
	qt_child_finish(&s->child, 0);
	qt_impatience_end(&s->impatience);
	qt_collector_close(&s->collector);
	qt_store_close(&s->store);
	qt_unload(&s->loaded);
	free(s->path);
	qt_vec_each (fd, &s->fds)
		if (*fd >= 0)
			close(*fd);
	if (s->epoll >= 0)
		close(s->epoll);
	if (s->signals >= 0) {
		close(s->signals);
		pthread_sigmask(SIG_SETMASK, &s->old_mask, NULL);
	}
}

bool qt_session_run(const struct qt_plan *plan, struct qt_target *target, const struct qt_session_options *options,
		    const struct qt_session_sink *sink, struct qt_diags *diags, struct qt_session_end *end)
{
	struct qt_arena *arena = qt_arena_new();
	struct session s = {
		.run = { plan, target, options, sink, diags, arena },
		.options = options,
		.end = end,
		.begin_ns = qt_now_ns(),
		.child = { .pidfd = -1 },
		.epoll = -1,
		.signals = -1,
	};
	bool ok;

	memset(end, 0, sizeof(*end));
	ok = check(&s) && hold_command(&s) && load(&s);
	if (ok && !options->dry_run)
		ok = trace(&s);
	close_all(&s);
	qt_arena_free(arena);
	return ok;
}
