/* Records of the ring buffer: of fixed size, written in place, and of variable size, written through a dynptr. The reader is woken only when much is
 * waiting; else it comes by itself. */
#include "codegen/codegen_internal.h"

#define A(e, i) ((e)->values[(i)->a])

/* Bytes that may wait before the reader is woken, and at most this part of the ring. */
#define WAKE_BYTES 65536u
#define WAKE_PART 4

static LLVMValueRef ring(struct qt_emit *e)
{
	return qt_map(e, QT_MAP_RING);
}

static LLVMValueRef wake_flags(struct qt_emit *e)
{
	struct qt_module *u = e->u;
	uint32_t part = u->plan->maps.items[QT_MAP_RING].max_entries / WAKE_PART;
	LLVMValueRef waiting = QT_CALL(u, ringbuf_query, ring(e), qt_int(u, QT_BPF_RB_AVAIL_DATA));
	LLVMValueRef much = qt_compare(u, LLVMIntUGE, waiting, qt_int(u, part < WAKE_BYTES ? part : WAKE_BYTES));

	return LLVMBuildSelect(u->b, much, qt_int(u, QT_BPF_RB_FORCE_WAKEUP), qt_int(u, QT_BPF_RB_NO_WAKEUP), "");
}

LLVMValueRef qt_op_ring_reserve(struct qt_emit *e, const struct qt_ir_ins *i)
{
	LLVMValueRef record = QT_CALL(e->u, ringbuf_reserve, ring(e), qt_int(e->u, i->imm), qt_int(e->u, 0));

	qt_fail_null(e, i, record);
	return record;
}

LLVMValueRef qt_op_ring_submit(struct qt_emit *e, const struct qt_ir_ins *i)
{
	QT_CALL(e->u, ringbuf_submit, A(e, i), wake_flags(e));
	return NULL;
}

/* A failed reservation leaves an empty dynptr that the verifier wants given back all the same. */
LLVMValueRef qt_op_ring_open(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	LLVMBasicBlockRef full = qt_block(u, ""), next = qt_block(u, "");
	LLVMValueRef result;

	if (!e->record)
		e->record = qt_stack(e, 16);
	result = QT_CALL(u, ringbuf_reserve_dynptr, ring(e), A(e, i), qt_int(u, 0), e->record);
	qt_branch_rarely(u, qt_compare(u, LLVMIntNE, result, qt_int(u, 0)), full, next);
	LLVMPositionBuilderAtEnd(u->b, full);
	QT_CALL(u, ringbuf_discard_dynptr, e->record, qt_int(u, QT_BPF_RB_NO_WAKEUP));
	LLVMBuildBr(u->b, e->blocks[i->fail]);
	LLVMPositionBuilderAtEnd(u->b, next);
	return NULL;
}

LLVMValueRef qt_op_ring_words(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;

	QT_CALL(u, dynptr_write, e->record, qt_int(u, i->imm), e->bufs[i->buf], qt_int(u, e->fn->bufs.items[i->buf].size), qt_int(u, 0));
	return NULL;
}

LLVMValueRef qt_op_ring_close(struct qt_emit *e, const struct qt_ir_ins *i)
{
	(void)i;
	QT_CALL(e->u, ringbuf_submit_dynptr, e->record, wake_flags(e));
	return NULL;
}
