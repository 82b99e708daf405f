/* The code generator's own state: one unit a module (every LLVM handle, the shared globals), one emitter a function.
 * Emitters of operations are named qt_op_NAME, one for each row of ir/ops.def. */
#ifndef QT_CODEGEN_INTERNAL_H
#define QT_CODEGEN_INTERNAL_H

#include "base/check.h"
#include "base/map.h"
#include "codegen/codegen.h"
#include "ir/loops.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/TargetMachine.h>

/* Of the kernel's uapi. */
#define QT_BPF_F_USER_STACK 0x100
#define QT_BPF_NOEXIST 1
#define QT_EEXIST 17
#define QT_BPF_RB_NO_WAKEUP 1
#define QT_BPF_RB_FORCE_WAKEUP 2
#define QT_BPF_RB_AVAIL_DATA 0

enum qt_helper {
#define HELPER(name, number, signature) QT_HELPER_##name,
#include "codegen/helpers.def"
#undef HELPER
	QT_HELPERS
};

/* Functions of our own that the verifier checks once, apart from their callers (llvm_lib.c). */
enum qt_lib { QT_LIB_TEXT_ID, QT_LIB_FRAME_FIND, QT_LIB_FRAME_SLOT, QT_LIBS };

struct qt_lib_fn {
	enum qt_lib which;
	uint32_t stride; /* frame functions: bytes of a frame */
	LLVMValueRef fn;
	LLVMTypeRef type;
};

struct qt_debug {
	LLVMDIBuilderRef builder;
	LLVMMetadataRef cu, no_expr;
	LLVMMetadataRef *files; /* by file number of spans; 0: the unit's own */
	uint32_t nfiles;
	LLVMMetadataRef i32, u32, u64, byte, ctx;
};

struct qt_module {
	struct qt_ir *ir;
	struct qt_plan *plan;
	struct qt_diags *diags;
	struct qt_arena *arena; /* of the module */
	const char *error; /* what LLVM's back end complained of; NULL: nothing */
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMBuilderRef b;
	LLVMTargetMachineRef machine;
	LLVMTypeRef i1, i8, i16, i32, i64, ptr, none;
	LLVMTypeRef helper_types[QT_HELPERS];
	LLVMMetadataRef unlikely; /* branch weights: the first target is rare */
	unsigned prof_kind;
	struct qt_debug debug;
	LLVMValueRef *maps; /* by plan map; NULL: not in the object */
	LLVMValueRef live, config, zeros, log2_table;
	QT_VEC(struct qt_lib_fn) libs;
	bool plain_counters; /* no program that counts can be interrupted by another */
};

/* A stretch of a block that runs as a whole: it ends with an operation that may fail or with the block's end. */
struct qt_node {
	uint32_t block, first, last; /* instructions FIRST to LAST of the block */
	QT_VEC(uint32_t) succ;
	uint32_t order, idom; /* place in reverse post-order and the immediate dominator's; QT_NO_NODE: unreachable */
};
#define QT_NO_NODE UINT32_MAX

struct qt_graph {
	QT_VEC(struct qt_node) nodes;
	uint32_t *entry; /* first node of each block, QT_NO_NODE: it belongs to another function */
	uint32_t start; /* where the function begins */
	uint32_t *order; /* nodes in reverse post-order */
	uint32_t norder;
};

/* A value that is the same wherever a run of the program asks for it. */
struct qt_once {
	const struct qt_ir_ins *ins;
	uint32_t node; /* place (in reverse post-order) of the nearest node that dominates all uses */
	LLVMValueRef value; /* NULL until made */
};

/* The frame that the functions of a program with loops share; see llvm_frame.c. Offsets of 0 mean: not there. */
enum { QT_FRAME_LEFT = 0, QT_FRAME_CTX = 8, QT_FRAME_SCRATCH = 16, QT_FRAME_FIRST = 24 };

struct qt_frame_once {
	const struct qt_ir_ins *ins;
	uint32_t at;
};

struct qt_frame_value {
	const struct qt_ir_ins *ins; /* which makes it */
	uint32_t loop; /* in whose turns that is */
};

