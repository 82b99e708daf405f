/* The unit: context, module, builder, target machine and types of one compilation, and the small moves that all emitters share.
 * Whatever LLVM hands out is freed in qt_module_end. */
#include "codegen/codegen_internal.h"

#include <llvm-c/Target.h>
#include <string.h>

static const char triple[] = "bpfel";

static const struct {
	unsigned number;
	const char *signature;
} helpers[QT_HELPERS] = {
#define HELPER(name, number, signature) { number, signature },
#include "codegen/helpers.def"
#undef HELPER
};

/* LLVM keeps its registry of targets itself; registering one again changes nothing. */
static void register_target(void)
{
	LLVMInitializeBPFTargetInfo();
	LLVMInitializeBPFTarget();
	LLVMInitializeBPFTargetMC();
	LLVMInitializeBPFAsmPrinter();
	LLVMInitializeBPFAsmParser();
}

static void hear(LLVMDiagnosticInfoRef info, void *ctx)
{
	struct qt_module *u = ctx;
	char *text;

	if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || u->error)
		return;
	text = LLVMGetDiagInfoDescription(info);
	u->error = qt_arena_strndup(u->arena, text, strlen(text));
	LLVMDisposeMessage(text);
}

static bool make_machine(struct qt_module *u)
{
	LLVMTargetRef target;
	LLVMTargetDataRef layout;
	char *error = NULL;

	register_target();
	if (LLVMGetTargetFromTriple(triple, &target, &error)) {
		u->error = qt_arena_strndup(u->arena, error, strlen(error));
		LLVMDisposeMessage(error);
		return false;
	}
	u->machine = LLVMCreateTargetMachine(target, triple, "v3", "", LLVMCodeGenLevelDefault, LLVMRelocDefault, LLVMCodeModelDefault);
	layout = LLVMCreateTargetDataLayout(u->machine);
	LLVMSetModuleDataLayout(u->module, layout);
	LLVMSetTarget(u->module, triple);
	LLVMDisposeTargetData(layout);
	return true;
}

static void make_types(struct qt_module *u)
{
	u->i1 = LLVMInt1TypeInContext(u->context);
	u->i8 = LLVMInt8TypeInContext(u->context);
	u->i16 = LLVMInt16TypeInContext(u->context);
	u->i32 = LLVMInt32TypeInContext(u->context);
	u->i64 = LLVMInt64TypeInContext(u->context);
	u->ptr = LLVMPointerTypeInContext(u->context, 0);
	u->none = LLVMVoidTypeInContext(u->context);
}

static void make_weights(struct qt_module *u)
{
	LLVMMetadataRef parts[] = { LLVMMDStringInContext2(u->context, "branch_weights", 14), LLVMValueAsMetadata(LLVMConstInt(u->i32, 1, 0)),
				    LLVMValueAsMetadata(LLVMConstInt(u->i32, 2000, 0)) };

	u->unlikely = LLVMMDNodeInContext2(u->context, parts, QT_COUNT(parts));
	u->prof_kind = LLVMGetMDKindIDInContext(u->context, "prof", 4);
}

bool qt_module_begin(struct qt_module *u, struct qt_ir *ir, struct qt_diags *diags)
{
	*u = (struct qt_module){ .ir = ir, .plan = ir->plan, .diags = diags, .arena = ir->arena };
	u->context = LLVMContextCreate();
	LLVMContextSetDiagnosticHandler(u->context, hear, u);
	u->module = LLVMModuleCreateWithNameInContext("qtrace", u->context);
	u->b = LLVMCreateBuilderInContext(u->context);
	make_types(u);
	make_weights(u);
	if (!make_machine(u))
		return false;
	qt_debug_begin(u);
	return true;
}

void qt_module_end(struct qt_module *u)
{
	if (u->debug.builder)
		LLVMDisposeDIBuilder(u->debug.builder);
	if (u->machine)
		LLVMDisposeTargetMachine(u->machine);
	LLVMDisposeBuilder(u->b);
	LLVMDisposeModule(u->module);
	LLVMContextDispose(u->context);
}

LLVMValueRef qt_int(const struct qt_module *u, uint64_t n)
{
	return LLVMConstInt(u->i64, n, 0);
}

LLVMValueRef qt_at(const struct qt_module *u, LLVMValueRef base, uint64_t offset)
{
	return offset ? qt_at_value(u, base, qt_int(u, offset)) : base;
}

LLVMValueRef qt_at_value(const struct qt_module *u, LLVMValueRef base, LLVMValueRef offset)
{
	return LLVMBuildInBoundsGEP2(u->b, u->i8, base, &offset, 1, "");
}

static LLVMTypeRef int_of(const struct qt_module *u, uint32_t size)
{
	return LLVMIntTypeInContext(u->context, size * 8);
}

