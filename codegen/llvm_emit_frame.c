/* Frames of return rules, in the thread's storage: a bitmap of those in use, then the frames (plan/wire.h). A thread is nearly always one call deep: the
 * first frame is tried in line, the search among the others is a function of its own. */
#include "codegen/codegen_internal.h"

#define A(e, i) ((e)->values[(i)->a])
#define B(e, i) ((e)->values[(i)->b])

static uint32_t stride(const struct qt_ir_ins *i)
{
	return 16 + 8 * i->size;
}

static LLVMValueRef frame_at(struct qt_emit *e, const struct qt_ir_ins *i, LLVMValueRef stack, LLVMValueRef index)
{
	LLVMValueRef offset = LLVMBuildMul(e->u->b, index, qt_int(e->u, stride(i)), "");

	return qt_at(e->u, qt_at_value(e->u, stack, offset), 8);
}

static LLVMValueRef bit(struct qt_emit *e, LLVMValueRef index)
{
	return LLVMBuildShl(e->u->b, qt_int(e->u, 1), index, "");
}

/* A frame's number by a function of llvm_lib.c: QT_FRAME_DEPTH when there is none, and then the way goes to NONE. */
static LLVMValueRef search(struct qt_emit *e, const struct qt_ir_ins *i, enum qt_lib which, LLVMValueRef stack, LLVMBasicBlockRef none)
{
	struct qt_module *u = e->u;
	LLVMBasicBlockRef next = qt_block(u, "");
	LLVMValueRef index = qt_lib_call(u, qt_lib(u, which, stride(i)), stack, B(e, i));

	qt_branch_rarely(u, qt_compare(u, LLVMIntUGE, index, qt_int(u, QT_FRAME_DEPTH)), none, next);
	LLVMPositionBuilderAtEnd(u->b, next);
	return index;
}

/* Joins the quick way (from block QUICK: frame 0, bits WORD) and the one where the builder stands (frame INDEX, bits changed to CHANGED); gives the frame. */
static LLVMValueRef join(struct qt_emit *e, const struct qt_ir_ins *i, LLVMValueRef stack, LLVMBasicBlockRef quick, LLVMValueRef word,
			 LLVMBasicBlockRef done, LLVMValueRef index, LLVMValueRef changed)
{
	struct qt_module *u = e->u;
	LLVMValueRef slow = frame_at(e, i, stack, index), frame;
	LLVMBasicBlockRef here = LLVMGetInsertBlock(u->b);

	LLVMBuildBr(u->b, done);
	LLVMPositionBuilderAtEnd(u->b, quick);
	LLVMValueRef first = qt_at(u, stack, 8);
	LLVMBuildBr(u->b, done);
	LLVMPositionBuilderAtEnd(u->b, done);
	frame = qt_phi(u, u->ptr, first, quick, slow, here);
	qt_store(u, stack, qt_phi(u, u->i64, word, quick, changed, here), 8);
	return frame;
}

/* Frees the frame of BIT and fails. */
static void give_up(struct qt_emit *e, const struct qt_ir_ins *i, LLVMValueRef stack, LLVMValueRef used, LLVMValueRef its_bit)
{
	struct qt_module *u = e->u;

	qt_store(u, stack, LLVMBuildAnd(u->b, used, LLVMBuildNot(u->b, its_bit, ""), ""), 8);
	LLVMBuildBr(u->b, e->blocks[i->fail]);
}

LLVMValueRef qt_op_frame_push(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	LLVMBasicBlockRef quick = qt_block(u, ""), slow = qt_block(u, ""), full = qt_block(u, ""), dead = qt_block(u, ""), next = qt_block(u, ""),
			  done = qt_block(u, "");
	LLVMValueRef stack = qt_at(u, A(e, i), i->imm), used = qt_load(u, stack, 8, false), index, frame;

	qt_branch_rarely(u, qt_compare(u, LLVMIntNE, used, qt_int(u, 0)), slow, quick);
	LLVMPositionBuilderAtEnd(u->b, full);
	give_up(e, i, stack, used, qt_int(u, 1));
	LLVMPositionBuilderAtEnd(u->b, slow);
	index = search(e, i, QT_LIB_FRAME_SLOT, stack, full);
	qt_branch_rarely(u, qt_compare(u, LLVMIntNE, LLVMBuildAnd(u->b, used, bit(e, index), ""), qt_int(u, 0)), dead, next);
	LLVMPositionBuilderAtEnd(u->b, dead);
	give_up(e, i, stack, used, bit(e, index));
	LLVMPositionBuilderAtEnd(u->b, next);
	frame = join(e, i, stack, quick, qt_int(u, 1), done, index, LLVMBuildOr(u->b, used, bit(e, index), ""));
	qt_store(u, frame, B(e, i), 8);
	return frame;
}

LLVMValueRef qt_op_frame_pop(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	LLVMBasicBlockRef quick = qt_block(u, ""), slow = qt_block(u, ""), done = qt_block(u, ""), compare = qt_block(u, "");
	LLVMValueRef stack = qt_at(u, A(e, i), i->imm), used = qt_load(u, stack, 8, false), index, without_first;

	qt_branch_rarely(u, qt_compare(u, LLVMIntEQ, LLVMBuildAnd(u->b, used, qt_int(u, 1), ""), qt_int(u, 0)), slow, compare);
	LLVMPositionBuilderAtEnd(u->b, compare);
	qt_branch_rarely(u, qt_compare(u, LLVMIntNE, qt_load(u, qt_at(u, stack, 8), 8, false), B(e, i)), slow, quick);
	LLVMPositionBuilderAtEnd(u->b, quick);
	without_first = LLVMBuildAnd(u->b, used, qt_int(u, ~1ull), "");
	LLVMPositionBuilderAtEnd(u->b, slow);
	index = search(e, i, QT_LIB_FRAME_FIND, stack, e->blocks[i->fail]);
	return join(e, i, stack, quick, without_first, done, index, LLVMBuildAnd(u->b, used, LLVMBuildNot(u->b, bit(e, index), ""), ""));
}
