/* Tags and maps: their keys, the rows that metrics are added to, and the statements and expressions on maps. */
#include "base/check.h"
#include "ir/lower_internal.h"

struct keys {
	struct qt_expr *const *items;
	uint32_t len;
	uint32_t *words; /* their values; those in place have none */
};

/* Values first, the buffer last: an inner look-up may use the same buffer. */
static struct keys keys_of(struct qt_lower *l, struct qt_expr *const *items, uint32_t len)
{
	struct keys k = { items, len, QT_NEW_ARRAY(l->arena, uint32_t, len) };

	for (uint32_t n = 0; n < len; n++) {
		if (items[n]->type.kind != QT_TYPE_COMM)
			k.words[n] = qt_lower_word(l, items[n]);
	}
	return k;
}

/* A buffer with the key of plan map MAP. */
static uint32_t key_buf(struct qt_lower *l, const struct keys *k, uint32_t map, struct qt_span span)
{
	uint32_t buf = qt_flow_words(l, l->plan->maps.items[map].key_size, span), offset = 0;

	if (!k->len)
		qt_flow_buf(l, QT_IR_buf_store, qt_ir_const(&l->b, 0), 0, buf);
	for (uint32_t n = 0; n < k->len; n++) {
		if (k->items[n]->type.kind == QT_TYPE_COMM)
			qt_flow_buf(l, QT_IR_buf_comm, 0, offset, buf);
		else
			qt_flow_buf(l, QT_IR_buf_store, k->words[n], offset, buf);
		offset += qt_layout_words(k->items[n]->type) * 8;
	}
	return buf;
}

static const struct qt_plan_table *table_of(const struct qt_lower *l, uint32_t map)
{
	return &l->plan->tables.items[map - QT_MAP_FIXED];
}

/* The row of MAP under its key, made when absent; the cursor goes on with it, a full map is counted and goes to DONE. */
static uint32_t upsert(struct qt_lower *l, const struct keys *k, uint32_t map, struct qt_span span, uint32_t done)
{
	uint32_t buf = key_buf(l, k, map, span), full = qt_flow_count(l, QT_LOSS_map_full, table_of(l, map)->name, done);
	uint32_t row = qt_flow_buf_may_fail(l, QT_IR_map_upsert, 0, map, buf, full);

	qt_flow_words_done(l, buf);
	return row;
}

/* ---- metrics ---- */

struct metric_at {
	uint32_t map, row, offset, value;
	bool sign; /* of the value */
};

static void row_op(struct qt_lower *l, const struct metric_at *m, enum qt_ir_op op, uint32_t v, uint32_t offset)
{
	struct qt_ir_ins *i = qt_ir_emit(&l->b, op, m->row, v);

	i->imm = m->offset + offset;
	i->atomic = l->nests[m->map];
	i->sign = op == QT_IR_row_hist && m->sign;
}

static void add_one(struct qt_lower *l, const struct metric_at *m, uint32_t offset)
{
	row_op(l, m, QT_IR_row_add, qt_ir_const(&l->b, 1), offset);
}

static void metric_count(struct qt_lower *l, const struct metric_at *m)
{
	add_one(l, m, 0);
}

static void metric_sum(struct qt_lower *l, const struct metric_at *m)
{
	row_op(l, m, QT_IR_row_add, m->value, 0);
}

static void metric_avg(struct qt_lower *l, const struct metric_at *m)
{
	metric_sum(l, m);
	add_one(l, m, 8);
}

/* The stored form is the value under one exclusive or; see metrics.def. */
static void extreme(struct qt_lower *l, const struct metric_at *m, enum qt_metric which)
{
	uint64_t mask = qt_extreme_encode(which, 0, m->sign);
	uint32_t stored = mask ? qt_ir_bin(&l->b, QT_IR_xor, m->value, qt_ir_const(&l->b, mask)) : m->value;

	row_op(l, m, QT_IR_row_max, stored, 0);
	add_one(l, m, 8);
}

static void metric_min(struct qt_lower *l, const struct metric_at *m)
{
	extreme(l, m, QT_METRIC_min);
}

