/* Debug information, from which LLVM makes BTF: types of maps and shared areas, functions with named parameters (the kernel refuses others), and the
 * lines of the script with their text, which the verifier shows in its log. */
#include "codegen/codegen_internal.h"

#include <llvm-c/IRReader.h>
#include <string.h>

/* LLVM wants some number here; 3 is the only version of its debug metadata. */
#define DEBUG_METADATA_VERSION 3

static void add_quoted(struct qt_buf *out, const char *bytes, size_t len)
{
	qt_buf_addc(out, '"');
	for (size_t k = 0; k < len; k++) {
		unsigned char c = (unsigned char)bytes[k];

		if (c < ' ' || c > '~' || c == '"' || c == '\\')
			qt_buf_printf(out, "\\%02X", c);
		else
			qt_buf_addc(out, (char)c);
	}
	qt_buf_addc(out, '"');
}

static uint32_t highest_file(const struct qt_ir *ir)
{
	uint32_t highest = 0;

	qt_vec_each (fn, &ir->fns) {
		if (fn->span.file > highest)
			highest = fn->span.file;
		qt_vec_each (block, &fn->blocks)
			qt_vec_each (i, &block->ins)
				if (i->span.file > highest)
					highest = i->span.file;
	}
	return highest;
}

/* The C interface cannot attach a file's text to its name, the textual form can: the files are made there, and kept by a named node. */
static void write_files(struct qt_module *u, struct qt_buf *out)
{
	qt_buf_adds(out, "!files = !{");
	for (uint32_t k = 0; k < u->debug.nfiles; k++)
		qt_buf_printf(out, "%s!%u", k ? ", " : "", k);
	qt_buf_adds(out, "}\n");
	for (uint32_t k = 0; k < u->debug.nfiles; k++) {
		const struct qt_source *s = k && u->ir->sources ? qt_sources_get(u->ir->sources, k) : NULL;
		const char *name = s ? s->name : "qtrace";

		qt_buf_printf(out, "!%u = !DIFile(directory: \"\", filename: ", k);
		add_quoted(out, name, strlen(name));
		qt_buf_adds(out, ", source: ");
		add_quoted(out, s ? s->text.ptr : "", s ? s->text.len : 0);
		qt_buf_adds(out, ")\n");
	}
}

static void make_files(struct qt_module *u)
{
	struct qt_buf text = { 0 };
	LLVMMemoryBufferRef memory;
	LLVMModuleRef holder = NULL;
	LLVMValueRef *nodes;
	char *error = NULL;

	u->debug.nfiles = highest_file(u->ir) + 1;
	u->debug.files = QT_NEW_ARRAY(u->arena, LLVMMetadataRef, u->debug.nfiles);
	write_files(u, &text);
	memory = LLVMCreateMemoryBufferWithMemoryRangeCopy(text.ptr, text.len, "files");
	qt_buf_free(&text);
	if (LLVMParseIRInContext(u->context, memory, &holder, &error))
		QT_BUG("the list of files does not parse: %s", error);
	nodes = QT_NEW_ARRAY(u->arena, LLVMValueRef, u->debug.nfiles);
	LLVMGetNamedMetadataOperands(holder, "files", nodes);
	for (uint32_t k = 0; k < u->debug.nfiles; k++)
		u->debug.files[k] = LLVMValueAsMetadata(nodes[k]);
	LLVMDisposeModule(holder);
}

static LLVMMetadataRef basic(struct qt_module *u, const char *name, unsigned bits, unsigned encoding)
{
	return LLVMDIBuilderCreateBasicType(u->debug.builder, name, strlen(name), bits, encoding, LLVMDIFlagZero);
}

static void flag(struct qt_module *u, const char *name, unsigned value)
{
	LLVMAddModuleFlag(u->module, LLVMModuleFlagBehaviorWarning, name, strlen(name), LLVMValueAsMetadata(LLVMConstInt(u->i32, value, 0)));
}

/* Line tables only: BTF takes what it needs from the types all the same, and no DWARF of them is made. */
void qt_debug_begin(struct qt_module *u)
{
	struct qt_debug *d = &u->debug;
	enum { SIGNED = 5, UNSIGNED = 7, UNSIGNED_CHAR = 8 }; /* DW_ATE_* */

	d->builder = LLVMCreateDIBuilder(u->module);
	make_files(u);
	d->cu = LLVMDIBuilderCreateCompileUnit(d->builder, LLVMDWARFSourceLanguageC99, d->files[0], "qtrace", 6, 1, "", 0, 0, "", 0,
					       LLVMDWARFEmissionFull, 0, 0, 0, "", 0, "", 0);
	flag(u, "Debug Info Version", DEBUG_METADATA_VERSION);
	flag(u, "Dwarf Version", 4);
	d->i32 = basic(u, "int", 32, SIGNED);
	d->u32 = basic(u, "unsigned int", 32, UNSIGNED);
	d->u64 = basic(u, "unsigned long long", 64, UNSIGNED);
	d->byte = basic(u, "unsigned char", 8, UNSIGNED_CHAR);
	d->ctx = qt_debug_pointer(u, NULL);
	d->no_expr = LLVMDIBuilderCreateExpression(d->builder, NULL, 0);
}

