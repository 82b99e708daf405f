/* The interpreter inside: its tables (eval_table.c), a program run, and one function an operation (eval_num.c, eval_text.c, eval_rows.c, eval_ring.c). */
#ifndef QT_IR_EVAL_INTERNAL_H
#define QT_IR_EVAL_INTERNAL_H

#include "ir/eval.h"

#include "base/vec.h"

/* ---- hash tables: maps, and task storage by thread ---- */

struct qt_eval_entry {
	struct qt_eval_entry *next; /* in its bucket */
	uint64_t hash;
	unsigned char *key, *values; /* values: one a copy, each value_size bytes */
};

struct qt_eval_table {
	struct qt_arena *arena;
	struct qt_eval_entry **buckets;
	uint32_t nbuckets, len;
	uint32_t key_size, value_size, copies;
	uint32_t max_entries; /* 0: no limit */
};

void qt_eval_table_init(struct qt_eval_table *t, struct qt_arena *arena, uint32_t key_size, uint32_t value_size, uint32_t copies,
			uint32_t max_entries);
struct qt_eval_entry *qt_eval_table_get(const struct qt_eval_table *t, const void *key);
/* The entry, a zero one when it was absent; NULL when the table is full. */
struct qt_eval_entry *qt_eval_table_upsert(struct qt_eval_table *t, const void *key);
void qt_eval_table_delete(struct qt_eval_table *t, const void *key);
void qt_eval_table_clear(struct qt_eval_table *t);

/* ---- the machine ---- */

struct qt_eval_region {
	uint64_t address;
	size_t len;
	const unsigned char *bytes;
};

struct qt_eval_record {
	unsigned char *bytes;
	uint32_t size;
};

struct qt_machine {
	struct qt_arena *arena;
	struct qt_ir *ir;
	unsigned ncpu;
	uint64_t live[QT_LIVE_WORDS];
	uint64_t *config; /* QT_CONFIG_LITERALS words, then the ids of the literals */
	uint64_t *counters; /* of CPU 0, then of CPU 1 ... */
	struct qt_eval_table *maps; /* as the plan has them; those of other kinds stay empty */
	struct qt_eval_table tasks; /* by thread id */
	QT_VEC(struct qt_eval_region) memory;
	uint64_t next_address;
	QT_VEC(struct qt_eval_record) records; /* submitted or reserved, in order of reservation */
	uint64_t ring_used, ring_bytes;
	uint64_t random;
	struct qt_store store;
};

void qt_eval_store_init(struct qt_machine *m);
/* LEN readable bytes at ADDRESS, NULL when they are not; with LEN 1, *REST gets how many follow. */
const unsigned char *qt_eval_memory(const struct qt_machine *m, uint64_t address, size_t len, size_t *rest);
/* Puts a text into the strings; false when they are full. */
bool qt_eval_intern(struct qt_machine *m, uint64_t id, const struct qt_text *text);

/* ---- a program run ---- */

struct qt_eval_loop {
	uint32_t head;
	uint64_t turn, next, turns; /* the number of this turn, of the next, of all */
	const struct qt_eval_table *table; /* over a map: the keys that were there at its begin, and this turn's entry */
	unsigned char *keys;
	const struct qt_eval_entry *entry;
};

struct qt_run {
	struct qt_machine *m;
	const struct qt_ir_fn *fn;
	const struct qt_event *event;
	uint32_t probe;
	uint32_t cpu;
	uint64_t *values; /* by number; rows are addresses */
	uint64_t *slots;
	unsigned char **bufs;
	struct qt_eval_record open;
	struct qt_arena *arena; /* of this run */
	QT_VEC(struct qt_eval_loop) loops; /* that were begun */
	uint32_t block, at; /* the next instruction */
	bool done;
};

/* Runs one instruction; false: it failed. */
typedef bool (*qt_eval_fn)(struct qt_run *r, const struct qt_ir_ins *i);
#define OP(name, result, a, b, flags, text) bool qt_eval_##name(struct qt_run *r, const struct qt_ir_ins *i);
#include "ir/ops.def"
#undef OP

static inline uint64_t qt_eval_a(const struct qt_run *r, const struct qt_ir_ins *i)
{
	return r->values[i->a];
}

static inline uint64_t qt_eval_b(const struct qt_run *r, const struct qt_ir_ins *i)
{
	return r->values[i->b];
}

/* Sets the result; true, so that an operation ends with it. */
static inline bool qt_eval_result(struct qt_run *r, const struct qt_ir_ins *i, uint64_t value)
{
	r->values[i->dst] = value;
	return true;
}

/* SIZE bytes as a number, little endian, extended by SIGN. */
uint64_t qt_eval_number(const unsigned char *bytes, uint32_t size, bool sign);
uint64_t qt_eval_extend(uint64_t value, uint32_t size, bool sign);
uint64_t qt_eval_pid_tgid_of(const struct qt_event *e);
/* The thread's name in 16 bytes, zeros behind it. */
void qt_eval_comm(const struct qt_run *r, unsigned char *to);

#endif
