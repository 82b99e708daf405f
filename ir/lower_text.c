/* Texts: read into scratch, turned into their ids, compared. What cannot be read or was cut is counted where it happens. */
#include "ir/lower_internal.h"

#include <string.h>

bool qt_lower_is_comm(const struct qt_expr *e)
{
	return e->type.kind == QT_TYPE_COMM || (e->kind == QT_X_CAST && e->a->type.kind == QT_TYPE_COMM);
}

static bool is_direct(const struct qt_expr *e)
{
	return e->kind == QT_X_STR_READ || e->kind == QT_X_FIELD_STR || qt_lower_is_comm(e);
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

/* A direct text into a buffer; where its memory cannot be read, goes to FAIL. */
static uint32_t read_direct(struct qt_lower *l, const struct qt_expr *e, uint32_t fail)
{
	if (e->kind == QT_X_STR_READ)
		return read_memory(l, e, fail);
	return e->kind == QT_X_FIELD_STR ? read_field(l, e) : read_comm(l, e);
}

/* ---- ids ---- */

/* The text of BUF stored; its id into SLOT. A full map is counted; the id stands all the same. */
static void intern(struct qt_lower *l, uint32_t buf, uint32_t slot)
{
	uint32_t done = qt_flow_block(l), hash = qt_flow_block(l), full = qt_flow_count(l, QT_LOSS_map_full, "strings", hash), id;

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
	bool may_fail = e->kind == QT_X_STR_READ;
	uint32_t slot = qt_ir_slot_new(&l->b), done = qt_flow_block(l), unread = qt_flow_block(l);
	uint32_t buf = read_direct(l, e, may_fail ? qt_flow_count(l, QT_LOSS_unreadable, NULL, unread) : QT_IR_NO_BLOCK);

	if (store)
		intern(l, buf, slot);
	else
		qt_flow_op(l, QT_IR_slot_store, qt_flow_buf(l, QT_IR_text_hash, 0, 0, buf), 0, slot);
	qt_flow_text_done(l, buf);
	if (may_fail)
		unread_id(l, unread, slot, done);
	qt_flow_join(l, done);
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
		buf = read_direct(l, e, e->kind == QT_X_STR_READ ? qt_flow_count(l, QT_LOSS_unreadable, NULL, done) : QT_IR_NO_BLOCK);
	} else {
		uint32_t id = qt_lower_text_id(l, e, true);

		qt_flow_scratch(l);
		buf = qt_flow_text(l, e->span);
		qt_flow_buf_may_fail(l, QT_IR_text_byid, id, 0, buf, done);
	}
	qt_flow_join(l, done);
	return buf;
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