static void metric_max(struct qt_lower *l, const struct metric_at *m)
{
	extreme(l, m, QT_METRIC_max);
}

static void metric_hist(struct qt_lower *l, const struct metric_at *m)
{
	row_op(l, m, QT_IR_row_hist, m->value, 0);
}

static void (*const metrics[QT_METRIC_COUNT])(struct qt_lower *l, const struct metric_at *m) = {
	[QT_METRIC_count] = metric_count, [QT_METRIC_sum] = metric_sum, [QT_METRIC_avg] = metric_avg,
	[QT_METRIC_min] = metric_min,	  [QT_METRIC_max] = metric_max, [QT_METRIC_hist] = metric_hist,
};

void qt_lower_tag(struct qt_lower *l, const struct qt_stmt *s)
{
	const struct qt_tag *tag = &l->program->tags.items[s->index];
	struct keys k = keys_of(l, s->keys.items, s->keys.len);
	uint32_t *args = QT_NEW_ARRAY(l->arena, uint32_t, s->args.len), done = qt_flow_block(l);
	struct metric_at m = { .map = qt_layout_tag_map(s->index) };

	for (uint32_t n = 0; n < s->args.len; n++)
		args[n] = s->args.items[n] ? qt_lower_word(l, s->args.items[n]) : 0;
	m.row = upsert(l, &k, m.map, s->span, done);
	for (uint32_t n = 0; n < tag->metrics.len; n++) {
		const struct qt_column *column = &tag->metrics.items[n];

		m.value = n < s->args.len ? args[n] : 0;
		m.sign = column->type.is_signed;
		metrics[column->metric](l, &m);
		m.offset += qt_metric_info(column->metric)->words * 8;
	}
	qt_flow_join(l, done);
}

/* ---- statements on maps ---- */

void qt_lower_map_agg(struct qt_lower *l, const struct qt_stmt *s)
{
	const struct qt_column *value = &l->program->maps.items[s->index].value;
	struct keys k = keys_of(l, s->keys.items, s->keys.len);
	uint32_t done = qt_flow_block(l);
	struct metric_at m = { .map = qt_layout_map_map(l, s->index), .sign = value->type.is_signed };

	m.value = s->a ? qt_lower_word(l, s->a) : 0;
	m.row = upsert(l, &k, m.map, s->span, done);
	metrics[value->metric](l, &m);
	qt_flow_join(l, done);
}

void qt_lower_map_add(struct qt_lower *l, const struct qt_stmt *s)
{
	struct keys k = keys_of(l, s->keys.items, s->keys.len);
	uint32_t v = qt_lower_word(l, s->a), done = qt_flow_block(l), row = upsert(l, &k, qt_layout_map_map(l, s->index), s->span, done);
	struct qt_ir_ins *i = qt_ir_emit(&l->b, QT_IR_row_add, row, v);

	i->atomic = true;
	qt_flow_join(l, done);
}

/* A value: one word, or one for each part of a tuple. */
struct words {
	uint32_t *items, len;
};

static struct words values_of(struct qt_lower *l, const struct qt_stmt *s)
{
	struct words v = { QT_NEW_ARRAY(l->arena, uint32_t, s->args.len + 1), s->a ? 1 : s->args.len };

	for (uint32_t n = 0; n < v.len; n++)
		v.items[n] = qt_lower_word(l, s->a ? s->a : s->args.items[n]);
	return v;
}

/* Without keys there is one row, which mostly is there already: the words are stored in place. */
static void store_only_row(struct qt_lower *l, const struct keys *k, uint32_t map, struct words v, struct qt_span span)
{
	uint32_t done = qt_flow_block(l), row = upsert(l, k, map, span, done);

	for (uint32_t n = 0; n < v.len; n++)
		qt_flow_sized(l, QT_IR_row_store, row, v.items[n], n * 8, 8, false);
	qt_flow_join(l, done);
}

