/* Context variables. Where a rule needs some to be set, the task's row is at hand and they are read from it. Where it only asks (has, ??), the row may be absent: then what it
 * asks for is copied into slots at the beginning, zero where there is no row. */
#include "base/check.h"
#include "ir/lower_internal.h"

static uint32_t row_word(struct qt_lower *l, uint32_t context, uint32_t offset)
{
	return qt_flow_sized(l, QT_IR_row_load, l->at.row, 0, qt_layout_context(context) + offset, 8, false);
}

static uint32_t slot_word(struct qt_lower *l, uint32_t context, uint32_t n)
{
	QT_ASSERT(l->cache[context] != QT_NO_SLOT);
	return qt_flow_op(l, QT_IR_slot_load, 0, 0, l->cache[context] + n);
}

/* A copy in slots is kept up by every set and clear, so that it comes first. */
uint32_t qt_lower_has(struct qt_lower *l, uint32_t context)
{
	return l->cache[context] == QT_NO_SLOT && l->at.row ? row_word(l, context, 0) : slot_word(l, context, 0);
}

uint32_t qt_lower_context(struct qt_lower *l, uint32_t context)
{
	return l->cache[context] == QT_NO_SLOT && l->at.row ? row_word(l, context, 8) : slot_word(l, context, 1);
}

/* ---- copies ---- */

static void note_context(const struct qt_expr *e, void *ctx)
{
	struct qt_lower *l = ctx;

	if ((e->kind != QT_X_CONTEXT && e->kind != QT_X_HAS) || l->cache[e->index] != QT_NO_SLOT)
		return;
	l->cache[e->index] = qt_ir_slot_new(&l->b);
	qt_ir_slot_new(&l->b);
}

static void copy_context(struct qt_lower *l, uint32_t context)
{
	uint32_t is_set = row_word(l, context, 0), value = row_word(l, context, 8);

	qt_flow_op(l, QT_IR_slot_store, is_set, 0, l->cache[context]);
	qt_flow_op(l, QT_IR_slot_store, value, 0, l->cache[context] + 1);
}

void qt_lower_contexts_cache(struct qt_lower *l)
{
	struct qt_lower_at before = l->at;
	uint32_t done;

	qt_scan_expr(l->rule->cond, note_context, l);
	qt_scan_stmts(&l->rule->body, note_context, l);
	done = qt_flow_block(l);
	qt_flow_row_or(l, done);
	for (uint32_t k = 0; k < l->program->contexts.len; k++) {
		if (l->cache[k] != QT_NO_SLOT)
			copy_context(l, k);
	}
	qt_flow_join(l, done);
	l->at = before;
}

/* ---- set and clear ---- */

static void store_flag(struct qt_lower *l, uint32_t context, uint32_t v)
{
	qt_flow_sized(l, QT_IR_row_store, l->at.row, v, qt_layout_context(context), 8, false);
	if (l->cache[context] != QT_NO_SLOT)
		qt_flow_op(l, QT_IR_slot_store, v, 0, l->cache[context]);
}

void qt_lower_set(struct qt_lower *l, const struct qt_stmt *s)
{
	uint32_t v = qt_lower_word(l, s->a), row = qt_flow_row(l);

	qt_flow_sized(l, QT_IR_row_store, row, v, qt_layout_context(s->index) + 8, 8, false);
	if (l->cache[s->index] != QT_NO_SLOT)
		qt_flow_op(l, QT_IR_slot_store, v, 0, l->cache[s->index] + 1);
	store_flag(l, s->index, qt_ir_const(&l->b, 1));
}

/* Where nothing is kept for the thread, nothing is set. */
void qt_lower_clear(struct qt_lower *l, const struct qt_stmt *s)
{
	struct qt_lower_at before = l->at;
	uint32_t done = qt_flow_block(l);

	qt_flow_row_or(l, done);
	store_flag(l, s->index, qt_ir_const(&l->b, 0));
	qt_flow_join(l, done);
	l->at = before;
}
