/* From the finished module to the object: verification, a short list of passes, dumps, emission to memory. The same module gives the same bytes. */
#include "codegen/codegen_internal.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>
#include <string.h>

/* Since 18, LLVM stops with an error where one round was not enough, unless told not to. */
#if LLVM_VERSION_MAJOR >= 18
#define INSTCOMBINE "instcombine<no-verify-fixpoint>"
#else
#define INSTCOMBINE "instcombine"
#endif

/* Few passes: they take longer than they gain. No loop is unrolled, and nothing moves across blocks in ways that the verifier would not follow. */
static const char passes[] = "function(sroa,early-cse,simplifycfg," INSTCOMBINE ",simplifycfg)";

static bool fail(struct qt_module *u, enum qt_code code, const char *text)
{
	struct qt_diag *d = qt_diag_add(u->diags, code, (struct qt_span){ 0 }, "%s", text);

	qt_diag_hint(u->diags, d,
		     code == QT_E0531 ? "make the rule simpler: fewer keys, fewer texts, or two rules"
				      : "report this with the script: qtrace made code that LLVM does not take");
	return false;
}

static bool verify(struct qt_module *u)
{
	char *error = NULL;
	bool bad = LLVMVerifyModule(u->module, LLVMReturnStatusAction, &error);
	const char *text = qt_arena_strndup(u->arena, error ? error : "", error ? strcspn(error, "\n") : 0);

	LLVMDisposeMessage(error);
	return !bad || fail(u, QT_E0530, text);
}

static bool optimise(struct qt_module *u)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(u->module, passes, u->machine, options);
	char *text;

	LLVMDisposePassBuilderOptions(options);
	if (!error)
		return true;
	text = LLVMGetErrorMessage(error);
	fail(u, QT_E0530, text);
	LLVMDisposeErrorMessage(text);
	return false;
}

static void dump_text(struct qt_module *u, FILE *out)
{
	char *text = LLVMPrintModuleToString(u->module);

	fputs(text, out);
	LLVMDisposeMessage(text);
}

static LLVMMemoryBufferRef emit(struct qt_module *u, LLVMModuleRef module, LLVMCodeGenFileType type)
{
	LLVMMemoryBufferRef memory = NULL;
	char *error = NULL;

	if (LLVMTargetMachineEmitToMemoryBuffer(u->machine, module, type, &error, &memory)) {
		if (!u->error)
			u->error = qt_arena_strndup(u->arena, error, strlen(error));
		LLVMDisposeMessage(error);
		return NULL;
	}
	return memory;
}

/* Emission changes a module: the dump has its own. */
static void dump_assembly(struct qt_module *u, FILE *out)
{
	LLVMModuleRef copy = LLVMCloneModule(u->module);
	LLVMMemoryBufferRef memory = emit(u, copy, LLVMAssemblyFile);

	if (memory) {
		fwrite(LLVMGetBufferStart(memory), 1, LLVMGetBufferSize(memory), out);
		LLVMDisposeMemoryBuffer(memory);
	}
	LLVMDisposeModule(copy);
}

static bool emit_object(struct qt_module *u)
{
	LLVMMemoryBufferRef memory = emit(u, u->module, LLVMObjectFile);
	size_t size;
	void *copy;

	if (u->error)
		fail(u, QT_E0531, u->error);
	if (!memory)
		return false;
	size = LLVMGetBufferSize(memory);
	copy = qt_arena_alloc(u->plan->arena, size);
	memcpy(copy, LLVMGetBufferStart(memory), size);
	LLVMDisposeMemoryBuffer(memory);
	u->plan->object = u->error ? NULL : copy;
	u->plan->object_size = u->error ? 0 : size;
	return !u->error;
}

bool qt_finish(struct qt_module *u, const struct qt_codegen_options *options)
{
	qt_debug_end(u);
	if (!verify(u) || !optimise(u))
		return false;
	for (LLVMValueRef fn = LLVMGetFirstFunction(u->module); fn; fn = LLVMGetNextFunction(fn))
		if (LLVMCountBasicBlocks(fn))
			qt_block_layout(u, fn);
	if (options && options->dump_llvm)
		dump_text(u, options->dump_llvm);
	if (options && options->dump_bpf)
		dump_assembly(u, options->dump_bpf);
	return emit_object(u);
}
