/* Texts: read into scratch, turned into their ids, compared. What cannot be read or was cut is counted where it happens. */
#include "ir/lower_internal.h"

#include <string.h>

bool qt_lower_is_comm(const struct qt_expr *e)
{
	return e->type.kind == QT_TYPE_COMM || (e->kind == QT_X_CAST && e->a->type.kind == QT_TYPE_COMM);
}

/* Its bytes may not be there. */
static bool may_fail(const struct qt_expr *e)
{
	return e->kind == QT_X_STR_READ || e->kind == QT_X_STACK || e->kind == QT_X_BYTES;
}

static uint32_t count_unread(struct qt_lower *l, const struct qt_expr *e, uint32_t to)
{
	return qt_flow_count(l, e->kind == QT_X_STACK ? QT_LOSS_no_stack : QT_LOSS_unreadable, NULL, to);
}

static bool is_direct(const struct qt_expr *e)
{
	return may_fail(e) || e->kind == QT_X_FIELD_STR || e->kind == QT_X_PACK || qt_lower_is_comm(e);
}

/* ---- reading ---- */

static void count_truncated(struct qt_lower *l, uint32_t buf)
{
	uint32_t flags = qt_flow_buf(l, QT_IR_text_flags, 0, 0, buf), done = qt_flow_block(l);
	uint32_t cut = qt_ir_bin(&l->b, QT_IR_and, flags, qt_ir_const(&l->b, QT_TEXT_TRUNCATED));

	qt_flow_brif(l, cut, qt_flow_count(l, QT_LOSS_truncated, NULL, done), done);
	qt_flow_stand(l, done);
}

/* Operands come before scratch, which is taken as late as can be. */
static uint32_t read_memory(struct qt_lower *l, const struct qt_expr *e, uint32_t fail)
{
	uint32_t address = qt_lower_word(l, e->a), len = e->b ? qt_lower_word(l, e->b) : 0, buf;
	struct qt_ir_ins *i;

	qt_flow_scratch(l);
	buf = qt_flow_text(l, e->span);
	i = qt_ir_emit(&l->b, QT_IR_text_read, address, len);
	i->imm = e->a->type.kind == QT_TYPE_PTR ? e->a->type.space : QT_SPACE_USER;
	i->has_b = len != 0;
	i->buf = buf;
	i->fail = fail;
	count_truncated(l, buf);
	return buf;
}

static uint32_t read_field(struct qt_lower *l, const struct qt_expr *e)
{
	uint32_t buf;
	struct qt_ir_ins *i;

	qt_flow_scratch(l);
	buf = qt_flow_text(l, e->span);
	i = qt_ir_emit(&l->b, QT_IR_text_ctx, 0, 0);
	i->imm = e->offset;
	i->size = e->index == 0 ? e->size : 0;
	i->sign = e->index == 2;
	i->buf = buf;
	count_truncated(l, buf);
	return buf;
}

static uint32_t read_comm(struct qt_lower *l, const struct qt_expr *e)
{
	uint32_t buf;

	qt_flow_scratch(l);
	buf = qt_flow_text(l, e->span);
	qt_flow_buf(l, QT_IR_text_comm, 0, 0, buf);
	return buf;
}

/* Where the call at hand returns to; 0 when that cannot be read. */
static uint32_t return_address(struct qt_lower *l)
{
	uint32_t slot = qt_ir_slot_new(&l->b), done = qt_flow_block(l), stack = qt_flow_op(l, QT_IR_reg, 0, 0, QT_REG_rsp);
	struct qt_ir_ins *i;
	uint32_t v;

	qt_flow_op(l, QT_IR_slot_store, qt_ir_const(&l->b, 0), 0, slot);
	i = qt_ir_emit(&l->b, QT_IR_mem_read, stack, 0);
	i->imm = QT_SPACE_USER;
	i->size = 8;
	i->fail = done;
	v = i->dst;
	qt_flow_op(l, QT_IR_slot_store, v, 0, slot);
	qt_flow_join(l, done);
	return qt_flow_op(l, QT_IR_slot_load, 0, 0, slot);
}

/* The first word says whose stack it is: of a process, or of the kernel. */
static uint32_t read_stack(struct qt_lower *l, const struct qt_expr *e, uint32_t fail)
{
	uint32_t head = qt_ir_const(&l->b, e->value), caller = e->index ? return_address(l) : 0, buf, pid;
	struct qt_ir_ins *i;

	if (e->value & QT_STACK_USER) {
		pid = qt_ir_bin(&l->b, QT_IR_lshr, qt_flow_pid_tgid(l), qt_ir_const(&l->b, 32));
		head = qt_ir_bin(&l->b, QT_IR_or, head, pid);
	}
	qt_flow_scratch(l);
	buf = qt_flow_text(l, e->span);
	i = qt_ir_emit(&l->b, QT_IR_text_stack, head, caller);
	i->has_b = caller != 0;
	i->size = e->size;
	i->buf = buf;
	i->fail = fail;
	return buf;
}

