/* One program: its function, its stack variables, its blocks in an order in which each value is made before it is used, and a table that hands every
 * operation to its emitter. */
#include "codegen/codegen_internal.h"

#include <string.h>

static const qt_op_fn emitters[QT_IR_OPS] = {
#define OP(name, result, a, b, flags, text) [QT_IR_##name] = qt_op_##name,
#include "ir/ops.def"
#undef OP
};

/* Operations whose value is one and the same in a whole run: made once, where every use can see it. */
static const bool is_once[QT_IR_OPS] = {
	[QT_IR_ctx_load] = true, [QT_IR_ctx_addr] = true, [QT_IR_func_arg] = true, [QT_IR_reg] = true,
	[QT_IR_now] = true,	 [QT_IR_pid_tgid] = true, [QT_IR_uid_gid] = true,  [QT_IR_cgroup] = true,
	[QT_IR_cpu] = true,	 [QT_IR_cookie] = true,	  [QT_IR_config] = true,
};

bool qt_is_once(enum qt_ir_op op)
{
	return is_once[op];
}

bool qt_same_once(const struct qt_ir_ins *a, const struct qt_ir_ins *b)
{
	return a->op == b->op && a->imm == b->imm && a->size == b->size && a->sign == b->sign;
}

struct qt_once *qt_find_once(struct qt_emit *e, const struct qt_ir_ins *i)
{
	qt_vec_each (o, &e->onces)
		if (qt_same_once(o->ins, i))
			return o;
	return NULL;
}

static void note_once(struct qt_emit *e, const struct qt_ir_ins *i, uint32_t node)
{
	struct qt_once *o = qt_find_once(e, i);

	if (o && o->value)
		return;
	if (o)
		o->node = qt_graph_join(&e->graph, o->node, node);
	else
		*qt_vec_push(e->u->arena, &e->onces) = (struct qt_once){ .ins = i, .node = node };
}

static const struct qt_ir_ins *ins_of(const struct qt_emit *e, const struct qt_node *n, uint32_t k)
{
	return &e->fn->blocks.items[n->block].ins.items[k];
}

/* What the turns of a loop ask is made before it. */
static void note_onces_of_loop(struct qt_emit *e, const struct qt_ir_ins *i, uint32_t place)
{
	const struct qt_frame_part *part;

	if (e->loop != QT_IR_NO_LOOP || (i->op != QT_IR_loop && i->op != QT_IR_each))
		return;
	part = &e->frame->parts[qt_ir_loops_by_head(&e->frame->loops, i->target)];
	qt_vec_each (n, &part->onces)
		note_once(e, e->frame->onces.items[*n].ins, place);
}

static void find_onces(struct qt_emit *e)
{
	for (uint32_t place = 0; place < e->graph.norder; place++) {
		const struct qt_node *n = &e->graph.nodes.items[e->graph.order[place]];

		for (uint32_t k = n->first; k <= n->last; k++)
			if (is_once[ins_of(e, n, k)->op])
				note_once(e, ins_of(e, n, k), place);
		note_onces_of_loop(e, ins_of(e, n, n->last), place);
	}
}

LLVMValueRef qt_emit_once(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_once *o = qt_find_once(e, i);

	if (!o->value)
		o->value = emitters[i->op](e, i);
	return o->value;
}

static void emit_ins(struct qt_emit *e, const struct qt_ir_ins *i)
{
	LLVMValueRef value;

	qt_debug_place(e->u, e->scope, i->span);
	value = is_once[i->op] ? qt_emit_once(e, i) : emitters[i->op](e, i);
	if (i->dst)
		e->values[i->dst] = value;
}

/* What later nodes share and no instruction here made yet goes in front of the operation that ends the node. */
static void emit_shared(struct qt_emit *e, uint32_t place)
{
	qt_vec_each (o, &e->onces)
		if (o->node == place && !o->value) {
			qt_debug_place(e->u, e->scope, o->ins->span);
			qt_emit_once(e, o->ins);
		}
}

static void emit_node(struct qt_emit *e, uint32_t place)
{
	const struct qt_node *n = &e->graph.nodes.items[e->graph.order[place]];

	for (uint32_t k = n->first; k < n->last; k++)
		emit_ins(e, ins_of(e, n, k));
	emit_shared(e, place);
	emit_ins(e, ins_of(e, n, n->last));
}

/* A node that goes on after an operation that may fail follows it at once, so that the builder still stands where it must: nodes are emitted in chains. */
static void emit_chain(struct qt_emit *e, uint32_t place)
{
	const struct qt_node *n = &e->graph.nodes.items[e->graph.order[place]];

	LLVMPositionBuilderAtEnd(e->u->b, e->blocks[n->block]);
	for (;;) {
		emit_node(e, place);
		if (qt_ir_op_info(ins_of(e, n, n->last)->op)->flags & QT_IR_ENDS)
			return;
		n++;
		place = n->order;
	}
}

static void emit_blocks(struct qt_emit *e)
{
	for (uint32_t place = 0; place < e->graph.norder; place++) {
		const struct qt_node *n = &e->graph.nodes.items[e->graph.order[place]];

		if (!n->first)
			emit_chain(e, place);
	}
}

static void make_blocks(struct qt_emit *e)
{
	e->entry = LLVMAppendBasicBlockInContext(e->u->context, e->function, "stack");
	e->blocks = QT_NEW_ARRAY(e->u->arena, LLVMBasicBlockRef, e->fn->blocks.len);
	for (uint32_t place = 0; place < e->graph.norder; place++) {
		const struct qt_node *n = &e->graph.nodes.items[e->graph.order[place]];

		if (!n->first)
			e->blocks[n->block] = LLVMAppendBasicBlockInContext(e->u->context, e->function, "");
	}
}

