/* The event, the shared areas, counters, and memory that is not ours. */
#include "base/regs.h"
#include "base/space.h"
#include "codegen/codegen_internal.h"

#define A(e, i) ((e)->values[(i)->a])

/* The kernel knows the types of what fentry programs get, and refuses arithmetic on pointers: the instruction changes no bit on a little endian machine,
 * but what comes out of it is a number. */
static LLVMValueRef plain_number(struct qt_emit *e, LLVMValueRef v)
{
	return qt_asm(e->u, "$0 = le64 $0", v, NULL);
}

/* A load from the context must keep its constant offset: raw, and behind an assembly of no instruction, so that LLVM cannot make one load of two in the arms of
 * a branch, with a computed address. */
static LLVMValueRef context_load(struct qt_emit *e, uint64_t offset, uint32_t size, bool sign)
{
	return qt_asm(e->u, "", qt_load_raw(e->u, qt_at(e->u, e->ctx, offset), size, sign), NULL);
}

LLVMValueRef qt_op_ctx_load(struct qt_emit *e, const struct qt_ir_ins *i)
{
	LLVMValueRef v = context_load(e, i->imm, i->size, i->sign);
	bool typed = e->fn->hook == QT_HOOK_fentry || e->fn->hook == QT_HOOK_fexit;

	return typed ? plain_number(e, v) : v;
}

/* The helper leaves the cell as it is for an argument that the function does not have; sema never asks for one. */
LLVMValueRef qt_op_func_arg(struct qt_emit *e, const struct qt_ir_ins *i)
{
	LLVMValueRef cell = qt_cell(e);

	qt_store(e->u, cell, qt_int(e->u, 0), 8);
	QT_CALL(e->u, get_func_arg, e->ctx, qt_int(e->u, i->imm), cell);
	return qt_load(e->u, cell, 8, false);
}

LLVMValueRef qt_op_ctx_addr(struct qt_emit *e, const struct qt_ir_ins *i)
{
	(void)i;
	return plain_number(e, LLVMBuildPtrToInt(e->u->b, e->ctx, e->u->i64, ""));
}

LLVMValueRef qt_op_reg(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return context_load(e, qt_reg_offset((enum qt_reg)i->imm), 8, false);
}

#define HELPER_OP(name, helper)                                                 \
	LLVMValueRef qt_op_##name(struct qt_emit *e, const struct qt_ir_ins *i) \
	{                                                                       \
		(void)i;                                                        \
		return QT_CALL(e->u, helper);                                   \
	}
HELPER_OP(now, ktime_get_ns)
HELPER_OP(pid_tgid, get_current_pid_tgid)
HELPER_OP(uid_gid, get_current_uid_gid)
HELPER_OP(cgroup, get_current_cgroup_id)
HELPER_OP(numa, get_numa_node_id)
HELPER_OP(jiffies, jiffies64)
HELPER_OP(task, get_current_task)

LLVMValueRef qt_op_signal(struct qt_emit *e, const struct qt_ir_ins *i)
{
	LLVMValueRef err = i->imm ? QT_CALL(e->u, send_signal_thread, A(e, i)) : QT_CALL(e->u, send_signal, A(e, i));

	qt_fail_if(e, i, qt_compare(e->u, LLVMIntNE, err, qt_int(e->u, 0)));
	return NULL;
}

/* These helpers give 32 bits; what stands above them is not theirs. */
LLVMValueRef qt_op_cpu(struct qt_emit *e, const struct qt_ir_ins *i)
{
	(void)i;
	return qt_extend(e->u, qt_narrow(e->u, QT_CALL(e->u, get_smp_processor_id), 4), 4, false);
}

LLVMValueRef qt_op_rand(struct qt_emit *e, const struct qt_ir_ins *i)
{
	(void)i;
	return qt_extend(e->u, qt_narrow(e->u, QT_CALL(e->u, get_prandom_u32), 4), 4, false);
}

LLVMValueRef qt_op_cookie(struct qt_emit *e, const struct qt_ir_ins *i)
{
	(void)i;
	return QT_CALL(e->u, get_attach_cookie, e->ctx);
}

LLVMValueRef qt_op_live(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return qt_load_raw(e->u, qt_at(e->u, e->u->live, i->imm * 8), 8, false);
}

LLVMValueRef qt_op_live_store(struct qt_emit *e, const struct qt_ir_ins *i)
{
	LLVMSetVolatile(LLVMBuildStore(e->u->b, A(e, i), qt_at(e->u, e->u->live, i->imm * 8)), 1);
	return NULL;
}

LLVMValueRef qt_op_config(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return qt_config_word(e->u, i->imm);
}

static void add_one(struct qt_emit *e, LLVMValueRef at)
{
	struct qt_module *u = e->u;

	if (u->plain_counters)
		qt_store(u, at, LLVMBuildAdd(u->b, qt_load(u, at, 8, false), qt_int(u, 1), ""), 8);
	else
		LLVMBuildAtomicRMW(u->b, LLVMAtomicRMWBinOpAdd, at, qt_int(u, 1), LLVMAtomicOrderingMonotonic, 0);
}

LLVMValueRef qt_op_count(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	LLVMBasicBlockRef found = qt_block(u, ""), next = qt_block(u, "");
	LLVMValueRef row = QT_CALL(u, map_lookup_elem, qt_map(e, QT_MAP_COUNTERS), qt_zeros(u));

	qt_branch_rarely(u, LLVMBuildIsNull(u->b, row, ""), next, found);
	LLVMPositionBuilderAtEnd(u->b, found);
	add_one(e, qt_at(u, row, i->imm * 8));
	LLVMBuildBr(u->b, next);
	LLVMPositionBuilderAtEnd(u->b, next);
	return NULL;
}

LLVMValueRef qt_op_mem_read(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	LLVMValueRef cell = qt_cell(e), size = qt_int(u, i->size);
	LLVMValueRef result =
		i->imm == QT_SPACE_KERNEL ? QT_CALL(u, probe_read_kernel, cell, size, A(e, i)) : QT_CALL(u, probe_read_user, cell, size, A(e, i));

	qt_fail_if(e, i, qt_compare(u, LLVMIntNE, result, qt_int(u, 0)));
	return qt_load(u, cell, i->size, i->sign);
}
