/* For tests of the code generator: a plan with one of everything, a raw tracepoint program that is built by hand, compiled, loaded into this kernel and run by
 * BPF_PROG_TEST_RUN on CPU 0 with arguments of the test's choice. */
#ifndef QT_TESTS_UNIT_CODEGEN_KIT_H
#define QT_TESTS_UNIT_CODEGEN_KIT_H

#include "ir/build.h"
#include "ir/ir.h"
#include "plan/plan.h"
#include "tests/unit/test.h"

/* Behind the fixed maps. */
enum { KIT_OUT = QT_MAP_FIXED, KIT_HASH, KIT_ROWS, KIT_MAPS };

#define KIT_SEED0 0x0706050403020100ull
#define KIT_SEED1 0x0f0e0d0c0b0a0908ull
#define KIT_OUT_WORDS 256
#define KIT_COUNTERS 16

struct kit {
	struct qt_plan *plan;
	struct qt_arena *arena;
	struct qt_diags *diags;
	struct qt_sources *sources;
	struct qt_ir *ir;
	struct qt_ir_builder b;
	uint32_t out; /* value: row of map KIT_OUT */
	uint32_t end; /* block: returns; `failed` says so in word 255 of the row and returns */
	uint32_t failed;
	uint32_t filter_mode, filter_pid;
	struct bpf_object *object;
	int64_t result[KIT_OUT_WORDS]; /* of the last run */
};

/* An empty plan and module; strings up to MAX_STRLEN bytes. */
void kit_begin(struct kit *k, uint32_t max_strlen);
/* A program of its own; its row of KIT_OUT is taken and `end` and `failed` are there. */
void kit_program(struct kit *k, const char *name, enum qt_hook hook);
/* An operation with its failure block (`failed`); the result's value number is in ->dst. */
struct qt_ir_ins *kit_op(struct kit *k, enum qt_ir_op op, uint32_t a, uint32_t v);
uint32_t kit_imm(struct kit *k, enum qt_ir_op op, uint32_t a, uint32_t v, uint64_t imm);
/* Argument N of the run; VALUE to word N of the result; a jump to a block; the program's end. */
uint32_t kit_arg(struct kit *k, unsigned n);
void kit_result(struct kit *k, unsigned n, uint32_t value);
void kit_goto(struct kit *k, uint32_t block);
void kit_ret(struct kit *k);

/* Compiles; true when there is an object. Told as a failed check otherwise. */
bool kit_compile(struct kit *k);
/* Compiles and loads; the case is skipped without privileges. */
bool kit_load(struct kit *k);
/* Runs a program with up to 12 arguments; the row of KIT_OUT is cleared before and read after. */
bool kit_run(struct kit *k, const char *name, const uint64_t *args, unsigned count);
int kit_map(struct kit *k, unsigned map);
void kit_end(struct kit *k);

/* As QT_NEED, in functions that tell whether something is so. */
#define QT_NEED_OR_FALSE(cond)        \
	do {                          \
		if (!QT_TRUE(cond))   \
			return false; \
	} while (0)

#define KIT_RUN(k, name, ...) kit_run((k), (name), (uint64_t[]){ __VA_ARGS__ }, sizeof((uint64_t[]){ __VA_ARGS__ }) / 8)

#endif
