/* The whole pipeline in one function: each line hands what one stage made to the next. */
#include "cli/pipeline.h"

#include "codegen/codegen.h"
#include "ir/lower.h"
#include "lexer/lexer.h"
#include "parser/parser.h"
#include "plan/plan.h"
#include "sema/sema.h"

static const char *const stages[] = {
#define STAGE(name) #name,
	QT_STAGES(STAGE)
#undef STAGE
		NULL,
};

const char *qt_stage_at(unsigned index)
{
	return stages[index];
}

/* For --dump=tokens alone: the parser has a lexer of its own. */
static bool dump_tokens(struct qt_compilation *c, const struct qt_source *source)
{
	struct qt_tokens tokens = qt_lex(source, c->arena, c->names, c->diags);

	qt_tokens_dump(&tokens, source, c->dump_to);
	return !qt_diags_errors(c->diags);
}

bool qt_compile(struct qt_compilation *c, const struct qt_source *source)
{
	struct qt_sema_options sema = { .nparams = c->nparams,
					.unsafe = c->unsafe,
					.params = c->params,
					.values = c->values,
					.nvalues = c->nvalues,
					.sources = c->sources,
					.missing_binaries_ok = c->missing_binaries_ok };
	struct qt_codegen_options codegen = { .dump_llvm = c->dump == QT_STAGE_llvm ? c->dump_to : NULL,
					      .dump_bpf = c->dump == QT_STAGE_bpf ? c->dump_to : NULL };
	struct qt_ast_program *tree;

	if (c->dump == QT_STAGE_tokens)
		return dump_tokens(c, source);
	tree = qt_parse(source, c->arena, c->names, c->diags);
	if (c->dump == QT_STAGE_ast)
		qt_ast_dump(&tree->head, c->dump_to);
	if (c->dump != QT_STAGE_ast)
		qt_imports_resolve(c, source, tree);
	if (qt_diags_errors(c->diags) || c->dump == QT_STAGE_ast)
		return !qt_diags_errors(c->diags);
	c->program = qt_sema(tree, c->target, &sema, c->arena, c->names, c->diags);
	if (c->program && c->dump == QT_STAGE_program)
		qt_program_dump(c->program, c->dump_to);
	if (!c->program || c->dump == QT_STAGE_program)
		return c->program != NULL;
	c->plan = qt_plan_new();
	c->ir = qt_lower(c->program, c->sources, c->plan, c->arena, c->diags);
	if (c->ir && c->dump == QT_STAGE_ir)
		qt_ir_dump(c->ir, c->dump_to);
	if (!c->ir || c->dump == QT_STAGE_ir || c->no_object)
		return c->ir != NULL;
	if (!qt_codegen(c->ir, &codegen, c->diags))
		return false;
	if (c->dump == QT_STAGE_plan)
		qt_plan_dump(c->plan, c->dump_to);
	return true;
}
