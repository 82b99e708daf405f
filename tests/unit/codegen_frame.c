/* Frames of return rules in this kernel: calls and returns in any order, against a model. */
#include "tests/unit/codegen_kit.h"

enum { STACK = 64, CAPTURES = 2 };

/* push: key arg 0, capture arg 1; word 0: 1 when pushed, word 1: frames given up. pop: key arg 0; word 0: 1 when found, word 1: the capture. */
static void build_frames(struct kit *k)
{
	for (unsigned pop = 0; pop < 2; pop++) {
		uint32_t row, frame;
		struct qt_ir_ins *i;

		kit_program(k, pop ? "pop" : "push", QT_HOOK_raw_tracepoint);
		i = kit_op(k, QT_IR_task_get, 0, 0);
		i->sign = true;
		row = i->dst;
		i = kit_op(k, pop ? QT_IR_frame_pop : QT_IR_frame_push, row, kit_arg(k, 0));
		i->imm = STACK;
		i->size = CAPTURES;
		frame = i->dst;
		if (!pop)
			kit_imm(k, QT_IR_row_store, frame, kit_arg(k, 1), 16 + 8);
		kit_result(k, 0, qt_ir_const(&k->b, 1));
		kit_result(k, 1, kit_imm(k, QT_IR_row_load, frame, 0, 16 + 8));
		kit_ret(k);
	}
}

static void push(struct kit *k, uint64_t key, uint64_t capture, bool gives_up)
{
	QT_NEED(KIT_RUN(k, "push", key, capture));
	QT_EQ_INT(k->result[255], gives_up);
	QT_EQ_INT(k->result[0], !gives_up);
	if (gives_up)
		push(k, key, capture, false);
}

static void pop(struct kit *k, uint64_t key, uint64_t capture)
{
	QT_NEED(KIT_RUN(k, "pop", key));
	QT_EQ_INT(k->result[0], capture != 0);
	QT_EQ_INT(k->result[255], capture == 0);
	QT_EQ_INT(k->result[1], capture);
}

QT_TEST(recursion)
{
	struct kit k;

	kit_begin(&k, 64);
	build_frames(&k);
	QT_NEED(kit_load(&k));
	pop(&k, 1000, 0);
	for (unsigned depth = 1; depth <= QT_FRAME_DEPTH; depth += depth < 4 ? 1 : 14) {
		for (unsigned n = 0; n < depth; n++)
			push(&k, 1000 - n * 16, 7 + n, false);
		for (unsigned n = depth; n-- > 0;)
			pop(&k, 1000 - n * 16, 7 + n);
		pop(&k, 1000, 0);
	}
	kit_end(&k);
}

QT_TEST(an_abandoned_frame_is_given_up)
{
	struct kit k;

	kit_begin(&k, 64);
	build_frames(&k);
	QT_NEED(kit_load(&k));
	for (unsigned n = 0; n < 3 * QT_FRAME_DEPTH; n++)
		push(&k, 1000, 11 + n, n > 0);
	push(&k, 900, 5, false);
	push(&k, 1000, 13, true);
	pop(&k, 1000, 13);
	pop(&k, 1000, 0);
	pop(&k, 900, 5);
	kit_end(&k);
}

QT_TEST(returns_in_another_order)
{
	struct kit k;

	kit_begin(&k, 64);
	build_frames(&k);
	QT_NEED(kit_load(&k));
	for (unsigned n = 1; n <= 31; n++)
		push(&k, n, n * 3, false);
	for (unsigned n = 1; n <= 31; n++)
		pop(&k, n * 17 % 32, n * 17 % 32 * 3);
	push(&k, 5, 17, false);
	pop(&k, 5, 17);
	kit_end(&k);
}

QT_TEST(too_many_frames_give_up_the_first)
{
	struct kit k;

	kit_begin(&k, 64);
	build_frames(&k);
	QT_NEED(kit_load(&k));
	for (unsigned n = 1; n <= QT_FRAME_DEPTH; n++)
		push(&k, n, n, false);
	push(&k, 100, 77, true);
	pop(&k, 100, 77);
	pop(&k, 1, 0);
	for (unsigned n = QT_FRAME_DEPTH; n >= 2; n--)
		pop(&k, n, n);
	kit_end(&k);
}
