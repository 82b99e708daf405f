/* The interpreter, operation by operation: maps, rows, frames, the ring, whole programs. */
#include "tests/unit/ir_kit.h"
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

/* ---- maps ---- */

QT_TEST(rows_are_per_cpu)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t key = qt_ir_words_new(&f.b, 8), one = qt_ir_const(&f.b, 1),
		 row = may_fail(&f, QT_IR_map_upsert, 0, 0, MAP_PERCPU, key, ret_block(&f));
	struct qt_event event = plain;
	struct qt_machine *m;
	uint64_t words[6] = { 0 };
	const struct qt_store *s;

	point(&f);
	emit(&f, QT_IR_row_add, row, one, 8);
	ret(&f);
	m = machine(&f, 2);
	QT_EQ_INT(qt_machine_run(m, &event), 1);
	event.cpu = 1;
	QT_EQ_INT(qt_machine_run(m, &event), 1);
	QT_EQ_INT(qt_machine_run(m, &event), 1);
	s = qt_machine_store(m);
	s->entries(s->self, MAP_PERCPU, first_word, words);
	QT_EQ_INT(words[0], 0);
	qt_machine_free(m);
	done(&f);
}

struct cells {
	uint64_t words[64];
	unsigned n;
};

static bool add_cells(const void *key, const void *values, unsigned ncpu, void *ctx)
{
	struct cells *c = ctx;

	memcpy(&c->words[c->n], key, 8);
	memcpy(&c->words[c->n + 1], values, 24ull * ncpu);
	c->n += 1 + 3 * ncpu;
	return true;
}

/* max_entries is 8: the ninth key does not fit, the first still does. */
QT_TEST(maps_get_full)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t full = qt_ir_block_new(&f.b), key = qt_ir_words_new(&f.b, 8), row, one = qt_ir_const(&f.b, 1);
	struct qt_event event = plain;
	struct cells cells = { .n = 0 };
	struct qt_machine *m;
	const struct qt_store *s;

	point(&f);
	emit(&f, QT_IR_buf_store, emit(&f, QT_IR_reg, 0, 0, QT_REG_rdi)->dst, 0, 0)->buf = key;
	row = may_fail(&f, QT_IR_map_upsert, 0, 0, MAP_PERCPU, key, full);
	emit(&f, QT_IR_row_add, row, one, 0);
	ret(&f);
	f.b.block = full;
	emit(&f, QT_IR_count, 0, 0, 0);
	ret(&f);
	m = machine(&f, 1);
	for (unsigned k = 0; k < 11; k++) {
		event.regs[QT_REG_rdi] = k;
		QT_EQ_INT(qt_machine_run(m, &event), 1);
	}
	event.regs[QT_REG_rdi] = 0;
	QT_EQ_INT(qt_machine_run(m, &event), 1);
	s = qt_machine_store(m);
	QT_EQ_INT(s->counter(s->self, 0), 3);
	s->entries(s->self, MAP_PERCPU, add_cells, &cells);
	QT_EQ_INT(cells.n, 32);
	QT_EQ_INT(s->clear(s->self, MAP_PERCPU), 0);
	cells.n = 0;
	s->entries(s->self, MAP_PERCPU, add_cells, &cells);
	QT_EQ_INT(cells.n, 0);
	qt_machine_free(m);
	done(&f);
}

QT_TEST(row_operations)
{
	static const struct {
		enum qt_ir_op op;
		uint64_t first, second, want;
	} cases[] = { { QT_IR_row_add, 5, 7, 12 },
		      { QT_IR_row_max, 5, 7, 7 },
		      { QT_IR_row_max, 7, 5, 7 },
		      { QT_IR_row_max, UINT64_MAX, 1, UINT64_MAX },
		      { QT_IR_row_fetch_add, 3, (uint64_t)-1, 2 } };

	for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		struct fixture f = fixture(QT_HOOK_uprobe);
		uint32_t key = qt_ir_words_new(&f.b, 8), a = qt_ir_const(&f.b, cases[k].first), b = qt_ir_const(&f.b, cases[k].second);
		uint32_t row = may_fail(&f, QT_IR_map_upsert, 0, 0, MAP_PERCPU, key, ret_block(&f));

		point(&f);
		emit(&f, cases[k].op, row, a, 0);
		emit(&f, cases[k].op, row, b, 0);
		ret(&f);
		QT_EQ_INT(run_kept(&f, &plain), cases[k].want);
	}
}

