/* What this kernel allows: each feature is asked in the cheapest way that tells the truth, once, and only when somebody wants to know. What
 * cannot be told without privileges is unknown, with the reason. */
#include "target/target_internal.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PMU "/sys/bus/event_source/devices/"
#define VERSION(major, minor) ((uint32_t)(major) << 16 | (minor) << 8)

static struct qt_feature_state yes(void)
{
	return (struct qt_feature_state){ QT_YES, NULL, NULL };
}

static struct qt_feature_state no(const char *reason, const char *config)
{
	return (struct qt_feature_state){ QT_NO, reason, config };
}

static struct qt_feature_state unknown(const char *reason)
{
	return (struct qt_feature_state){ QT_UNKNOWN, reason, NULL };
}

static struct qt_feature_state by_file(const char *path, const char *reason, const char *config)
{
	return access(path, F_OK) == 0 ? yes() : no(reason, config);
}

static bool may_load(struct qt_target *t)
{
	return qt_target_kernel(t)->cap_bpf && qt_target_kernel(t)->cap_perfmon;
}

static struct qt_feature_state since(struct qt_target *t, uint32_t version, const char *reason)
{
	return qt_target_kernel(t)->version >= version ? yes() : no(reason, NULL);
}

/* ---- by what sysfs and tracefs show ---- */

static struct qt_feature_state uprobe(struct qt_target *t)
{
	(void)t;
	return by_file(PMU "uprobe/type", "this kernel has no uprobes (no " PMU "uprobe)", "CONFIG_UPROBE_EVENTS");
}

static struct qt_feature_state semaphore(struct qt_target *t)
{
	(void)t;
	return by_file(PMU "uprobe/format/ref_ctr_offset", "this kernel cannot raise USDT semaphores (Linux 4.20 can)", NULL);
}

static struct qt_feature_state kprobe(struct qt_target *t)
{
	if (access(PMU "kprobe/type", F_OK) == 0)
		return yes();
	if (qt_target_tracefs(t) >= 0 && faccessat(t->tracefs, "kprobe_events", F_OK, 0) == 0)
		return yes();
	return no("this kernel was built without kprobes", "CONFIG_KPROBES");
}

static struct qt_feature_state perf_event(struct qt_target *t)
{
	(void)t;
	return by_file("/proc/sys/kernel/perf_event_paranoid", "this kernel was built without perf events", "CONFIG_PERF_EVENTS");
}

static struct qt_feature_state tracefs(struct qt_target *t)
{
	struct qt_reason r;

	if (qt_target_tracefs(t) >= 0)
		return yes();
	qt_no_tracefs(t, &r);
	return t->tracefs_error == EACCES || t->tracefs_error == EPERM ? unknown(r.text) : no(r.text, "CONFIG_TRACING");
}

static struct qt_feature_state tracepoint(struct qt_target *t)
{
	struct qt_feature_state fs = qt_target_feature(t, QT_FEATURE_TRACEFS);

	if (fs.state != QT_YES)
		return fs;
	return faccessat(t->tracefs, "events/sched/sched_switch", F_OK, 0) == 0 ? yes() : no("this kernel has no tracepoints", "CONFIG_TRACEPOINTS");
}

static struct qt_feature_state syscall_tracepoint(struct qt_target *t)
{
	struct qt_feature_state fs = qt_target_feature(t, QT_FEATURE_TRACEFS);

	if (fs.state != QT_YES)
		return fs;
	return faccessat(t->tracefs, "events/syscalls/sys_enter_read", F_OK, 0) == 0
		       ? yes()
		       : no("this kernel was built without system call tracepoints", "CONFIG_FTRACE_SYSCALLS");
}

/* ---- by what BTF names ---- */

static struct qt_feature_state btf(struct qt_target *t)
{
	struct qt_reason r;

	if (qt_btf_get(t))
		return yes();
	qt_no_btf(t, &r);
	return no(r.text, "CONFIG_DEBUG_INFO_BTF");
}

/* A function that the kernel has only when it has the feature. */
static struct qt_feature_state by_function(struct qt_target *t, const char *function, uint32_t version, const char *reason, const char *config)
{
	struct qt_btf *b = qt_btf_get(t);

	if (qt_target_kernel(t)->version < version)
		return no(reason, NULL);
	if (!b)
		return unknown("without BTF the kernel does not tell");
	return qt_btf_find(b, function, BTF_KIND_FUNC) ? yes() : no(reason, config);
}

