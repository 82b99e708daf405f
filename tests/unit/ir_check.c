/* The checker of the IR: a sound module for each kind of operation, and one broken module for each rule. */
#include "base/check.h"
#include "tests/unit/ir_kit.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void sound(struct fixture *f)
{
	QT_EQ_STR(qt_ir_check(f->ir), NULL);
	done(f);
}

/* The checker must complain, and about WHAT. */
static void broken(struct fixture *f, const char *what)
{
	const char *got = qt_ir_check(f->ir);

	if (!got || !strstr(got, what))
		QT_EQ_STR(got, what);
	done(f);
}

QT_TEST(sound_empty)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	ret(&f);
	sound(&f);
}

QT_TEST(sound_map)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t out = ret_block(&f), key = qt_ir_words_new(&f.b, 8), one = qt_ir_const(&f.b, 1), row;

	emit(&f, QT_IR_buf_store, one, 0, 0)->buf = key;
	row = may_fail(&f, QT_IR_map_upsert, 0, 0, MAP_PERCPU, key, out);
	emit(&f, QT_IR_row_add, row, one, 16);
	ret(&f);
	sound(&f);
}

QT_TEST(sound_scratch)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t out = ret_block(&f), text = qt_ir_text_new(&f.b), one = qt_ir_const(&f.b, 1), give = qt_ir_block_new(&f.b);

	may_fail(&f, QT_IR_scratch_take, 0, 0, 0, QT_IR_NO_BUF, out);
	may_fail(&f, QT_IR_text_read, one, 0, 0, text, give);
	emit(&f, QT_IR_br, 0, 0, 0)->target = give;
	f.b.block = give;
	emit(&f, QT_IR_scratch_give, 0, 0, 0);
	ret(&f);
	sound(&f);
}

QT_TEST(sound_ring)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t out = ret_block(&f), one = qt_ir_const(&f.b, 1), row = may_fail(&f, QT_IR_ring_reserve, 0, 0, 32, QT_IR_NO_BUF, out);

	sized(&f, QT_IR_row_store, row, one, 24, 8);
	emit(&f, QT_IR_ring_submit, row, 0, 0);
	ret(&f);
	sound(&f);
}

QT_TEST(broken_no_end)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	qt_ir_const(&f.b, 1);
	broken(&f, "the block does not end");
}

QT_TEST(broken_empty_block)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	broken(&f, "the block does not end");
}

QT_TEST(broken_end_in_the_middle)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	ret(&f);
	ret(&f);
	broken(&f, "ret in the middle of a block");
}

QT_TEST(broken_target)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	emit(&f, QT_IR_br, 0, 0, 0)->target = 7;
	broken(&f, "there is no block 7");
}

QT_TEST(broken_no_fail_block)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	emit(&f, QT_IR_filter, 0, 0, 0);
	ret(&f);
	broken(&f, "filter may fail and names no block");
}

QT_TEST(broken_fail_block_of_sure_op)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	emit(&f, QT_IR_now, 0, 0, 0)->fail = 0;
	ret(&f);
	broken(&f, "now cannot fail");
}

QT_TEST(broken_undefined_value)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	qt_ir_bin(&f.b, QT_IR_neg, 5, 0);
	ret(&f);
	broken(&f, "nothing defines");
}

QT_TEST(broken_defined_twice)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	qt_ir_const(&f.b, 1);
	emit(&f, QT_IR_now, 0, 0, 0)->dst = 1;
	ret(&f);
	broken(&f, "defined twice");
}

QT_TEST(broken_missing_operand)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	qt_ir_bin(&f.b, QT_IR_add, qt_ir_const(&f.b, 1), 0);
	ret(&f);
	broken(&f, "add uses a value that nothing defines");
}

QT_TEST(broken_extra_operand)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	emit(&f, QT_IR_now, qt_ir_const(&f.b, 1), 0, 0);
	ret(&f);
	broken(&f, "now does not take v1");
}

