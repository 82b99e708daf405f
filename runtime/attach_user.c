/* User functions and their returns. With uprobe_multi (kernel 6.6) one link carries all points of a program in one file; else each point is a
 * perf event. A point that the kernel refuses is named and left out when others remain. */
#include "base/check.h"
#include "runtime/runtime_internal.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Newer than the headers that we compile against; layout and numbers from the kernel's include/uapi/linux/bpf.h (6.6). */
#define TRACE_UPROBE_MULTI 48
#define UPROBE_MULTI_RETURN 1u

struct multi_attr {
	uint32_t prog_fd, target_fd, attach_type, flags;
	uint64_t path, offsets, ref_ctr_offsets, cookies;
	uint32_t count, multi_flags, pid, pad;
};

#define ENOTSUPP_KERNEL 524

/* The points of one program in one file. */
struct site_group {
	struct qt_attachment *a;
	uint32_t prog;
	const char *path;
	const uint32_t *points; /* indices of plan points */
	uint32_t count;
	uint64_t *offsets, *ref_ctrs, *cookies;
	bool any_ref_ctr;
	uint32_t bad; /* refused points */
	int error; /* why the group cannot be attached at all */
};

/* ---- words ----------------------------------------------------------------------------------------------------------- */

struct errno_words {
	int err;
	const char *text, *hint;
};

static const struct errno_words words[] = {
	{ EPERM, "this needs root or CAP_PERFMON", NULL },
	{ EACCES, "the file may not be read, or this needs root or CAP_PERFMON", NULL },
	{ ENOENT, "the file does not exist any more", NULL },
	{ EINVAL, "no probe can stand at this place: it is outside of the file, or its semaphore is already counted under another address",
	  "has the file been replaced since it was read?" },
	{ ENOTSUPP_KERNEL, "the instruction there cannot be probed", "probe another function, or another offset in it" },
	{ EOPNOTSUPP, "the instruction there cannot be probed", "probe another function, or another offset in it" },
	{ EIO, "the file system of this file cannot carry user probes", "copy the program to a disk file system" },
	{ EMFILE, "too many open files", qt_files_hint },
};

static const struct errno_words *find_words(int err)
{
	for (size_t i = 0; i < QT_COUNT(words); i++)
		if (words[i].err == -err)
			return &words[i];
	return NULL;
}

static const char *point_name(const struct site_group *g, uint32_t point)
{
	const struct qt_plan *plan = g->a->run->plan;
	const struct qt_plan_point *p = &plan->points.items[point];
	const struct qt_plan_probe *probe = p->probe < plan->probes.len ? &plan->probes.items[p->probe] : NULL;

	return probe && probe->text ? probe->text : plan->progs.items[g->prog].probe;
}

static void report_point(struct site_group *g, uint32_t point, int err, bool fatal)
{
	const struct qt_run *run = g->a->run;
	const struct errno_words *w = find_words(err);
	struct qt_diag *d = qt_diag_prog(run, fatal ? QT_E0605 : QT_W0601, g->prog, "%s %s: %s", point_name(g, point),
					 fatal ? "could not be probed" : "is left out", w ? w->text : qt_errno_text(run, err));

	if (w && w->hint)
		qt_diag_hint(run->diags, d, "%s", w->hint);
}

/* Errors that belong to one point; all others hold for the whole file. */
static bool is_point_error(int err)
{
	return err == -EINVAL || err == -ENOTSUPP_KERNEL || err == -EOPNOTSUPP;
}

/* ---- one link for many ----------------------------------------------------------------------------------------------- */

static int create_multi(struct site_group *g, uint32_t at, uint32_t count)
{
	bool is_return = qt_hook_info(g->a->run->plan->progs.items[g->prog].hook)->is_return;
	struct multi_attr attr = {
		.prog_fd = (uint32_t)g->a->loaded->prog_fds[g->prog],
		.attach_type = TRACE_UPROBE_MULTI,
		.path = QT_KEY(g->path),
		.offsets = QT_KEY(g->offsets + at),
		.ref_ctr_offsets = g->any_ref_ctr ? QT_KEY(g->ref_ctrs + at) : 0,
		.cookies = QT_KEY(g->cookies + at),
		.count = count,
		.multi_flags = is_return ? UPROBE_MULTI_RETURN : 0,
		.pid = (uint32_t)g->a->pid,
	};
	int fd = (int)syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));

	if (fd < 0)
		return -errno;
	qt_attachment_add(g->a, (struct qt_link){ .fd = fd, .event = -1, .prog = g->prog });
	return 0;
}

