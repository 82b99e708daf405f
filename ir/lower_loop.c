/* Loops. All loops of a rule share one number of turns that a run may take: a slot counts them, and the loop that would take one more is left, which is counted. */
#include "base/check.h"
#include "ir/lower_internal.h"

struct qt_lower_loop {
	struct qt_lower_loop *outer;
	uint32_t head, done;
	struct qt_lower_at at; /* at its begin; a turn ends as it began */
};

/* From here on l->loop; body() puts the outer one back. */
static void begin(struct qt_lower *l, struct qt_lower_loop *loop)
{
	*loop = (struct qt_lower_loop){ l->loop, qt_flow_block(l), qt_flow_block(l), l->at };
	l->loop = loop;
}

static struct qt_ir_ins *ins(struct qt_lower *l, enum qt_ir_op op, uint32_t a, const struct qt_lower_loop *loop)
{
	struct qt_ir_ins *i = qt_ir_emit(&l->b, op, a, 0);

	i->target = loop->head;
	if (qt_ir_has_otherwise(op))
		i->otherwise = loop->done;
	return i;
}

/* At most COUNT turns (a value) and one more than all that a run may take; the cursor goes on in the first. */
static void enter(struct qt_lower *l, const struct qt_lower_loop *loop, uint32_t count)
{
	ins(l, QT_IR_loop, count, loop)->imm = l->program->max_turns + 1;
	qt_flow_stand(l, loop->head);
}

/* To the end of the loop, or of the turn, from wherever the cursor is; it stays there for what is not reached any more. */
static void jump(struct qt_lower *l, const struct qt_lower_loop *loop, bool again)
{
	struct qt_lower_at here = l->at;

	qt_flow_restore(l, loop->at);
	if (again)
		ins(l, QT_IR_next, 0, loop);
	else
		qt_flow_br(l, loop->done);
	l->at = here;
}

/* One turn more, if the run may take it. */
static void count_turn(struct qt_lower *l, const struct qt_lower_loop *loop)
{
	struct qt_lower_at here = l->at;
	uint32_t go = qt_flow_block(l), over = qt_flow_block(l), used;

	if (l->turns == QT_NO_SLOT)
		l->turns = qt_ir_slot_new(&l->b);
	used = qt_flow_op(l, QT_IR_slot_load, 0, 0, l->turns);
	qt_flow_op(l, QT_IR_slot_store, qt_ir_bin(&l->b, QT_IR_add, used, qt_ir_const(&l->b, 1)), 0, l->turns);
	qt_flow_brif(l, qt_ir_bin(&l->b, QT_IR_ult, used, qt_ir_const(&l->b, l->program->max_turns)), go, over);
	qt_flow_stand(l, over);
	qt_flow_op(l, QT_IR_count, 0, 0, qt_layout_counter(l, QT_LOSS_loop_limit, NULL));
	jump(l, loop, false);
	l->at = here;
	qt_flow_stand(l, go);
}

static void body(struct qt_lower *l, struct qt_lower_loop *loop, const struct qt_stmts *stmts)
{
	qt_lower_stmts(l, stmts);
	l->loop = loop->outer;
	jump(l, loop, true);
	l->at = loop->at;
	qt_flow_stand(l, loop->done);
}

void qt_lower_while(struct qt_lower *l, const struct qt_stmt *s)
{
	struct qt_lower_loop loop;
	uint32_t yes = qt_flow_block(l), no = qt_flow_block(l);

	begin(l, &loop);
	enter(l, &loop, qt_ir_const(&l->b, l->program->max_turns + 1));
	qt_lower_cond(l, s->a, yes, no);
	qt_flow_stand(l, no);
	jump(l, &loop, false);
	qt_flow_stand(l, yes);
	count_turn(l, &loop);
	body(l, &loop, &s->then);
}

