/* The interpreter, operation by operation, on hand-made programs. */
#include "ir/eval.h"
#include "tests/unit/ir_kit.h"
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

/* A point, so that events named "e" run the function. */
static void point(struct fixture *f)
{
	*qt_vec_push(f->plan->arena, &f->plan->probes) = (struct qt_plan_probe){ "e", "e" };
	*qt_vec_push(f->plan->arena, &f->plan->points) = (struct qt_plan_point){ .prog = 0, .probe = 0 };
	f->plan->maps.items[QT_MAP_STRINGS].max_entries = 3;
	f->plan->maps.items[QT_MAP_RING].max_entries = 4096;
}

static bool first_word(const void *key, const void *values, unsigned ncpu, void *ctx)
{
	(void)key;
	(void)ncpu;
	memcpy(ctx, values, 8);
	return false;
}

/* Ends the function with V kept in `percpu` under the key 0. */
static void keep(struct fixture *f, uint32_t v)
{
	uint32_t key = qt_ir_words_new(&f->b, 8), row = may_fail(f, QT_IR_map_upsert, 0, 0, MAP_PERCPU, key, ret_block(f));

	sized(f, QT_IR_row_store, row, v, 0, 8);
	ret(f);
}

static struct qt_machine *machine(struct fixture *f, unsigned ncpu)
{
	const char *wrong = qt_ir_check(f->ir);

	QT_EQ_STR(wrong, NULL);
	return qt_machine_new(f->ir, ncpu);
}

static uint64_t kept(struct qt_machine *m)
{
	const struct qt_store *s = qt_machine_store(m);
	uint64_t word = 0xdead;

	s->entries(s->self, MAP_PERCPU, first_word, &word);
	return word;
}

/* What a function that keeps a value keeps after EVENT. */
static uint64_t run_kept(struct fixture *f, const struct qt_event *event)
{
	struct qt_machine *m = machine(f, 1);
	uint64_t word;

	QT_EQ_INT(qt_machine_run(m, event), 1);
	word = kept(m);
	qt_machine_free(m);
	done(f);
	return word;
}

static const struct qt_event plain = { .probe = "e", .pid = 42, .tid = 43, .uid = 1000, .gid = 100, .time_ns = 7, .comm = "name" };

static uint64_t compute(enum qt_ir_op op, uint64_t a, uint64_t b, bool binary)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t x = qt_ir_const(&f.b, a), y = binary ? qt_ir_const(&f.b, b) : 0;

	point(&f);
	keep(&f, qt_ir_bin(&f.b, op, x, y));
	return run_kept(&f, &plain);
}

#define MIN64 ((uint64_t)1 << 63)

QT_TEST(numbers)
{
	static const struct {
		enum qt_ir_op op;
		uint64_t a, b, want;
	} cases[] = {
		{ QT_IR_add, UINT64_MAX, 2, 1 },
		{ QT_IR_sub, 1, 2, UINT64_MAX },
		{ QT_IR_mul, MIN64, 2, 0 },
		{ QT_IR_udiv, (uint64_t)-7, 2, 0x7ffffffffffffffc },
		{ QT_IR_udiv, 7, 0, 0 },
		{ QT_IR_sdiv, (uint64_t)-7, 2, (uint64_t)-3 },
		{ QT_IR_sdiv, MIN64, (uint64_t)-1, MIN64 },
		{ QT_IR_sdiv, 7, 0, 0 },
		{ QT_IR_umod, 7, 0, 7 },
		{ QT_IR_umod, 7, 4, 3 },
		{ QT_IR_smod, (uint64_t)-7, 4, (uint64_t)-3 },
		{ QT_IR_smod, MIN64, (uint64_t)-1, 0 },
		{ QT_IR_smod, 7, 0, 7 },
		{ QT_IR_and, 12, 10, 8 },
		{ QT_IR_or, 12, 10, 14 },
		{ QT_IR_xor, 12, 10, 6 },
		{ QT_IR_shl, 1, 65, 2 },
		{ QT_IR_lshr, MIN64, 63, 1 },
		{ QT_IR_lshr, 8, 64, 8 },
		{ QT_IR_ashr, MIN64, 63, UINT64_MAX },
		{ QT_IR_eq, 3, 3, 1 },
		{ QT_IR_ne, 3, 3, 0 },
		{ QT_IR_ult, 1, UINT64_MAX, 1 },
		{ QT_IR_ule, 2, 2, 1 },
		{ QT_IR_slt, 1, UINT64_MAX, 0 },
		{ QT_IR_slt, UINT64_MAX, 1, 1 },
		{ QT_IR_sle, MIN64, MIN64, 1 },
	};

	for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++)
		QT_EQ_INT(compute(cases[k].op, cases[k].a, cases[k].b, true), cases[k].want);
	QT_EQ_INT(compute(QT_IR_neg, 5, 0, false), -5);
	QT_EQ_INT(compute(QT_IR_compl, 0, 0, false), -1);
}

