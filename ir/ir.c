/* The table of operations, from ops.def. */
#include "ir/ir.h"

#include "base/check.h"

#define QT_IR_0 QT_IR_NONE
#define QT_IR_I QT_IR_INT
#define QT_IR_R QT_IR_ROW
#define F QT_IR_MAY_FAIL
#define T QT_IR_ENDS
#define S QT_IR_EFFECT
static const struct qt_ir_op_info infos[QT_IR_OPS] = {
#define OP(name, result, a, b, flags, text) { #name, QT_IR_##result, QT_IR_##a, QT_IR_##b, flags, text },
#include "ir/ops.def"
#undef OP
};

const struct qt_ir_op_info *qt_ir_op_info(enum qt_ir_op op)
{
	QT_ASSERT(op < QT_IR_OPS);
	return &infos[op];
}

bool qt_ir_has_target(enum qt_ir_op op)
{
	return op == QT_IR_br || qt_ir_has_otherwise(op) || op == QT_IR_turn || op == QT_IR_each_key || op == QT_IR_each_row;
}

bool qt_ir_has_otherwise(enum qt_ir_op op)
{
	return op == QT_IR_brif || op == QT_IR_loop || op == QT_IR_each || op == QT_IR_next;
}