/* ---- frames ---- */

/* At rdi 1 pushes a frame with key rsp and captures rsi, else pops one and keeps what was captured; failures are counted. */
static void frame_program(struct fixture *f)
{
	uint32_t fail = qt_ir_block_new(&f->b), push = qt_ir_block_new(&f->b), pop = qt_ir_block_new(&f->b), key, value, row, frame;
	struct qt_ir_ins *i;

	point(f);
	key = emit(f, QT_IR_reg, 0, 0, QT_REG_rsp)->dst;
	value = emit(f, QT_IR_reg, 0, 0, QT_REG_rsi)->dst;
	i = emit(f, QT_IR_task_get, 0, 0, 0);
	i->sign = true;
	i->fail = fail;
	row = i->dst;
	i = emit(f, QT_IR_brif, emit(f, QT_IR_reg, 0, 0, QT_REG_rdi)->dst, 0, 0);
	i->target = push;
	i->otherwise = pop;
	f->b.block = push;
	i = emit(f, QT_IR_frame_push, row, key, 16);
	i->size = 1;
	i->fail = fail;
	sized(f, QT_IR_row_store, i->dst, value, 16, 8);
	ret(f);
	f->b.block = pop;
	i = emit(f, QT_IR_frame_pop, row, key, 16);
	i->size = 1;
	i->fail = fail;
	frame = i->dst;
	keep(f, sized(f, QT_IR_row_load, frame, 0, 16, 8));
	f->b.block = fail;
	emit(f, QT_IR_count, 0, 0, 0);
	ret(f);
}

static void frame_run(struct qt_machine *m, bool push, uint64_t key, uint64_t value)
{
	struct qt_event event = plain;

	event.regs[QT_REG_rdi] = push;
	event.regs[QT_REG_rsp] = key;
	event.regs[QT_REG_rsi] = value;
	QT_EQ_INT(qt_machine_run(m, &event), 1);
}

QT_TEST(frames_pair)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	struct qt_machine *m;
	const struct qt_store *s;

	frame_program(&f);
	m = machine(&f, 1);
	s = qt_machine_store(m);
	frame_run(m, true, 1000, 11);
	frame_run(m, true, 900, 13);
	frame_run(m, false, 900, 0);
	QT_EQ_INT(kept(m), 13);
	frame_run(m, false, 1000, 0);
	QT_EQ_INT(kept(m), 11);
	QT_EQ_INT(s->counter(s->self, 0), 0);
	frame_run(m, false, 1000, 0); /* popped already */
	QT_EQ_INT(s->counter(s->self, 0), 1);
	frame_run(m, true, 1000, 17);
	frame_run(m, true, 1000, 19); /* the first was left by a jump: given up */
	QT_EQ_INT(s->counter(s->self, 0), 2);
	frame_run(m, true, 1000, 19);
	frame_run(m, false, 1000, 0);
	QT_EQ_INT(kept(m), 19);
	frame_run(m, false, 1000, 0);
	QT_EQ_INT(s->counter(s->self, 0), 3);
	qt_machine_free(m);
	done(&f);
}

QT_TEST(frames_get_full)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	struct qt_machine *m;
	const struct qt_store *s;

	frame_program(&f);
	m = machine(&f, 1);
	s = qt_machine_store(m);
	for (unsigned k = 0; k < QT_FRAME_DEPTH; k++)
		frame_run(m, true, 1000 + k, k);
	QT_EQ_INT(s->counter(s->self, 0), 0);
	frame_run(m, true, 5000, 77); /* gives up the first frame */
	QT_EQ_INT(s->counter(s->self, 0), 1);
	frame_run(m, true, 5000, 77);
	frame_run(m, false, 5000, 0);
	QT_EQ_INT(kept(m), 77);
	frame_run(m, false, 1000, 0); /* the one that was given up */
	QT_EQ_INT(s->counter(s->self, 0), 2);
	frame_run(m, false, 1001, 0);
	QT_EQ_INT(kept(m), 1);
	qt_machine_thread_exit(m, 43);
	frame_run(m, false, 1002, 0);
	QT_EQ_INT(s->counter(s->self, 0), 3);
	qt_machine_free(m);
	done(&f);
}