static void put_row(struct qt_lower *l, const struct keys *k, uint32_t map, struct words v, struct qt_span span)
{
	uint32_t done = qt_flow_block(l), full = qt_flow_count(l, QT_LOSS_map_full, table_of(l, map)->name, done);
	uint32_t key = key_buf(l, k, map, span), value = qt_flow_words(l, v.len * 8, span);
	struct qt_ir_ins *i;

	for (uint32_t n = 0; n < v.len; n++)
		qt_flow_buf(l, QT_IR_buf_store, v.items[n], n * 8, value);
	i = qt_ir_emit(&l->b, QT_IR_map_put, 0, 0);
	i->imm = map;
	i->buf = key;
	i->buf2 = value;
	i->fail = full;
	qt_flow_words_done(l, key);
	qt_flow_words_done(l, value);
	qt_flow_join(l, done);
}

void qt_lower_map_set(struct qt_lower *l, const struct qt_stmt *s)
{
	struct keys k = keys_of(l, s->keys.items, s->keys.len);
	struct words v = values_of(l, s);
	uint32_t map = qt_layout_map_map(l, s->index);

	if (k.len)
		put_row(l, &k, map, v, s->span);
	else
		store_only_row(l, &k, map, v, s->span);
}

void qt_lower_map_delete(struct qt_lower *l, const struct qt_stmt *s)
{
	struct keys k = keys_of(l, s->keys.items, s->keys.len);
	uint32_t map = qt_layout_map_map(l, s->index), buf = key_buf(l, &k, map, s->span);

	qt_flow_buf(l, QT_IR_map_delete, 0, map, buf);
	qt_flow_words_done(l, buf);
}

/* ---- expressions on maps ---- */

/* Absent: 0, or the empty text. */
static uint32_t plain_value(struct qt_lower *l, const struct qt_expr *e, const struct keys *k, uint32_t map)
{
	uint32_t slot = qt_flow_slot(l), done = qt_flow_block(l), buf, row, empty;

	if (e->type.kind == QT_TYPE_STR) {
		empty = qt_flow_op(l, QT_IR_config, 0, 0, QT_CONFIG_LITERALS + qt_layout_literal(l, QT_STR("")));
		qt_flow_op(l, QT_IR_slot_store, empty, 0, slot);
	}
	buf = key_buf(l, k, map, e->span);
	row = qt_flow_buf_may_fail(l, QT_IR_map_get, 0, map, buf, done);
	qt_flow_words_done(l, buf);
	qt_flow_op(l, QT_IR_slot_store, qt_flow_sized(l, QT_IR_row_load, row, 0, e->offset, 8, false), 0, slot);
	qt_flow_join(l, done);
	return qt_flow_op(l, QT_IR_slot_load, 0, 0, slot);
}

static uint32_t keys_buf(struct qt_lower *l, const void *keys, uint32_t map, struct qt_span span)
{
	return key_buf(l, keys, map, span);
}

uint32_t qt_lower_map_read(struct qt_lower *l, const struct qt_expr *e)
{
	struct keys k = keys_of(l, e->args.items, e->args.len);
	const struct qt_column *value = &l->program->maps.items[e->index].value;
	uint32_t map = qt_layout_map_map(l, e->index);

	return value->metric == QT_METRIC_COUNT ? plain_value(l, e, &k, map) : qt_lower_metric(l, value, map, keys_buf, &k, e->span);
}

uint32_t qt_lower_map_incdec(struct qt_lower *l, const struct qt_expr *e)
{
	struct keys k = keys_of(l, e->a->args.items, e->a->args.len);
	uint32_t slot = qt_flow_slot(l), done = qt_flow_block(l), step = qt_ir_const(&l->b, e->value);
	uint32_t row = upsert(l, &k, qt_layout_map_map(l, e->a->index), e->span, done), v;

	v = qt_flow_op(l, QT_IR_row_fetch_add, row, step, 0);
	if (e->index)
		v = qt_ir_bin(&l->b, QT_IR_add, v, step);
	qt_flow_op(l, QT_IR_slot_store, v, 0, slot);
	qt_flow_join(l, done);
	return qt_flow_op(l, QT_IR_slot_load, 0, 0, slot);
}
