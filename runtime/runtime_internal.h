/* What the parts of the runtime share: the loaded object, the attached links, the store over the kernel's maps, and places for diagnostics. */
#ifndef QT_RUNTIME_INTERNAL_H
#define QT_RUNTIME_INTERNAL_H

#include "base/diag.h"
#include "base/map.h"
#include "plan/plan.h"
#include "plan/store.h"
#include "runtime/ring.h"
#include "runtime/session.h"
#include "target/target.h"

#include <sys/types.h>

struct bpf_object;
struct bpf_program;
struct qt_baseline;

/* What every part needs: the inputs of the run. */
struct qt_run {
	const struct qt_plan *plan;
	struct qt_target *target;
	const struct qt_session_options *options;
	const struct qt_session_sink *sink;
	struct qt_diags *diags;
	struct qt_arena *arena; /* lives as long as the run */
};

/* ---- diagnostics (place.c) ------------------------------------------------------------------------------------------- */

/* The span of LINE (from 1; COLUMN 0: the whole line) of script FILE; none when the sources are not at hand. */
struct qt_span qt_place(const struct qt_run *run, const char *file, uint32_t line, uint32_t column);
/* A diagnostic at the rule of PROG. */
struct qt_diag *qt_diag_prog(const struct qt_run *run, enum qt_code code, uint32_t prog, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* A diagnostic without a place. */
struct qt_diag *qt_diag_run(const struct qt_run *run, enum qt_code code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* A line for -v; LEVEL 1 or 2. */
void qt_message(const struct qt_run *run, int level, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* A positive or negative errno as words. */
const char *qt_errno_text(const struct qt_run *run, int err);

uint64_t qt_now_ns(void); /* CLOCK_MONOTONIC, the clock of bpf_ktime_get_ns */

/* ---- the loaded object (loader.c) ------------------------------------------------------------------------------------ */

struct qt_load_options {
	enum qt_filter_mode filter;
	const uint32_t *pids; /* the first passes without a look-up, the others go into `filter` */
	unsigned npids;
	bool tree; /* keep the programs that follow forks */
};

struct qt_loaded {
	struct bpf_object *object;
	int *prog_fds; /* by plan index; -1: not loaded */
	int *map_fds; /* by plan index; -1: unused */
	uint64_t *live; /* enum qt_live_word, in area */
	void *area; /* the mapped .bss */
	size_t area_size;
	bool uprobe_multi; /* user probes are attached by multi links */
};

/* Opens and loads the plan's object: config written, tables sized, literals stored. False with a diagnostic. */
bool qt_run_load(const struct qt_run *run, const struct qt_load_options *o, struct qt_loaded *out);
void qt_unload(struct qt_loaded *l);

/* What the machine says to A (asks.c); false with a diagnostic when it has no such thing. */
bool qt_ask_answer(const struct qt_run *run, const struct qt_load_options *o, const struct qt_plan_ask *a, uint64_t *answer);

void qt_live_set(struct qt_loaded *l, enum qt_live_word word, uint64_t value);
uint64_t qt_live_get(const struct qt_loaded *l, enum qt_live_word word);

/* Waits until every program that was running when it was called has ended. */
void qt_quiesce(void);

/* ---- attaching (attach*.c) ------------------------------------------------------------------------------------------- */

/* One thing that hangs in the kernel; closing both detaches it. */
struct qt_link {
	int fd; /* BPF link */
	int event; /* perf event or -1 */
	uint32_t prog;
	bool waits; /* its close waits for RCU */
};

struct qt_attachment {
	const struct qt_run *run;
	const struct qt_loaded *loaded;
	pid_t pid; /* user probes only in this process; 0: in all */
	bool (*interrupted)(void *ctx); /* asked between programs; may be NULL */
	void *ctx;

	QT_VEC(struct qt_link) links;
	uint32_t *points; /* indices of the plan's points by program, file, offset */
	uint32_t *first; /* of each program in points, one more at the end */
	unsigned probes; /* points of rules that are attached */
	bool stopped; /* interrupted */
};

/* Attaches every loaded program; what is attached can be seen in links even after a failure. False with diagnostics. */
bool qt_attach(struct qt_attachment *a);
/* Detaches all; several at once where their closes wait. */
void qt_detach(struct qt_attachment *a);
/* Events that the kernel says it did not deliver to these links. */
uint64_t qt_links_missed(const struct qt_attachment *a);

/* For the parts: keeps a link. */
void qt_attachment_add(struct qt_attachment *a, struct qt_link link);
/* A perf event for BPF: opened, PROG attached with COOKIE, enabled. 0 or a negative errno; *STEP says where it failed. */
struct perf_event_attr;
int qt_perf_attach(struct qt_attachment *a, struct perf_event_attr *attr, pid_t pid, int cpu, uint32_t prog, uint64_t cookie, bool waits);
/* The type number of a perf PMU ("uprobe"), or a negative errno. */
int qt_pmu_type(const char *name);

/* Tells that the kernel refused FUNCTION to PROG, why (FEATURE may be missing), and what carries the same event. */
void qt_function_refused(const struct qt_run *run, uint32_t prog, const char *function, int err, enum qt_feature feature);

bool qt_attach_user(struct qt_attachment *a, uint32_t prog);
bool qt_attach_tracepoint(struct qt_attachment *a, uint32_t prog);
bool qt_attach_raw(struct qt_attachment *a, uint32_t prog);
bool qt_attach_kprobe(struct qt_attachment *a, uint32_t prog);
bool qt_attach_trampoline(struct qt_attachment *a, uint32_t prog);
bool qt_attach_profile(struct qt_attachment *a, uint32_t prog);

/* Runs a begin, end or interval program once. 0 or a negative errno. */
int qt_run_program(const struct qt_loaded *l, uint32_t prog);
/* Runs all programs of a hook (begin, end); false with a diagnostic. */
bool qt_run_hook(const struct qt_run *run, const struct qt_loaded *l, enum qt_hook hook);

/* ---- the maps as a store (kernel_store.c) ---------------------------------------------------------------------------- */

struct qt_kernel_store {
	struct qt_store store;
	const struct qt_plan *plan;
	const struct qt_loaded *loaded;
	unsigned ncpu; /* possible CPUs */
	bool taking; /* entries() takes what it reads out of the map, counter() of untagged events begins anew after it */
	uint64_t *baseline; /* by counter: what counter() leaves out */
	struct qt_baseline **told; /* by map: of tables whose rows stay when they are taken; NULL: others */
	void *counters; /* room for one value of the counters' map on every CPU */
	void *value; /* room for one value of `strings` */
	struct qt_arena *texts; /* cache, until qt_store_forget */
	struct qt_map known;
	struct qt_shower *shower;
};

void qt_store_open(struct qt_kernel_store *s, const struct qt_run *run, const struct qt_loaded *loaded);
void qt_store_close(struct qt_kernel_store *s);
/* Drops the cached texts: pointers that text() gave end here. */
void qt_store_forget(struct qt_kernel_store *s);

/* ---- what comes out (collect.c) -------------------------------------------------------------------------------------- */

struct qt_collector {
	const struct qt_run *run;
	struct qt_kernel_store *store;
	struct qt_ring ring;
	bool has_ring;
	struct qt_buf text; /* one printf */
	bool unflushed; /* something was given to the sink since its last flush */
	bool silent; /* the output has gone: read on, give nothing */
};

/* 0 or a negative errno. */
int qt_collector_open(struct qt_collector *c, const struct qt_run *run, struct qt_kernel_store *store, const struct qt_loaded *loaded);
void qt_collector_close(struct qt_collector *c);
/* Reads what waits in the ring, at most one batch. True: more waits. */
bool qt_collect(struct qt_collector *c);
/* Gives all tables to the sink; TAKE empties them in the same step. */
void qt_collect_tables(struct qt_collector *c, bool take);
/* Gives the losses; true when there were any. */
bool qt_collect_losses(struct qt_collector *c, uint64_t missed);
void qt_collect_flush(struct qt_collector *c);

/* ---- losses (losses.c) ----------------------------------------------------------------------------------------------- */

/* Events that the kernel did not give to the loaded programs because one of them was running already. */
uint64_t qt_programs_missed(const struct qt_plan *plan, const struct qt_loaded *l);

/* ---- processes (process.c) ------------------------------------------------------------------------------------------- */

/* All of -p must run; a pidfd of each in FDS (-1 where the kernel gives none). False with diagnostics. */
bool qt_processes_open(const struct qt_run *run, int *fds);

/* Lets this process open as many files as the hard limit allows; BEFORE is what the command of -c shall have. */
struct rlimit;
void qt_files_raise(struct rlimit *before);
/* What to do when that does not suffice: a hint where ERR (a negative errno) says so. */
extern const char qt_files_hint[];
bool qt_lacks_files(int err);
void qt_hint_files(const struct qt_run *run, struct qt_diag *d, int err);

/* Whether the binaries that the plan probes are the files that it was made for, as far as they have build ids: an offset into another one would hit the middle of
 * an instruction. False with diagnostics. */
bool qt_binaries_check(const struct qt_run *run);

/* Root, or the capabilities that loading needs. False with the one diagnostic. */
bool qt_privileges_check(const struct qt_run *run);

#endif
