/* Making IR: a cursor in a function. Used by the lowering and by tests. */
#ifndef QT_IR_BUILD_H
#define QT_IR_BUILD_H

#include "ir/ir.h"

struct qt_ir_builder {
	struct qt_ir *ir;
	uint32_t fn; /* index in ir->fns */
	uint32_t block; /* where instructions go */
	struct qt_span span; /* given to each new instruction */
};

struct qt_ir *qt_ir_new(struct qt_arena *arena, struct qt_plan *plan, const struct qt_sources *sources);
/* A new function with an empty entry block; B stands in it. */
void qt_ir_begin(struct qt_ir_builder *b, struct qt_ir *ir, uint32_t prog, const char *name, enum qt_hook hook, struct qt_span span);
uint32_t qt_ir_block_new(struct qt_ir_builder *b);
uint32_t qt_ir_slot_new(struct qt_ir_builder *b);
uint32_t qt_ir_words_new(struct qt_ir_builder *b, uint32_t bytes);
uint32_t qt_ir_text_new(struct qt_ir_builder *b);

/* Appends an instruction; a result gets the next value number. The pointer holds until the next call. Set what the operation needs beyond a and b on it. */
struct qt_ir_ins *qt_ir_emit(struct qt_ir_builder *b, enum qt_ir_op op, uint32_t a, uint32_t v);
/* Shorthands; they return the value number. */
uint32_t qt_ir_const(struct qt_ir_builder *b, uint64_t value);
uint32_t qt_ir_bin(struct qt_ir_builder *b, enum qt_ir_op op, uint32_t a, uint32_t v);

#endif
