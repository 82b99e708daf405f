/* Places in the kernel: tracepoints, raw tracepoints, functions by trampoline or kprobe. A refusal says why (an option that the kernel was built
 * without, a lockdown, a function that may not be probed) and what carries the same event instead. */
#include "base/check.h"
#include "runtime/runtime_internal.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void count_probe(struct qt_attachment *a, uint32_t prog)
{
	if (a->run->plan->progs.items[prog].role == QT_ROLE_RULE)
		a->probes++;
}

/* How the points of a hook are attached, one at a time. */
struct point_kind {
	int (*attach)(struct qt_attachment *a, uint32_t prog, const struct qt_plan_point *point); /* 0 or a negative errno */
	void (*report)(struct qt_attachment *a, uint32_t prog, const struct qt_plan_point *point, int err);
};

struct refused {
	const struct qt_plan_point *first;
	int err; /* of the first */
	uint32_t count;
};

static void report_left_out(struct qt_attachment *a, uint32_t prog, const struct refused *r, uint32_t of)
{
	const struct qt_run *run = a->run;

	if (r->count == 1)
		qt_diag_prog(run, QT_W0601, prog, "%s is left out: %s", r->first->event, qt_errno_text(run, r->err));
	else
		qt_diag_prog(run, QT_W0601, prog, "%u of %u places are left out, %s the first of them: %s", r->count, of, r->first->event,
			     qt_errno_text(run, r->err));
}

/* Points that the kernel refuses are left out, and told, when others remain; what all of them need (files, memory) ends it at once. */
static bool each_point(struct qt_attachment *a, uint32_t prog, const struct point_kind *kind)
{
	uint32_t count = a->first[prog + 1] - a->first[prog];
	struct refused r = { 0 };

	for (uint32_t i = a->first[prog]; i < a->first[prog + 1]; i++) {
		const struct qt_plan_point *point = &a->run->plan->points.items[a->points[i]];
		int err = kind->attach(a, prog, point);

		if (err >= 0) {
			count_probe(a, prog);
			continue;
		}
		if (!r.count++)
			r.first = point, r.err = err;
		if (qt_lacks_files(err) || err == -ENOMEM) {
			kind->report(a, prog, point, err);
			return false;
		}
	}
	if (r.count && r.count == count)
		kind->report(a, prog, r.first, r.err);
	else if (r.count)
		report_left_out(a, prog, &r, count);
	return !r.count || r.count < count;
}

/* ---- tracepoints ----------------------------------------------------------------------------------------------------- */

/* The number of tracepoint EVENT ("category/name") in this boot, or a negative errno. */
static int tracepoint_id(struct qt_target *target, const char *event)
{
	int tracefs = qt_target_tracefs(target), fd;
	char path[256], text[16] = "";
	ssize_t got;

	if (tracefs < 0)
		return -ENOTDIR;
	if ((size_t)snprintf(path, sizeof(path), "events/%s/id", event) >= sizeof(path))
		return -ENAMETOOLONG;
	fd = openat(tracefs, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	return got > 0 ? atoi(text) : -EIO;
}

static void report_tracepoint(struct qt_attachment *a, uint32_t prog, const struct qt_plan_point *point, int err)
{
	const struct qt_run *run = a->run;
	const char *event = point->event;
	struct qt_feature_state state;
	struct qt_diag *d;

	if (err == -ENOENT) {
		d = qt_diag_prog(run, QT_E0607, prog, "this kernel has no tracepoint %s", event);
		qt_diag_hint(run->diags, d, "qtrace list 'tracepoint:*' shows those that there are");
		return;
	}
	d = qt_diag_prog(run, QT_E0607, prog, "the tracepoint %s could not be attached: %s", event,
			 err == -ENOTDIR ? "tracefs is not readable" : qt_errno_text(run, err));
	qt_hint_files(run, d, err);
	state = qt_target_feature(run->target, QT_FEATURE_TRACEPOINT);
	if (state.state != QT_YES && state.reason)
		qt_diag_note(run->diags, d, (struct qt_span){ 0 }, "%s", state.reason);
}

static int attach_tracepoint(struct qt_attachment *a, uint32_t prog, const struct qt_plan_point *point)
{
	int id = tracepoint_id(a->run->target, point->event), err = id;
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .config = (uint64_t)id, .sample_period = 1 };

	return id > 0 ? qt_perf_attach(a, &attr, -1, 0, prog, point->probe, true) : err;
}

bool qt_attach_tracepoint(struct qt_attachment *a, uint32_t prog)
{
	return each_point(a, prog, &(struct point_kind){ attach_tracepoint, report_tracepoint });
}

/* ---- raw tracepoints ------------------------------------------------------------------------------------------------- */

static const char *raw_name(const struct qt_attachment *a, uint32_t prog, const struct qt_plan_point *point)
{
	const struct qt_plan_prog *p = &a->run->plan->progs.items[prog];

	return point->event ? point->event : p->attach_to;
}

/* struct bpf_attr of BPF_RAW_TRACEPOINT_OPEN; the cookie came with 6.10 and an older kernel refuses a longer one that is not zero. */
struct raw_attr {
	uint64_t name;
	uint32_t prog_fd, pad;
	uint64_t cookie;
};

