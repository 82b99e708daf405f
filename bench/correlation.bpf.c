/* The yardstick, written by hand: a user function sets a context for the thread (task storage), a system call counts and sums by it
 * (one per-CPU hash, both numbers in one value). With -DEMPTY both programs do nothing: what the kernel's statistics cost by themselves. */
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
SEC("uprobe")
int set_context(struct pt_regs *ctx)
{
	struct context *c = bpf_task_storage_get(&contexts, bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (c) {
		c->value = PT_REGS_PARM2(ctx);
		c->set = 1;
	}
	return 0;
}

SEC("tracepoint/syscalls/sys_enter_pread64")
int tag_read(struct sys_enter *ctx)
{
	struct context *c = bpf_task_storage_get(&contexts, bpf_get_current_task_btf(), 0, 0);
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
