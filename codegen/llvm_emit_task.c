/* What is kept for a thread. Small values have a place in an array (plan/wire.h: the map `threads`), which is found without a call; a thread whose place another one
 * has is kept in the kernel's task storage, and stays there. Large values are in task storage alone. */
#include "codegen/codegen_internal.h"

#define A(e, i) ((e)->values[(i)->a])

/* Who runs: the address of its task_struct, and its ids (tgid << 32 | tid). */
struct self {
	LLVMValueRef task, id;
};

/* The ways to the row, joined in DONE. */
struct ways {
	struct qt_emit *e;
	const struct qt_ir_ins *i;
	LLVMBasicBlockRef done;
	LLVMValueRef rows[5];
	LLVMBasicBlockRef from[5];
	unsigned count;
};

/* The way that was built so far leads to ROW. */
static void arrive(struct ways *w, LLVMValueRef row)
{
	w->rows[w->count] = row;
	w->from[w->count++] = LLVMGetInsertBlock(w->e->u->b);
	LLVMBuildBr(w->e->u->b, w->done);
}

static LLVMValueRef meet(struct ways *w)
{
	LLVMValueRef phi;

	LLVMPositionBuilderAtEnd(w->e->u->b, w->done);
	phi = LLVMBuildPhi(w->e->u->b, w->e->u->ptr, "");
	LLVMAddIncoming(phi, w->rows, w->from, w->count);
	return phi;
}

static LLVMValueRef in_storage(struct qt_emit *e, bool create)
{
	struct qt_module *u = e->u;
	LLVMValueRef task = QT_CALL(u, get_current_task_btf);

	return QT_CALL(u, task_storage_get, qt_map(e, QT_MAP_CONTEXT), task, LLVMConstNull(u->ptr), qt_int(u, create));
}

/* ---- places ---- */

/* The place of the task at address TASK; ABSENT is where the way goes when the array has none (which the verifier wants asked). */
static LLVMValueRef place_of(struct qt_emit *e, LLVMValueRef task, LLVMBasicBlockRef absent)
{
	struct qt_module *u = e->u;
	unsigned bits = (unsigned)__builtin_ctz(u->plan->maps.items[QT_MAP_THREADS].max_entries);
	LLVMBasicBlockRef next = qt_block(u, "");
	LLVMValueRef cell = qt_cell(e), place;

	qt_store(u, cell, LLVMBuildLShr(u->b, LLVMBuildMul(u->b, task, qt_int(u, QT_PLACE_MULTIPLIER), ""), qt_int(u, 64 - bits), ""), 4);
	place = QT_CALL(u, map_lookup_elem, qt_map(e, QT_MAP_THREADS), cell);
	qt_branch_rarely(u, LLVMBuildIsNull(u->b, place, ""), absent, next);
	LLVMPositionBuilderAtEnd(u->b, next);
	return place;
}

static LLVMValueRef is(struct qt_emit *e, LLVMValueRef a, LLVMValueRef b)
{
	return qt_compare(e->u, LLVMIntEQ, a, b);
}

static LLVMValueRef spilled(struct qt_emit *e)
{
	return qt_at(e->u, e->u->live, QT_LIVE_STORAGE * 8);
}

/* Some thread is in storage: perhaps this one. Goes on, in a new block, when it is not. */
static void ask_storage(struct ways *w, LLVMBasicBlockRef otherwise)
{
	struct qt_emit *e = w->e;
	struct qt_module *u = e->u;
	LLVMBasicBlockRef ask = qt_block(u, ""), found = qt_block(u, "");
	LLVMValueRef row;

	qt_branch_rarely(u, qt_compare(u, LLVMIntNE, qt_load_raw(u, spilled(e), 8, false), qt_int(u, 0)), ask, otherwise);
	LLVMPositionBuilderAtEnd(u->b, ask);
	row = in_storage(e, false);
	qt_branch(u, LLVMBuildIsNull(u->b, row, ""), otherwise, found);
	LLVMPositionBuilderAtEnd(u->b, found);
	arrive(w, row);
	LLVMPositionBuilderAtEnd(u->b, otherwise);
}

/* Bytes from offset AT of a place to its end are zeroed, one store a word, in this order. */
static void wipe(struct qt_emit *e, LLVMValueRef place, uint32_t at)
{
	uint32_t size = e->u->plan->maps.items[QT_MAP_THREADS].value_size;

	for (; at < size; at += 8)
		LLVMSetVolatile(qt_store(e->u, qt_at(e->u, place, at), qt_int(e->u, 0), 8), 1);
}

