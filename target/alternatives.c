/* Where a kernel function cannot be probed: the tracepoint or system call that carries the same event. First fitting row wins; a pattern
 * ending in * stands for all functions that begin so. */
#include "target/target_internal.h"

#include <string.h>

static const struct {
	const char *function, *probe, *note;
} rows[] = {
	{ "vfs_read", "syscall:read", "reads by pread64, readv and preadv need syscall:{read,pread64,readv,preadv}" },
	{ "ksys_read", "syscall:read", "" },
	{ "vfs_write", "syscall:write", "writes by pwrite64, writev and pwritev need syscall:{write,pwrite64,writev,pwritev}" },
	{ "ksys_write", "syscall:write", "" },
	{ "vfs_readv", "syscall:readv", "" },
	{ "vfs_writev", "syscall:writev", "" },
	{ "vfs_open", "syscall:openat", "" },
	{ "do_sys_open", "syscall:openat", "" },
	{ "do_sys_openat2", "syscall:openat", "" },
	{ "do_filp_open", "syscall:openat", "" },
	{ "vfs_fsync", "syscall:fsync", "" },
	{ "vfs_fsync_range", "syscall:fsync", "fdatasync has a system call of its own" },
	{ "vfs_unlink", "syscall:unlinkat", "programs may use unlink too" },
	{ "vfs_mkdir", "syscall:mkdirat", "programs may use mkdir too" },
	{ "vfs_rename", "syscall:renameat2", "programs may use rename and renameat too" },
	{ "vfs_statx", "syscall:statx", "programs may use newfstatat too" },
	{ "vfs_fstat", "syscall:newfstat", "" },
	{ "vfs_create", "syscall:openat", "" },
	{ "handle_mm_fault", "tracepoint:exceptions:page_fault_user",
	  "faults of user code; those that the kernel takes itself are page_fault_kernel" },
	{ "do_user_addr_fault", "tracepoint:exceptions:page_fault_user", "" },
	{ "exc_page_fault", "tracepoint:exceptions:page_fault_user", "" },
	{ "filemap_fault", "tracepoint:exceptions:page_fault_user", "" },
	{ "tcp_retransmit_skb", "tracepoint:tcp:tcp_retransmit_skb", "" },
	{ "__tcp_retransmit_skb", "tracepoint:tcp:tcp_retransmit_skb", "" },
	{ "tcp_set_state", "tracepoint:sock:inet_sock_set_state", "" },
	{ "inet_csk_accept", "syscall:accept4", "programs may use accept too" },
	{ "tcp_v4_connect", "syscall:connect", "" },
	{ "tcp_v6_connect", "syscall:connect", "" },
	{ "tcp_sendmsg", "tracepoint:sock:sock_send_length", "kernels before 6.3 do not have it: use syscall:sendto and syscall:write there" },
	{ "tcp_recvmsg", "tracepoint:sock:sock_recv_length", "kernels before 6.3 do not have it: use syscall:recvfrom and syscall:read there" },
	{ "tcp_rcv_established", "tracepoint:tcp:tcp_probe", "" },
	{ "tcp_send_reset", "tracepoint:tcp:tcp_send_reset", "" },
	{ "tcp_reset", "tracepoint:tcp:tcp_receive_reset", "" },
	{ "tcp_destroy_sock", "tracepoint:tcp:tcp_destroy_sock", "" },
	{ "__dev_queue_xmit", "tracepoint:net:net_dev_queue", "" },
	{ "dev_hard_start_xmit", "tracepoint:net:net_dev_start_xmit", "" },
	{ "netif_receive_skb*", "tracepoint:net:netif_receive_skb", "" },
	{ "kfree_skb*", "tracepoint:skb:kfree_skb", "" },
	{ "udp_sendmsg", "syscall:sendto", "programs may use sendmsg too" },
	{ "__sys_sendto", "syscall:sendto", "" },
	{ "__sys_recvfrom", "syscall:recvfrom", "" },
	{ "blk_account_io_start", "tracepoint:block:block_io_start", "kernels before 6.5 do not have it: use block_rq_issue there" },
	{ "blk_account_io_done", "tracepoint:block:block_io_done", "kernels before 6.5 do not have it: use block_rq_complete there" },
	{ "blk_mq_start_request", "tracepoint:block:block_rq_issue", "" },
	{ "blk_mq_end_request", "tracepoint:block:block_rq_complete", "" },
	{ "blk_update_request", "tracepoint:block:block_rq_complete", "" },
	{ "submit_bio*", "tracepoint:block:block_bio_queue", "" },
	{ "bio_endio", "tracepoint:block:block_bio_complete", "" },
	{ "blk_*", "tracepoint:block:block_rq_issue", "block_rq_complete is its end" },
	{ "schedule", "tracepoint:sched:sched_switch", "" },
	{ "__schedule", "tracepoint:sched:sched_switch", "" },
	{ "finish_task_switch", "tracepoint:sched:sched_switch", "it fires before the switch, with both tasks" },
	{ "try_to_wake_up", "tracepoint:sched:sched_waking", "" },
	{ "wake_up_new_task", "tracepoint:sched:sched_wakeup_new", "" },
	{ "kernel_clone", "tracepoint:sched:sched_process_fork", "" },
	{ "_do_fork", "tracepoint:sched:sched_process_fork", "" },
	{ "do_exit", "tracepoint:sched:sched_process_exit", "" },
	{ "begin_new_exec", "tracepoint:sched:sched_process_exec", "" },
	{ "bprm_execve", "tracepoint:sched:sched_process_exec", "" },
	{ "do_nanosleep", "syscall:clock_nanosleep", "programs may use nanosleep too" },
	{ "do_futex", "syscall:futex", "" },
	{ "futex_wait", "syscall:futex", "" },
	{ "do_epoll_wait", "syscall:epoll_wait", "programs may use epoll_pwait too" },
	{ "do_sys_poll", "syscall:poll", "" },
	{ "do_mmap", "syscall:mmap", "" },
	{ "__do_munmap", "syscall:munmap", "" },
	{ "oom_kill_process", "tracepoint:oom:mark_victim", "" },
	{ "shrink_node", "tracepoint:vmscan:mm_vmscan_direct_reclaim_begin", "" },
	{ "try_to_free_pages", "tracepoint:vmscan:mm_vmscan_direct_reclaim_begin", "" },
	{ "__alloc_pages*", "tracepoint:kmem:mm_page_alloc", "" },
	{ "__kmalloc*", "tracepoint:kmem:kmalloc", "" },
	{ "kfree", "tracepoint:kmem:kfree", "" },
	{ "do_send_sig_info", "tracepoint:signal:signal_generate", "" },
	{ "get_signal", "tracepoint:signal:signal_deliver", "" },
	{ "ext4_sync_file", "tracepoint:ext4:ext4_sync_file_enter", "" },
	{ "add_to_page_cache_lru", "tracepoint:filemap:mm_filemap_add_to_page_cache", "" },
	{ "filemap_add_folio", "tracepoint:filemap:mm_filemap_add_to_page_cache", "" },
	{ "folio_mark_dirty", "tracepoint:writeback:writeback_dirty_folio", "" },
	{ "mark_buffer_dirty", "tracepoint:block:block_dirty_buffer", "" },
	{ "hrtimer_interrupt", "tracepoint:timer:hrtimer_expire_entry", "" },
	{ "cgroup_attach_task", "tracepoint:cgroup:cgroup_attach_task", "" },
};

