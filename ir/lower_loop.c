/* Loops. All loops of a rule share one number of turns that a run may take: a slot counts them, and the loop that would take one more is left, which is counted. */
#include "base/check.h"
#include "ir/lower_internal.h"

struct qt_lower_loop {
	struct qt_lower_loop *outer;
	uint32_t head, done;
	struct qt_lower_at at; /* at its begin; a turn ends as it began */
};

static struct qt_lower_loop begin(struct qt_lower *l)
{
	return (struct qt_lower_loop){ l->loop, qt_flow_block(l), qt_flow_block(l), l->at };
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
	l->loop = loop;
	qt_lower_stmts(l, stmts);
	l->loop = loop->outer;
	jump(l, loop, true);
	l->at = loop->at;
	qt_flow_stand(l, loop->done);
}

void qt_lower_while(struct qt_lower *l, const struct qt_stmt *s)
{
	struct qt_lower_loop loop = begin(l);
	uint32_t yes = qt_flow_block(l), no = qt_flow_block(l);

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
	struct qt_lower_loop loop = begin(l);

	enter(l, &loop, count);
	count_turn(l, &loop);
	if (s->index != QT_NO_VARIABLE)
		qt_flow_op(l, QT_IR_slot_store, qt_ir_bin(&l->b, QT_IR_add, from, ins(l, QT_IR_turn, 0, &loop)->dst), 0, s->index);
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