static int open_raw(int prog, const char *name, uint64_t cookie)
{
	struct raw_attr attr = { .name = QT_KEY(name), .prog_fd = (uint32_t)prog, .cookie = cookie };
	int fd = (int)syscall(SYS_bpf, BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr));

	if (fd < 0 && (errno == E2BIG || errno == EINVAL) && cookie)
		fd = bpf_raw_tracepoint_open(name, prog);
	return fd < 0 ? -errno : fd;
}

static int attach_raw(struct qt_attachment *a, uint32_t prog, const struct qt_plan_point *point)
{
	int fd = open_raw(a->loaded->prog_fds[prog], raw_name(a, prog, point), point->probe);

	if (fd >= 0)
		qt_attachment_add(a, (struct qt_link){ .fd = fd, .event = -1, .prog = prog });
	return fd;
}

static void report_raw(struct qt_attachment *a, uint32_t prog, const struct qt_plan_point *point, int err)
{
	const struct qt_run *run = a->run;
	const char *name = raw_name(a, prog, point);
	struct qt_diag *d;

	if (err == -ENOENT) {
		d = qt_diag_prog(run, QT_E0607, prog, "this kernel has no raw tracepoint %s", name);
		qt_diag_hint(run->diags, d, "qtrace list 'rawtracepoint:*' shows those that there are");
		return;
	}
	d = qt_diag_prog(run, QT_E0607, prog, "the raw tracepoint %s could not be attached: %s", name, qt_errno_text(run, err));
	qt_hint_files(run, d, err);
}

bool qt_attach_raw(struct qt_attachment *a, uint32_t prog)
{
	return each_point(a, prog, &(struct point_kind){ attach_raw, report_raw });
}

/* ---- kernel functions ------------------------------------------------------------------------------------------------ */

void qt_function_refused(const struct qt_run *run, uint32_t prog, const char *function, int err, enum qt_feature feature)
{
	struct qt_feature_state state = qt_target_feature(run->target, feature);
	struct qt_alternative instead = qt_kernel_alternative(function);
	const char *why = qt_errno_text(run, err);
	struct qt_diag *d;

	if (state.state != QT_NO) {
		if (err == -ENOENT || err == -EADDRNOTAVAIL)
			why = "this kernel has no such function, or it was inlined everywhere";
		else if (err == -EINVAL || err == -EILSEQ || err == -ENOTSUP)
			why = "the kernel does not allow probes in this function or at this offset";
		else if (err == -EBUSY)
			why = "another tool holds this function";
	}
	d = qt_diag_prog(run, QT_E0606, prog, "the kernel function %s could not be probed: %s", function,
			 state.state == QT_NO && state.reason ? state.reason : why);
	if (state.state == QT_NO && state.config)
		qt_diag_note(run->diags, d, (struct qt_span){ 0 }, "this kernel was built without %s", state.config);
	qt_hint_files(run, d, err);
	if (instead.probe && !qt_lacks_files(err))
		qt_diag_hint(run->diags, d, "%s carries the same event%s%s", instead.probe, *instead.note ? ": " : "", instead.note);
}

static void report_kprobe(struct qt_attachment *a, uint32_t prog, const struct qt_plan_point *point, int err)
{
	qt_function_refused(a->run, prog, point->event, err, QT_FEATURE_KPROBE);
}

static int attach_kprobe(struct qt_attachment *a, uint32_t prog, const struct qt_plan_point *point)
{
	bool is_return = qt_hook_info(a->run->plan->progs.items[prog].hook)->is_return;
	int pmu = qt_pmu_type("kprobe"), err = pmu;
	struct perf_event_attr attr = { .type = (uint32_t)pmu, .config = is_return, .config1 = QT_KEY(point->event), .config2 = point->offset };

	return pmu >= 0 ? qt_perf_attach(a, &attr, -1, 0, prog, point->probe, true) : err;
}

bool qt_attach_kprobe(struct qt_attachment *a, uint32_t prog)
{
	return each_point(a, prog, &(struct point_kind){ attach_kprobe, report_kprobe });
}

static const char *trampoline_function(const struct qt_attachment *a, uint32_t prog, const struct qt_plan_point *point)
{
	const char *to = a->run->plan->progs.items[prog].attach_to;

	return to ? to : point->event;
}

static void report_trampoline(struct qt_attachment *a, uint32_t prog, const struct qt_plan_point *point, int err)
{
	qt_function_refused(a->run, prog, trampoline_function(a, prog, point), err, QT_FEATURE_FENTRY);
}

static int attach_trampoline(struct qt_attachment *a, uint32_t prog, const struct qt_plan_point *point)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .tracing.cookie = point->probe);
	enum bpf_attach_type type = a->run->plan->progs.items[prog].hook == QT_HOOK_fexit ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY;
	int fd = bpf_link_create(a->loaded->prog_fds[prog], 0, type, &opts);

	if (fd >= 0)
		qt_attachment_add(a, (struct qt_link){ .fd = fd, .event = -1, .prog = prog });
	return fd;
}

bool qt_attach_trampoline(struct qt_attachment *a, uint32_t prog)
{
	return each_point(a, prog, &(struct point_kind){ attach_trampoline, report_trampoline });
}
