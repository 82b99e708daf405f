/* Functions that programs call: global ones, which the verifier checks apart from their callers, so that their loops are walked once, and what they give
 * is any number to it. */
#include "codegen/codegen_internal.h"

#include <stddef.h>

struct lib_emit {
	struct qt_module *u;
	LLVMValueRef fn, a, b;
};

static LLVMBasicBlockRef block(struct lib_emit *l)
{
	return LLVMAppendBasicBlockInContext(l->u->context, l->fn, "");
}

/* Global functions take any pointer, so the first thing is to ask whether it is one. */
static void begin(struct lib_emit *l, uint64_t if_null)
{
	LLVMBasicBlockRef null = block(l), there = block(l);
	LLVMBuilderRef b = l->u->b;

	qt_branch_rarely(l->u, LLVMBuildIsNull(b, l->a, ""), null, there);
	LLVMPositionBuilderAtEnd(b, null);
	LLVMBuildRet(b, qt_int(l->u, if_null));
	LLVMPositionBuilderAtEnd(b, there);
}

static LLVMValueRef rotate(struct qt_module *u, LLVMValueRef v, unsigned n)
{
	return LLVMBuildOr(u->b, LLVMBuildShl(u->b, v, qt_int(u, n), ""), LLVMBuildLShr(u->b, v, qt_int(u, 64 - n), ""), "");
}

/* One round of SipHash. */
static void mix(struct qt_module *u, LLVMValueRef v[4])
{
	v[0] = LLVMBuildAdd(u->b, v[0], v[1], "");
	v[2] = LLVMBuildAdd(u->b, v[2], v[3], "");
	v[1] = LLVMBuildXor(u->b, rotate(u, v[1], 13), v[0], "");
	v[3] = LLVMBuildXor(u->b, rotate(u, v[3], 16), v[2], "");
	v[0] = LLVMBuildAdd(u->b, rotate(u, v[0], 32), v[3], "");
	v[2] = LLVMBuildAdd(u->b, v[2], v[1], "");
	v[3] = LLVMBuildXor(u->b, rotate(u, v[3], 21), v[0], "");
	v[1] = LLVMBuildXor(u->b, rotate(u, v[1], 17), v[2], "");
	v[2] = rotate(u, v[2], 32);
}

static void absorb(struct qt_module *u, LLVMValueRef v[4], LLVMValueRef word)
{
	v[3] = LLVMBuildXor(u->b, v[3], word, "");
	mix(u, v);
	v[0] = LLVMBuildXor(u->b, v[0], word, "");
}

static void seed(struct qt_module *u, LLVMValueRef v[4])
{
	static const uint64_t constants[4] = { 0x736f6d6570736575, 0x646f72616e646f6d, 0x6c7967656e657261, 0x7465646279746573 };
	LLVMValueRef seeds[2] = { qt_config_word(u, QT_CONFIG_SEED0), qt_config_word(u, QT_CONFIG_SEED1) };

	for (unsigned k = 0; k < 4; k++)
		v[k] = LLVMBuildXor(u->b, seeds[k % 2], qt_int(u, constants[k]), "");
}

static LLVMValueRef finish(struct qt_module *u, LLVMValueRef v[4])
{
	LLVMValueRef id;

	v[2] = LLVMBuildXor(u->b, v[2], qt_int(u, 0xff), "");
	for (unsigned k = 0; k < 3; k++)
		mix(u, v);
	id = LLVMBuildXor(u->b, LLVMBuildXor(u->b, v[0], v[1], ""), LLVMBuildXor(u->b, v[2], v[3], ""), "");
	return LLVMBuildSelect(u->b, qt_compare(u, LLVMIntULT, id, qt_int(u, QT_ID_FIRST)), LLVMBuildAdd(u->b, id, qt_int(u, QT_ID_FIRST), ""), id,
			       "");
}

static LLVMValueRef length(struct lib_emit *l)
{
	struct qt_module *u = l->u;
	LLVMValueRef len = qt_load_raw(u, l->a, 4, false), most = qt_int(u, qt_plan_text_room(u->plan));

	return LLVMBuildSelect(u->b, qt_compare(u, LLVMIntUGT, len, most), most, len, "");
}

static LLVMValueRef word_at(struct lib_emit *l, LLVMValueRef offset)
{
	return qt_load(l->u, qt_at(l->u, qt_at_value(l->u, l->a, offset), offsetof(struct qt_text, bytes)), 8, false);
}

