/* Hand-made modules for the tests of the IR: one function, two hash maps, task storage with one stack of frames, a counter, a literal. */
#ifndef QT_TESTS_UNIT_IR_KIT_H
#define QT_TESTS_UNIT_IR_KIT_H

#include "base/regs.h"
#include "ir/build.h"
#include "ir/eval.h"
#include "tests/unit/test.h"

#include <string.h>

enum { MAP_SHARED = QT_MAP_FIXED, MAP_PERCPU };

struct fixture {
	struct qt_arena *arena;
	struct qt_plan *plan;
	struct qt_ir *ir;
	struct qt_ir_builder b;
};

static inline void map_add(struct qt_plan *p, const char *name, enum qt_map_kind kind, uint32_t key, uint32_t value)
{
	*qt_vec_push(p->arena, &p->maps) = (struct qt_plan_map){ name, kind, key, value, 8, false };
}

/* A module with one empty function at HOOK, two hash maps, task storage with one frame stack of one capture, one counter, one literal. */
static inline struct fixture fixture(enum qt_hook hook)
{
	struct fixture f = { .arena = qt_arena_new(), .plan = qt_plan_new() };

	f.plan->max_strlen = 64;
	map_add(f.plan, "counters", QT_MAP_PERCPU_ARRAY, 4, 8);
	map_add(f.plan, "strings", QT_MAP_HASH, 8, qt_plan_text_size(f.plan));
	map_add(f.plan, "context", QT_MAP_TASK_STORAGE, 4, 16 + 8 + QT_FRAME_DEPTH * 24);
	map_add(f.plan, "scratch", QT_MAP_PERCPU_ARRAY, 4, 4096);
	map_add(f.plan, "ring", QT_MAP_RINGBUF, 0, 0);
	map_add(f.plan, "filter", QT_MAP_HASH, 8, 8);
	map_add(f.plan, "threads", QT_MAP_ARRAY, 4, 8);
	map_add(f.plan, "shared", QT_MAP_HASH, 16, 8);
	map_add(f.plan, "percpu", QT_MAP_PERCPU_HASH, 8, 24);
	*qt_vec_push(f.plan->arena, &f.plan->counters) = (struct qt_plan_counter){ QT_LOSS_map_full, "x" };
	*qt_vec_push(f.plan->arena, &f.plan->literals) = QT_STR("one");
	*qt_vec_push(f.plan->arena, &f.plan->progs) = (struct qt_plan_prog){ .name = "p", .hook = hook };
	f.ir = qt_ir_new(f.arena, f.plan, NULL);
	qt_ir_begin(&f.b, f.ir, 0, "p", hook, (struct qt_span){ 0 });
	return f;
}

static inline void done(struct fixture *f)
{
	qt_arena_free(f->arena);
	qt_plan_free(f->plan);
}

static inline struct qt_ir_ins *emit(struct fixture *f, enum qt_ir_op op, uint32_t a, uint32_t b, uint64_t imm)
{
	struct qt_ir_ins *i = qt_ir_emit(&f->b, op, a, b);

	i->imm = imm;
	return i;
}

static inline void ret(struct fixture *f)
{
	emit(f, QT_IR_ret, 0, 0, 0);
}

/* A block that only ends. The cursor stays. */
static inline uint32_t ret_block(struct fixture *f)
{
	uint32_t at = f->b.block, block = qt_ir_block_new(&f->b);

	f->b.block = block;
	ret(f);
	f->b.block = at;
	return block;
}

/* An operation that fails to BLOCK, with a buffer. */
static inline uint32_t may_fail(struct fixture *f, enum qt_ir_op op, uint32_t a, uint32_t b, uint64_t imm, uint32_t buf, uint32_t block)
{
	struct qt_ir_ins *i = emit(f, op, a, b, imm);

	i->buf = buf;
	i->fail = block;
	return i->dst;
}

static inline uint32_t sized(struct fixture *f, enum qt_ir_op op, uint32_t a, uint32_t b, uint64_t imm, uint32_t size)
{
	struct qt_ir_ins *i = emit(f, op, a, b, imm);

	i->size = size;
	return i->dst;
}

/* ---- running ---- */

/* A point, so that events named "e" run the function. */
static inline void point(struct fixture *f)
{
	*qt_vec_push(f->plan->arena, &f->plan->probes) = (struct qt_plan_probe){ "e", "e" };
	*qt_vec_push(f->plan->arena, &f->plan->points) = (struct qt_plan_point){ .prog = 0, .probe = 0 };
	f->plan->maps.items[QT_MAP_STRINGS].max_entries = 3;
	f->plan->maps.items[QT_MAP_RING].max_entries = 4096;
}

static inline bool first_word(const void *key, const void *values, unsigned ncpu, void *ctx)
{
	(void)key;
	(void)ncpu;
	memcpy(ctx, values, 8);
	return false;
}

/* Ends the function with V kept in `percpu` under the key 0. */
static inline void keep(struct fixture *f, uint32_t v)
{
	uint32_t key = qt_ir_words_new(&f->b, 8), row = may_fail(f, QT_IR_map_upsert, 0, 0, MAP_PERCPU, key, ret_block(f));

	sized(f, QT_IR_row_store, row, v, 0, 8);
	ret(f);
}

static inline struct qt_machine *machine(struct fixture *f, unsigned ncpu)
{
	const char *wrong = qt_ir_check(f->ir);

	QT_EQ_STR(wrong, NULL);
	return qt_machine_new(f->ir, ncpu);
}

static inline uint64_t kept(struct qt_machine *m)
{
	const struct qt_store *s = qt_machine_store(m);
	uint64_t word = 0xdead;

	s->entries(s->self, MAP_PERCPU, first_word, &word);
	return word;
}

/* What a function that keeps a value keeps after EVENT. */
static inline uint64_t run_kept(struct fixture *f, const struct qt_event *event)
{
	struct qt_machine *m = machine(f, 1);
	uint64_t word;

	QT_EQ_INT(qt_machine_run(m, event), 1);
	word = kept(m);
	qt_machine_free(m);
	done(f);
	return word;
}

__attribute__((
	unused)) static const struct qt_event plain = { .probe = "e", .pid = 42, .tid = 43, .uid = 1000, .gid = 100, .time_ns = 7, .comm = "name" };

#endif
