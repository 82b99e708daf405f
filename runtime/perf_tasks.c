/* Perf rings, one a CPU: the kernel writes records and moves data_head, the reader moves data_tail (include/uapi/linux/perf_event.h). */
#include "runtime/perf_tasks.h"

#include "base/arena.h"
#include "base/check.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGES 64u /* of a ring, besides its head page; some thousand records */

struct ring {
	int fd;
	struct perf_event_mmap_page *head; /* NULL: none */
	const char *data;
	char *record; /* one that goes round the end is put together here */
};

struct qt_perf_tasks {
	struct ring *rings;
	unsigned count;
	size_t page;
};

struct mmap2 {
	struct perf_event_header head;
	uint32_t pid, tid;
	uint64_t start, size, offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t prot, flags;
	char path[];
};

struct task {
	struct perf_event_header head;
	uint32_t pid, ppid, tid, ptid;
};

struct comm {
	struct perf_event_header head;
	uint32_t pid, tid;
};

static int open_event(unsigned cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.watermark = 1,
		.wakeup_watermark = PAGES * 2048,
	};

	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static int open_ring(const struct qt_perf_tasks *t, struct ring *r, unsigned cpu)
{
	void *p;

	r->fd = open_event(cpu);
	if (r->fd < 0)
		return -errno;
	p = mmap(NULL, (PAGES + 1) * t->page, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	r->head = p;
	r->data = (const char *)p + t->page;
	r->record = malloc(UINT16_MAX + 1u);
	if (!r->record)
		qt_oom();
	return 0;
}

/* A CPU that is offline has no ring. */
int qt_perf_tasks_open(struct qt_perf_tasks **out)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct qt_perf_tasks *t = calloc(1, sizeof(*t));
	int err = 0;

	*out = NULL;
	if (!t)
		qt_oom();
	t->page = (size_t)sysconf(_SC_PAGESIZE);
	t->rings = calloc((size_t)cpus, sizeof(*t->rings));
	if (!t->rings)
		qt_oom();
	while (!err && t->count < (unsigned)cpus) {
		struct ring *r = &t->rings[t->count];

		err = open_ring(t, r, t->count++);
		err = err == -ENODEV ? 0 : err;
	}
	if (err)
		qt_perf_tasks_close(t);
	else
		*out = t;
	return err;
}

void qt_perf_tasks_close(struct qt_perf_tasks *t)
{
	if (!t)
		return;
	for (unsigned i = 0; i < t->count; i++) {
		if (t->rings[i].head)
			munmap(t->rings[i].head, (PAGES + 1) * t->page);
		if (t->rings[i].fd >= 0)
			close(t->rings[i].fd);
		free(t->rings[i].record);
	}
	free(t->rings);
	free(t);
}

/* ---- records ---- */

static void on_mmap2(const void *record, const struct qt_perf_tasks_sink *sink, void *ctx)
{
	const struct mmap2 *m = record;

	if (m->head.size > sizeof(*m) && memchr(m->path, 0, m->head.size - sizeof(*m)))
		sink->mapped(ctx, m->pid, m->start, m->size, m->offset, m->inode, m->path);
}

static void on_fork(const void *record, const struct qt_perf_tasks_sink *sink, void *ctx)
{
	const struct task *t = record;

	if (t->head.size >= sizeof(*t) && t->pid != t->ppid)
		sink->forked(ctx, t->pid, t->ppid);
}

static void on_comm(const void *record, const struct qt_perf_tasks_sink *sink, void *ctx)
{
	const struct comm *c = record;

	if (c->head.size >= sizeof(*c) && c->head.misc & PERF_RECORD_MISC_COMM_EXEC)
		sink->executed(ctx, c->pid);
}

static const struct {
	uint32_t type;
	void (*fn)(const void *record, const struct qt_perf_tasks_sink *sink, void *ctx);
} kinds[] = { { PERF_RECORD_MMAP2, on_mmap2 }, { PERF_RECORD_FORK, on_fork }, { PERF_RECORD_COMM, on_comm } };

/* LEN bytes at AT of the ring, in one piece. */
static const void *piece(const struct ring *r, uint64_t at, size_t size, size_t len)
{
	size_t begin = at % size, first = size - begin;

	if (len <= first)
		return r->data + begin;
	memcpy(r->record, r->data + begin, first);
	memcpy(r->record + first, r->data, len - first);
	return r->record;
}

static void read_ring(const struct ring *r, size_t size, const struct qt_perf_tasks_sink *sink, void *ctx)
{
	uint64_t head = __atomic_load_n(&r->head->data_head, __ATOMIC_ACQUIRE), at = r->head->data_tail;
	struct perf_event_header h;

	while (head - at >= sizeof(h)) {
		memcpy(&h, piece(r, at, size, sizeof(h)), sizeof(h));
		if (h.size < sizeof(h) || h.size > head - at)
			break;
		for (size_t k = 0; k < QT_COUNT(kinds); k++)
			if (kinds[k].type == h.type)
				kinds[k].fn(piece(r, at, size, h.size), sink, ctx);
		at += h.size;
	}
	__atomic_store_n(&r->head->data_tail, head, __ATOMIC_RELEASE);
}

void qt_perf_tasks_read(struct qt_perf_tasks *t, const struct qt_perf_tasks_sink *sink, void *ctx)
{
	for (unsigned i = 0; i < t->count; i++)
		if (t->rings[i].head)
			read_ring(&t->rings[i], PAGES * t->page, sink, ctx);
}
