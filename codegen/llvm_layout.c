/* The order of blocks. LLVM's BPF back end cannot turn its branches round, so code runs straight only where the blocks lie that way already: after the passes, each
 * block is followed by the one where the program most likely goes on, and what rarely runs comes last. */
#include "codegen/codegen_internal.h"

struct layout {
	struct qt_module *u;
	struct qt_map number; /* block -> its place in the old order, from 1 */
	bool *placed;
	QT_VEC(LLVMBasicBlockRef) waiting[2]; /* starts of further stretches: usual ones, rare ones */
	LLVMBasicBlockRef last;
};

static uintptr_t number_of(const struct layout *l, LLVMBasicBlockRef b)
{
	return (uintptr_t)qt_map_get(&l->number, QT_KEY(b));
}

/* A way out of a branch with weights is rare when the other one weighs this much more. */
#define RARE 16

/* Passes may have turned a branch round: its weights went with it. */
static bool is_rare(const struct layout *l, LLVMValueRef end, unsigned successor)
{
	LLVMValueRef weights = LLVMGetNumSuccessors(end) == 2 ? LLVMGetMetadata(end, l->u->prof_kind) : NULL, parts[3];

	if (!weights || LLVMGetMDNodeNumOperands(weights) != 3)
		return false;
	LLVMGetMDNodeOperands(weights, parts);
	return LLVMConstIntGetZExtValue(parts[1 + successor]) * RARE < LLVMConstIntGetZExtValue(parts[2 - successor]);
}

/* 0: likely, 1: the program ends there, 2: rare. */
static unsigned rank(const struct layout *l, LLVMValueRef end, unsigned successor)
{
	if (is_rare(l, end, successor))
		return 2;
	return LLVMGetInstructionOpcode(LLVMGetFirstInstruction(LLVMGetSuccessor(end, successor))) == LLVMRet;
}

static bool is_better(const struct layout *l, LLVMValueRef end, unsigned a, LLVMBasicBlockRef than, unsigned than_rank)
{
	unsigned mine = rank(l, end, a);

	return !than || mine < than_rank || (mine == than_rank && number_of(l, LLVMGetSuccessor(end, a)) < number_of(l, than));
}

/* The best unplaced successor; all of them wait for their turn besides. */
static LLVMBasicBlockRef follow(struct layout *l, LLVMBasicBlockRef b)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
	LLVMBasicBlockRef best = NULL;
	unsigned best_rank = 0;

	for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
		LLVMBasicBlockRef to = LLVMGetSuccessor(end, k);

		if (l->placed[number_of(l, to)])
			continue;
		*qt_vec_push(l->u->arena, &l->waiting[rank(l, end, k) == 2]) = to;
		if (is_better(l, end, k, best, best_rank)) {
			best = to;
			best_rank = rank(l, end, k);
		}
	}
	return best_rank == 2 ? NULL : best;
}

static void place_stretch(struct layout *l, LLVMBasicBlockRef b)
{
	for (; b && !l->placed[number_of(l, b)]; b = follow(l, b)) {
		l->placed[number_of(l, b)] = true;
		if (l->last)
			LLVMMoveBasicBlockAfter(b, l->last);
		l->last = b;
	}
}

static LLVMBasicBlockRef take(struct layout *l)
{
	for (unsigned k = 0; k < 2; k++)
		if (l->waiting[k].len)
			return l->waiting[k].items[--l->waiting[k].len];
	return NULL;
}

/* A jump to a return of a constant becomes that return. */
static void return_at_once(struct qt_module *u, LLVMBasicBlockRef b)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(b), there;

	if (LLVMGetNumSuccessors(end) != 1)
		return;
	there = LLVMGetFirstInstruction(LLVMGetSuccessor(end, 0));
	if (LLVMGetInstructionOpcode(there) != LLVMRet || !LLVMIsConstant(LLVMGetOperand(there, 0)))
		return;
	LLVMPositionBuilderBefore(u->b, end);
	LLVMBuildRet(u->b, LLVMGetOperand(there, 0));
	LLVMInstructionEraseFromParent(end);
}

void qt_block_layout(struct qt_module *u, LLVMValueRef fn)
{
	struct layout l = { .u = u };
	uintptr_t count = 0;
	LLVMBasicBlockRef b = LLVMGetEntryBasicBlock(fn);

	for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(fn); k; k = LLVMGetNextBasicBlock(k))
		qt_map_put(u->arena, &l.number, QT_KEY(k), (void *)++count);
	l.placed = QT_NEW_ARRAY(u->arena, bool, count + 1);
	for (; b; b = take(&l))
		place_stretch(&l, b);
	for (b = LLVMGetEntryBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
		return_at_once(u, b);
}
