/* Hangs the loaded programs in the kernel, by a table of hooks, and takes them off again. Nothing that is attached here does anything until
 * the session sets `live`. Programs at one place run in the order of the plan (entries before rules), whatever order the mechanism calls
 * its subscribers in. Detaching closes what waits for RCU from several threads. */
#include "base/check.h"
#include "runtime/runtime_internal.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* How a hook is attached, and in which order the kernel calls several programs at one place: `youngest` first (uprobes, kprobes and
 * trampolines put a new one in front) or oldest first (tracepoints append). */
struct hook_row {
	bool (*attach)(struct qt_attachment *a, uint32_t prog); /* NULL: the session runs it */
	bool youngest;
};

static const struct hook_row hooks[QT_HOOK_COUNT] = {
	[QT_HOOK_uprobe] = { qt_attach_user, true },
	[QT_HOOK_uretprobe] = { qt_attach_user, true },
	[QT_HOOK_kprobe] = { qt_attach_kprobe, true },
	[QT_HOOK_kretprobe] = { qt_attach_kprobe, true },
	[QT_HOOK_fentry] = { qt_attach_trampoline, true },
	[QT_HOOK_fexit] = { qt_attach_trampoline, true },
	[QT_HOOK_tracepoint] = { qt_attach_tracepoint, false },
	[QT_HOOK_raw_tracepoint] = { qt_attach_raw, false },
	[QT_HOOK_profile] = { qt_attach_profile, false },
};

/* ---- links ----------------------------------------------------------------------------------------------------------- */

void qt_attachment_add(struct qt_attachment *a, struct qt_link link)
{
	*qt_vec_push(a->run->arena, &a->links) = link;
}

int qt_pmu_type(const char *name)
{
	char path[128], text[16] = "";
	int fd, err;
	ssize_t got;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	got = read(fd, text, sizeof(text) - 1);
	err = errno;
	close(fd);
	return got > 0 ? atoi(text) : -err;
}

int qt_perf_attach(struct qt_attachment *a, struct perf_event_attr *attr, pid_t pid, int cpu, uint32_t prog, uint64_t cookie, bool waits)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .perf_event.bpf_cookie = cookie);
	int event, fd;

	attr->size = sizeof(*attr);
	event = (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (event < 0)
		return -errno;
	fd = bpf_link_create(a->loaded->prog_fds[prog], event, BPF_PERF_EVENT, &opts);
	if (fd < 0 || ioctl(event, PERF_EVENT_IOC_ENABLE, 0) < 0) {
		int err = fd < 0 ? fd : -errno;

		if (fd >= 0)
			close(fd);
		close(event);
		return err;
	}
	qt_attachment_add(a, (struct qt_link){ .fd = fd, .event = event, .prog = prog, .waits = waits });
	return 0;
}

/* ---- order ----------------------------------------------------------------------------------------------------------- */

static int compare_points(const void *x, const void *y, void *ctx)
{
	const struct qt_plan *plan = ctx;
	const struct qt_plan_point *a = &plan->points.items[*(const uint32_t *)x];
	const struct qt_plan_point *b = &plan->points.items[*(const uint32_t *)y];
	int by_path;

	if (a->prog != b->prog)
		return a->prog < b->prog ? -1 : 1;
	by_path = strcmp(a->path ? a->path : "", b->path ? b->path : "");
	if (by_path)
		return by_path;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static void sort_points(struct qt_attachment *a)
{
	const struct qt_plan *plan = a->run->plan;

	a->points = QT_NEW_ARRAY(a->run->arena, uint32_t, plan->points.len + 1);
	a->first = QT_NEW_ARRAY(a->run->arena, uint32_t, plan->progs.len + 2);
	for (uint32_t i = 0; i < plan->points.len; i++)
		a->points[i] = i;
	qsort_r(a->points, plan->points.len, sizeof(*a->points), compare_points, (void *)plan);
	for (uint32_t i = 0; i < plan->points.len; i++)
		a->first[plan->points.items[i].prog + 1]++;
	for (uint32_t i = 0; i < plan->progs.len; i++)
		a->first[i + 1] += a->first[i];
}

/* Which programs of one place run first. */
static unsigned rank(enum qt_prog_role role)
{
	static const unsigned ranks[] = { [QT_ROLE_FORK] = 0, [QT_ROLE_ENTRY] = 1, [QT_ROLE_RULE] = 2, [QT_ROLE_PROC_EXIT] = 3, [QT_ROLE_THREAD_GONE] = 0 };

	return ranks[role];
}

static int compare_progs(const void *x, const void *y, void *ctx)
{
	const struct qt_plan *plan = ctx;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	unsigned ra = rank(plan->progs.items[a].role), rb = rank(plan->progs.items[b].role);

	if (ra != rb)
		return ra < rb ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* ---- attaching ------------------------------------------------------------------------------------------------------- */

static bool attach_prog(struct qt_attachment *a, uint32_t prog)
{
	const struct qt_plan_prog *p = &a->run->plan->progs.items[prog];
	const struct hook_row *row = &hooks[p->hook];

	if (a->loaded->prog_fds[prog] < 0)
		return true;
	if (a->interrupted && a->interrupted(a->ctx)) {
		a->stopped = true;
		return true;
	}
	if (!row->attach) { /* begin, end, interval: counted, run by the session */
		a->probes += a->first[prog + 1] - a->first[prog];
		return true;
	}
	return row->attach(a, prog);
}

bool qt_attach(struct qt_attachment *a)
{
	const struct qt_plan *plan = a->run->plan;
	uint32_t n = plan->progs.len, *order = QT_NEW_ARRAY(a->run->arena, uint32_t, n + 1);
	bool ok = true;

	sort_points(a);
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), compare_progs, (void *)plan);
	for (uint32_t i = 0; i < n && !a->stopped; i++)
		if (!hooks[plan->progs.items[order[i]].hook].youngest)
			ok &= attach_prog(a, order[i]);
	for (uint32_t i = n; i-- > 0 && !a->stopped;)
		if (hooks[plan->progs.items[order[i]].hook].youngest)
			ok &= attach_prog(a, order[i]);
	return ok;
}

/* ---- detaching ------------------------------------------------------------------------------------------------------- */

#define CLOSERS 16

struct closing {
	struct qt_attachment *a;
	bool waiting; /* this round closes those that wait */
	uint32_t next;
};

static void close_link(struct qt_link *l)
{
	if (l->fd >= 0)
		close(l->fd);
	if (l->event >= 0)
		close(l->event);
	l->fd = l->event = -1;
}

static void *close_some(void *ctx)
{
	struct closing *c = ctx;
	uint32_t i;

	while ((i = __atomic_fetch_add(&c->next, 1, __ATOMIC_RELAXED)) < c->a->links.len)
		if (c->a->links.items[i].waits == c->waiting)
			close_link(&c->a->links.items[i]);
	return NULL;
}

static void close_parallel(struct closing *c, unsigned count)
{
	pthread_t threads[CLOSERS];
	unsigned n = 0;

	while (n < CLOSERS && n + 1 < count && pthread_create(&threads[n], NULL, close_some, c) == 0)
		n++;
	close_some(c);
	while (n > 0)
		pthread_join(threads[--n], NULL);
}

void qt_detach(struct qt_attachment *a)
{
	struct closing at_once = { .a = a }, waiting = { .a = a, .waiting = true };
	unsigned count = 0;

	qt_vec_each (l, &a->links)
		count += l->waits;
	close_some(&at_once);
	if (count)
		close_parallel(&waiting, count);
	a->links.len = 0;
}