/* What the turns of one loop, with those inside of them, take from outside, and where they go. */
struct qt_frame_part {
	QT_VEC(uint32_t) onces; /* numbers in the frame's list */
	QT_VEC(struct qt_frame_value) values;
	QT_VEC(uint32_t) exits; /* blocks outside, but for the one behind the loop */
	QT_VEC(uint32_t) kept; /* shared slots whose value at the begin of a turn is used */
};

struct qt_frame {
	struct qt_ir_loops loops;
	uint32_t size;
	uint32_t *slot_at, *value_at; /* by slot, by value */
	QT_VEC(struct qt_frame_once) onces;
	struct qt_frame_part *parts; /* by loop */
};

struct qt_emit {
	struct qt_module *u;
	const struct qt_ir_fn *fn;
	LLVMValueRef function, ctx;
	LLVMMetadataRef scope; /* of line numbers */
	LLVMBasicBlockRef entry; /* holds the stack variables, nothing else */
	LLVMBasicBlockRef *blocks;
	LLVMValueRef *values, *slots, *bufs;
	LLVMValueRef cell, name, scratch, record; /* stack variables made on demand: a word, 16 bytes, the slot's address, the open ring record */
	struct qt_graph graph;
	QT_VEC(struct qt_once) onces;
	const struct qt_frame *frame;
	LLVMValueRef frame_at; /* NULL: no loops */
	uint32_t loop; /* whose turns the function is, QT_IR_NO_LOOP: the program itself */
	LLVMValueRef turn, key, row; /* of the turn */
};