QT_TEST(broken_kind_of_operand)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t out = ret_block(&f), row = may_fail(&f, QT_IR_task_get, 0, 0, 0, QT_IR_NO_BUF, out);

	qt_ir_bin(&f.b, QT_IR_neg, row, 0);
	ret(&f);
	broken(&f, "takes a number");
}

QT_TEST(broken_number_as_row)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t one = qt_ir_const(&f.b, 1);

	sized(&f, QT_IR_row_load, one, 0, 0, 8);
	ret(&f);
	broken(&f, "takes a row");
}

/* The result of an operation that may fail is not there on its failure path. */
QT_TEST(broken_use_on_fail_path)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t fail = qt_ir_block_new(&f.b), row = may_fail(&f, QT_IR_task_get, 0, 0, 0, QT_IR_NO_BUF, fail);

	ret(&f);
	f.b.block = fail;
	sized(&f, QT_IR_row_load, row, 0, 0, 8);
	ret(&f);
	broken(&f, "not defined on every path");
}

QT_TEST(broken_defined_on_one_branch)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t join = qt_ir_block_new(&f.b), other = qt_ir_block_new(&f.b), one = qt_ir_const(&f.b, 1), two;
	struct qt_ir_ins *i = emit(&f, QT_IR_brif, one, 0, 0);

	i->target = other;
	i->otherwise = join;
	f.b.block = other;
	two = qt_ir_const(&f.b, 2);
	emit(&f, QT_IR_br, 0, 0, 0)->target = join;
	f.b.block = join;
	qt_ir_bin(&f.b, QT_IR_neg, two, 0);
	ret(&f);
	broken(&f, "v2 is not defined on every path");
}

QT_TEST(broken_stack)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	qt_ir_words_new(&f.b, 136);
	qt_ir_words_new(&f.b, 128);
	ret(&f);
	broken(&f, "264 bytes of buffers on the stack");
}

QT_TEST(broken_buffer_size)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	qt_ir_words_new(&f.b, 12);
	ret(&f);
	broken(&f, "a buffer of 12 bytes");
}

QT_TEST(broken_buffer_kind)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t words = qt_ir_words_new(&f.b, 8);

	emit(&f, QT_IR_text_comm, 0, 0, 0)->buf = words;
	ret(&f);
	broken(&f, "not a buffer of text");
}

QT_TEST(broken_buffer_offset)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t words = qt_ir_words_new(&f.b, 16);

	emit(&f, QT_IR_buf_comm, 0, 0, 8)->buf = words;
	ret(&f);
	broken(&f, "bytes 8 to 24 of 16");
}

QT_TEST(broken_text_without_scratch)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t text = qt_ir_text_new(&f.b);

	emit(&f, QT_IR_text_comm, 0, 0, 0)->buf = text;
	ret(&f);
	broken(&f, "scratch is not taken");
}

QT_TEST(broken_scratch_kept)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	may_fail(&f, QT_IR_scratch_take, 0, 0, 0, QT_IR_NO_BUF, ret_block(&f));
	ret(&f);
	broken(&f, "ends with scratch taken");
}

QT_TEST(broken_scratch_twice)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t out = ret_block(&f);

	may_fail(&f, QT_IR_scratch_take, 0, 0, 0, QT_IR_NO_BUF, out);
	may_fail(&f, QT_IR_scratch_take, 0, 0, 0, QT_IR_NO_BUF, out);
	ret(&f);
	broken(&f, "scratch is taken twice");
}

QT_TEST(broken_scratch_on_one_branch)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t join = qt_ir_block_new(&f.b);

	may_fail(&f, QT_IR_scratch_take, 0, 0, 0, QT_IR_NO_BUF, join);
	emit(&f, QT_IR_br, 0, 0, 0)->target = join;
	f.b.block = join;
	ret(&f);
	broken(&f, "block 1 is reached with and without scratch");
}

QT_TEST(broken_record_on_one_branch)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t join = qt_ir_block_new(&f.b);

	may_fail(&f, QT_IR_ring_reserve, 0, 0, 24, QT_IR_NO_BUF, join);
	emit(&f, QT_IR_br, 0, 0, 0)->target = join;
	f.b.block = join;
	ret(&f);
	broken(&f, "block 1 is reached with and without a reserved record");
}