static void set_word(struct qt_emit *e, LLVMValueRef place, uint32_t at, LLVMValueRef v)
{
	LLVMSetVolatile(qt_store(e->u, qt_at(e->u, place, at), v, 8), 1);
}

/* The place has this task_struct's address from a thread before, whose end was not told: its value is not ours. */
static void renew(struct ways *w, struct self self, LLVMValueRef place, LLVMBasicBlockRef otherwise)
{
	struct qt_module *u = w->e->u;
	LLVMBasicBlockRef stale = qt_block(u, "");

	qt_branch_rarely(u, is(w->e, qt_load_raw(u, place, 8, false), self.task), stale, otherwise);
	LLVMPositionBuilderAtEnd(u->b, stale);
	wipe(w->e, place, QT_PLACE_VALUE);
	set_word(w->e, place, QT_PLACE_ID, self.id);
	arrive(w, qt_at(u, place, QT_PLACE_VALUE));
	LLVMPositionBuilderAtEnd(u->b, otherwise);
}

/* The place becomes this thread's when it is free. */
static void claim(struct ways *w, struct self self, LLVMValueRef place, LLVMBasicBlockRef taken)
{
	struct qt_module *u = w->e->u;
	LLVMBasicBlockRef mine = qt_block(u, "");
	LLVMValueRef result = LLVMBuildAtomicCmpXchg(u->b, place, qt_int(u, 0), self.task, LLVMAtomicOrderingSequentiallyConsistent,
						     LLVMAtomicOrderingSequentiallyConsistent, 0);

	qt_branch(u, is(w->e, LLVMBuildExtractValue(u->b, result, 0, ""), qt_int(u, 0)), mine, taken);
	LLVMPositionBuilderAtEnd(u->b, mine);
	set_word(w->e, place, QT_PLACE_ID, self.id);
	arrive(w, qt_at(u, place, QT_PLACE_VALUE));
	LLVMPositionBuilderAtEnd(u->b, taken);
}

static void create_in_storage(struct ways *w)
{
	struct qt_emit *e = w->e;
	LLVMValueRef row;

	LLVMSetVolatile(qt_store(e->u, spilled(e), qt_int(e->u, 1), 8), 1);
	row = in_storage(e, true);
	qt_fail_null(e, w->i, row);
	arrive(w, row);
}

static LLVMValueRef by_place(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	struct ways w = { .e = e, .i = i, .done = qt_block(u, "") };
	LLVMBasicBlockRef same = qt_block(u, ""), mine = qt_block(u, ""), other = qt_block(u, ""),
			  nowhere = i->sign ? qt_block(u, "") : e->blocks[i->fail];
	struct self self = { .task = QT_CALL(u, get_current_task) };
	LLVMValueRef place = place_of(e, self.task, e->blocks[i->fail]);

	self.id = QT_CALL(u, get_current_pid_tgid);
	qt_branch_rarely(u, qt_compare(u, LLVMIntNE, qt_load_raw(u, place, 8, false), self.task), other, same);
	LLVMPositionBuilderAtEnd(u->b, same);
	qt_branch_rarely(u, qt_compare(u, LLVMIntNE, qt_load_raw(u, qt_at(u, place, QT_PLACE_ID), 8, false), self.id), other, mine);
	LLVMPositionBuilderAtEnd(u->b, mine);
	arrive(&w, qt_at(u, place, QT_PLACE_VALUE));
	LLVMPositionBuilderAtEnd(u->b, other);
	ask_storage(&w, nowhere);
	if (i->sign) {
		renew(&w, self, place, qt_block(u, ""));
		claim(&w, self, place, qt_block(u, ""));
		create_in_storage(&w);
	}
	return meet(&w);
}

LLVMValueRef qt_op_task_get(struct qt_emit *e, const struct qt_ir_ins *i)
{
	LLVMValueRef row;

	if (e->u->maps[QT_MAP_THREADS])
		return by_place(e, i);
	row = in_storage(e, i->sign);
	qt_fail_null(e, i, row);
	return row;
}

/* The value is zeroed first: whoever has the place next finds nothing in it. */
LLVMValueRef qt_op_task_drop(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	LLVMBasicBlockRef its = qt_block(u, ""), done = qt_block(u, "");
	LLVMValueRef place = place_of(e, A(e, i), done);

	qt_branch(u, is(e, qt_load_raw(u, place, 8, false), A(e, i)), its, done);
	LLVMPositionBuilderAtEnd(u->b, its);
	wipe(e, place, QT_PLACE_ID);
	set_word(e, place, 0, qt_int(u, 0));
	LLVMBuildBr(u->b, done);
	LLVMPositionBuilderAtEnd(u->b, done);
	return NULL;
}
