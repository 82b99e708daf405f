/* Operands of USDT probes, one row a form: those of Debian's postgres, libjvm, python and ruby, and the rest of the syntax. */
#include "target/target.h"
#include "tests/unit/test.h"

#include <string.h>

#define SITE 0x1000
#define SYMBOL 0x5000

static bool symbol(void *ctx, const char *name, uint64_t *address)
{
	(void)ctx;
	*address = SYMBOL;
	return strcmp(name, "unknown") != 0;
}

struct row {
	const char *text;
	enum qt_usdt_kind kind;
	unsigned size;
	bool is_signed;
	enum qt_reg base, index;
	unsigned scale, shift;
	int64_t value;
};

#define NONE QT_REG_COUNT
#define REG(text, size, sign, reg) { text, QT_USDT_REG, size, sign, QT_REG_##reg, NONE, 1, 0, 0 }
#define MEM(text, size, sign, base, value) { text, QT_USDT_MEMORY, size, sign, QT_REG_##base, NONE, 1, 0, value }
#define CONST(text, size, sign, value) { text, QT_USDT_CONST, size, sign, NONE, NONE, 1, 0, value }

static const struct row rows[] = {
	REG("-4@%ebx", 4, true, rbx),
	REG("8@%rax", 8, false, rax),
	REG("1@%dil", 1, false, rdi),
	REG("1@%sil", 1, false, rsi),
	REG("1@%al", 1, false, rax),
	REG("-1@%bpl", 1, true, rbp),
	REG("1@%spl", 1, false, rsp),
	REG("-4@%r15d", 4, true, r15),
	REG("-4@%r9d", 4, true, r9),
	REG("2@%r10w", 2, false, r10),
	REG("1@%r8b", 1, false, r8),
	REG("8@%r12", 8, false, r12),
	REG("-2@%ax", 2, true, rax),
	REG("2@%si", 2, false, rsi),
	REG("%eax", 4, false, rax),
	REG("4@%dl", 1, false, rdx), /* no more than the register has */
	{ "1@%ah", QT_USDT_REG, 1, false, QT_REG_rax, NONE, 1, 8, 0 },
	{ "-1@%dh", QT_USDT_REG, 1, true, QT_REG_rdx, NONE, 1, 8, 0 },
	CONST("-4@$8192", 4, true, 8192),
	CONST("-4@$-1", 4, true, -1),
	CONST("4@$-1", 4, false, 0xffffffff),
	CONST("8@$0x123456789abcdef", 8, false, 0x123456789abcdef),
	CONST("-8@$81985529216486895", 8, true, 0x123456789abcdef),
	CONST("-1@$200", 1, true, -56),
	CONST("1@$0", 1, false, 0),
	CONST("8@$18446744073709551615", 8, false, -1),
	MEM("4@(%r12)", 4, false, r12, 0),
	MEM("8@(%rdi)", 8, false, rdi, 0),
	MEM("4@0(%r13)", 4, false, r13, 0),
	MEM("4@12(%rbx)", 4, false, rbx, 12),
	MEM("-4@-136(%rbp)", 4, true, rbp, -136),
	MEM("-8@-144(%rbp)", 8, true, rbp, -144),
	MEM("8@0x10(%rsp)", 8, false, rsp, 16),
	MEM("8@8+16(%rsp)", 8, false, rsp, 24),
	MEM("8@8-16(%rsp)", 8, false, rsp, -8),
	MEM("-4@NBuffers(%rip)", 4, true, rip, SYMBOL - SITE),
	MEM("-4@40+CheckpointStats(%rip)", 4, true, rip, SYMBOL - SITE + 40),
	MEM("-4@CheckpointStats+40(%rip)", 4, true, rip, SYMBOL - SITE + 40),
	MEM("-4@CheckpointStats-8(%rip)", 4, true, rip, SYMBOL - SITE - 8),
	MEM("-4@counter", 4, true, rip, SYMBOL - SITE),
	MEM("8@x@GOTPCREL(%rip)", 8, false, rip, SYMBOL - SITE),
	MEM("4@table(%rax)", 4, false, rax, SYMBOL),
	{ "-4@(%rdi,%rsi,4)", QT_USDT_MEMORY, 4, true, QT_REG_rdi, QT_REG_rsi, 4, 0, 0 },
	{ "-4@-16(%rdi,%rsi,8)", QT_USDT_MEMORY, 4, true, QT_REG_rdi, QT_REG_rsi, 8, 0, -16 },
	{ "1@3(%rax,%r9)", QT_USDT_MEMORY, 1, false, QT_REG_rax, QT_REG_r9, 1, 0, 3 },
	{ "4@table(,%rax,4)", QT_USDT_MEMORY, 4, false, NONE, QT_REG_rax, 4, 0, SYMBOL },
	{ "8f@24(%rsp)", QT_USDT_MEMORY, 8, false, QT_REG_rsp, NONE, 1, 0, 24 },
};

QT_TEST(every_form)
{
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];
		struct qt_usdt_arg a;

		if (!qt_usdt_parse_arg(r->text, SITE, symbol, NULL, &a) || a.kind != r->kind || a.size != r->size || a.is_signed != r->is_signed ||
		    a.base != r->base || a.index != r->index || a.scale != r->scale || a.shift != r->shift || a.value != r->value)
			QT_EQ_STR("something else", r->text);
		QT_EQ_STR(a.text, r->text);
	}
}

QT_TEST(nonsense_is_refused)
{
	static const char *const texts[] = {
		"",
		"-",
		"4@",
		"3@%rax",
		"16@%xmm0",
		"8f@%xmm0",
		"8@%foo",
		"8@%r16",
		"8@%r8x",
		"8@$",
		"8@$%rax",
		"8@(",
		"8@(%rax",
		"8@()",
		"8@(%eax)",
		"8@(%rax,%rbx,3)",
		"8@(%rax,4)",
		"8@(%rax,%rsp)",
		"8@(%rip)",
		"8@12(%rip)",
		"8@unknown(%rip)",
		"8@%fs:0",
		"8@-(%rax)",
		"8@1+(%rax)",
		"8@(%rax)x",
		"8@$1x",
		"%",
		"8@99999999999999999999(%rax)",
		"@%rax",
		"--4@%eax",
		"8@%rax%rbx",
		"4@x(%rip,%rax)",
		"0x8@%rax",
		"12",
	};

	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct qt_usdt_arg a;

		if (qt_usdt_parse_arg(texts[i], SITE, symbol, NULL, &a))
			QT_EQ_STR("accepted", texts[i]);
		QT_EQ_INT(a.kind, QT_USDT_UNSUPPORTED);
	}
}

QT_TEST(a_float_is_told)
{
	struct qt_usdt_arg a;

	QT_TRUE(qt_usdt_parse_arg("8f@24(%rsp)", SITE, symbol, NULL, &a));
	QT_TRUE(a.is_float);
	QT_TRUE(qt_usdt_parse_arg("8@24(%rsp)", SITE, symbol, NULL, &a));
	QT_TRUE(!a.is_float);
}

QT_TEST(symbols_need_a_look_up)
{
	struct qt_usdt_arg a;

	QT_TRUE(!qt_usdt_parse_arg("-4@NBuffers(%rip)", SITE, NULL, NULL, &a));
}
