/* The interpreter: runs a module on synthetic events, byte for byte as the kernel would lay out its maps. For tests and `qtrace test`; needs no privileges. */
#ifndef QT_IR_EVAL_H
#define QT_IR_EVAL_H

#include "base/regs.h"
#include "ir/ir.h"
#include "plan/store.h"

struct qt_event {
	const char *probe; /* canonical text: all functions with such a point run, entries first for an entry, rules in order */
	uint64_t site; /* file offset of the point that is hit, where points of one name differ; 0: any */
	uint32_t pid, tid, uid, gid, cpu;
	const char *comm;
	uint64_t time_ns;
	uint64_t regs[QT_REG_COUNT];
	const uint64_t *kstack, *ustack; /* addresses of frames, innermost first; NULL: a stack cannot be taken */
	uint32_t nkstack, nustack;
	uint64_t cgroup;
	const void *ctx; /* FIELDS, WORDS contexts */
	uint32_t ctx_size;
};

struct qt_machine;
/* A machine with empty maps, enabled, started at time 0. IR must stay. NCPU CPUs (1 to 64). */
struct qt_machine *qt_machine_new(struct qt_ir *ir, unsigned ncpu);
void qt_machine_free(struct qt_machine *m);

/* Puts bytes into synthetic memory and returns their address (user space and kernel share it). A zero byte follows them. Address 0 and all others are unreadable. */
uint64_t qt_machine_memory(struct qt_machine *m, const void *bytes, size_t len);

/* Runs every program with a point of EVENT's name and site (of programs that one rule gave for sites of different layout, the first); the number of programs run, -1 after a broken program (more than 1,000,000 steps; a bug). */
int qt_machine_run(struct qt_machine *m, const struct qt_event *event);

/* A thread ended: its storage goes. */
void qt_machine_thread_exit(struct qt_machine *m, uint32_t tid);

/* The machine's maps, counters and texts for decode.h; valid as long as the machine. */
const struct qt_store *qt_machine_store(struct qt_machine *m);

/* Records in order since the last call; FN gets head and body. */
typedef void (*qt_record_fn)(const void *record, size_t size, void *ctx);
void qt_machine_drain(struct qt_machine *m, qt_record_fn fn, void *ctx);

/* exit() was called: true, and its code. */
bool qt_machine_exited(const struct qt_machine *m, int *code);

/* Limits the ring (bytes until the next drain), to force losses. */
void qt_machine_set_ring(struct qt_machine *m, uint64_t bytes);

#endif
