/* The intermediate representation: one function a BPF program, blocks of instructions over numbered 64-bit values. What the verifier demands holds by form:
 * an operation that may fail names the block that it fails to, and its result exists only where it succeeded. Checked by qt_ir_check, interpreted by eval.h, turned into BPF by codegen/. */
#ifndef QT_IR_IR_H
#define QT_IR_IR_H

#include "base/source.h"
#include "base/vec.h"
#include "plan/plan.h"

enum qt_ir_op {
#define OP(name, result, a, b, flags, text) QT_IR_##name,
#include "ir/ops.def"
#undef OP
	QT_IR_OPS
};

enum qt_ir_operand { QT_IR_NONE, QT_IR_INT, QT_IR_ROW };

#define QT_IR_MAY_FAIL 1u
#define QT_IR_ENDS 2u
#define QT_IR_EFFECT 4u

struct qt_ir_op_info {
	const char *name;
	enum qt_ir_operand result, a, b;
	unsigned flags;
	const char *text;
};
const struct qt_ir_op_info *qt_ir_op_info(enum qt_ir_op op);

/* Whether instructions of this kind name a block in target, in otherwise; those that end a block go there. */
bool qt_ir_has_target(enum qt_ir_op op);
bool qt_ir_has_otherwise(enum qt_ir_op op);

/* Turns of one loop: the kernel's limit of bpf_loop (BPF_MAX_LOOPS). */
#define QT_IR_TURNS_MAX (8u << 20)

#define QT_IR_NO_BLOCK UINT32_MAX
#define QT_IR_NO_BUF UINT32_MAX

struct qt_ir_ins {
	enum qt_ir_op op;
	uint32_t dst; /* value number, 0: none */
	uint32_t a, b; /* value numbers, 0: none */
	uint64_t imm;
	uint32_t buf, buf2; /* buffer numbers or QT_IR_NO_BUF */
	uint32_t size; /* bytes */
	bool sign;
	bool atomic;
	bool has_b; /* text_read */
	uint32_t fail; /* block, QT_IR_NO_BLOCK */
	uint32_t target, otherwise; /* blocks of br, brif and of loops */
	struct qt_span span;
};

struct qt_ir_block {
	QT_VEC(struct qt_ir_ins) ins;
};

enum qt_ir_buf_kind {
	QT_IR_BUF_WORDS, /* on the stack: zero until stored; at most 256 bytes together */
	QT_IR_BUF_TEXT, /* in scratch: a struct qt_text of the plan's max_strlen */
};

struct qt_ir_buf {
	enum qt_ir_buf_kind kind;
	uint32_t size; /* WORDS: bytes, a multiple of 8 */
	uint32_t offset; /* TEXT: in the scratch slot */
};

/* A program. Block 0 is its entry; values are numbered from 1. */
struct qt_ir_fn {
	uint32_t prog; /* index in plan.progs */
	const char *name;
	enum qt_hook hook;
	struct qt_span span;
	QT_VEC(struct qt_ir_block) blocks;
	QT_VEC(struct qt_ir_buf) bufs;
	uint32_t nvalues; /* highest value number */
	uint32_t nslots;
};

struct qt_ir {
	struct qt_arena *arena;
	struct qt_plan *plan; /* layouts that the instructions refer to */
	const struct qt_sources *sources; /* for line numbers */
	QT_VEC(struct qt_ir_fn) fns;
	uint32_t scratch_bytes; /* of one slot; slots per CPU: QT_SCRATCH_SLOTS */
};

/* A scratch slot is one u64 (0: free, 1: taken), then its buffers. Each is an entry of the per-CPU array `scratch` of its own: the kernel allots 32 KiB a value at most. */
#define QT_SCRATCH_SLOTS 4

/* Verifies a module: operands, blocks, definitions before uses on every path, fail edges, scratch taken before TEXT buffers are used and given back, ring records submitted, stack budget,
 * offsets inside their maps' values. NULL when sound, else what is wrong, in the module's arena. */
const char *qt_ir_check(struct qt_ir *ir);

/* As text, one instruction a line, for --dump=ir. */
void qt_ir_dump(const struct qt_ir *ir, FILE *out);

#endif
