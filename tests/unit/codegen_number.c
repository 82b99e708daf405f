/* Numbers through the code generator and this kernel, against the same in C. */
#include "tests/unit/codegen_kit.h"

#include <string.h>

static const uint64_t samples[] = {
	0, 1, 2, 3, 7, 63, 64, 65, 1000003, 0x7fffffff, 0x80000000, 0xffffffff, 1ull << 32, INT64_MAX, (uint64_t)INT64_MIN, UINT64_MAX, UINT64_MAX - 6
};

static const enum qt_ir_op binary[] = { QT_IR_add, QT_IR_sub, QT_IR_mul, QT_IR_udiv, QT_IR_sdiv, QT_IR_umod, QT_IR_smod,
					QT_IR_and, QT_IR_or,  QT_IR_xor, QT_IR_shl,  QT_IR_lshr, QT_IR_ashr, QT_IR_eq,
					QT_IR_ne,  QT_IR_ult, QT_IR_ule, QT_IR_slt,  QT_IR_sle };
#define BINARY (sizeof(binary) / sizeof(binary[0]))

static int64_t truth(enum qt_ir_op op, uint64_t a, uint64_t b)
{
	int64_t sa = (int64_t)a, sb = (int64_t)b;
	bool overflow = sa == INT64_MIN && sb == -1;

	switch (op) {
	case QT_IR_add:
		return (int64_t)(a + b);
	case QT_IR_sub:
		return (int64_t)(a - b);
	case QT_IR_mul:
		return (int64_t)(a * b);
	case QT_IR_udiv:
		return b ? (int64_t)(a / b) : 0;
	case QT_IR_sdiv:
		return !b ? 0 : overflow ? sa : sa / sb;
	case QT_IR_umod:
		return (int64_t)(b ? a % b : a);
	case QT_IR_smod:
		return !b ? sa : overflow ? 0 : sa % sb;
	case QT_IR_and:
		return (int64_t)(a & b);
	case QT_IR_or:
		return (int64_t)(a | b);
	case QT_IR_xor:
		return (int64_t)(a ^ b);
	case QT_IR_shl:
		return (int64_t)(a << (b & 63));
	case QT_IR_lshr:
		return (int64_t)(a >> (b & 63));
	case QT_IR_ashr:
		return sa >> (b & 63);
	case QT_IR_eq:
		return a == b;
	case QT_IR_ne:
		return a != b;
	case QT_IR_ult:
		return a < b;
	case QT_IR_ule:
		return a <= b;
	case QT_IR_slt:
		return sa < sb;
	default:
		return sa <= sb;
	}
}

QT_TEST(binary_operations)
{
	struct kit k;

	kit_begin(&k, 64);
	kit_program(&k, "binary", QT_HOOK_raw_tracepoint);
	for (unsigned n = 0; n < BINARY; n++)
		kit_result(&k, n, kit_op(&k, binary[n], kit_arg(&k, 0), kit_arg(&k, 1))->dst);
	kit_ret(&k);
	QT_NEED(kit_load(&k));
	for (unsigned x = 0; x < sizeof(samples) / 8; x++)
		for (unsigned y = 0; y < sizeof(samples) / 8; y++) {
			QT_NEED(KIT_RUN(&k, "binary", samples[x], samples[y]));
			for (unsigned n = 0; n < BINARY; n++)
				QT_EQ_INT(k.result[n], truth(binary[n], samples[x], samples[y]));
		}
	kit_end(&k);
}