static uint32_t read_bytes(struct qt_lower *l, const struct qt_expr *e, uint32_t fail)
{
	uint32_t address = qt_lower_word(l, e->a), buf;
	struct qt_ir_ins *i;

	qt_flow_scratch(l);
	buf = qt_flow_text(l, e->span);
	i = qt_ir_emit(&l->b, QT_IR_text_bytes, address, 0);
	i->imm = e->a->type.kind == QT_TYPE_PTR ? e->a->type.space : QT_SPACE_USER;
	i->size = e->size;
	i->buf = buf;
	i->fail = fail;
	return buf;
}

static uint32_t pack_words(struct qt_lower *l, const struct qt_expr *e)
{
	uint32_t *words = QT_NEW_ARRAY(l->arena, uint32_t, e->args.len), buf;

	for (uint32_t n = 0; n < e->args.len; n++)
		words[n] = qt_lower_word(l, e->args.items[n]);
	qt_flow_scratch(l);
	buf = qt_flow_text(l, e->span);
	for (uint32_t n = 0; n < e->args.len; n++) {
		uint32_t size = e->size - n * 8;
		struct qt_ir_ins *i = qt_ir_emit(&l->b, QT_IR_text_word, words[n], 0);

		i->imm = n * 8;
		i->size = size < 8 ? size : 8;
		i->buf = buf;
	}
	return buf;
}

/* A direct text into a buffer; where its memory cannot be read, goes to FAIL. */
static uint32_t read_direct(struct qt_lower *l, const struct qt_expr *e, uint32_t fail)
{
	if (e->kind == QT_X_STR_READ)
		return read_memory(l, e, fail);
	if (e->kind == QT_X_STACK)
		return read_stack(l, e, fail);
	if (e->kind == QT_X_BYTES)
		return read_bytes(l, e, fail);
	if (e->kind == QT_X_PACK)
		return pack_words(l, e);
	return e->kind == QT_X_FIELD_STR ? read_field(l, e) : read_comm(l, e);
}

/* ---- ids ---- */

/* The text of BUF stored; its id into SLOT. A full map is counted; the id stands all the same. */
static void intern(struct qt_lower *l, uint32_t buf, uint32_t slot)
{
	uint32_t done = qt_flow_block(l), hash = qt_flow_block(l), full = qt_flow_count(l, QT_LOSS_strings_full, NULL, hash), id;

	id = qt_flow_buf_may_fail(l, QT_IR_text_intern, 0, 0, buf, full);
	qt_flow_op(l, QT_IR_slot_store, id, 0, slot);
	qt_flow_br(l, done);
	qt_flow_stand(l, hash);
	qt_flow_op(l, QT_IR_slot_store, qt_flow_buf(l, QT_IR_text_hash, 0, 0, buf), 0, slot);
	qt_flow_join(l, done);
}

/* What stands in for a text that could not be read, and on to DONE. */
static void unread_id(struct qt_lower *l, uint32_t unread, uint32_t slot, uint32_t done)
{
	qt_flow_br(l, done);
	qt_flow_stand(l, unread);
	qt_flow_op(l, QT_IR_slot_store, qt_ir_const(&l->b, QT_ID_UNREADABLE), 0, slot);
}

static uint32_t direct_id(struct qt_lower *l, const struct qt_expr *e, bool store)
{
	bool fails = may_fail(e);
	uint32_t slot = qt_ir_slot_new(&l->b), done = qt_flow_block(l), unread = qt_flow_block(l);
	uint32_t buf = read_direct(l, e, fails ? count_unread(l, e, unread) : QT_IR_NO_BLOCK);

	if (store)
		intern(l, buf, slot);
	else
		qt_flow_op(l, QT_IR_slot_store, qt_flow_buf(l, QT_IR_text_hash, 0, 0, buf), 0, slot);
	qt_flow_text_done(l, buf);
	if (fails)
		unread_id(l, unread, slot, done);
	qt_flow_join(l, done);
	return qt_flow_op(l, QT_IR_slot_load, 0, 0, slot);
}

uint32_t qt_lower_name_id(struct qt_lower *l, uint32_t low, uint32_t high, struct qt_span span)
{
	uint32_t slot = qt_ir_slot_new(&l->b), buf;

	qt_flow_scratch(l);
	buf = qt_flow_text(l, span);
	qt_ir_emit(&l->b, QT_IR_text_name, low, high)->buf = buf;
	intern(l, buf, slot);
	qt_flow_text_done(l, buf);
	return qt_flow_op(l, QT_IR_slot_load, 0, 0, slot);
}

