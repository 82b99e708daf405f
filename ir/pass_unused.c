/* Drops values that nobody uses and stores to slots that nobody loads. What has an effect or may fail stays. */
#include "ir/lower_internal.h"

#include <string.h>

struct uses {
	uint32_t *of_value; /* how many instructions use it */
	uint32_t *of_slot; /* how many load it */
};

static void count(const struct qt_ir_fn *fn, struct uses *u)
{
	memset(u->of_value, 0, (fn->nvalues + 1) * sizeof(u->of_value[0]));
	memset(u->of_slot, 0, fn->nslots * sizeof(u->of_slot[0]));
	qt_vec_each (block, &fn->blocks) {
		qt_vec_each (i, &block->ins) {
			u->of_value[i->a]++;
			u->of_value[i->b]++;
			if (i->op == QT_IR_slot_load)
				u->of_slot[i->imm]++;
		}
	}
}

static bool is_unused(const struct uses *u, const struct qt_ir_ins *i)
{
	if (i->op == QT_IR_slot_store)
		return !u->of_slot[i->imm];
	return i->dst && !u->of_value[i->dst] && !(qt_ir_op_info(i->op)->flags & (QT_IR_EFFECT | QT_IR_MAY_FAIL));
}

/* One round; true when something went. */
static bool drop(struct qt_ir_fn *fn, const struct uses *u)
{
	bool dropped = false;

	qt_vec_each (block, &fn->blocks) {
		uint32_t kept = 0;

		for (uint32_t k = 0; k < block->ins.len; k++) {
			if (!is_unused(u, &block->ins.items[k]))
				block->ins.items[kept++] = block->ins.items[k];
		}
		dropped |= kept != block->ins.len;
		block->ins.len = kept;
	}
	return dropped;
}

void qt_pass_unused(struct qt_ir *ir, struct qt_ir_fn *fn)
{
	struct uses u = { QT_NEW_ARRAY(ir->arena, uint32_t, fn->nvalues + 1), QT_NEW_ARRAY(ir->arena, uint32_t, fn->nslots) };

	do
		count(fn, &u);
	while (drop(fn, &u));
}