static struct qt_feature_state kprobe_multi(struct qt_target *t)
{
	return by_function(t, "register_fprobe_ips", VERSION(5, 18), "this kernel has no fprobe: kprobes are attached one by one", "CONFIG_FPROBE");
}

static struct qt_feature_state percpu_alloc(struct qt_target *t)
{
	return by_function(t, "bpf_percpu_obj_new_impl", VERSION(6, 6), "BPF programs cannot allocate per-CPU memory here (Linux 6.6 can)", NULL);
}

static struct qt_feature_state tp_btf(struct qt_target *t)
{
	struct qt_feature_state s = qt_target_feature(t, QT_FEATURE_BTF);

	return s.state == QT_YES ? since(t, VERSION(5, 5), "this kernel has no typed raw tracepoints (Linux 5.5 has)") : s;
}

/* ---- by trying ---- */

/* Two instructions: r0 = 0; exit. The fd, or -1 with errno. */
static int load_minimal(enum bpf_prog_type type, uint32_t attach_type, uint32_t btf_id)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = { 0 };

	attr.prog_type = type;
	attr.expected_attach_type = attach_type;
	attr.attach_btf_id = btf_id;
	attr.insns = (uint64_t)(uintptr_t)insns;
	attr.insn_cnt = 2;
	attr.license = (uint64_t)(uintptr_t)"GPL";
	return (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
}

static struct qt_feature_state refused(struct qt_target *t, int error)
{
	const char *lock = qt_target_kernel(t)->lockdown;

	if (error == EPERM && *lock && strcmp(lock, "none"))
		return no(qt_arena_printf(t->arena, "the kernel refuses BPF trampolines: %s (kernel lockdown: %s)", strerror(error), lock), NULL);
	return no(qt_arena_printf(t->arena, "the kernel refuses BPF trampolines: %s", strerror(error)),
		  error == EPERM ? NULL : "CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS");
}

static struct qt_feature_state fentry(struct qt_target *t)
{
	static const char *const functions[] = { "bpf_fentry_test1", "vfs_read", "vfs_write" };
	struct qt_feature_state types = qt_target_feature(t, QT_FEATURE_BTF);
	uint32_t id = 0;
	int fd;

	if (types.state != QT_YES)
		return types;
	if (!may_load(t))
		return unknown("only root (or CAP_BPF with CAP_PERFMON) can try it");
	for (unsigned i = 0; i < sizeof(functions) / sizeof(functions[0]) && !id; i++)
		id = qt_btf_find(t->btf, functions[i], BTF_KIND_FUNC);
	fd = load_minimal(BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, id);
	if (fd < 0)
		return refused(t, errno);
	close(fd);
	return yes();
}

#define ATTACH_UPROBE_MULTI 48 /* BPF_TRACE_UPROBE_MULTI; headers of Linux 6.1 do not have it */

/* The link_create part of union bpf_attr as Linux 6.6 has it. */
struct uprobe_multi_attr {
	uint32_t prog_fd, target_fd, attach_type, flags;
	uint64_t path, offsets, ref_ctr_offsets, cookies;
	uint32_t cnt, uprobe_flags, pid, padding;
};

/* A link to a folder cannot be: kernels that know this kind of link say EBADF, others EINVAL. */
static bool try_uprobe_multi(void)
{
	uint64_t offset = 0;
	struct uprobe_multi_attr attr = {
		.attach_type = ATTACH_UPROBE_MULTI, .path = (uint64_t)(uintptr_t)"/", .offsets = (uint64_t)(uintptr_t)&offset, .cnt = 1
	};
	int prog = load_minimal(BPF_PROG_TYPE_KPROBE, ATTACH_UPROBE_MULTI, 0), link, e;

	if (prog < 0)
		return false;
	attr.prog_fd = (uint32_t)prog;
	link = (int)syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));
	e = errno;
	close(prog);
	if (link >= 0)
		close(link);
	return link >= 0 || e == EBADF;
}

static struct qt_feature_state uprobe_multi(struct qt_target *t)
{
	static const char one_by_one[] = "this kernel attaches uprobes one by one (Linux 6.6 can do many at once)";

	if (qt_target_kernel(t)->version < VERSION(6, 6))
		return no(one_by_one, NULL);
	if (!may_load(t))
		return unknown("only root (or CAP_BPF with CAP_PERFMON) can try it");
	return try_uprobe_multi() ? yes() : no(one_by_one, NULL);
}

