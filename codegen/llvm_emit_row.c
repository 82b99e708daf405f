/* Rows: words of map values, frames, thread storage and ring records. */
#include "codegen/codegen_internal.h"

#define A(e, i) ((e)->values[(i)->a])
#define B(e, i) ((e)->values[(i)->b])

#define MAX_TRIES 8

static LLVMValueRef place(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return qt_at(e->u, A(e, i), i->imm);
}

LLVMValueRef qt_op_row_load(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return qt_load(e->u, place(e, i), i->size, i->sign);
}

LLVMValueRef qt_op_row_store(struct qt_emit *e, const struct qt_ir_ins *i)
{
	qt_store(e->u, place(e, i), B(e, i), i->size);
	return NULL;
}

LLVMValueRef qt_op_row_comm(struct qt_emit *e, const struct qt_ir_ins *i)
{
	qt_name_to(e, place(e, i));
	return NULL;
}

static void add(struct qt_emit *e, LLVMValueRef at, LLVMValueRef n, bool atomic)
{
	struct qt_module *u = e->u;

	if (atomic)
		LLVMBuildAtomicRMW(u->b, LLVMAtomicRMWBinOpAdd, at, n, LLVMAtomicOrderingMonotonic, 0);
	else
		qt_store(u, at, LLVMBuildAdd(u->b, qt_load(u, at, 8, false), n, ""), 8);
}

LLVMValueRef qt_op_row_add(struct qt_emit *e, const struct qt_ir_ins *i)
{
	add(e, place(e, i), B(e, i), i->atomic);
	return NULL;
}

/* Sequentially consistent, as the kernel's instruction with a result is: so it keeps its result even if nobody reads it. */
LLVMValueRef qt_op_row_fetch_add(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return LLVMBuildAtomicRMW(e->u->b, LLVMAtomicRMWBinOpAdd, place(e, i), B(e, i), LLVMAtomicOrderingSequentiallyConsistent, 0);
}

static LLVMValueRef not_above(struct qt_emit *e, LLVMValueRef a, LLVMValueRef b)
{
	return qt_compare(e->u, LLVMIntULE, a, b);
}

static void max_plain(struct qt_emit *e, LLVMValueRef at, LLVMValueRef n)
{
	struct qt_module *u = e->u;
	LLVMBasicBlockRef raise = qt_block(u, ""), done = qt_block(u, "");

	qt_branch(u, not_above(e, n, qt_load(u, at, 8, false)), done, raise);
	LLVMPositionBuilderAtEnd(u->b, raise);
	qt_store(u, at, n, 8);
	LLVMBuildBr(u->b, done);
	LLVMPositionBuilderAtEnd(u->b, done);
}

/* do { if (n <= old) break; seen = compare-and-exchange; } while (seen != old, at most MAX_TRIES times) */
static void max_atomic(struct qt_emit *e, LLVMValueRef at, LLVMValueRef n)
{
	struct qt_module *u = e->u;
	LLVMBasicBlockRef from = LLVMGetInsertBlock(u->b), look = qt_block(u, ""), swap = qt_block(u, ""), again = qt_block(u, ""),
			  done = qt_block(u, "");
	LLVMValueRef first = qt_load_raw(u, at, 8, false), old, tries, seen, left;

	LLVMBuildBr(u->b, look);
	LLVMPositionBuilderAtEnd(u->b, look);
	old = qt_phi(u, u->i64, first, from, NULL, NULL);
	tries = qt_phi(u, u->i64, qt_int(u, MAX_TRIES), from, NULL, NULL);
	qt_branch(u, not_above(e, n, old), done, swap);
	LLVMPositionBuilderAtEnd(u->b, swap);
	seen = LLVMBuildAtomicCmpXchg(u->b, at, old, n, LLVMAtomicOrderingSequentiallyConsistent, LLVMAtomicOrderingSequentiallyConsistent, 0);
	seen = LLVMBuildExtractValue(u->b, seen, 0, "");
	qt_branch_rarely(u, qt_compare(u, LLVMIntNE, seen, old), again, done);
	LLVMPositionBuilderAtEnd(u->b, again);
	left = LLVMBuildSub(u->b, tries, qt_int(u, 1), "");
	LLVMAddIncoming(old, &seen, &again, 1);
	LLVMAddIncoming(tries, &left, &again, 1);
	qt_branch(u, qt_compare(u, LLVMIntEQ, left, qt_int(u, 0)), done, look);
	LLVMPositionBuilderAtEnd(u->b, done);
}

LLVMValueRef qt_op_row_max(struct qt_emit *e, const struct qt_ir_ins *i)
{
	(i->atomic ? max_atomic : max_plain)(e, place(e, i), B(e, i));
	return NULL;
}

/* V with all bits below its highest one set. */
static LLVMValueRef smear(struct qt_module *u, LLVMValueRef v)
{
	for (unsigned n = 1; n < 64; n *= 2)
		v = LLVMBuildOr(u->b, v, LLVMBuildLShr(u->b, v, qt_int(u, n), ""), "");
	return v;
}

/* qt_hist_bucket without a branch: BPF counts no leading zeros, and each branch would double what the verifier walks. Zero and one share the first entry
 * of the table and differ by the lowest bit that is added. */
static LLVMValueRef bucket_of(struct qt_module *u, LLVMValueRef v, bool sign)
{
	LLVMValueRef all = smear(u, v), index, bucket, keep;

	index = LLVMBuildLShr(u->b, LLVMBuildMul(u->b, all, qt_int(u, QT_LOG2_MAGIC), ""), qt_int(u, 58), "");
	bucket = qt_load_raw(u, qt_at_value(u, qt_log2_table(u), index), 1, false);
	bucket = LLVMBuildAdd(u->b, bucket, LLVMBuildAnd(u->b, all, qt_int(u, 1), ""), "");
	if (!sign)
		return bucket;
	keep = LLVMBuildNot(u->b, LLVMBuildAShr(u->b, v, qt_int(u, 63), ""), "");
	return LLVMBuildAnd(u->b, bucket, keep, "");
}

/* The comparison is for the verifier, which does not know the table. */
LLVMValueRef qt_op_row_hist(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	LLVMBasicBlockRef inside = qt_block(u, ""), done = qt_block(u, "");
	LLVMValueRef bucket = bucket_of(u, B(e, i), i->sign);

	qt_branch_rarely(u, qt_compare(u, LLVMIntUGE, bucket, qt_int(u, QT_HIST_BUCKETS)), done, inside);
	LLVMPositionBuilderAtEnd(u->b, inside);
	add(e, qt_at(u, qt_at_value(u, A(e, i), LLVMBuildShl(u->b, bucket, qt_int(u, 3), "")), i->imm), qt_int(u, 1), i->atomic);
	LLVMBuildBr(u->b, done);
	LLVMPositionBuilderAtEnd(u->b, done);
	return NULL;
}
