/* Typed program to IR and plan. */
#ifndef QT_IR_LOWER_H
#define QT_IR_LOWER_H

#include "base/diag.h"
#include "ir/ir.h"
#include "sema/program.h"

/* Makes the plan's tables and layouts and a function for each program. NULL with a diagnostic (E05xx) when a limit is passed (stack, storage of a thread, record size). PLAN is filled but for its object.
 * The module is checked before it is returned. */
struct qt_ir *qt_lower(const struct qt_program *program, const struct qt_sources *sources, struct qt_plan *plan, struct qt_arena *arena,
		       struct qt_diags *diags);

#endif