LLVMValueRef qt_extend(const struct qt_module *u, LLVMValueRef value, uint32_t size, bool sign)
{
	if (size == 8)
		return value;
	return sign ? LLVMBuildSExt(u->b, value, u->i64, "") : LLVMBuildZExt(u->b, value, u->i64, "");
}

LLVMValueRef qt_narrow(const struct qt_module *u, LLVMValueRef value, uint32_t size)
{
	return size == 8 ? value : LLVMBuildTrunc(u->b, value, int_of(u, size), "");
}

LLVMValueRef qt_load(const struct qt_module *u, LLVMValueRef at, uint32_t size, bool sign)
{
	return qt_extend(u, LLVMBuildLoad2(u->b, int_of(u, size), at, ""), size, sign);
}

LLVMValueRef qt_load_raw(const struct qt_module *u, LLVMValueRef at, uint32_t size, bool sign)
{
	LLVMValueRef load = LLVMBuildLoad2(u->b, int_of(u, size), at, "");

	LLVMSetVolatile(load, 1);
	return qt_extend(u, load, size, sign);
}

LLVMValueRef qt_store(const struct qt_module *u, LLVMValueRef at, LLVMValueRef value, uint32_t size)
{
	return LLVMBuildStore(u->b, qt_narrow(u, value, size), at);
}

LLVMValueRef qt_compare(const struct qt_module *u, LLVMIntPredicate how, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildICmp(u->b, how, a, b, "");
}

static LLVMTypeRef helper_type(struct qt_module *u, enum qt_helper helper)
{
	const char *signature = helpers[helper].signature;
	LLVMTypeRef types[6] = { 0 };
	unsigned n = (unsigned)strlen(signature);

	if (u->helper_types[helper])
		return u->helper_types[helper];
	for (unsigned k = 0; k < n; k++)
		types[k] = signature[k] == 'P' ? u->ptr : u->i64;
	return u->helper_types[helper] = LLVMFunctionType(types[0], types + 1, n - 1, 0);
}

LLVMValueRef qt_call(struct qt_module *u, enum qt_helper helper, LLVMValueRef const *args)
{
	LLVMTypeRef type = helper_type(u, helper);
	LLVMValueRef target = LLVMConstIntToPtr(qt_int(u, helpers[helper].number), u->ptr);

	return LLVMBuildCall2(u->b, type, target, (LLVMValueRef *)args, (unsigned)strlen(helpers[helper].signature) - 1, "");
}

LLVMValueRef qt_asm(struct qt_module *u, const char *text, LLVMValueRef a, LLVMValueRef b)
{
	LLVMTypeRef types[] = { u->i64, u->i64 };
	const char *constraints = b ? "=r,0,r" : "=r,0";
	LLVMTypeRef type = LLVMFunctionType(u->i64, types, b ? 2 : 1, 0);
	LLVMValueRef code =
		LLVMGetInlineAsm(type, (char *)text, strlen(text), (char *)constraints, strlen(constraints), 0, 0, LLVMInlineAsmDialectATT, 0);

	return LLVMBuildCall2(u->b, type, code, (LLVMValueRef[]){ a, b }, b ? 2 : 1, "");
}

LLVMBasicBlockRef qt_block(struct qt_module *u, const char *name)
{
	return LLVMAppendBasicBlockInContext(u->context, LLVMGetBasicBlockParent(LLVMGetInsertBlock(u->b)), name);
}

void qt_branch(struct qt_module *u, LLVMValueRef condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no)
{
	LLVMBuildCondBr(u->b, condition, yes, no);
}

void qt_branch_rarely(struct qt_module *u, LLVMValueRef condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no)
{
	LLVMValueRef branch = LLVMBuildCondBr(u->b, condition, yes, no);

	LLVMSetMetadata(branch, u->prof_kind, LLVMMetadataAsValue(u->context, u->unlikely));
}

LLVMValueRef qt_phi(struct qt_module *u, LLVMTypeRef type, LLVMValueRef a, LLVMBasicBlockRef from_a, LLVMValueRef b, LLVMBasicBlockRef from_b)
{
	LLVMValueRef phi = LLVMBuildPhi(u->b, type, "");

	LLVMAddIncoming(phi, (LLVMValueRef[]){ a, b }, (LLVMBasicBlockRef[]){ from_a, from_b }, b ? 2 : 1);
	return phi;
}

static void attribute(struct qt_module *u, LLVMValueRef fn, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(u->context, kind, 0));
}

/* Without nounwind an .eh_frame would appear, which libbpf warns of. */
void qt_function_attributes(struct qt_module *u, LLVMValueRef fn, bool apart)
{
	attribute(u, fn, "nounwind");
	if (apart)
		attribute(u, fn, "noinline");
}