/* llvm_unit.c */
bool qt_module_begin(struct qt_module *u, struct qt_ir *ir, struct qt_diags *diags);
void qt_module_end(struct qt_module *u);
LLVMValueRef qt_int(const struct qt_module *u, uint64_t n);
LLVMValueRef qt_at(const struct qt_module *u, LLVMValueRef base, uint64_t offset);
LLVMValueRef qt_at_value(const struct qt_module *u, LLVMValueRef base, LLVMValueRef offset);
/* Loads and stores; `raw` ones stay as they are, where and how often they stand (volatile). Loads give 64 bits. */
LLVMValueRef qt_load(const struct qt_module *u, LLVMValueRef at, uint32_t size, bool sign);
LLVMValueRef qt_load_raw(const struct qt_module *u, LLVMValueRef at, uint32_t size, bool sign);
LLVMValueRef qt_store(const struct qt_module *u, LLVMValueRef at, LLVMValueRef value, uint32_t size);
LLVMValueRef qt_extend(const struct qt_module *u, LLVMValueRef value, uint32_t size, bool sign);
LLVMValueRef qt_narrow(const struct qt_module *u, LLVMValueRef value, uint32_t size);
LLVMValueRef qt_compare(const struct qt_module *u, LLVMIntPredicate how, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef qt_call(struct qt_module *u, enum qt_helper helper, LLVMValueRef const *args);
#define QT_CALL(u, name, ...) qt_call((u), QT_HELPER_##name, (LLVMValueRef[]){ NULL, ##__VA_ARGS__ } + 1)
/* One BPF instruction on a value (a and what it makes), as text: "$0 /= $2" and so on. B may be NULL. */
LLVMValueRef qt_asm(struct qt_module *u, const char *text, LLVMValueRef a, LLVMValueRef b);
LLVMBasicBlockRef qt_block(struct qt_module *u, const char *name);
/* `if (CONDITION)` goes to YES else to NO; YES is rare for `unlikely`. */
void qt_branch(struct qt_module *u, LLVMValueRef condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no);
void qt_branch_rarely(struct qt_module *u, LLVMValueRef condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no);
LLVMValueRef qt_phi(struct qt_module *u, LLVMTypeRef type, LLVMValueRef a, LLVMBasicBlockRef from_a, LLVMValueRef b, LLVMBasicBlockRef from_b);
void qt_function_attributes(struct qt_module *u, LLVMValueRef fn, bool apart);

/* llvm_btf.c */
void qt_debug_begin(struct qt_module *u);
void qt_debug_end(struct qt_module *u);
LLVMMetadataRef qt_debug_array(struct qt_module *u, LLVMMetadataRef item, uint64_t item_size, uint64_t count);
LLVMMetadataRef qt_debug_pointer(struct qt_module *u, LLVMMetadataRef to);
LLVMMetadataRef qt_debug_bytes(struct qt_module *u, const char *name, uint64_t size);
void qt_debug_global(struct qt_module *u, LLVMValueRef global, LLVMMetadataRef type);
/* The subprogram of FN with named parameters; its result is an int or a u64. */
LLVMMetadataRef qt_debug_function(struct qt_module *u, LLVMValueRef fn, struct qt_span at, const char *const *names, const LLVMMetadataRef *types,
				  unsigned count, bool wide);
void qt_debug_place(struct qt_module *u, LLVMMetadataRef scope, struct qt_span at);

/* llvm_maps.c, llvm_globals.c, llvm_lib.c, llvm_graph.c, llvm_function.c, llvm_layout.c, llvm_finish.c */
/* A de Bruijn sequence of 64 bits: times 2^n - 1, its upper six bits differ for each n above 0. */
#define QT_LOG2_MAGIC 0x03f6eaf2cd271461ull
void qt_maps_make(struct qt_module *u);
void qt_globals_make(struct qt_module *u);
LLVMValueRef qt_zeros(struct qt_module *u);
LLVMValueRef qt_log2_table(struct qt_module *u);
LLVMValueRef qt_config_word(struct qt_module *u, uint64_t word);
const struct qt_lib_fn *qt_lib(struct qt_module *u, enum qt_lib which, uint32_t stride);
LLVMValueRef qt_lib_call(struct qt_module *u, const struct qt_lib_fn *f, LLVMValueRef a, LLVMValueRef b);
/* Of the blocks that run in the turns of LOOP, but not of one inside. */
void qt_graph_make(struct qt_arena *a, struct qt_graph *g, const struct qt_ir_fn *fn, const struct qt_frame *frame, uint32_t loop);
uint32_t qt_graph_join(const struct qt_graph *g, uint32_t a, uint32_t b);
void qt_function_make(struct qt_module *u, const struct qt_ir_fn *fn);
/* Fills e->function, whose scope and parameters are set. */
void qt_function_body(struct qt_emit *e);
bool qt_is_once(enum qt_ir_op op);
bool qt_same_once(const struct qt_ir_ins *a, const struct qt_ir_ins *b);
struct qt_once *qt_find_once(struct qt_emit *e, const struct qt_ir_ins *i);
LLVMValueRef qt_emit_once(struct qt_emit *e, const struct qt_ir_ins *i);
struct qt_frame *qt_frame_make(struct qt_arena *arena, const struct qt_ir_fn *fn);
/* In the function of a loop's turns: what comes from outside; where its ways out lead. */
void qt_loop_take(struct qt_emit *e);
void qt_loop_ways_out(struct qt_emit *e);
void qt_block_layout(struct qt_module *u, LLVMValueRef fn);
bool qt_finish(struct qt_module *u, const struct qt_codegen_options *options);

/* For emitters (llvm_emit.c) */
LLVMValueRef qt_map(struct qt_emit *e, uint64_t map);
LLVMValueRef qt_stack(struct qt_emit *e, uint32_t bytes);
LLVMValueRef qt_cell(struct qt_emit *e);
LLVMValueRef qt_name16(struct qt_emit *e);
/* The thread's name, 16 bytes with zeros behind it. */
void qt_name_to(struct qt_emit *e, LLVMValueRef at);
/* The rest of the block runs only where CONDITION is not true; else the instruction's fail block does. */
void qt_fail_if(struct qt_emit *e, const struct qt_ir_ins *i, LLVMValueRef condition);
void qt_fail_null(struct qt_emit *e, const struct qt_ir_ins *i, LLVMValueRef pointer);
LLVMValueRef qt_text_at(struct qt_emit *e, uint32_t buf);

typedef LLVMValueRef (*qt_op_fn)(struct qt_emit *e, const struct qt_ir_ins *i);
#define OP(name, result, a, b, flags, text) LLVMValueRef qt_op_##name(struct qt_emit *e, const struct qt_ir_ins *i);
#include "ir/ops.def"
#undef OP

#endif
