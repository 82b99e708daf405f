/* The whole way from text to plan. */
#ifndef QT_CLI_PIPELINE_H
#define QT_CLI_PIPELINE_H

#include "base/diag.h"
#include "base/intern.h"
#include "base/source.h"

struct qt_target;

/* What can be printed on the way; a row each: STAGE(name). */
#define QT_STAGES(STAGE) STAGE(tokens) STAGE(ast) STAGE(program) STAGE(ir) STAGE(llvm) STAGE(bpf) STAGE(plan)

enum qt_stage {
	QT_STAGE_NONE,
#define STAGE(name) QT_STAGE_##name,
	QT_STAGES(STAGE)
#undef STAGE
};

/* The name of stage INDEX + 1, NULL behind the last. */
const char *qt_stage_at(unsigned index);

/* One compilation: what goes in, and what came out. Everything lives in its arena but the plan, which has its own. */
struct qt_compilation {
	struct qt_arena *arena;
	struct qt_sources *sources;
	struct qt_interns *names;
	struct qt_diags *diags;
	struct qt_target *target;
	const char *const *params; /* $1 and so on */
	int nparams;
	bool unsafe, missing_binaries_ok;
	const struct qt_param_value *values; /* of params */
	uint32_t nvalues;
	enum qt_stage dump; /* printed to DUMP_TO; the work ends there */
	FILE *dump_to;
	bool no_object; /* the interpreter is enough: no code is generated */

	struct qt_program *program;
	struct qt_ir *ir;
	struct qt_plan *plan;
};

/* Compiles SOURCE. False when there were errors (in diags). With a dump the parts behind its stage stay NULL. */
bool qt_compile(struct qt_compilation *c, const struct qt_source *source);

struct qt_ast_program;
/* Puts the items of imported scripts in the place of the imports (cli/import.c). SOURCE is that of TREE; what is wrong is in diags. */
void qt_imports_resolve(struct qt_compilation *c, const struct qt_source *source, struct qt_ast_program *tree);

#endif
