/* The value of an aggregation while the program runs: what each CPU has is added up by a loop over the CPUs, whose end is the first number that no CPU has. */
#include "base/check.h"
#include "ir/lower_internal.h"

#define CPUS_MAX 8192u /* the most that Linux is built for on x86 */

struct sum {
	uint32_t slots[2]; /* the words of the metric */
	uint32_t words;
	uint32_t row; /* of the CPU at hand */
};

static uint32_t add_word(struct qt_lower *l, const struct sum *s, uint32_t word)
{
	uint32_t more = qt_flow_sized(l, QT_IR_row_load, s->row, 0, word * 8, 8, false);

	return qt_ir_bin(&l->b, QT_IR_add, qt_flow_op(l, QT_IR_slot_load, 0, 0, s->slots[word]), more);
}

/* The larger one, as both are kept: see metrics.def. */
static void keep_larger(struct qt_lower *l, const struct sum *s)
{
	uint32_t more = qt_flow_sized(l, QT_IR_row_load, s->row, 0, 0, 8, false), take = qt_flow_block(l), done = qt_flow_block(l);

	qt_flow_brif(l, qt_ir_bin(&l->b, QT_IR_ult, qt_flow_op(l, QT_IR_slot_load, 0, 0, s->slots[0]), more), take, done);
	qt_flow_stand(l, take);
	qt_flow_op(l, QT_IR_slot_store, more, 0, s->slots[0]);
	qt_flow_join(l, done);
}

static bool is_extreme(enum qt_metric m)
{
	return m == QT_METRIC_min || m == QT_METRIC_max;
}

static void add_cpu(struct qt_lower *l, const struct sum *s, enum qt_metric metric)
{
	if (is_extreme(metric))
		keep_larger(l, s);
	for (uint32_t word = is_extreme(metric); word < s->words; word++)
		qt_flow_op(l, QT_IR_slot_store, add_word(l, s, word), 0, s->slots[word]);
}

static void add_cpus(struct qt_lower *l, struct sum *s, enum qt_metric metric, uint32_t map, qt_key_fn key, const void *ctx, struct qt_span span)
{
	uint32_t head = qt_flow_block(l), done = qt_flow_block(l), cpu, buf;
	struct qt_ir_ins *i = qt_ir_emit(&l->b, QT_IR_loop, qt_ir_const(&l->b, CPUS_MAX), 0);

	i->imm = CPUS_MAX, i->target = head, i->otherwise = done;
	qt_flow_stand(l, head);
	i = qt_ir_emit(&l->b, QT_IR_turn, 0, 0);
	i->target = head;
	cpu = i->dst;
	buf = key(l, ctx, map, span);
	i = qt_ir_emit(&l->b, QT_IR_map_get_cpu, cpu, 0);
	i->imm = map, i->buf = buf, i->fail = done;
	s->row = i->dst;
	qt_flow_words_done(l, buf);
	add_cpu(l, s, metric);
	i = qt_ir_emit(&l->b, QT_IR_next, 0, 0);
	i->target = head, i->otherwise = done;
	qt_flow_stand(l, done);
}

static uint32_t loaded(struct qt_lower *l, const struct sum *s, uint32_t word)
{
	return qt_flow_op(l, QT_IR_slot_load, 0, 0, s->slots[word]);
}

/* 0 of no events: division by zero gives 0. */
static uint32_t average(struct qt_lower *l, const struct sum *s, bool sign)
{
	return qt_ir_bin(&l->b, sign ? QT_IR_sdiv : QT_IR_udiv, loaded(l, s, 0), loaded(l, s, 1));
}

/* 0 where nothing was counted. */
static uint32_t extreme(struct qt_lower *l, const struct sum *s, const struct qt_column *value)
{
	uint32_t mask = qt_ir_const(&l->b, qt_extreme_encode(value->metric, 0, value->type.is_signed));
	uint32_t any = qt_ir_bin(&l->b, QT_IR_ne, loaded(l, s, 1), qt_ir_const(&l->b, 0));

	return qt_ir_bin(&l->b, QT_IR_mul, qt_ir_bin(&l->b, QT_IR_xor, loaded(l, s, 0), mask), any);
}

uint32_t qt_lower_metric(struct qt_lower *l, const struct qt_column *value, uint32_t map, qt_key_fn key, const void *ctx, struct qt_span span)
{
	struct sum s = { .words = qt_metric_info(value->metric)->words };

	QT_ASSERT(s.words <= QT_COUNT(s.slots));
	for (uint32_t word = 0; word < s.words; word++) {
		s.slots[word] = qt_ir_slot_new(&l->b);
		qt_flow_op(l, QT_IR_slot_store, qt_ir_const(&l->b, 0), 0, s.slots[word]);
	}
	add_cpus(l, &s, value->metric, map, key, ctx, span);
	if (value->metric == QT_METRIC_avg)
		return average(l, &s, value->type.is_signed);
	return is_extreme(value->metric) ? extreme(l, &s, value) : loaded(l, &s, 0);
}
