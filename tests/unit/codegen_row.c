/* Rows: sums, extremes and histograms in this kernel, plain and atomic, against the same in C. */
#include "base/metric.h"
#include "tests/unit/codegen_kit.h"

#include <string.h>

static struct qt_ir_ins *on_row(struct kit *k, enum qt_ir_op op, uint32_t value, unsigned word, bool atomic)
{
	struct qt_ir_ins *i = kit_op(k, op, k->out, value);

	i->imm = word * 8;
	i->atomic = atomic;
	return i;
}

QT_TEST(sums_and_fetched_sums)
{
	struct kit k;
	uint32_t n;

	kit_begin(&k, 64);
	kit_program(&k, "sums", QT_HOOK_raw_tracepoint);
	n = kit_arg(&k, 0);
	for (unsigned round = 0; round < 3; round++) {
		on_row(&k, QT_IR_row_add, n, 0, false);
		on_row(&k, QT_IR_row_add, n, 1, true);
		kit_result(&k, 3 + round, on_row(&k, QT_IR_row_fetch_add, n, 2, true)->dst);
	}
	on_row(&k, QT_IR_row_fetch_add, n, 2, true);
	kit_ret(&k);
	QT_NEED(kit_load(&k));
	QT_NEED(KIT_RUN(&k, "sums", 1000003));
	QT_EQ_INT(k.result[0], 3000009);
	QT_EQ_INT(k.result[1], 3000009);
	QT_EQ_INT(k.result[2], 4000012);
	QT_EQ_INT(k.result[3], 0);
	QT_EQ_INT(k.result[4], 1000003);
	QT_EQ_INT(k.result[5], 2000006);
	kit_end(&k);
}

QT_TEST(extremes)
{
	static const uint64_t values[] = { 5, 3, UINT64_MAX, 7, 1ull << 63, 0 };
	struct kit k;

	kit_begin(&k, 64);
	kit_program(&k, "most", QT_HOOK_raw_tracepoint);
	for (unsigned n = 0; n < 6; n++) {
		on_row(&k, QT_IR_row_max, kit_arg(&k, n), 0, false);
		on_row(&k, QT_IR_row_max, kit_arg(&k, n), 1, true);
		kit_result(&k, 2 + n, on_row(&k, QT_IR_row_load, 0, 1, false)->dst);
	}
	kit_ret(&k);
	QT_NEED(kit_load(&k));
	QT_NEED(kit_run(&k, "most", values, 6));
	QT_EQ_INT(k.result[0], -1);
	QT_EQ_INT(k.result[1], -1);
	QT_EQ_INT(k.result[2], 5);
	QT_EQ_INT(k.result[3], 5);
	QT_EQ_INT(k.result[4], -1);
	kit_end(&k);
}

static void check_buckets(bool sign, bool atomic)
{
	struct kit k;
	struct qt_ir_ins *i;

	kit_begin(&k, 64);
	kit_program(&k, "hist", QT_HOOK_raw_tracepoint);
	i = on_row(&k, QT_IR_row_hist, kit_arg(&k, 0), 7, atomic);
	i->sign = sign;
	kit_ret(&k);
	QT_NEED(kit_load(&k));
	for (int n = -1; n < 64; n++)
		for (int d = -1; d <= 1; d++) {
			uint64_t v = (n < 0 ? 0 : 1ull << n) + (uint64_t)d;
			unsigned total = 0;

			QT_NEED(KIT_RUN(&k, "hist", v));
			QT_EQ_INT(k.result[7 + qt_hist_bucket(v, sign)], 1);
			for (unsigned w = 0; w < KIT_OUT_WORDS; w++)
				total += (unsigned)k.result[w];
			QT_EQ_INT(total, 1);
		}
	kit_end(&k);
}

QT_TEST(buckets_of_signed_numbers)
{
	check_buckets(true, true);
}

QT_TEST(buckets_of_unsigned_numbers)
{
	check_buckets(false, false);
}

/* Loads and stores of all widths, with and without sign. */
QT_TEST(widths)
{
	struct kit k;

	kit_begin(&k, 64);
	kit_program(&k, "widths", QT_HOOK_raw_tracepoint);
	for (unsigned n = 0; n < 4; n++) {
		uint32_t size = 1u << n;

		on_row(&k, QT_IR_row_store, kit_arg(&k, 0), 20 + n, false)->size = size;
		for (unsigned sign = 0; sign < 2; sign++) {
			struct qt_ir_ins *i = on_row(&k, QT_IR_row_load, 0, 20 + n, false);

			i->size = size;
			i->sign = sign;
			kit_result(&k, n * 2 + sign, i->dst);
			i = kit_op(&k, QT_IR_ext, kit_arg(&k, 0), 0);
			i->size = size;
			i->sign = sign;
			kit_result(&k, 8 + n * 2 + sign, i->dst);
		}
	}
	kit_ret(&k);
	QT_NEED(kit_load(&k));
	QT_NEED(KIT_RUN(&k, "widths", 0xf1f2f3f4f5f6f7f8));
	for (unsigned copy = 0; copy < 2; copy++) {
		const int64_t *r = k.result + copy * 8;

		QT_EQ_INT(r[0], 0xf8);
		QT_EQ_INT(r[1], (int8_t)0xf8);
		QT_EQ_INT(r[2], 0xf7f8);
		QT_EQ_INT(r[3], (int16_t)0xf7f8);
		QT_EQ_INT(r[4], 0xf5f6f7f8);
		QT_EQ_INT(r[5], (int32_t)0xf5f6f7f8);
		QT_EQ_INT(r[6], 0xf1f2f3f4f5f6f7f8);
		QT_EQ_INT(r[7], 0xf1f2f3f4f5f6f7f8);
	}
	QT_EQ_INT(k.result[20], 0xf8);
	QT_EQ_INT(k.result[21], 0xf7f8);
	kit_end(&k);
}