/* Notes in MISSING which words of a buffer an instruction may see that its block has not stored by then. */
static void note_words(struct qt_emit *e, const struct qt_ir_ins *i, uint32_t buf, uint64_t *stored, uint64_t *missing)
{
	uint64_t all;

	if (buf == QT_IR_NO_BUF || e->fn->bufs.items[buf].kind != QT_IR_BUF_WORDS)
		return;
	all = ~0ull >> (64 - e->fn->bufs.items[buf].size / 8);
	if (i->op == QT_IR_buf_store)
		stored[buf] |= 1ull << i->imm / 8;
	else if (i->op == QT_IR_buf_comm)
		stored[buf] |= 3ull << i->imm / 8;
	else
		missing[buf] |= all & ~stored[buf];
}

/* The words of each buffer (a bit each) that must be zero from the start. */
static uint64_t *find_missing_words(struct qt_emit *e)
{
	uint32_t n = e->fn->bufs.len + 1;
	uint64_t *missing = QT_NEW_ARRAY(e->u->arena, uint64_t, n), *stored = QT_NEW_ARRAY(e->u->arena, uint64_t, n);

	qt_vec_each (block, &e->fn->blocks) {
		memset(stored, 0, n * sizeof(stored[0]));
		qt_vec_each (i, &block->ins) {
			note_words(e, i, i->buf, stored, missing);
			note_words(e, i, i->buf2, stored, missing);
		}
	}
	return missing;
}

static void make_buffer(struct qt_emit *e, uint32_t k, uint64_t missing)
{
	uint32_t size = e->fn->bufs.items[k].size;

	e->bufs[k] = qt_stack(e, size);
	for (uint32_t word = 0; word < size / 8; word++)
		if (missing >> word & 1)
			qt_store(e->u, qt_at(e->u, e->bufs[k], (uint64_t)word * 8), qt_int(e->u, 0), 8);
}

/* The program has the frame, the functions of its loops are given it. */
static void make_frame(struct qt_emit *e)
{
	if (!e->frame->loops.items.len)
		return;
	if (e->loop == QT_IR_NO_LOOP)
		e->frame_at = qt_stack(e, e->frame->size);
	e->scratch = qt_at(e->u, e->frame_at, QT_FRAME_SCRATCH);
}

static void make_slot(struct qt_emit *e, uint32_t k)
{
	uint32_t at = e->frame->slot_at[k];

	e->slots[k] = at ? qt_at(e->u, e->frame_at, at) : qt_stack(e, 8);
	if (!at || e->loop == QT_IR_NO_LOOP)
		LLVMBuildStore(e->u->b, qt_int(e->u, 0), e->slots[k]);
}

static void make_variables(struct qt_emit *e)
{
	struct qt_module *u = e->u;
	uint64_t *missing = find_missing_words(e);

	e->values = QT_NEW_ARRAY(u->arena, LLVMValueRef, e->fn->nvalues + 1);
	e->slots = QT_NEW_ARRAY(u->arena, LLVMValueRef, e->fn->nslots + 1);
	e->bufs = QT_NEW_ARRAY(u->arena, LLVMValueRef, e->fn->bufs.len + 1);
	LLVMPositionBuilderAtEnd(u->b, e->entry);
	make_frame(e);
	for (uint32_t k = 0; k < e->fn->nslots; k++)
		make_slot(e, k);
	for (uint32_t k = 0; k < e->fn->bufs.len; k++)
		if (e->fn->bufs.items[k].kind == QT_IR_BUF_WORDS)
			make_buffer(e, k, missing[k]);
}

static const char *section_of(struct qt_emit *e)
{
	const char *section = qt_hook_info(e->fn->hook)->section;
	const char *to = e->u->plan->progs.items[e->fn->prog].attach_to;
	bool traces = e->fn->hook == QT_HOOK_fentry || e->fn->hook == QT_HOOK_fexit;

	return traces && to ? qt_arena_printf(e->u->arena, "%s/%s", section, to) : section;
}

void qt_function_body(struct qt_emit *e)
{
	struct qt_module *u = e->u;

	qt_graph_make(u->arena, &e->graph, e->fn, e->frame, e->loop);
	make_blocks(e);
	qt_debug_place(u, e->scope, e->fn->span);
	make_variables(e);
	if (e->loop != QT_IR_NO_LOOP) {
		qt_loop_take(e);
		qt_loop_ways_out(e);
	}
	find_onces(e);
	emit_blocks(e);
	LLVMPositionBuilderAtEnd(u->b, e->entry);
	qt_debug_place(u, e->scope, e->fn->span);
	LLVMBuildBr(u->b, e->blocks[e->graph.nodes.items[e->graph.start].block]);
}

void qt_function_make(struct qt_module *u, const struct qt_ir_fn *fn)
{
	struct qt_emit *e = QT_NEW(u->arena, struct qt_emit);
	LLVMTypeRef type = LLVMFunctionType(u->i32, &u->ptr, 1, 0);

	*e = (struct qt_emit){ .u = u, .fn = fn, .loop = QT_IR_NO_LOOP, .frame = qt_frame_make(u->arena, fn) };
	e->function = LLVMAddFunction(u->module, u->plan->progs.items[fn->prog].name, type);
	e->ctx = LLVMGetParam(e->function, 0);
	LLVMSetSection(e->function, section_of(e));
	qt_function_attributes(u, e->function, false);
	e->scope = qt_debug_function(u, e->function, fn->span, (const char *const[]){ "ctx" }, &u->debug.ctx, 1, false);
	qt_function_body(e);
}