static struct qt_feature_state by_map(struct qt_target *t, enum bpf_map_type type, uint32_t version, const char *reason)
{
	int r;

	if (qt_target_kernel(t)->version < version)
		return no(reason, NULL);
	if (!may_load(t))
		return yes(); /* every kernel since VERSION has it when it has BPF at all */
	r = libbpf_probe_bpf_map_type(type, NULL);
	if (r < 0)
		return unknown(qt_arena_printf(t->arena, "trying it failed: %s", strerror(-r)));
	return r ? yes() : no(reason, NULL);
}

static struct qt_feature_state ringbuf(struct qt_target *t)
{
	return by_map(t, BPF_MAP_TYPE_RINGBUF, VERSION(5, 8), "this kernel has no BPF ring buffer (Linux 5.8 has)");
}

static struct qt_feature_state task_storage(struct qt_target *t)
{
	return by_map(t, BPF_MAP_TYPE_TASK_STORAGE, VERSION(5, 11), "this kernel has no task-local storage (Linux 5.11 has)");
}

static struct qt_feature_state cookie(struct qt_target *t)
{
	return since(t, VERSION(5, 15), "this kernel gives attach points no cookies (Linux 5.15 does)");
}

static struct qt_feature_state raw_tracepoint(struct qt_target *t)
{
	return since(t, VERSION(4, 17), "this kernel has no raw tracepoints (Linux 4.17 has)");
}

static struct qt_feature_state stats(struct qt_target *t)
{
	return since(t, VERSION(5, 8), "this kernel keeps no statistics for one reader (Linux 5.8 does)");
}

static struct qt_feature_state (*const askers[])(struct qt_target *t) = {
	[QT_FEATURE_UPROBE] = uprobe,
	[QT_FEATURE_UPROBE_MULTI] = uprobe_multi,
	[QT_FEATURE_USDT_SEMAPHORE] = semaphore,
	[QT_FEATURE_KPROBE] = kprobe,
	[QT_FEATURE_FENTRY] = fentry,
	[QT_FEATURE_KPROBE_MULTI] = kprobe_multi,
	[QT_FEATURE_TRACEPOINT] = tracepoint,
	[QT_FEATURE_RAW_TRACEPOINT] = raw_tracepoint,
	[QT_FEATURE_TP_BTF] = tp_btf,
	[QT_FEATURE_SYSCALL_TRACEPOINT] = syscall_tracepoint,
	[QT_FEATURE_PERF_EVENT] = perf_event,
	[QT_FEATURE_RINGBUF] = ringbuf,
	[QT_FEATURE_TASK_STORAGE] = task_storage,
	[QT_FEATURE_PERCPU_KPTR] = percpu_alloc,
	[QT_FEATURE_BPF_COOKIE] = cookie,
	[QT_FEATURE_BTF] = btf,
	[QT_FEATURE_TRACEFS] = tracefs,
	[QT_FEATURE_BPF_STATS] = stats,
};

_Static_assert(sizeof(askers) / sizeof(askers[0]) == QT_FEATURE_COUNT, "one asker a feature");

static const char *const words[] = { [QT_UNKNOWN] = "unknown", [QT_NO] = "no", [QT_YES] = "yes" };

static struct qt_feature_state recorded(struct qt_target *t, enum qt_feature f)
{
	const struct qt_row *r = qt_rows_find(t, "feature", qt_feature_name(f), NULL);
	struct qt_feature_state s = { QT_UNKNOWN, "the snapshot does not say", NULL };

	for (unsigned i = 0; r && i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(qt_row_field(r, 2), words[i]) == 0)
			s.state = (enum qt_tri)i;
	}
	if (r)
		s.reason = s.state == QT_YES ? NULL : qt_row_field(r, 3);
	if (r && *qt_row_field(r, 4))
		s.config = qt_row_field(r, 4);
	return s;
}

struct qt_feature_state qt_target_feature(struct qt_target *t, enum qt_feature f)
{
	struct qt_feature_state s;

	if (t->feature_known[f])
		return t->features[f];
	if (t->options.missing & (1u << f))
		s = no("it is taken as missing by request", NULL);
	else if (t->live)
		s = askers[f](t);
	else
		s = recorded(t, f);
	if (t->live)
		qt_rows_add(t, "feature", qt_feature_name(f), words[s.state], s.reason ? s.reason : "", s.config ? s.config : "", NULL);
	t->features[f] = s;
	t->feature_known[f] = true;
	return s;
}
