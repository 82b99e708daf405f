/* The interpreter, operation by operation, on hand-made programs. */
#include "ir/eval.h"
#include "tests/unit/ir_kit.h"
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

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
	} cases[] = { { 1, false, 0x80 },
		      { 1, true, 0xffffffffffffff80 },
		      { 2, true, 0x7f80 },
		      { 4, true, 0xfffffffff0007f80 },
		      { 8, true, 0x12345678f0007f80 } };

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
	} cases[] = { { QT_IR_now, 0, 7 },
		      { QT_IR_pid_tgid, 0, 42ull << 32 | 43 },
		      { QT_IR_uid_gid, 0, 100ull << 32 | 1000 },
		      { QT_IR_cpu, 0, 0 },
		      { QT_IR_cookie, 0, 0 },
		      { QT_IR_live, QT_LIVE_ENABLED, 1 },
		      { QT_IR_reg, QT_REG_rsi, 99 } };
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

	text_program(&f, true);
	m = machine(&f, 1);
	run_text(m, "a\0b", 3, 3);
	QT_TRUE(qt_str_is(text_of(m, kept(m), &flags), "a"));
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