QT_TEST(extend)
{
	static const struct {
		uint32_t size;
		bool sign;
		uint64_t want;
	} cases[] = { { 1, false, 0x80 }, { 1, true, 0xffffffffffffff80 }, { 2, true, 0x7f80 }, { 4, true, 0xfffffffff0007f80 }, { 8, true, 0x12345678f0007f80 } };

	for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		struct fixture f = fixture(QT_HOOK_uprobe);
		struct qt_ir_ins *i = emit(&f, QT_IR_ext, qt_ir_const(&f.b, 0x12345678f0007f80), 0, 0);

		i->size = cases[k].size;
		i->sign = cases[k].sign;
		point(&f);
		keep(&f, i->dst);
		QT_EQ_INT(run_kept(&f, &plain), cases[k].want);
	}
}

QT_TEST(surroundings)
{
	static const struct {
		enum qt_ir_op op;
		uint64_t imm, want;
	} cases[] = { { QT_IR_now, 0, 7 }, { QT_IR_pid_tgid, 0, 42ull << 32 | 43 }, { QT_IR_uid_gid, 0, 100ull << 32 | 1000 }, { QT_IR_cpu, 0, 0 },
		      { QT_IR_cookie, 0, 0 }, { QT_IR_live, QT_LIVE_ENABLED, 1 }, { QT_IR_reg, QT_REG_rsi, 99 } };
	struct qt_event event = plain;

	event.regs[QT_REG_rsi] = 99;
	for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		struct fixture f = fixture(QT_HOOK_uprobe);

		point(&f);
		keep(&f, emit(&f, cases[k].op, 0, 0, cases[k].imm)->dst);
		QT_EQ_INT(run_kept(&f, &event), cases[k].want);
	}
}

static uint64_t field(uint64_t offset, uint32_t size, bool sign)
{
	static const unsigned char record[12] = { 1, 2, 3, 4, 0xff, 0xfe, 0xff, 0xff, 9, 9, 9, 9 };
	struct fixture f = fixture(QT_HOOK_tracepoint);
	struct qt_event event = plain;
	struct qt_ir_ins *i = emit(&f, QT_IR_ctx_load, 0, 0, offset);

	i->size = size;
	i->sign = sign;
	event.ctx = record;
	event.ctx_size = sizeof(record);
	point(&f);
	keep(&f, i->dst);
	return run_kept(&f, &event);
}

QT_TEST(fields)
{
	QT_EQ_INT(field(0, 4, false), 0x04030201);
	QT_EQ_INT(field(4, 4, true), -257);
	QT_EQ_INT(field(4, 4, false), 0xfffffeff);
	QT_EQ_INT(field(4, 1, true), -1);
	QT_EQ_INT(field(8, 8, false), 0); /* beyond the record */
	QT_EQ_INT(field(UINT64_MAX, 1, false), 0);
}

