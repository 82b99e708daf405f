/* A cursor that appends blocks, buffers and instructions to a function. Values are numbered as they appear. */
#include "ir/build.h"

#include "base/check.h"

struct qt_ir *qt_ir_new(struct qt_arena *arena, struct qt_plan *plan, const struct qt_sources *sources)
{
	struct qt_ir *ir = QT_NEW(arena, struct qt_ir);

	ir->arena = arena;
	ir->plan = plan;
	ir->sources = sources;
	return ir;
}

static struct qt_ir_fn *fn_of(const struct qt_ir_builder *b)
{
	return &b->ir->fns.items[b->fn];
}

void qt_ir_begin(struct qt_ir_builder *b, struct qt_ir *ir, uint32_t prog, const char *name, enum qt_hook hook, struct qt_span span)
{
	struct qt_ir_fn *fn = qt_vec_push(ir->arena, &ir->fns);

	fn->prog = prog;
	fn->name = name;
	fn->hook = hook;
	fn->span = span;
	*b = (struct qt_ir_builder){ .ir = ir, .fn = ir->fns.len - 1, .span = span };
	b->block = qt_ir_block_new(b);
}

uint32_t qt_ir_block_new(struct qt_ir_builder *b)
{
	struct qt_ir_fn *fn = fn_of(b);

	qt_vec_push(b->ir->arena, &fn->blocks);
	return fn->blocks.len - 1;
}

uint32_t qt_ir_slot_new(struct qt_ir_builder *b)
{
	return fn_of(b)->nslots++;
}

uint32_t qt_ir_words_new(struct qt_ir_builder *b, uint32_t bytes)
{
	struct qt_ir_fn *fn = fn_of(b);

	*qt_vec_push(b->ir->arena, &fn->bufs) = (struct qt_ir_buf){ .kind = QT_IR_BUF_WORDS, .size = bytes };
	return fn->bufs.len - 1;
}

/* The offset of a new TEXT buffer: behind those that the function has, behind the slot's own word. */
static uint32_t text_offset(const struct qt_ir_fn *fn, uint32_t text_size)
{
	uint32_t offset = sizeof(uint64_t);

	qt_vec_each (buf, &fn->bufs) {
		if (buf->kind == QT_IR_BUF_TEXT)
			offset = buf->offset + text_size;
	}
	return offset;
}

uint32_t qt_ir_text_new(struct qt_ir_builder *b)
{
	struct qt_ir_fn *fn = fn_of(b);
	uint32_t size = qt_plan_text_size(b->ir->plan), offset = text_offset(fn, size);

	*qt_vec_push(b->ir->arena, &fn->bufs) = (struct qt_ir_buf){ .kind = QT_IR_BUF_TEXT, .offset = offset };
	if (b->ir->scratch_bytes < offset + size)
		b->ir->scratch_bytes = offset + size;
	return fn->bufs.len - 1;
}

struct qt_ir_ins *qt_ir_emit(struct qt_ir_builder *b, enum qt_ir_op op, uint32_t a, uint32_t v)
{
	struct qt_ir_fn *fn = fn_of(b);
	struct qt_ir_ins *ins = qt_vec_push(b->ir->arena, &fn->blocks.items[b->block].ins);

	*ins = (struct qt_ir_ins){ .op = op, .a = a, .b = v, .buf = QT_IR_NO_BUF, .buf2 = QT_IR_NO_BUF, .fail = QT_IR_NO_BLOCK, .span = b->span };
	if (qt_ir_op_info(op)->result != QT_IR_NONE)
		ins->dst = ++fn->nvalues;
	return ins;
}

uint32_t qt_ir_const(struct qt_ir_builder *b, uint64_t value)
{
	struct qt_ir_ins *ins = qt_ir_emit(b, QT_IR_const, 0, 0);

	ins->imm = value;
	return ins->dst;
}

uint32_t qt_ir_bin(struct qt_ir_builder *b, enum qt_ir_op op, uint32_t a, uint32_t v)
{
	return qt_ir_emit(b, op, a, v)->dst;
}