QT_TEST(broken_open_on_one_branch)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t join = qt_ir_block_new(&f.b);

	may_fail(&f, QT_IR_ring_open, qt_ir_const(&f.b, 24), 0, 0, QT_IR_NO_BUF, join);
	emit(&f, QT_IR_br, 0, 0, 0)->target = join;
	f.b.block = join;
	ret(&f);
	broken(&f, "block 1 is reached with and without an open record");
}

QT_TEST(broken_scratch_given_untaken)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	emit(&f, QT_IR_scratch_give, 0, 0, 0);
	ret(&f);
	broken(&f, "given back without being taken");
}

QT_TEST(broken_record_kept)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	may_fail(&f, QT_IR_ring_reserve, 0, 0, 24, QT_IR_NO_BUF, ret_block(&f));
	ret(&f);
	broken(&f, "not submitted");
}

QT_TEST(broken_record_after_submit)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t row = may_fail(&f, QT_IR_ring_reserve, 0, 0, 24, QT_IR_NO_BUF, ret_block(&f));

	emit(&f, QT_IR_ring_submit, row, 0, 0);
	sized(&f, QT_IR_row_load, row, 0, 0, 8);
	ret(&f);
	broken(&f, "not defined on every path");
}

QT_TEST(broken_submit_of_other_row)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t row = may_fail(&f, QT_IR_task_get, 0, 0, 0, QT_IR_NO_BUF, ret_block(&f));

	emit(&f, QT_IR_ring_submit, row, 0, 0);
	ret(&f);
	broken(&f, "is not a record");
}

QT_TEST(broken_open_kept)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	may_fail(&f, QT_IR_ring_open, qt_ir_const(&f.b, 24), 0, 0, QT_IR_NO_BUF, ret_block(&f));
	ret(&f);
	broken(&f, "ends with an open record");
}

QT_TEST(broken_words_without_open)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t words = qt_ir_words_new(&f.b, 24);

	emit(&f, QT_IR_ring_words, 0, 0, 0)->buf = words;
	ret(&f);
	broken(&f, "no record is open");
}

QT_TEST(broken_record_size)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t row = may_fail(&f, QT_IR_ring_reserve, 0, 0, 65544, QT_IR_NO_BUF, ret_block(&f));

	emit(&f, QT_IR_ring_submit, row, 0, 0);
	ret(&f);
	broken(&f, "a record of 65544 bytes");
}

QT_TEST(broken_row_offset)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t key = qt_ir_words_new(&f.b, 8), row = may_fail(&f, QT_IR_map_get, 0, 0, MAP_PERCPU, key, ret_block(&f));

	sized(&f, QT_IR_row_load, row, 0, 24, 8);
	ret(&f);
	broken(&f, "bytes 24 to 32 of 24");
}

QT_TEST(broken_histogram_in_small_row)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t key = qt_ir_words_new(&f.b, 8), one = qt_ir_const(&f.b, 1);
	uint32_t row = may_fail(&f, QT_IR_map_get, 0, 0, MAP_PERCPU, key, ret_block(&f));

	emit(&f, QT_IR_row_hist, row, one, 0);
	ret(&f);
	broken(&f, "bytes 0 to 528 of 24");
}

QT_TEST(broken_key_size)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t key = qt_ir_words_new(&f.b, 8);

	may_fail(&f, QT_IR_map_get, 0, 0, MAP_SHARED, key, ret_block(&f));
	ret(&f);
	broken(&f, "a key of 8 bytes for shared");
}

QT_TEST(broken_put_to_percpu)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t key = qt_ir_words_new(&f.b, 8), value = qt_ir_words_new(&f.b, 24), out = ret_block(&f);
	struct qt_ir_ins *i = emit(&f, QT_IR_map_put, 0, 0, MAP_PERCPU);

	i->buf = key;
	i->buf2 = value;
	i->fail = out;
	ret(&f);
	broken(&f, "a value for each CPU");
}

