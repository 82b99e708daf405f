/* Computes operations whose operands are constants, and branches on constants. Values are numbered before their uses are met, block by block in the order of pass_compact. */
#include "ir/eval_internal.h"
#include "ir/lower_internal.h"

struct fold {
	uint64_t *value;
	bool *known; /* by value number */
};

/* The operations on numbers come first in ops.def: they need nothing but their operands. */
static bool is_pure(enum qt_ir_op op)
{
	return op > QT_IR_const && op <= QT_IR_ext;
}

static bool operands_known(const struct fold *f, const struct qt_ir_ins *i)
{
	return (!i->a || f->known[i->a]) && (!i->b || f->known[i->b]);
}

static qt_eval_fn pure_fn(enum qt_ir_op op)
{
	static const qt_eval_fn fns[QT_IR_OPS] = {
#define OP(name, result, a, b, flags, text) qt_eval_##name,
#include "ir/ops.def"
#undef OP
	};

	return fns[op];
}

/* The interpreter's own functions compute, so that there is one meaning. */
static void fold_ins(struct fold *f, struct qt_ir_ins *i)
{
	struct qt_run run = { .values = f->value };

	if (i->op == QT_IR_const) {
		f->value[i->dst] = i->imm;
		f->known[i->dst] = true;
		return;
	}
	if (!is_pure(i->op) || !operands_known(f, i))
		return;
	pure_fn(i->op)(&run, i);
	f->known[i->dst] = true;
	i->op = QT_IR_const;
	i->imm = f->value[i->dst];
	i->a = i->b = i->size = 0;
	i->sign = false;
}

static void fold_branch(const struct fold *f, struct qt_ir_ins *i)
{
	if (i->op != QT_IR_brif || !f->known[i->a])
		return;
	i->target = f->value[i->a] ? i->target : i->otherwise;
	i->op = QT_IR_br;
	i->a = 0;
	i->otherwise = 0;
}

void qt_pass_fold(struct qt_ir *ir, struct qt_ir_fn *fn)
{
	struct fold f = { QT_NEW_ARRAY(ir->arena, uint64_t, fn->nvalues + 1), QT_NEW_ARRAY(ir->arena, bool, fn->nvalues + 1) };

	qt_vec_each (block, &fn->blocks) {
		qt_vec_each (i, &block->ins) {
			fold_ins(&f, i);
			fold_branch(&f, i);
		}
	}
}
