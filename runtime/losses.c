/* What the kernel did not deliver: runs that were left out because a program was already running on that CPU (bpf_prog_info, kernel 5.12), and hits
 * of kprobes that found no free instance or re-entered (link info, kernel 6.7). The programs' own counters are read through the store. */
#include "runtime/runtime_internal.h"

#include <bpf/bpf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

uint64_t qt_programs_missed(const struct qt_plan *plan, const struct qt_loaded *l)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < plan->progs.len; i++) {
		struct bpf_prog_info info = { 0 };
		uint32_t len = sizeof(info);

		if (l->prog_fds[i] >= 0 && bpf_obj_get_info_by_fd(l->prog_fds[i], &info, &len) == 0)
			sum += info.recursion_misses;
	}
	return sum;
}

/* struct bpf_link_info of a perf event link on a kprobe (kernel 6.7, include/uapi/linux/bpf.h): newer than our headers. */
struct kprobe_link_info {
	uint32_t type, id, prog_id, pad;
	uint32_t event_type, pad2;
	uint64_t name;
	uint32_t name_len, offset;
	uint64_t addr, missed, cookie;
};

#define EVENT_KPROBE 3
#define EVENT_KRETPROBE 4

static uint64_t link_missed(int fd)
{
	struct kprobe_link_info info = { 0 };
	uint32_t len = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &len) || len < sizeof(info) - sizeof(info.cookie) || info.type != BPF_LINK_TYPE_PERF_EVENT)
		return 0;
	return info.event_type == EVENT_KPROBE || info.event_type == EVENT_KRETPROBE ? info.missed : 0;
}

uint64_t qt_links_missed(const struct qt_attachment *a)
{
	uint64_t sum = 0;

	qt_vec_each (l, &a->links) {
		enum qt_hook hook = a->run->plan->progs.items[l->prog].hook;

		if ((hook == QT_HOOK_kprobe || hook == QT_HOOK_kretprobe) && l->fd >= 0)
			sum += link_missed(l->fd);
	}
	return sum;
}