QT_TEST(broken_map_kind)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t key = qt_ir_words_new(&f.b, 8);

	may_fail(&f, QT_IR_map_get, 0, 0, QT_MAP_RING, key, ret_block(&f));
	ret(&f);
	broken(&f, "not a hash map");
}

QT_TEST(broken_frame_offset)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t out = ret_block(&f), one = qt_ir_const(&f.b, 1), row = may_fail(&f, QT_IR_task_get, 0, 0, 0, QT_IR_NO_BUF, out);
	struct qt_ir_ins *i = emit(&f, QT_IR_frame_pop, row, one, 24);

	i->size = 1;
	i->fail = out;
	ret(&f);
	broken(&f, "bytes 24 to 800 of 792");
}

QT_TEST(broken_frames_elsewhere)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t out = ret_block(&f), one = qt_ir_const(&f.b, 1), row = may_fail(&f, QT_IR_ring_reserve, 0, 0, 4096, QT_IR_NO_BUF, out);

	may_fail(&f, QT_IR_frame_pop, row, one, 0, QT_IR_NO_BUF, out);
	ret(&f);
	broken(&f, "not the storage of a task");
}

QT_TEST(broken_reg_at_tracepoint)
{
	struct fixture f = fixture(QT_HOOK_tracepoint);

	emit(&f, QT_IR_reg, 0, 0, QT_REG_rdi);
	ret(&f);
	broken(&f, "has no registers");
}

QT_TEST(broken_field_at_uprobe)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	sized(&f, QT_IR_ctx_load, 0, 0, 8, 8);
	ret(&f);
	broken(&f, "has no fields");
}

QT_TEST(broken_half_word)
{
	struct fixture f = fixture(QT_HOOK_fentry);

	sized(&f, QT_IR_ctx_load, 0, 0, 8, 4);
	ret(&f);
	broken(&f, "read whole");
}

QT_TEST(broken_indices)
{
	static const struct {
		enum qt_ir_op op;
		const char *what;
	} cases[] = { { QT_IR_slot_load, "no slot 99" },
		      { QT_IR_live, "no live word 99" },
		      { QT_IR_config, "no config word 99" },
		      { QT_IR_count, "no counter 99" },
		      { QT_IR_reg, "no register 99" } };

	for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		struct fixture f = fixture(QT_HOOK_uprobe);

		emit(&f, cases[k].op, 0, 0, 99);
		ret(&f);
		broken(&f, cases[k].what);
	}
}

QT_TEST(broken_number_size)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	sized(&f, QT_IR_ext, qt_ir_const(&f.b, 1), 0, 0, 3);
	ret(&f);
	broken(&f, "a number of 3 bytes");
}

QT_TEST(broken_way_back)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	emit(&f, QT_IR_br, 0, 0, 0)->target = 0;
	broken(&f, "a way leads back without the bound of a loop");
}

/* A loop whose turn is the block that the cursor is left in; it ends with HEAD and BEHIND. */
static struct fixture in_loop(uint64_t most, uint32_t *head, uint32_t *behind)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	struct qt_ir_ins *i;

	*head = qt_ir_block_new(&f.b);
	*behind = ret_block(&f);
	i = emit(&f, QT_IR_loop, qt_ir_const(&f.b, 3), 0, most);
	i->target = *head, i->otherwise = *behind;
	f.b.block = *head;
	return f;
}

static void next(struct fixture *f, uint32_t head, uint32_t behind)
{
	struct qt_ir_ins *i = emit(f, QT_IR_next, 0, 0, 0);

	i->target = head, i->otherwise = behind;
}

QT_TEST(loop_bounds)
{
	static const struct {
		uint64_t most;
		const char *wrong;
	} rows[] = { { 1, NULL }, { QT_IR_TURNS_MAX, NULL }, { 0, "a loop of 0 turns" }, { QT_IR_TURNS_MAX + 1, "turns, at most" } };

	for (unsigned k = 0; k < QT_COUNT(rows); k++) {
		uint32_t head, behind;
		struct fixture f = in_loop(rows[k].most, &head, &behind);

		next(&f, head, behind);
		if (rows[k].wrong)
			broken(&f, rows[k].wrong);
		else
			sound(&f);
	}
}

