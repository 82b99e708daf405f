/* The kernel's record of what processes do to their address spaces: perf events of kind "dummy" on every CPU, with mmap2, comm_exec and task (perf_event_open(2)). */
#ifndef QT_RUNTIME_PERF_TASKS_H
#define QT_RUNTIME_PERF_TASKS_H

#include <stdint.h>

struct qt_perf_tasks;

struct qt_perf_tasks_sink {
	void (*mapped)(void *ctx, uint32_t pid, uint64_t start, uint64_t size, uint64_t offset, uint64_t inode,
		       const char *path); /* executable ones */
	void (*forked)(void *ctx, uint32_t pid, uint32_t parent); /* a new process, not a thread */
	void (*executed)(void *ctx, uint32_t pid);
};

/* 0 and *OUT, or a negative errno and NULL. */
int qt_perf_tasks_open(struct qt_perf_tasks **out);
void qt_perf_tasks_close(struct qt_perf_tasks *t); /* NULL is fine */
/* All that waits, a CPU at a time: what one process did before it moved to another CPU may come later than what it did there. Never blocks. */
void qt_perf_tasks_read(struct qt_perf_tasks *t, const struct qt_perf_tasks_sink *sink, void *ctx);

#endif