/* From the first number to the one before the second: none where that is not above it. */
void qt_lower_range(struct qt_lower *l, const struct qt_stmt *s)
{
	uint32_t from = qt_lower_word(l, s->args.items[0]), to = qt_lower_word(l, s->args.items[1]);
	uint32_t some = qt_ir_bin(&l->b, QT_IR_slt, from, to);
	uint32_t count = qt_ir_bin(&l->b, QT_IR_mul, qt_ir_bin(&l->b, QT_IR_sub, to, from), some);
	struct qt_lower_loop loop;

	begin(l, &loop);
	enter(l, &loop, count);
	count_turn(l, &loop);
	if (s->index != QT_NO_VARIABLE)
		qt_flow_op(l, QT_IR_slot_store, qt_ir_bin(&l->b, QT_IR_add, from, ins(l, QT_IR_turn, 0, &loop)->dst), 0, s->index);
	body(l, &loop, &s->then);
}

/* ---- over maps ---- */

/* The words of this turn's key. */
struct entry {
	uint32_t *words, len;
};

static uint32_t entry_key(struct qt_lower *l, const void *ctx, uint32_t map, struct qt_span span)
{
	const struct entry *e = ctx;
	uint32_t buf = qt_flow_words(l, l->plan->maps.items[map].key_size, span);

	for (uint32_t n = 0; n < e->len; n++)
		qt_flow_buf(l, QT_IR_buf_store, e->words[n], n * 8ull, buf);
	return buf;
}

static struct entry entry_of(struct qt_lower *l, const struct qt_lower_loop *loop, uint32_t map)
{
	struct entry e = { .len = l->plan->maps.items[map].key_size / 8 };

	e.words = QT_NEW_ARRAY(l->arena, uint32_t, e.len);
	for (uint32_t n = 0; n < e.len; n++) {
		struct qt_ir_ins *i = ins(l, QT_IR_each_key, 0, loop);

		i->imm = n * 8ull;
		e.words[n] = i->dst;
	}
	return e;
}

static void keep_keys(struct qt_lower *l, const struct qt_stmt *s, const struct entry *e)
{
	const struct qt_map_decl *map = &l->program->maps.items[s->index];
	uint32_t word = 0;

	for (uint32_t n = 0; n < s->keys.len; n++) {
		bool name = map->keys.items[n].type.kind == QT_TYPE_COMM;
		uint32_t v = name ? qt_lower_name_id(l, e->words[word], e->words[word + 1], s->span) : e->words[word];

		qt_flow_op(l, QT_IR_slot_store, v, 0, s->keys.items[n]->index);
		word += qt_layout_words(map->keys.items[n].type);
	}
}

static void keep_values(struct qt_lower *l, const struct qt_stmt *s, const struct qt_lower_loop *loop, const struct entry *e, uint32_t map)
{
	const struct qt_column *value = &l->program->maps.items[s->index].value;
	struct qt_ir_ins *i;
	uint32_t row;

	if (value->metric != QT_METRIC_COUNT) {
		qt_flow_op(l, QT_IR_slot_store, qt_lower_metric(l, value, map, entry_key, e, s->span), 0, s->args.items[0]->index);
		return;
	}
	i = ins(l, QT_IR_each_row, 0, loop);
	i->imm = map;
	row = i->dst;
	for (uint32_t n = 0; n < s->args.len; n++)
		qt_flow_op(l, QT_IR_slot_store, qt_flow_sized(l, QT_IR_row_load, row, 0, n * 8ull, 8, false), 0, s->args.items[n]->index);
}

void qt_lower_each(struct qt_lower *l, const struct qt_stmt *s)
{
	uint32_t map = qt_layout_map_map(l, s->index);
	struct qt_lower_loop loop;
	struct entry e;

	begin(l, &loop);
	ins(l, QT_IR_each, 0, &loop)->imm = map;
	qt_flow_stand(l, loop.head);
	count_turn(l, &loop);
	e = entry_of(l, &loop, map);
	keep_values(l, s, &loop, &e, map);
	keep_keys(l, s, &e);
	body(l, &loop, &s->then);
}

static void leave_turn(struct qt_lower *l, bool again)
{
	QT_ASSERT(l->loop);
	jump(l, l->loop, again);
	qt_flow_stand(l, qt_flow_block(l));
}

void qt_lower_break(struct qt_lower *l, const struct qt_stmt *s)
{
	(void)s;
	leave_turn(l, false);
}

void qt_lower_continue(struct qt_lower *l, const struct qt_stmt *s)
{
	(void)s;
	leave_turn(l, true);
}
