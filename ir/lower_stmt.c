/* Statements, one small function a kind through a table. */
#include "base/check.h"
#include "ir/lower_internal.h"

static void stmt_scratch(struct qt_lower *l, const struct qt_stmt *s)
{
	uint32_t v = qt_lower_word(l, s->a);

	if (s->index < l->rule->scratch.len)
		v = qt_lower_narrow(l, v, l->rule->scratch.items[s->index]);
	qt_flow_op(l, QT_IR_slot_store, v, 0, s->index);
}

static void stmt_scratches(struct qt_lower *l, const struct qt_stmt *s)
{
	uint32_t *words = QT_NEW_ARRAY(l->arena, uint32_t, s->args.len);

	for (uint32_t n = 0; n < s->args.len; n++)
		words[n] = qt_lower_word(l, s->args.items[n]);
	for (uint32_t n = 0; n < s->args.len; n++)
		qt_flow_op(l, QT_IR_slot_store, qt_lower_narrow(l, words[n], s->keys.items[n]->type), 0, s->keys.items[n]->index);
}

/* One way of an if. Scratch that is taken inside is given back at its end. */
static void way(struct qt_lower *l, uint32_t block, const struct qt_stmts *body, uint32_t done)
{
	struct qt_lower_at before = l->at;

	qt_flow_stand(l, block);
	qt_lower_stmts(l, body);
	qt_flow_restore(l, before);
	qt_flow_br(l, done);
}

static void stmt_if(struct qt_lower *l, const struct qt_stmt *s)
{
	uint32_t yes = qt_flow_block(l), done = qt_flow_block(l), no = s->otherwise.len ? qt_flow_block(l) : done;

	qt_lower_cond(l, s->a, yes, no);
	way(l, yes, &s->then, done);
	if (s->otherwise.len)
		way(l, no, &s->otherwise, done);
	qt_flow_stand(l, done);
}

static void stmt_expr(struct qt_lower *l, const struct qt_stmt *s)
{
	qt_lower_word(l, s->a);
}

/* Everything stops here: this program too. */
static void stmt_exit(struct qt_lower *l, const struct qt_stmt *s)
{
	uint32_t code = s->a ? qt_lower_word(l, s->a) : qt_ir_const(&l->b, 0);
	uint32_t word = qt_ir_bin(&l->b, QT_IR_add, code, qt_ir_const(&l->b, 1));

	qt_flow_op(l, QT_IR_live_store, word, 0, QT_LIVE_EXIT);
	qt_flow_op(l, QT_IR_live_store, qt_ir_const(&l->b, 0), 0, QT_LIVE_ENABLED);
	qt_flow_end(l);
}

static void stmt_signal(struct qt_lower *l, const struct qt_stmt *s)
{
	uint32_t number = qt_lower_word(l, s->a), done = qt_flow_block(l);

	qt_flow_may_fail(l, QT_IR_signal, number, 0, s->index, qt_flow_count(l, QT_LOSS_unsent, NULL, done));
	qt_flow_join(l, done);
}

static void stmt_return(struct qt_lower *l, const struct qt_stmt *s)
{
	(void)s;
	qt_flow_end(l);
}

static void (*const stmts[])(struct qt_lower *l, const struct qt_stmt *s) = {
	[QT_S_SET] = qt_lower_set,
	[QT_S_CLEAR] = qt_lower_clear,
	[QT_S_TAG] = qt_lower_tag,
	[QT_S_SCRATCH] = stmt_scratch,
	[QT_S_MAP_SET] = qt_lower_map_set,
	[QT_S_MAP_ADD] = qt_lower_map_add,
	[QT_S_MAP_AGG] = qt_lower_map_agg,
	[QT_S_MAP_DELETE] = qt_lower_map_delete,
	[QT_S_IF] = stmt_if,
	[QT_S_WHILE] = qt_lower_while,
	[QT_S_RANGE] = qt_lower_range,
	[QT_S_EACH] = qt_lower_each,
	[QT_S_SCRATCHES] = stmt_scratches,
	[QT_S_BREAK] = qt_lower_break,
	[QT_S_CONTINUE] = qt_lower_continue,
	[QT_S_EXPR] = stmt_expr,
	[QT_S_PRINTF] = qt_lower_printf,
	[QT_S_SYSTEM] = qt_lower_printf,
	[QT_S_CAT] = qt_lower_printf,
	[QT_S_SIGNAL] = stmt_signal,
	[QT_S_PRINT] = qt_lower_print,
	[QT_S_CLEAR_MAP] = qt_lower_clear_map,
	[QT_S_EXIT] = stmt_exit,
	[QT_S_RETURN] = stmt_return,
};

void qt_lower_stmts(struct qt_lower *l, const struct qt_stmts *s)
{
	for (uint32_t k = 0; k < s->len; k++) {
		QT_ASSERT(s->items[k]->kind < QT_COUNT(stmts));
		l->b.span = s->items[k]->span;
		stmts[s->items[k]->kind](l, s->items[k]);
	}
}
