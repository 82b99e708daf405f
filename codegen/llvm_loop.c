/* Loops: the turns of each are a function that the kernel calls, since its verifier walks such a function but a few times, however many turns there are. The function gives 0 for another
 * turn and 1 for none; how the loop was left stands in the frame then: 0 to what is behind it, 1 the program is over, from 2 on one of the other ways out.
 * Slots that last from turn to turn get a zero added that the verifier does not know: else it would walk the turns for each number that a counter may hold. */
#include "codegen/codegen_internal.h"

enum { LEFT_DONE, LEFT_PROGRAM, LEFT_FIRST };

#define A(e, i) ((e)->values[(i)->a])

static LLVMValueRef cell(struct qt_emit *e, uint32_t offset)
{
	return qt_at(e->u, e->frame_at, offset);
}

static const struct qt_ir_loop *loop_of(const struct qt_emit *e, uint32_t loop)
{
	return &e->frame->loops.items.items[loop];
}

/* ---- the function of the turns ---- */

static void leave(struct qt_emit *e, uint64_t how)
{
	qt_store(e->u, cell(e, QT_FRAME_LEFT), qt_int(e->u, how), 8);
	LLVMBuildRet(e->u->b, qt_int(e->u, 1));
}

static void add_way_out(struct qt_emit *e, uint32_t block, uint64_t how)
{
	e->blocks[block] = LLVMAppendBasicBlockInContext(e->u->context, e->function, "");
	LLVMPositionBuilderAtEnd(e->u->b, e->blocks[block]);
	leave(e, how);
}

void qt_loop_ways_out(struct qt_emit *e)
{
	const struct qt_frame_part *part = &e->frame->parts[e->loop];

	add_way_out(e, loop_of(e, e->loop)->done, LEFT_DONE);
	for (uint32_t k = 0; k < part->exits.len; k++)
		add_way_out(e, part->exits.items[k], LEFT_FIRST + k);
}

static LLVMValueRef load_cell(struct qt_emit *e, uint32_t at, enum qt_ir_operand kind)
{
	return LLVMBuildLoad2(e->u->b, kind == QT_IR_ROW ? e->u->ptr : e->u->i64, cell(e, at), "");
}

static void take_value(struct qt_emit *e, const struct qt_ir_ins *i)
{
	if (i->op == QT_IR_const)
		e->values[i->dst] = qt_int(e->u, i->imm);
	else if (i->op == QT_IR_config)
		e->values[i->dst] = qt_config_word(e->u, i->imm);
	else if (qt_is_once(i->op))
		e->values[i->dst] = qt_find_once(e, i)->value;
	else
		e->values[i->dst] = load_cell(e, e->frame->value_at[i->dst], qt_ir_op_info(i->op)->result);
}

/* What was made outside, at the begin of a turn. */
void qt_loop_take(struct qt_emit *e)
{
	const struct qt_frame_part *part = &e->frame->parts[e->loop];

	e->ctx = load_cell(e, QT_FRAME_CTX, QT_IR_ROW);
	qt_vec_each (n, &part->onces) {
		const struct qt_frame_once *o = &e->frame->onces.items[*n];

		*qt_vec_push(e->u->arena, &e->onces) = (struct qt_once){ .ins = o->ins, .value = load_cell(e, o->at, QT_IR_INT) };
	}
	qt_vec_each (v, &part->values)
		take_value(e, v->ins);
}

static LLVMValueRef make_function(struct qt_emit *outer, uint32_t loop, const struct qt_ir_ins *i)
{
	struct qt_module *u = outer->u;
	struct qt_debug *d = &u->debug;
	bool each = i->op == QT_IR_each;
	unsigned n = each ? 4 : 2;
	struct qt_emit *e = QT_NEW(u->arena, struct qt_emit);
	LLVMTypeRef types[] = { each ? u->ptr : u->i64, u->ptr, u->ptr, u->ptr };
	const char *names[] = { each ? "map" : "turn", each ? "key" : "frame", "row", "frame" };
	LLVMMetadataRef debug[] = { each ? d->ctx : d->u64, d->ctx, d->ctx, d->ctx };
	const char *name = qt_arena_printf(u->arena, "%s_turn_%u", u->plan->progs.items[outer->fn->prog].name, loop);

	*e = (struct qt_emit){ .u = u, .fn = outer->fn, .frame = outer->frame, .loop = loop };
	e->function = LLVMAddFunction(u->module, name, LLVMFunctionType(u->i64, types, n, 0));
	LLVMSetLinkage(e->function, LLVMInternalLinkage);
	qt_function_attributes(u, e->function, true);
	e->frame_at = LLVMGetParam(e->function, n - 1);
	if (each) {
		e->key = LLVMGetParam(e->function, 1);
		e->row = LLVMGetParam(e->function, 2);
	} else {
		e->turn = LLVMGetParam(e->function, 0);
	}
	e->scope = qt_debug_function(u, e->function, i->span, names, debug, n, true);
	qt_function_body(e);
	return e->function;
}

/* ---- the call ---- */

static void store_cell(struct qt_emit *e, uint32_t at, LLVMValueRef value)
{
	LLVMBuildStore(e->u->b, value, cell(e, at));
}