/* Whole words from offset 0 up to END; leaves the state in V. */
static void absorb_words(struct lib_emit *l, LLVMValueRef v[4], LLVMValueRef end)
{
	struct qt_module *u = l->u;
	LLVMBasicBlockRef from = LLVMGetInsertBlock(u->b), test = block(l), body = block(l), done = block(l);
	LLVMValueRef offset, state[4], next;

	LLVMBuildBr(u->b, test);
	LLVMPositionBuilderAtEnd(u->b, test);
	offset = qt_phi(u, u->i64, qt_int(u, 0), from, NULL, NULL);
	for (unsigned k = 0; k < 4; k++)
		state[k] = v[k] = qt_phi(u, u->i64, v[k], from, NULL, NULL);
	qt_branch(u, qt_compare(u, LLVMIntULT, offset, end), body, done);
	LLVMPositionBuilderAtEnd(u->b, body);
	absorb(u, state, word_at(l, offset));
	next = LLVMBuildAdd(u->b, offset, qt_int(u, 8), "");
	LLVMAddIncoming(offset, &next, &body, 1);
	for (unsigned k = 0; k < 4; k++)
		LLVMAddIncoming(v[k], &state[k], &body, 1);
	LLVMBuildBr(u->b, test);
	LLVMPositionBuilderAtEnd(u->b, done);
}

static LLVMValueRef whole_words(struct qt_module *u, LLVMValueRef len)
{
	return LLVMBuildAnd(u->b, len, qt_int(u, ~7ull), "");
}

/* qt_text_id of plan/wire.h. The length is read a second time behind the loop: the verifier would remember of the first what each way out of the loop
 * says about it, and walk the rest for each. */
static void text_id(struct lib_emit *l)
{
	struct qt_module *u = l->u;
	LLVMValueRef v[4], len, last;

	begin(l, 0);
	seed(u, v);
	absorb_words(l, v, whole_words(u, length(l)));
	len = length(l);
	last = word_at(l, whole_words(u, len));
	absorb(u, v, LLVMBuildOr(u->b, last, LLVMBuildShl(u->b, len, qt_int(u, 56), ""), ""));
	LLVMBuildRet(u->b, finish(u, v));
}

struct scan {
	LLVMValueRef index, used; /* number of the frame, and a word whose lowest bit says whether it is in use */
	LLVMValueRef key_at;
	LLVMBasicBlockRef free, mine, next; /* to be filled; `next` ends the turn */
};

/* A loop over all frames: in each turn the way goes to s->free, or s->mine when the key is the one that is looked for, or on. The builder is left behind the loop. */
static void scan_frames(struct lib_emit *l, uint32_t stride, struct scan *s)
{
	struct qt_module *u = l->u;
	LLVMBasicBlockRef from = LLVMGetInsertBlock(u->b), turn = block(l), used = block(l), done = block(l);
	LLVMValueRef first_word = qt_load(u, l->a, 8, false), first_key = qt_at(u, l->a, 8), next[3];

	s->free = block(l), s->mine = block(l), s->next = block(l);
	LLVMBuildBr(u->b, turn);
	LLVMPositionBuilderAtEnd(u->b, turn);
	s->index = qt_phi(u, u->i64, qt_int(u, 0), from, NULL, NULL);
	s->used = qt_phi(u, u->i64, first_word, from, NULL, NULL);
	s->key_at = qt_phi(u, u->ptr, first_key, from, NULL, NULL);
	qt_branch(u, qt_compare(u, LLVMIntEQ, LLVMBuildAnd(u->b, s->used, qt_int(u, 1), ""), qt_int(u, 0)), s->free, used);
	LLVMPositionBuilderAtEnd(u->b, used);
	qt_branch(u, qt_compare(u, LLVMIntEQ, qt_load(u, s->key_at, 8, false), l->b), s->mine, s->next);
	LLVMPositionBuilderAtEnd(u->b, s->next);
	next[0] = LLVMBuildAdd(u->b, s->index, qt_int(u, 1), "");
	next[1] = LLVMBuildLShr(u->b, s->used, qt_int(u, 1), "");
	next[2] = qt_at(u, s->key_at, stride);
	LLVMAddIncoming(s->index, &next[0], &s->next, 1);
	LLVMAddIncoming(s->used, &next[1], &s->next, 1);
	LLVMAddIncoming(s->key_at, &next[2], &s->next, 1);
	qt_branch(u, qt_compare(u, LLVMIntEQ, next[0], qt_int(u, QT_FRAME_DEPTH)), done, turn);
	LLVMPositionBuilderAtEnd(u->b, done);
}

