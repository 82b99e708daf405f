/* From the typed program to the IR and the plan: layouts, the programs of entries, of rules, of the process tree and of threads that end, then the passes. */
#include "ir/lower.h"

#include "base/check.h"
#include "ir/lower_internal.h"

struct qt_ir *qt_lower(const struct qt_program *program, const struct qt_sources *sources, struct qt_plan *plan, struct qt_arena *arena,
		       struct qt_diags *diags)
{
	struct qt_lower l = { .program = program, .arena = arena, .diags = diags, .plan = plan };

	l.ir = qt_ir_new(arena, plan, sources);
	l.cache = QT_NEW_ARRAY(arena, uint32_t, program->contexts.len);
	qt_layout(&l);
	qt_lower_formats(&l);
	if (l.failed)
		return NULL;
	qt_lower_entries(&l);
	qt_lower_rules(&l);
	qt_lower_processes(&l);
	qt_lower_thread_end(&l);
	if (l.failed)
		return NULL;
	qt_layout_finish(&l);
	qt_passes_run(l.ir);
	return l.ir;
}
