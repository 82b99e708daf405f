/* What emitters share: maps, stack variables made on demand, the way to a failure block; and the operations that frame a program. */
#include "codegen/codegen_internal.h"

#define A(e, i) ((e)->values[(i)->a])

LLVMValueRef qt_map(struct qt_emit *e, uint64_t map)
{
	QT_ASSERT(map < e->u->plan->maps.len && e->u->maps[map]);
	return e->u->maps[map];
}

/* BYTES of stack, aligned to words; all are reserved in the entry block. */
LLVMValueRef qt_stack(struct qt_emit *e, uint32_t bytes)
{
	LLVMBuilderRef b = e->u->b;
	LLVMBasicBlockRef here = LLVMGetInsertBlock(b);
	LLVMTypeRef type = bytes == 8 ? e->u->i64 : LLVMArrayType(e->u->i64, bytes / 8);
	LLVMValueRef variable;

	LLVMPositionBuilderAtEnd(b, e->entry);
	variable = LLVMBuildAlloca(b, type, "");
	LLVMPositionBuilderAtEnd(b, here);
	return variable;
}

LLVMValueRef qt_cell(struct qt_emit *e)
{
	if (!e->cell)
		e->cell = qt_stack(e, 8);
	return e->cell;
}

LLVMValueRef qt_name16(struct qt_emit *e)
{
	if (!e->name)
		e->name = qt_stack(e, 16);
	return e->name;
}

/* Older kernels (6.1 is one) write no further than the NUL. */
void qt_name_to(struct qt_emit *e, LLVMValueRef at)
{
	qt_store(e->u, at, qt_int(e->u, 0), 8);
	qt_store(e->u, qt_at(e->u, at, 8), qt_int(e->u, 0), 8);
	QT_CALL(e->u, get_current_comm, at, qt_int(e->u, 16));
}

void qt_fail_if(struct qt_emit *e, const struct qt_ir_ins *i, LLVMValueRef condition)
{
	LLVMBasicBlockRef next = qt_block(e->u, "");

	qt_branch_rarely(e->u, condition, e->blocks[i->fail], next);
	LLVMPositionBuilderAtEnd(e->u->b, next);
}

void qt_fail_null(struct qt_emit *e, const struct qt_ir_ins *i, LLVMValueRef pointer)
{
	qt_fail_if(e, i, LLVMBuildIsNull(e->u->b, pointer, ""));
}

LLVMValueRef qt_op_br(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return LLVMBuildBr(e->u->b, e->blocks[i->target]);
}

LLVMValueRef qt_op_brif(struct qt_emit *e, const struct qt_ir_ins *i)
{
	qt_branch(e->u, qt_compare(e->u, LLVMIntNE, A(e, i), qt_int(e->u, 0)), e->blocks[i->target], e->blocks[i->otherwise]);
	return NULL;
}

/* Whether process PID is one of the tree: the way goes on to WANTED or to the failure block. */
static void ask_tree(struct qt_emit *e, const struct qt_ir_ins *i, LLVMValueRef pid, LLVMBasicBlockRef wanted)
{
	struct qt_module *u = e->u;
	LLVMValueRef found;

	qt_store(u, qt_cell(e), pid, 8);
	found = QT_CALL(u, map_lookup_elem, u->maps[QT_MAP_FILTER], qt_cell(e));
	qt_branch(u, LLVMBuildIsNull(u->b, found, ""), e->blocks[i->fail], wanted);
}

/* The mode is constant to the verifier (frozen .rodata): what the run does not need is cut out at load. */
LLVMValueRef qt_op_filter(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	LLVMBasicBlockRef ask = qt_block(u, ""), wanted = qt_block(u, ""), other = u->maps[QT_MAP_FILTER] ? qt_block(u, "") : e->blocks[i->fail],
			  tree;
	LLVMValueRef mode = qt_config_word(u, QT_CONFIG_FILTER), pid;

	qt_branch(u, qt_compare(u, LLVMIntEQ, mode, qt_int(u, QT_FILTER_NONE)), wanted, ask);
	LLVMPositionBuilderAtEnd(u->b, ask);
	pid = LLVMBuildLShr(u->b, QT_CALL(u, get_current_pid_tgid), qt_int(u, 32), "");
	qt_branch(u, qt_compare(u, LLVMIntEQ, pid, qt_config_word(u, QT_CONFIG_FILTER_PID)), wanted, other);
	if (u->maps[QT_MAP_FILTER]) {
		tree = qt_block(u, "");
		LLVMPositionBuilderAtEnd(u->b, other);
		qt_branch(u, qt_compare(u, LLVMIntEQ, mode, qt_int(u, QT_FILTER_ONE)), e->blocks[i->fail], tree);
		LLVMPositionBuilderAtEnd(u->b, tree);
		ask_tree(e, i, pid, wanted);
	}
	LLVMPositionBuilderAtEnd(u->b, wanted);
	return NULL;
}

static LLVMValueRef slot_key(struct qt_emit *e, uint32_t k)
{
	if (!k)
		return qt_zeros(e->u);
	qt_store(e->u, qt_cell(e), qt_int(e->u, k), 8);
	return qt_cell(e);
}

/* Takes slot K if it is free: then the way goes to TAKEN, else on. */
static void try_slot(struct qt_emit *e, const struct qt_ir_ins *i, uint32_t k, LLVMBasicBlockRef taken)
{
	struct qt_module *u = e->u;
	LLVMBasicBlockRef next = k + 1 < QT_SCRATCH_SLOTS ? qt_block(u, "") : e->blocks[i->fail];
	LLVMValueRef slot = QT_CALL(u, map_lookup_elem, qt_map(e, QT_MAP_SCRATCH), slot_key(e, k)), before;

	qt_fail_null(e, i, slot);
	before = LLVMBuildAtomicRMW(u->b, LLVMAtomicRMWBinOpXchg, slot, qt_int(u, 1), LLVMAtomicOrderingSequentiallyConsistent, 0);
	LLVMBuildStore(u->b, slot, e->scratch);
	qt_branch_rarely(u, qt_compare(u, LLVMIntNE, before, qt_int(u, 0)), next, taken);
	LLVMPositionBuilderAtEnd(u->b, next);
}

/* The verifier sees the same kind of pointer whichever slot was taken, and walks what follows once. */
LLVMValueRef qt_op_scratch_take(struct qt_emit *e, const struct qt_ir_ins *i)
{
	LLVMBasicBlockRef taken = qt_block(e->u, "");

	if (!e->scratch)
		e->scratch = qt_stack(e, 8);
	for (uint32_t k = 0; k < QT_SCRATCH_SLOTS; k++)
		try_slot(e, i, k, taken);
	LLVMPositionBuilderAtEnd(e->u->b, taken);
	return NULL;
}

LLVMValueRef qt_op_scratch_give(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	LLVMValueRef free = LLVMBuildStore(u->b, qt_int(u, 0), LLVMBuildLoad2(u->b, u->ptr, e->scratch, ""));

	(void)i;
	LLVMSetVolatile(free, 1);
	return NULL;
}
