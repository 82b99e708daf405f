/* Keys and values on the stack, and maps. */
#include "codegen/codegen_internal.h"

#define A(e, i) ((e)->values[(i)->a])

static LLVMValueRef key(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return e->bufs[i->buf];
}

LLVMValueRef qt_op_buf_store(struct qt_emit *e, const struct qt_ir_ins *i)
{
	qt_store(e->u, qt_at(e->u, e->bufs[i->buf], i->imm), A(e, i), 8);
	return NULL;
}

LLVMValueRef qt_op_buf_load(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return qt_load(e->u, qt_at(e->u, e->bufs[i->buf], i->imm), 8, false);
}

LLVMValueRef qt_op_buf_comm(struct qt_emit *e, const struct qt_ir_ins *i)
{
	qt_name_to(e, qt_at(e->u, e->bufs[i->buf], i->imm));
	return NULL;
}

LLVMValueRef qt_op_map_get(struct qt_emit *e, const struct qt_ir_ins *i)
{
	LLVMValueRef value = QT_CALL(e->u, map_lookup_elem, qt_map(e, i->imm), key(e, i));

	qt_fail_null(e, i, value);
	return value;
}

LLVMValueRef qt_op_map_get_cpu(struct qt_emit *e, const struct qt_ir_ins *i)
{
	LLVMValueRef value = QT_CALL(e->u, map_lookup_percpu_elem, qt_map(e, i->imm), key(e, i), A(e, i));

	qt_fail_null(e, i, value);
	return value;
}

/* Whoever put the row there, it is there: what the update says does not matter, only the second look-up. */
LLVMValueRef qt_op_map_upsert(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	LLVMBasicBlockRef add = qt_block(u, ""), done = qt_block(u, ""), from = LLVMGetInsertBlock(u->b);
	LLVMValueRef map = qt_map(e, i->imm), first = QT_CALL(u, map_lookup_elem, map, key(e, i)), second;

	qt_branch_rarely(u, LLVMBuildIsNull(u->b, first, ""), add, done);
	LLVMPositionBuilderAtEnd(u->b, add);
	QT_CALL(u, map_update_elem, map, key(e, i), qt_zeros(u), qt_int(u, QT_BPF_NOEXIST));
	second = QT_CALL(u, map_lookup_elem, map, key(e, i));
	qt_branch_rarely(u, LLVMBuildIsNull(u->b, second, ""), e->blocks[i->fail], done);
	LLVMPositionBuilderAtEnd(u->b, done);
	return qt_phi(u, u->ptr, first, from, second, add);
}

LLVMValueRef qt_op_map_put(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	LLVMValueRef result = QT_CALL(u, map_update_elem, qt_map(e, i->imm), key(e, i), e->bufs[i->buf2], qt_int(u, 0));

	qt_fail_if(e, i, qt_compare(u, LLVMIntNE, result, qt_int(u, 0)));
	return NULL;
}

LLVMValueRef qt_op_map_delete(struct qt_emit *e, const struct qt_ir_ins *i)
{
	QT_CALL(e->u, map_delete_elem, qt_map(e, i->imm), key(e, i));
	return NULL;
}