uint32_t qt_lower_text_id(struct qt_lower *l, const struct qt_expr *e, bool store)
{
	if (is_direct(e))
		return direct_id(l, e, store);
	if (e->kind == QT_X_STR)
		return qt_flow_op(l, QT_IR_config, 0, 0, QT_CONFIG_LITERALS + qt_layout_literal(l, e->text));
	return qt_lower_word(l, e);
}

/* ---- bytes ---- */

uint32_t qt_lower_text(struct qt_lower *l, const struct qt_expr *e)
{
	uint32_t done = qt_flow_block(l), buf;

	if (is_direct(e)) {
		buf = read_direct(l, e, may_fail(e) ? count_unread(l, e, done) : QT_IR_NO_BLOCK);
	} else {
		uint32_t id = qt_lower_text_id(l, e, true);

		qt_flow_scratch(l);
		buf = qt_flow_text(l, e->span);
		qt_flow_buf_may_fail(l, QT_IR_text_byid, id, 0, buf, done);
	}
	qt_flow_join(l, done);
	return buf;
}

/* Two words, the second of them 0 or a frame, then a word a frame; a stack that could not be taken has none. */
uint32_t qt_lower_stack_len(struct qt_lower *l, const struct qt_expr *e)
{
	uint32_t buf = qt_lower_text(l, e->a), len = qt_flow_buf(l, QT_IR_text_len, 0, 0, buf), words, more, any;

	more = qt_flow_buf(l, QT_IR_text_load, 0, 8, buf);
	qt_flow_text_done(l, buf);
	words = qt_ir_bin(&l->b, QT_IR_lshr, len, qt_ir_const(&l->b, 3));
	any = qt_ir_bin(&l->b, QT_IR_ne, words, qt_ir_const(&l->b, 0));
	words = qt_ir_bin(&l->b, QT_IR_sub, words, qt_ir_bin(&l->b, QT_IR_shl, any, qt_ir_const(&l->b, 1)));
	more = qt_ir_bin(&l->b, QT_IR_ne, more, qt_ir_const(&l->b, 0));
	return qt_ir_bin(&l->b, QT_IR_add, words, qt_ir_bin(&l->b, QT_IR_and, more, any));
}

/* ---- comparing ---- */

/* The thread's name against a literal: two words, no hash. Names have at most 15 bytes. */
static uint32_t comm_eq(struct qt_lower *l, const struct qt_expr *e, struct qt_str text)
{
	uint64_t want[2] = { 0, 0 };
	uint32_t buf, low, high;

	if (text.len > 15 || memchr(text.ptr, 0, text.len))
		return qt_ir_const(&l->b, 0);
	memcpy(want, text.ptr, text.len);
	buf = qt_flow_words(l, 16, e->span);
	qt_flow_buf(l, QT_IR_buf_comm, 0, 0, buf);
	low = qt_ir_bin(&l->b, QT_IR_eq, qt_flow_buf(l, QT_IR_buf_load, 0, 0, buf), qt_ir_const(&l->b, want[0]));
	high = qt_ir_bin(&l->b, QT_IR_eq, qt_flow_buf(l, QT_IR_buf_load, 0, 8, buf), qt_ir_const(&l->b, want[1]));
	qt_flow_words_done(l, buf);
	return qt_ir_bin(&l->b, QT_IR_and, low, high);
}

/* A text that could not be read equals none, not even another such. A literal is always readable. */
static uint32_t ids_eq(struct qt_lower *l, const struct qt_expr *e)
{
	uint32_t a = qt_lower_text_id(l, e->a, false), b = qt_lower_text_id(l, e->b, false), equal = qt_ir_bin(&l->b, QT_IR_eq, a, b);

	if (e->a->kind == QT_X_STR || e->b->kind == QT_X_STR)
		return equal;
	return qt_ir_bin(&l->b, QT_IR_and, equal, qt_ir_bin(&l->b, QT_IR_ne, a, qt_ir_const(&l->b, QT_ID_UNREADABLE)));
}

bool qt_lower_is_comm_eq(const struct qt_expr *e)
{
	return e->kind == QT_X_STR_EQ && ((qt_lower_is_comm(e->a) && e->b->kind == QT_X_STR) || (qt_lower_is_comm(e->b) && e->a->kind == QT_X_STR));
}

uint32_t qt_lower_text_eq(struct qt_lower *l, const struct qt_expr *e)
{
	const struct qt_expr *literal = e->a->kind == QT_X_STR ? e->a : e->b;
	uint32_t equal = qt_lower_is_comm_eq(e) ? comm_eq(l, e, literal->text) : ids_eq(l, e);

	return e->op == QT_OP_NE ? qt_ir_bin(&l->b, QT_IR_eq, equal, qt_ir_const(&l->b, 0)) : equal;
}