void qt_debug_end(struct qt_module *u)
{
	LLVMDIBuilderFinalize(u->debug.builder);
}

LLVMMetadataRef qt_debug_array(struct qt_module *u, LLVMMetadataRef item, uint64_t item_size, uint64_t count)
{
	LLVMMetadataRef range = LLVMDIBuilderGetOrCreateSubrange(u->debug.builder, 0, (int64_t)count);

	return LLVMDIBuilderCreateArrayType(u->debug.builder, item_size * count * 8, 0, item, &range, 1);
}

LLVMMetadataRef qt_debug_pointer(struct qt_module *u, LLVMMetadataRef to)
{
	return LLVMDIBuilderCreatePointerType(u->debug.builder, to, 64, 0, 0, "", 0);
}

/* struct NAME { unsigned char bytes[SIZE]; } */
LLVMMetadataRef qt_debug_bytes(struct qt_module *u, const char *name, uint64_t size)
{
	struct qt_debug *d = &u->debug;
	LLVMMetadataRef array = qt_debug_array(u, d->byte, 1, size);
	LLVMMetadataRef member =
		LLVMDIBuilderCreateMemberType(d->builder, d->files[0], "bytes", 5, d->files[0], 0, size * 8, 0, 0, LLVMDIFlagZero, array);

	return LLVMDIBuilderCreateStructType(d->builder, d->files[0], name, strlen(name), d->files[0], 0, size * 8, 64, LLVMDIFlagZero, NULL, &member,
					     1, 0, NULL, "", 0);
}

void qt_debug_global(struct qt_module *u, LLVMValueRef global, LLVMMetadataRef type)
{
	struct qt_debug *d = &u->debug;
	size_t len;
	const char *name = LLVMGetValueName2(global, &len);
	LLVMMetadataRef variable =
		LLVMDIBuilderCreateGlobalVariableExpression(d->builder, d->cu, name, len, "", 0, d->files[0], 0, type, 0, d->no_expr, NULL, 0);

	LLVMGlobalSetMetadata(global, LLVMGetMDKindIDInContext(u->context, "dbg", 3), variable);
}

static struct qt_position position(const struct qt_module *u, struct qt_span at)
{
	if (!at.file || !u->ir->sources)
		return (struct qt_position){ 0, 0 };
	return qt_source_position(qt_sources_get(u->ir->sources, at.file), at.begin);
}

LLVMMetadataRef qt_debug_function(struct qt_module *u, LLVMValueRef fn, struct qt_span at, const char *const *names, const LLVMMetadataRef *types,
				  unsigned count, bool wide)
{
	struct qt_debug *d = &u->debug;
	LLVMMetadataRef file = d->files[at.file], all[5] = { wide ? d->u64 : d->i32 }, type, sub;
	unsigned line = position(u, at).line;
	size_t len;
	const char *name = LLVMGetValueName2(fn, &len);

	memcpy(all + 1, types, count * sizeof(types[0]));
	type = LLVMDIBuilderCreateSubroutineType(d->builder, file, all, count + 1, LLVMDIFlagZero);
	sub = LLVMDIBuilderCreateFunction(d->builder, file, name, len, "", 0, file, line, type, LLVMGetLinkage(fn) == LLVMInternalLinkage, 1, line, LLVMDIFlagPrototyped, 1);
	for (unsigned k = 0; k < count; k++)
		LLVMDIBuilderCreateParameterVariable(d->builder, sub, names[k], strlen(names[k]), k + 1, file, line, types[k], 1, LLVMDIFlagZero);
	LLVMSetSubprogram(fn, sub);
	return sub;
}

void qt_debug_place(struct qt_module *u, LLVMMetadataRef scope, struct qt_span at)
{
	struct qt_debug *d = &u->debug;
	struct qt_position p = position(u, at);

	if (at.file && LLVMDIScopeGetFile(scope) != d->files[at.file])
		scope = LLVMDIBuilderCreateLexicalBlockFile(d->builder, scope, d->files[at.file], 0);
	LLVMSetCurrentDebugLocation2(u->b, LLVMDIBuilderCreateDebugLocation(u->context, p.line, p.column, scope, NULL));
}