QT_TEST(broken_jump_to_head)
{
	uint32_t head, behind;
	struct fixture f = in_loop(7, &head, &behind);

	emit(&f, QT_IR_br, 0, 0, 0)->target = head;
	broken(&f, "a way leads back");
}

QT_TEST(broken_next_elsewhere)
{
	uint32_t head, behind;
	struct fixture f = in_loop(7, &head, &behind);

	next(&f, behind, head);
	broken(&f, "next");
}

QT_TEST(broken_value_of_a_turn)
{
	uint32_t head, behind, v;
	struct fixture f = in_loop(7, &head, &behind);

	v = qt_ir_const(&f.b, 1);
	next(&f, head, behind);
	f.ir->fns.items[0].blocks.items[behind].ins.len = 0;
	f.b.block = behind;
	qt_ir_bin(&f.b, QT_IR_add, v, v);
	ret(&f);
	broken(&f, "is made in a turn and used outside of it");
}

QT_TEST(broken_turn_outside)
{
	uint32_t head, behind;
	struct fixture f = in_loop(7, &head, &behind);

	next(&f, head, behind);
	f.ir->fns.items[0].blocks.items[behind].ins.len = 0;
	f.b.block = behind;
	emit(&f, QT_IR_turn, 0, 0, 0)->target = head;
	ret(&f);
	broken(&f, "turn is not in the turns of its loop");
}

QT_TEST(broken_key_of_numbers)
{
	uint32_t head, behind;
	struct fixture f = in_loop(7, &head, &behind);

	emit(&f, QT_IR_each_key, 0, 0, 0)->target = head;
	next(&f, head, behind);
	broken(&f, "this loop is not one over a map");
}

QT_TEST(broken_half_stored_buffer_in_a_turn)
{
	uint32_t head, behind;
	struct fixture f = in_loop(7, &head, &behind);
	uint32_t key = qt_ir_words_new(&f.b, 8);

	emit(&f, QT_IR_map_delete, 0, 0, MAP_PERCPU)->buf = key;
	next(&f, head, behind);
	broken(&f, "is not stored whole in this block of a loop");
}

QT_TEST(broken_program)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	ret(&f);
	f.ir->fns.items[0].prog = 1;
	broken(&f, "no program 1");
}

QT_TEST(broken_hook)
{
	struct fixture f = fixture(QT_HOOK_uprobe);

	ret(&f);
	f.ir->fns.items[0].hook = QT_HOOK_kprobe;
	broken(&f, "hangs elsewhere");
}

QT_TEST(dump)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t out = ret_block(&f), key = qt_ir_words_new(&f.b, 8), arg = emit(&f, QT_IR_reg, 0, 0, QT_REG_rsi)->dst, row;
	char *text = NULL;
	size_t len = 0;
	FILE *stream = open_memstream(&text, &len);

	emit(&f, QT_IR_buf_store, arg, 0, 0)->buf = key;
	row = may_fail(&f, QT_IR_map_upsert, 0, 0, MAP_PERCPU, key, out);
	emit(&f, QT_IR_row_add, row, arg, 16)->atomic = true;
	emit(&f, QT_IR_count, 0, 0, 0);
	ret(&f);
	qt_ir_dump(f.ir, stream);
	fclose(stream);
	QT_EQ_STR(text, "program p (uprobe)\n"
			"\tb0: words, 8 bytes\n"
			"0:\n"
			"\tv1 = reg rsi\n"
			"\tbuf_store v1 +0 b0\n"
			"\tv2 = map_upsert percpu b0 else 1\n"
			"\trow_add v2, v1 +16 atomic\n"
			"\tcount map_full \"x\"\n"
			"\tret\n"
			"1:\n"
			"\tret\n");
	free(text);
	done(&f);
}
