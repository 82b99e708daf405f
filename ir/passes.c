/* The list of passes. Each works on one function, expects a sound one and leaves a sound one: the checker runs behind each. */
#include "base/check.h"
#include "ir/lower_internal.h"

static const struct {
	const char *name;
	void (*run)(struct qt_ir *ir, struct qt_ir_fn *fn);
} passes[] = {
	{ "compact", qt_pass_compact }, /* drops blocks that are not reached */
	{ "fold", qt_pass_fold }, /* computes what is constant */
	{ "compact", qt_pass_compact }, /* again: folded branches leave blocks behind */
	{ "unused", qt_pass_unused }, /* drops values that nobody uses */
};

void qt_passes_run(struct qt_ir *ir)
{
	for (unsigned k = 0; k < QT_COUNT(passes); k++) {
		const char *wrong;

		qt_vec_each (fn, &ir->fns)
			passes[k].run(ir, fn);
		wrong = qt_ir_check(ir);
		if (wrong)
			QT_BUG("the IR is broken behind the pass %s: %s", passes[k].name, wrong);
	}
}