/* ---- the ring ---- */

struct drained {
	uint64_t words[3];
	unsigned n;
};

static void drain_one(const void *record, size_t size, void *ctx)
{
	struct drained *d = ctx;

	QT_EQ_INT(size, 24);
	memcpy(d->words, record, sizeof(d->words));
	d->n++;
}

QT_TEST(ring_gets_full)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t full = qt_ir_block_new(&f.b), v = emit(&f, QT_IR_now, 0, 0, 0)->dst,
		 row = may_fail(&f, QT_IR_ring_reserve, 0, 0, 24, QT_IR_NO_BUF, full);
	struct drained d = { .n = 0 };
	struct qt_machine *m;

	point(&f);
	sized(&f, QT_IR_row_store, row, v, 8, 8);
	emit(&f, QT_IR_ring_submit, row, 0, 0);
	ret(&f);
	f.b.block = full;
	emit(&f, QT_IR_count, 0, 0, 0);
	ret(&f);
	m = machine(&f, 1);
	qt_machine_set_ring(m, 128); /* a record takes 32 bytes, and one byte stays free: three fit */
	for (unsigned k = 0; k < 5; k++)
		QT_EQ_INT(qt_machine_run(m, &plain), 1);
	QT_EQ_INT(qt_machine_store(m)->counter(m, 0), 2);
	qt_machine_drain(m, drain_one, &d);
	QT_EQ_INT(d.n, 3);
	QT_EQ_INT(d.words[1], 7);
	QT_EQ_INT(qt_machine_run(m, &plain), 1);
	qt_machine_drain(m, drain_one, &d);
	QT_EQ_INT(d.n, 4);
	qt_machine_free(m);
	done(&f);
}

/* ---- programs ---- */

/* A loop of at most 1009 turns over COUNT: what the turns add up to. */
static uint64_t turns_of(uint64_t count)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t slot = qt_ir_slot_new(&f.b), head = qt_ir_block_new(&f.b), behind = qt_ir_block_new(&f.b), n = qt_ir_const(&f.b, count), turn;
	struct qt_ir_ins *i = emit(&f, QT_IR_loop, n, 0, 1009);

	point(&f);
	i->target = head, i->otherwise = behind;
	f.b.block = head;
	i = emit(&f, QT_IR_turn, 0, 0, 0);
	i->target = head;
	turn = i->dst;
	emit(&f, QT_IR_slot_store, qt_ir_bin(&f.b, QT_IR_add, turn, emit(&f, QT_IR_slot_load, 0, 0, slot)->dst), 0, slot);
	i = emit(&f, QT_IR_next, 0, 0, 0);
	i->target = head, i->otherwise = behind;
	f.b.block = behind;
	keep(&f, emit(&f, QT_IR_slot_load, 0, 0, slot)->dst);
	return run_kept(&f, &plain);
}

QT_TEST(loops_have_turns)
{
	QT_EQ_INT(turns_of(0), 0);
	QT_EQ_INT(turns_of(1), 0);
	QT_EQ_INT(turns_of(7), 21);
	QT_EQ_INT(turns_of(1009), 1009 * 1008 / 2);
	QT_EQ_INT(turns_of(UINT64_MAX), 1009 * 1008 / 2);
}

QT_TEST(other_events_run_nothing)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	struct qt_event event = plain;
	struct qt_machine *m;

	point(&f);
	ret(&f);
	m = machine(&f, 1);
	event.probe = "other";
	QT_EQ_INT(qt_machine_run(m, &event), 0);
	qt_machine_free(m);
	done(&f);
}

QT_TEST(exit_is_told)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	struct qt_machine *m;
	int code = -1;

	point(&f);
	emit(&f, QT_IR_live_store, qt_ir_const(&f.b, 4), 0, QT_LIVE_EXIT);
	ret(&f);
	m = machine(&f, 1);
	QT_TRUE(!qt_machine_exited(m, &code));
	QT_EQ_INT(qt_machine_run(m, &plain), 1);
	QT_TRUE(qt_machine_exited(m, &code));
	QT_EQ_INT(code, 3);
	qt_machine_free(m);
	done(&f);
}