/* What an outer function made lies in the frame already. */
static void give_values(struct qt_emit *e, const struct qt_frame_part *part)
{
	if (e->loop == QT_IR_NO_LOOP) {
		store_cell(e, QT_FRAME_CTX, e->ctx);
		qt_vec_each (n, &part->onces)
			store_cell(e, e->frame->onces.items[*n].at, qt_emit_once(e, e->frame->onces.items[*n].ins));
	}
	qt_vec_each (v, &part->values) {
		uint32_t at = e->frame->value_at[v->ins->dst];

		if (at && v->loop == e->loop)
			store_cell(e, at, e->values[v->ins->dst]);
	}
}

static void blur_slots(struct qt_emit *e, const struct qt_frame_part *part)
{
	struct qt_module *u = e->u;
	LLVMValueRef zero = part->kept.len ? qt_load_raw(u, qt_at(u, u->live, QT_LIVE_ZERO * 8), 8, false) : NULL;

	qt_vec_each (slot, &part->kept) {
		LLVMValueRef at = e->slots[*slot];

		qt_store(u, at, LLVMBuildAdd(u->b, qt_load(u, at, 8, false), zero, ""), 8);
	}
}

/* On to where the loop was left to. */
static void go_on(struct qt_emit *e, const struct qt_ir_ins *i, const struct qt_frame_part *part)
{
	struct qt_module *u = e->u;
	LLVMValueRef left = qt_load_raw(u, cell(e, QT_FRAME_LEFT), 8, false);
	LLVMBasicBlockRef over = qt_block(u, ""), next = qt_block(u, "");

	qt_branch(u, qt_compare(u, LLVMIntEQ, left, qt_int(u, LEFT_DONE)), e->blocks[i->otherwise], next);
	LLVMPositionBuilderAtEnd(u->b, next);
	for (uint32_t k = 0; k < part->exits.len; k++) {
		next = qt_block(u, "");
		qt_branch(u, qt_compare(u, LLVMIntEQ, left, qt_int(u, LEFT_FIRST + k)), e->blocks[part->exits.items[k]], next);
		LLVMPositionBuilderAtEnd(u->b, next);
	}
	LLVMBuildBr(u->b, over);
	LLVMPositionBuilderAtEnd(u->b, over);
	qt_op_ret(e, NULL);
}

static LLVMValueRef turns_function(struct qt_emit *e, const struct qt_ir_ins *i, uint32_t loop)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(e->u->b);
	LLVMMetadataRef place = LLVMGetCurrentDebugLocation2(e->u->b);
	LLVMValueRef fn = make_function(e, loop, i);

	LLVMPositionBuilderAtEnd(e->u->b, here);
	LLVMSetCurrentDebugLocation2(e->u->b, place);
	return fn;
}

static LLVMValueRef prepare(struct qt_emit *e, const struct qt_ir_ins *i, uint32_t loop)
{
	const struct qt_frame_part *part = &e->frame->parts[loop];

	give_values(e, part);
	blur_slots(e, part);
	store_cell(e, QT_FRAME_LEFT, qt_int(e->u, LEFT_DONE));
	return turns_function(e, i, loop);
}

LLVMValueRef qt_op_loop(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	uint32_t loop = qt_ir_loops_by_head(&e->frame->loops, i->target);
	LLVMValueRef most = qt_int(u, i->imm), fn = prepare(e, i, loop);
	LLVMValueRef n = LLVMBuildSelect(u->b, qt_compare(u, LLVMIntUGT, A(e, i), most), most, A(e, i), "");

	QT_CALL(u, loop, n, fn, e->frame_at, qt_int(u, 0));
	go_on(e, i, &e->frame->parts[loop]);
	return NULL;
}

LLVMValueRef qt_op_each(struct qt_emit *e, const struct qt_ir_ins *i)
{
	uint32_t loop = qt_ir_loops_by_head(&e->frame->loops, i->target);
	LLVMValueRef fn = prepare(e, i, loop);

	QT_CALL(e->u, for_each_map_elem, qt_map(e, i->imm), fn, e->frame_at, qt_int(e->u, 0));
	go_on(e, i, &e->frame->parts[loop]);
	return NULL;
}

/* ---- in a turn ---- */

LLVMValueRef qt_op_next(struct qt_emit *e, const struct qt_ir_ins *i)
{
	(void)i;
	return LLVMBuildRet(e->u->b, qt_int(e->u, 0));
}

LLVMValueRef qt_op_turn(struct qt_emit *e, const struct qt_ir_ins *i)
{
	(void)i;
	return e->turn;
}

LLVMValueRef qt_op_each_key(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return qt_load(e->u, qt_at(e->u, e->key, i->imm), 8, false);
}

LLVMValueRef qt_op_each_row(struct qt_emit *e, const struct qt_ir_ins *i)
{
	(void)i;
	return e->row;
}

LLVMValueRef qt_op_ret(struct qt_emit *e, const struct qt_ir_ins *i)
{
	(void)i;
	if (e->loop != QT_IR_NO_LOOP)
		leave(e, LEFT_PROGRAM);
	else
		LLVMBuildRet(e->u->b, LLVMConstInt(e->u->i32, 0, 0));
	return NULL;
}