/* The number of the frame with key b, QT_FRAME_DEPTH when there is none. */
static void frame_find(struct lib_emit *l, uint32_t stride)
{
	struct qt_module *u = l->u;
	struct scan s;

	begin(l, QT_FRAME_DEPTH);
	scan_frames(l, stride, &s);
	LLVMBuildRet(u->b, qt_int(u, QT_FRAME_DEPTH));
	LLVMPositionBuilderAtEnd(u->b, s.free);
	LLVMBuildBr(u->b, s.next);
	LLVMPositionBuilderAtEnd(u->b, s.mine);
	LLVMBuildRet(u->b, s.index);
}

/* The number of the frame with key b, else of the first free one, else QT_FRAME_DEPTH. */
static void frame_slot(struct lib_emit *l, uint32_t stride)
{
	struct qt_module *u = l->u;
	LLVMValueRef best = LLVMBuildAlloca(u->b, u->i64, ""), known;
	struct scan s;

	LLVMBuildStore(u->b, qt_int(u, QT_FRAME_DEPTH), best);
	begin(l, QT_FRAME_DEPTH);
	scan_frames(l, stride, &s);
	LLVMBuildRet(u->b, LLVMBuildLoad2(u->b, u->i64, best, ""));
	LLVMPositionBuilderAtEnd(u->b, s.free);
	known = LLVMBuildLoad2(u->b, u->i64, best, "");
	LLVMBuildStore(u->b, LLVMBuildSelect(u->b, qt_compare(u, LLVMIntULT, known, s.index), known, s.index, ""), best);
	LLVMBuildBr(u->b, s.next);
	LLVMPositionBuilderAtEnd(u->b, s.mine);
	LLVMBuildRet(u->b, s.index);
}

static void make_body(struct lib_emit *l, enum qt_lib which, uint32_t stride)
{
	if (which == QT_LIB_TEXT_ID)
		text_id(l);
	else
		(which == QT_LIB_FRAME_FIND ? frame_find : frame_slot)(l, stride);
}

static void make_function(struct qt_module *u, struct qt_lib_fn *f)
{
	static const char *const names[QT_LIBS] = { "qt_text_id", "qt_frame_find", "qt_frame_slot" };
	bool text = f->which == QT_LIB_TEXT_ID;
	const char *name = text ? names[f->which] : qt_arena_printf(u->arena, "%s_%u", names[f->which], f->stride);
	uint64_t size = text ? qt_plan_text_size(u->plan) : 8 + (uint64_t)QT_FRAME_DEPTH * f->stride;
	const char *type = text ? "qt_text" : qt_arena_printf(u->arena, "qt_frames_%u", f->stride);
	LLVMMetadataRef types[] = { qt_debug_pointer(u, qt_debug_bytes(u, type, size)), u->debug.u64 }, scope;
	LLVMBasicBlockRef here = LLVMGetInsertBlock(u->b);
	LLVMMetadataRef place = LLVMGetCurrentDebugLocation2(u->b);

	f->type = LLVMFunctionType(u->i64, (LLVMTypeRef[]){ u->ptr, u->i64 }, text ? 1 : 2, 0);
	f->fn = LLVMAddFunction(u->module, name, f->type);
	qt_function_attributes(u, f->fn, true);
	scope = qt_debug_function(u, f->fn, (struct qt_span){ 0 }, (const char *const[]){ text ? "text" : "frames", "key" }, types, text ? 1 : 2,
				  true);
	LLVMPositionBuilderAtEnd(u->b, LLVMAppendBasicBlockInContext(u->context, f->fn, ""));
	qt_debug_place(u, scope, (struct qt_span){ 0 });
	make_body(&(struct lib_emit){ .u = u, .fn = f->fn, .a = LLVMGetParam(f->fn, 0), .b = text ? NULL : LLVMGetParam(f->fn, 1) }, f->which,
		  f->stride);
	LLVMPositionBuilderAtEnd(u->b, here);
	LLVMSetCurrentDebugLocation2(u->b, place);
}

const struct qt_lib_fn *qt_lib(struct qt_module *u, enum qt_lib which, uint32_t stride)
{
	struct qt_lib_fn *f;

	qt_vec_each (have, &u->libs)
		if (have->which == which && have->stride == stride)
			return have;
	f = qt_vec_push(u->arena, &u->libs);
	*f = (struct qt_lib_fn){ .which = which, .stride = stride };
	make_function(u, f);
	return f;
}

LLVMValueRef qt_lib_call(struct qt_module *u, const struct qt_lib_fn *f, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildCall2(u->b, f->type, f->fn, (LLVMValueRef[]){ a, b }, b ? 2 : 1, "");
}