/* Halves until the refused points stand alone: the depth is the logarithm of their number. */
static void attach_range(struct site_group *g, uint32_t at, uint32_t count)
{
	int err = g->error ? g->error : create_multi(g, at, count);

	if (!err || g->error)
		return;
	if (!is_point_error(err)) {
		g->error = err;
		return;
	}
	if (count == 1) {
		g->bad++;
		report_point(g, g->points[at], err, g->bad == g->count);
		return;
	}
	attach_range(g, at, count / 2);
	attach_range(g, at + count / 2, count - count / 2);
}

/* ---- a perf event each ----------------------------------------------------------------------------------------------- */

static int attach_event(struct site_group *g, int pmu, uint32_t at)
{
	bool is_return = qt_hook_info(g->a->run->plan->progs.items[g->prog].hook)->is_return;
	struct perf_event_attr attr = {
		.type = (uint32_t)pmu,
		.config = (is_return ? 1 : 0) | g->ref_ctrs[at] << 32,
		.config1 = QT_KEY(g->path),
		.config2 = g->offsets[at],
	};
	pid_t pid = g->a->pid ? g->a->pid : -1;

	return qt_perf_attach(g->a, &attr, pid, pid < 0 ? 0 : -1, g->prog, g->cookies[at], true);
}

static void attach_events(struct site_group *g)
{
	int pmu = qt_pmu_type("uprobe");

	for (uint32_t i = 0; i < g->count && !g->error; i++) {
		int err = pmu < 0 ? -EOPNOTSUPP : attach_event(g, pmu, i);

		if (err && !is_point_error(err)) {
			g->error = err;
		} else if (err) {
			g->bad++;
			report_point(g, g->points[i], err, g->bad == g->count);
		}
	}
}

/* ---- all of a program ------------------------------------------------------------------------------------------------ */

static void fill_group(struct site_group *g)
{
	const struct qt_plan *plan = g->a->run->plan;

	g->offsets = qt_xcalloc(g->count, sizeof(*g->offsets));
	g->ref_ctrs = qt_xcalloc(g->count, sizeof(*g->ref_ctrs));
	g->cookies = qt_xcalloc(g->count, sizeof(*g->cookies));
	for (uint32_t i = 0; i < g->count; i++) {
		const struct qt_plan_point *p = &plan->points.items[g->points[i]];

		g->offsets[i] = p->offset;
		g->ref_ctrs[i] = p->ref_ctr;
		g->cookies[i] = p->probe;
		g->any_ref_ctr |= p->ref_ctr != 0;
	}
}

static bool attach_group(struct site_group *g)
{
	fill_group(g);
	if (g->a->loaded->uprobe_multi)
		attach_range(g, 0, g->count);
	else
		attach_events(g);
	if (g->error)
		report_point(g, g->points[0], g->error, true);
	else if (g->a->run->plan->progs.items[g->prog].role == QT_ROLE_RULE)
		g->a->probes += g->count - g->bad;
	free(g->offsets);
	free(g->ref_ctrs);
	free(g->cookies);
	return !g->error && g->bad < g->count;
}

bool qt_attach_user(struct qt_attachment *a, uint32_t prog)
{
	const struct qt_plan_point *points = a->run->plan->points.items;
	bool ok = true;

	for (uint32_t i = a->first[prog], end; i < a->first[prog + 1]; i = end) {
		struct site_group g = { .a = a, .prog = prog, .points = a->points + i, .path = points[a->points[i]].path };

		for (end = i + 1; end < a->first[prog + 1] && strcmp(points[a->points[end]].path, g.path) == 0;)
			end++;
		g.count = end - i;
		ok &= attach_group(&g);
	}
	return ok;
}
