/* Operators, and conditions as jumps. Both sides of an operator have one type of 64 bits (shifts: only the left), whose sign decides. */
#include "base/check.h"
#include "ir/lower_internal.h"

struct op_pair {
	enum qt_ir_op plain, with_sign;
	bool swap; /* a > b is b < a */
};

static const struct op_pair ops[] = {
	[QT_OP_ADD] = { QT_IR_add, QT_IR_add, false },	 [QT_OP_SUB] = { QT_IR_sub, QT_IR_sub, false },
	[QT_OP_MUL] = { QT_IR_mul, QT_IR_mul, false },	 [QT_OP_DIV] = { QT_IR_udiv, QT_IR_sdiv, false },
	[QT_OP_MOD] = { QT_IR_umod, QT_IR_smod, false }, [QT_OP_AND] = { QT_IR_and, QT_IR_and, false },
	[QT_OP_OR] = { QT_IR_or, QT_IR_or, false },	 [QT_OP_XOR] = { QT_IR_xor, QT_IR_xor, false },
	[QT_OP_SHL] = { QT_IR_shl, QT_IR_shl, false },	 [QT_OP_SHR] = { QT_IR_lshr, QT_IR_ashr, false },
	[QT_OP_EQ] = { QT_IR_eq, QT_IR_eq, false },	 [QT_OP_NE] = { QT_IR_ne, QT_IR_ne, false },
	[QT_OP_LT] = { QT_IR_ult, QT_IR_slt, false },	 [QT_OP_LE] = { QT_IR_ule, QT_IR_sle, false },
	[QT_OP_GT] = { QT_IR_ult, QT_IR_slt, true },	 [QT_OP_GE] = { QT_IR_ule, QT_IR_sle, true },
};

static bool is_signed(struct qt_type t)
{
	return t.kind == QT_TYPE_INT && t.is_signed;
}

static bool divides(enum qt_op op)
{
	return op == QT_OP_DIV || op == QT_OP_MOD;
}

static bool compares(enum qt_op op)
{
	return op >= QT_OP_EQ && op <= QT_OP_GE;
}

/* By zero: 0, and counted. */
static uint32_t divide(struct qt_lower *l, const struct qt_expr *e, enum qt_ir_op op, uint32_t a, uint32_t b)
{
	uint32_t slot, go, done;

	if (e->b->kind == QT_X_INT && e->b->value)
		return qt_ir_bin(&l->b, op, a, b);
	slot = qt_flow_slot(l);
	go = qt_flow_block(l);
	done = qt_flow_block(l);
	qt_flow_brif(l, b, go, qt_flow_count(l, QT_LOSS_div_zero, NULL, done));
	qt_flow_stand(l, go);
	qt_flow_op(l, QT_IR_slot_store, qt_ir_bin(&l->b, op, a, b), 0, slot);
	qt_flow_join(l, done);
	return qt_flow_op(l, QT_IR_slot_load, 0, 0, slot);
}

uint32_t qt_lower_binary(struct qt_lower *l, const struct qt_expr *e)
{
	uint32_t a = qt_lower_word(l, e->a), b = qt_lower_word(l, e->b), v;
	const struct op_pair *row = &ops[e->op];
	enum qt_ir_op op = is_signed(e->a->type) ? row->with_sign : row->plain;

	QT_ASSERT(e->op < QT_COUNT(ops));
	if (divides(e->op))
		v = divide(l, e, op, a, b);
	else
		v = row->swap ? qt_ir_bin(&l->b, op, b, a) : qt_ir_bin(&l->b, op, a, b);
	return compares(e->op) ? v : qt_lower_narrow(l, v, e->type);
}

uint32_t qt_lower_unary(struct qt_lower *l, const struct qt_expr *e)
{
	uint32_t a = qt_lower_word(l, e->a);

	if (e->op == QT_OP_NOT)
		return qt_ir_bin(&l->b, QT_IR_eq, a, qt_ir_const(&l->b, 0));
	return qt_lower_narrow(l, qt_ir_bin(&l->b, e->op == QT_OP_NEG ? QT_IR_neg : QT_IR_compl, a, 0), e->type);
}

/* ---- conditions ---- */

/* The second half of && and ||: evaluated only sometimes. Scratch that it needs is taken before. */
static void cond_both(struct qt_lower *l, const struct qt_expr *e, uint32_t yes, uint32_t no)
{
	uint32_t second = qt_flow_block(l);
	struct qt_lower_at before;

	if (qt_scan_texts(e->b))
		qt_flow_scratch(l);
	if (e->kind == QT_X_AND)
		qt_lower_cond(l, e->a, second, no);
	else
		qt_lower_cond(l, e->a, yes, second);
	before = l->at;
	qt_flow_stand(l, second);
	qt_lower_cond(l, e->b, yes, no);
	qt_flow_restore(l, before);
}

void qt_lower_cond(struct qt_lower *l, const struct qt_expr *e, uint32_t yes, uint32_t no)
{
	if (e->kind == QT_X_AND || e->kind == QT_X_OR)
		cond_both(l, e, yes, no);
	else if (e->kind == QT_X_UNARY && e->op == QT_OP_NOT)
		qt_lower_cond(l, e->a, no, yes);
	else
		qt_flow_brif(l, qt_lower_word(l, e), yes, no);
}