/* Memory: a read that fails takes the failure edge. */
static uint64_t memory(struct qt_machine **m, uint64_t address, struct fixture *f)
{
	uint32_t fail = qt_ir_block_new(&f->b), a = emit(f, QT_IR_reg, 0, 0, QT_REG_rdi)->dst, v;
	struct qt_event event = plain;
	struct qt_ir_ins *i = emit(f, QT_IR_mem_read, a, 0, 0);

	i->size = 4;
	i->fail = fail;
	v = i->dst;
	point(f);
	keep(f, v);
	f->b.block = fail;
	emit(f, QT_IR_count, 0, 0, 0);
	ret(f);
	*m = machine(f, 1);
	event.regs[QT_REG_rdi] = address ? address : qt_machine_memory(*m, "abcd", 4);
	QT_EQ_INT(qt_machine_run(*m, &event), 1);
	return kept(*m);
}

QT_TEST(memory_is_read_or_fails)
{
	struct fixture f = fixture(QT_HOOK_uprobe), g = fixture(QT_HOOK_uprobe);
	struct qt_machine *m;

	QT_EQ_INT(memory(&m, 0, &f), 0x64636261);
	QT_EQ_INT(qt_machine_store(m)->counter(m, 0), 0);
	qt_machine_free(m);
	done(&f);
	QT_EQ_INT(memory(&m, 16, &g), 0xdead);
	QT_EQ_INT(qt_machine_store(m)->counter(m, 0), 1);
	qt_machine_free(m);
	done(&g);
}

/* ---- texts ---- */

/* Reads a text at rdi (with B: counted by rsi), interns it, keeps its id; a failure is counted. */
static void text_program(struct fixture *f, bool counted)
{
	uint32_t out = ret_block(f), fail = qt_ir_block_new(&f->b), text = qt_ir_text_new(&f->b), id;
	struct qt_ir_ins *i;

	point(f);
	may_fail(f, QT_IR_scratch_take, 0, 0, 0, QT_IR_NO_BUF, out);
	i = emit(f, QT_IR_text_read, emit(f, QT_IR_reg, 0, 0, QT_REG_rdi)->dst, counted ? emit(f, QT_IR_reg, 0, 0, QT_REG_rsi)->dst : 0, 0);
	i->has_b = counted;
	i->buf = text;
	i->fail = fail;
	id = may_fail(f, QT_IR_text_intern, 0, 0, 0, text, fail);
	emit(f, QT_IR_scratch_give, 0, 0, 0);
	keep(f, id);
	f->b.block = fail;
	emit(f, QT_IR_count, 0, 0, 0);
	emit(f, QT_IR_scratch_give, 0, 0, 0);
	ret(f);
}

static struct qt_str text_of(struct qt_machine *m, uint64_t id, uint32_t *flags)
{
	const struct qt_store *s = qt_machine_store(m);
	uint32_t len = 0;
	const char *p = s->text(s->self, id, &len, flags);

	return (struct qt_str){ p, p ? len : 0 };
}

static void run_text(struct qt_machine *m, const char *bytes, size_t len, uint64_t count)
{
	struct qt_event event = plain;

	event.regs[QT_REG_rdi] = bytes ? qt_machine_memory(m, bytes, len) : 4096;
	event.regs[QT_REG_rsi] = count;
	QT_EQ_INT(qt_machine_run(m, &event), 1);
}

QT_TEST(text_until_nul)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	struct qt_machine *m;
	uint32_t flags = 99;
	char longest[66];

	text_program(&f, false);
	m = machine(&f, 1);
	run_text(m, "SELECT 1\0tail", 13, 0);
	QT_TRUE(qt_str_is(text_of(m, kept(m), &flags), "SELECT 1"));
	QT_EQ_INT(flags, 0);
	memset(longest, 'x', sizeof(longest));
	run_text(m, longest, 64, 0);
	QT_EQ_INT(text_of(m, kept(m), &flags).len, 64);
	QT_EQ_INT(flags, 0);
	run_text(m, NULL, 0, 0);
	QT_EQ_INT(qt_machine_store(m)->counter(m, 0), 1);
	qt_machine_free(m);
	done(&f);
}

