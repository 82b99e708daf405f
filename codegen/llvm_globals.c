/* The shared areas of plan/wire.h and the constants of programs: `qt_live` in .bss (the runtime maps it), `qt_config` first in .rodata (the runtime fills
 * it before load), behind it what programs only read. */
#include "codegen/codegen_internal.h"

#include <string.h>

static LLVMValueRef add_global(struct qt_module *u, const char *name, const char *section, LLVMTypeRef type, LLVMValueRef initial, bool constant)
{
	LLVMValueRef global = LLVMAddGlobal(u->module, type, name);

	LLVMSetInitializer(global, initial ? initial : LLVMConstNull(type));
	LLVMSetSection(global, section);
	LLVMSetAlignment(global, 8);
	LLVMSetGlobalConstant(global, constant);
	return global;
}

static LLVMValueRef words(struct qt_module *u, const char *name, const char *section, uint32_t count, bool constant)
{
	LLVMValueRef global = add_global(u, name, section, LLVMArrayType(u->i64, count), NULL, constant);

	qt_debug_global(u, global, qt_debug_array(u, u->debug.u64, 8, count));
	return global;
}

void qt_globals_make(struct qt_module *u)
{
	LLVMValueRef license = LLVMConstStringInContext(u->context, "GPL", 3, 0);

	u->live = words(u, "qt_live", ".bss", QT_LIVE_WORDS, false);
	u->config = words(u, "qt_config", ".rodata", QT_CONFIG_LITERALS + u->plan->literals.len, true);
	add_global(u, "qt_license", "license", LLVMTypeOf(license), license, true);
	u->plain_counters = true;
	qt_vec_each (fn, &u->ir->fns)
		u->plain_counters &= qt_hook_info(fn->hook)->exclusive;
}

/* What a new row of a hash begins with; as large as the largest of them, at least a key of an array. */
LLVMValueRef qt_zeros(struct qt_module *u)
{
	uint32_t size = 8;

	if (u->zeros)
		return u->zeros;
	qt_vec_each (m, &u->plan->maps)
		if ((m->kind == QT_MAP_HASH || m->kind == QT_MAP_PERCPU_HASH) && m->max_entries && m->value_size > size)
			size = m->value_size;
	return u->zeros = words(u, "qt_zeros", ".rodata", QT_ALIGN(size, 8) / 8, true);
}

/* 1 + the binary logarithm of S + 1, rounded down, for S = 2^n - 1: at (S * QT_LOG2_MAGIC) >> 58 (a de Bruijn sequence: its 64 runs of six bits all differ). */
LLVMValueRef qt_log2_table(struct qt_module *u)
{
	char table[64] = { 0 };
	LLVMValueRef bytes;

	if (u->log2_table)
		return u->log2_table;
	for (unsigned n = 0; n < 64; n++)
		table[((UINT64_MAX >> (63 - n)) * QT_LOG2_MAGIC) >> 58] = (char)(n + 1);
	bytes = LLVMConstStringInContext(u->context, table, sizeof(table), 1);
	u->log2_table = add_global(u, "qt_log2", ".rodata", LLVMTypeOf(bytes), bytes, true);
	qt_debug_global(u, u->log2_table, qt_debug_array(u, u->debug.byte, 1, sizeof(table)));
	return u->log2_table;
}

/* Raw: the words here are zero only until the runtime has filled them. */
LLVMValueRef qt_config_word(struct qt_module *u, uint64_t word)
{
	return qt_load_raw(u, qt_at(u, u->config, word * 8), 8, false);
}
