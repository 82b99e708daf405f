/* Numbers, and variables of the program. Where BPF's own rules are those of the IR (a division by zero gives 0, a remainder by zero its left side) but
 * LLVM's are not, the instruction is written as such. */
#include "codegen/codegen_internal.h"

#define A(e, i) ((e)->values[(i)->a])
#define B(e, i) ((e)->values[(i)->b])

LLVMValueRef qt_op_const(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return qt_int(e->u, i->imm);
}

#define BINARY(name, build)                                                     \
	LLVMValueRef qt_op_##name(struct qt_emit *e, const struct qt_ir_ins *i) \
	{                                                                       \
		return build(e->u->b, A(e, i), B(e, i), "");                    \
	}
BINARY(add, LLVMBuildAdd)
BINARY(sub, LLVMBuildSub)
BINARY(mul, LLVMBuildMul)
BINARY(and, LLVMBuildAnd)
BINARY(or, LLVMBuildOr)
BINARY(xor, LLVMBuildXor)

static LLVMValueRef shift_count(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return LLVMBuildAnd(e->u->b, B(e, i), qt_int(e->u, 63), "");
}

#define SHIFT(name, build)                                                      \
	LLVMValueRef qt_op_##name(struct qt_emit *e, const struct qt_ir_ins *i) \
	{                                                                       \
		return build(e->u->b, A(e, i), shift_count(e, i), "");          \
	}
SHIFT(shl, LLVMBuildShl)
SHIFT(lshr, LLVMBuildLShr)
SHIFT(ashr, LLVMBuildAShr)

LLVMValueRef qt_op_neg(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return LLVMBuildNeg(e->u->b, A(e, i), "");
}

LLVMValueRef qt_op_compl(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return LLVMBuildNot(e->u->b, A(e, i), "");
}

#define COMPARE(name, how)                                                                             \
	LLVMValueRef qt_op_##name(struct qt_emit *e, const struct qt_ir_ins *i)                        \
	{                                                                                              \
		return LLVMBuildZExt(e->u->b, qt_compare(e->u, how, A(e, i), B(e, i)), e->u->i64, ""); \
	}
COMPARE(eq, LLVMIntEQ)
COMPARE(ne, LLVMIntNE)
COMPARE(ult, LLVMIntULT)
COMPARE(ule, LLVMIntULE)
COMPARE(slt, LLVMIntSLT)
COMPARE(sle, LLVMIntSLE)

LLVMValueRef qt_op_ext(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return qt_extend(e->u, qt_narrow(e->u, A(e, i), i->size), i->size, i->sign);
}

/* Of a little endian machine, so that the instruction for big endian numbers turns their bytes round. */
LLVMValueRef qt_op_bswap(struct qt_emit *e, const struct qt_ir_ins *i)
{
	static const char *const asms[] = { [2] = "$0 = be16 $0", [4] = "$0 = be32 $0", [8] = "$0 = be64 $0" };

	if (i->size == 1)
		return LLVMBuildAnd(e->u->b, A(e, i), qt_int(e->u, 0xff), "");
	return qt_asm(e->u, asms[i->size], A(e, i), NULL);
}

static bool known_nonzero(LLVMValueRef v)
{
	return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v);
}

static LLVMValueRef divide(struct qt_emit *e, LLVMValueRef a, LLVMValueRef b)
{
	return known_nonzero(b) ? LLVMBuildUDiv(e->u->b, a, b, "") : qt_asm(e->u, "$0 /= $2", a, b);
}

static LLVMValueRef remainder_of(struct qt_emit *e, LLVMValueRef a, LLVMValueRef b)
{
	return known_nonzero(b) ? LLVMBuildURem(e->u->b, a, b, "") : qt_asm(e->u, "$0 %= $2", a, b);
}

LLVMValueRef qt_op_udiv(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return divide(e, A(e, i), B(e, i));
}

LLVMValueRef qt_op_umod(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return remainder_of(e, A(e, i), B(e, i));
}

/* -1 for negative numbers, else 0. */
static LLVMValueRef sign_of(struct qt_emit *e, LLVMValueRef v)
{
	return LLVMBuildAShr(e->u->b, v, qt_int(e->u, 63), "");
}

/* V for sign 0, -V for sign -1. */
static LLVMValueRef with_sign(struct qt_emit *e, LLVMValueRef v, LLVMValueRef sign)
{
	return LLVMBuildSub(e->u->b, LLVMBuildXor(e->u->b, v, sign, ""), sign, "");
}

/* BPF divides without signs only (before its version 4): signs are taken off and put on again. */
LLVMValueRef qt_op_sdiv(struct qt_emit *e, const struct qt_ir_ins *i)
{
	LLVMValueRef sa = sign_of(e, A(e, i)), sb = sign_of(e, B(e, i));
	LLVMValueRef quotient = divide(e, with_sign(e, A(e, i), sa), with_sign(e, B(e, i), sb));

	return with_sign(e, quotient, LLVMBuildXor(e->u->b, sa, sb, ""));
}

LLVMValueRef qt_op_smod(struct qt_emit *e, const struct qt_ir_ins *i)
{
	LLVMValueRef sa = sign_of(e, A(e, i)), sb = sign_of(e, B(e, i));

	return with_sign(e, remainder_of(e, with_sign(e, A(e, i), sa), with_sign(e, B(e, i), sb)), sa);
}

LLVMValueRef qt_op_slot_load(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return LLVMBuildLoad2(e->u->b, e->u->i64, e->slots[i->imm], "");
}

LLVMValueRef qt_op_slot_store(struct qt_emit *e, const struct qt_ir_ins *i)
{
	LLVMBuildStore(e->u->b, A(e, i), e->slots[i->imm]);
	return NULL;
}