/* Entry points of system calls: __x64_sys_read, __se_sys_read, sys_read. */
static const char *const entry_prefixes[] = { "__x64_sys_", "__se_sys_", "__do_sys_", "__ia32_sys_", "SyS_", "sys_" };

/* The probes of system calls in the table's form, so that no memory is needed: the name follows the prefix. */
static const char *const syscall_names[] = {
	"syscall:read",	    "syscall:write",	"syscall:openat",     "syscall:close",	   "syscall:pread64",
	"syscall:pwrite64", "syscall:mmap",	"syscall:munmap",     "syscall:futex",	   "syscall:epoll_wait",
	"syscall:poll",	    "syscall:select",	"syscall:connect",    "syscall:accept",	   "syscall:accept4",
	"syscall:sendto",   "syscall:recvfrom", "syscall:sendmsg",    "syscall:recvmsg",   "syscall:execve",
	"syscall:clone",    "syscall:fsync",	"syscall:fdatasync",  "syscall:nanosleep", "syscall:clock_nanosleep",
	"syscall:unlink",   "syscall:unlinkat", "syscall:kill",	      "syscall:ioctl",	   "syscall:newfstatat",
	"syscall:statx",    "syscall:brk",	"syscall:exit_group", "syscall:wait4",	   "syscall:socket",
	"syscall:readv",    "syscall:writev",
};

static const char *entry_point(const char *function)
{
	for (unsigned i = 0; i < sizeof(entry_prefixes) / sizeof(entry_prefixes[0]); i++) {
		size_t n = strlen(entry_prefixes[i]);

		for (unsigned k = 0; strncmp(function, entry_prefixes[i], n) == 0 && k < sizeof(syscall_names) / sizeof(syscall_names[0]); k++) {
			if (strcmp(syscall_names[k] + 8, function + n) == 0)
				return syscall_names[k];
		}
	}
	return NULL;
}

static bool fits(const char *pattern, const char *function)
{
	size_t n = strlen(pattern);

	return pattern[n - 1] == '*' ? strncmp(pattern, function, n - 1) == 0 : strcmp(pattern, function) == 0;
}

struct qt_alternative qt_kernel_alternative(const char *function)
{
	const char *entry = entry_point(function);

	if (entry)
		return (struct qt_alternative){ entry, "" };
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (fits(rows[i].function, function))
			return (struct qt_alternative){ rows[i].probe, rows[i].note };
	}
	return (struct qt_alternative){ NULL, NULL };
}
