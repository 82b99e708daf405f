/* The yardstick, written by hand: a user function sets a context for the thread (task storage), a system call counts and sums by it
 * (one per-CPU hash, both numbers in one value). With -DPLACES the context is first looked for in an array, by the thread's task address, as qtrace does; a thread
 * whose place another one has goes to task storage, and a place is free again when the kernel frees its thread. With -DEMPTY both programs do nothing: what the kernel's statistics cost by themselves. */
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

char _license[] SEC("license") = "GPL";

struct context {
	__u64 value;
	__u64 set;
};

struct row {
	__u64 count;
	__u64 sum;
};

struct sys_enter {
	__u64 common;
	long nr;
	__u64 fd, buf, count, pos;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct context);
} contexts SEC(".maps");

#ifdef PLACES
#define PLACE_BITS 16

struct place {
	__u64 task, ids;
	struct context context;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1 << PLACE_BITS);
	__type(key, __u32);
	__type(value, struct place);
} places SEC(".maps");
#endif

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 10240);
	__type(key, __u64);
	__type(value, struct row);
} rows SEC(".maps");

#ifdef EMPTY
SEC("uprobe")
int set_context(struct pt_regs *ctx)
{
	(void)ctx;
	return 0;
}

SEC("tracepoint/syscalls/sys_enter_pread64")
int tag_read(struct sys_enter *ctx)
{
	(void)ctx;
	return 0;
}
#else
static struct context *in_storage(__u64 flags)
{
	return bpf_task_storage_get(&contexts, bpf_get_current_task_btf(), 0, flags);
}

#ifdef PLACES
static struct place *place_of(__u64 task)
{
	__u32 at = (task * 0x9e3779b97f4a7c15) >> (64 - PLACE_BITS);

	return bpf_map_lookup_elem(&places, &at);
}

static struct context *find_context(void)
{
	__u64 task = bpf_get_current_task(), ids = bpf_get_current_pid_tgid();
	struct place *p = place_of(task);

	return p && p->task == task && p->ids == ids ? &p->context : in_storage(0);
}

static struct context *make_context(void)
{
	__u64 task = bpf_get_current_task(), ids = bpf_get_current_pid_tgid();
	struct place *p = place_of(task);

	if (p && p->task == task && p->ids == ids)
		return &p->context;
	if (!p || __sync_val_compare_and_swap(&p->task, 0, task) != 0)
		return in_storage(BPF_LOCAL_STORAGE_GET_F_CREATE);
	p->ids = ids;
	return &p->context;
}

SEC("raw_tracepoint/sched_process_free")
int forget_place(struct bpf_raw_tracepoint_args *ctx)
{
	struct place *p = place_of(ctx->args[0]);

	if (p && p->task == ctx->args[0]) {
		p->context.set = 0;
		p->ids = 0;
		*(volatile __u64 *)&p->task = 0;
	}
	return 0;
}
#else
static struct context *find_context(void)
{
	return in_storage(0);
}

static struct context *make_context(void)
{
	return in_storage(BPF_LOCAL_STORAGE_GET_F_CREATE);
}
#endif

SEC("uprobe")
int set_context(struct pt_regs *ctx)
{
	struct context *c = make_context();

	if (c) {
		c->value = PT_REGS_PARM2(ctx);
		c->set = 1;
	}
	return 0;
}

SEC("tracepoint/syscalls/sys_enter_pread64")
int tag_read(struct sys_enter *ctx)
{
	struct context *c = find_context();
	static const struct row empty;
	struct row *r;

	if (!c || !c->set)
		return 0;
	r = bpf_map_lookup_elem(&rows, &c->value);
	if (!r) {
		bpf_map_update_elem(&rows, &c->value, &empty, BPF_NOEXIST);
		r = bpf_map_lookup_elem(&rows, &c->value);
		if (!r)
			return 0;
	}
	r->count++;
	r->sum += ctx->count;
	return 0;
}
#endif