QT_TEST(text_is_cut)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	struct qt_machine *m;
	uint32_t flags = 0;
	char longer[65];

	text_program(&f, false);
	m = machine(&f, 1);
	memset(longer, 'y', sizeof(longer));
	run_text(m, longer, sizeof(longer), 0);
	QT_EQ_INT(text_of(m, kept(m), &flags).len, 64);
	QT_EQ_INT(flags, QT_TEXT_TRUNCATED);
	qt_machine_free(m);
	done(&f);
}

QT_TEST(text_counted)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	struct qt_machine *m;
	uint32_t flags = 99;
	struct qt_str got;

	text_program(&f, true);
	m = machine(&f, 1);
	run_text(m, "a\0b", 3, 3);
	got = text_of(m, kept(m), &flags);
	QT_EQ_INT(got.len, 3);
	QT_TRUE(got.ptr && !memcmp(got.ptr, "a\0b", 3));
	run_text(m, "abc", 3, 0);
	QT_EQ_INT(text_of(m, kept(m), &flags).len, 0);
	run_text(m, "abc", 3, 50); /* more than is readable */
	QT_EQ_INT(qt_machine_store(m)->counter(m, 0), 1);
	qt_machine_free(m);
	done(&f);
}

/* `strings` has room for the literal and two more. */
QT_TEST(strings_get_full)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	struct qt_machine *m;

	text_program(&f, false);
	m = machine(&f, 1);
	run_text(m, "two", 3, 0);
	run_text(m, "three", 5, 0);
	run_text(m, "two", 3, 0);
	QT_EQ_INT(qt_machine_store(m)->counter(m, 0), 0);
	run_text(m, "four", 4, 0);
	QT_EQ_INT(qt_machine_store(m)->counter(m, 0), 1);
	qt_machine_free(m);
	done(&f);
}

QT_TEST(literal_has_its_id)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	struct qt_machine *m;
	uint32_t flags;
	uint64_t id;

	point(&f);
	keep(&f, emit(&f, QT_IR_config, 0, 0, QT_CONFIG_LITERALS)->dst);
	m = machine(&f, 1);
	QT_EQ_INT(qt_machine_run(m, &plain), 1);
	id = kept(m);
	QT_TRUE(qt_str_is(text_of(m, id, &flags), "one"));
	qt_machine_free(m);
	done(&f);
}

/* ---- maps ---- */

QT_TEST(rows_are_per_cpu)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	uint32_t key = qt_ir_words_new(&f.b, 8), one = qt_ir_const(&f.b, 1), row = may_fail(&f, QT_IR_map_upsert, 0, 0, MAP_PERCPU, key, ret_block(&f));
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
	} cases[] = { { QT_IR_row_add, 5, 7, 12 }, { QT_IR_row_max, 5, 7, 7 }, { QT_IR_row_max, 7, 5, 7 }, { QT_IR_row_max, UINT64_MAX, 1, UINT64_MAX },
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
	uint32_t full = qt_ir_block_new(&f.b), v = emit(&f, QT_IR_now, 0, 0, 0)->dst, row = may_fail(&f, QT_IR_ring_reserve, 0, 0, 24, QT_IR_NO_BUF, full);
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

QT_TEST(endless_loop_is_a_broken_program)
{
	struct fixture f = fixture(QT_HOOK_uprobe);
	struct qt_machine *m;

	point(&f);
	emit(&f, QT_IR_br, 0, 0, 0)->target = 0;
	m = machine(&f, 1);
	QT_EQ_INT(qt_machine_run(m, &plain), -1);
	qt_machine_free(m);
	done(&f);
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
