/* The plan and the store of plan_sample.h. */
#include "tests/unit/plan_sample.h"

#include <errno.h>
#include <string.h>

struct qt_field sample_metric(const char *name, enum qt_metric m, bool is_signed, enum qt_unit unit, uint32_t offset)
{
	return (struct qt_field){ .name = name, .kind = QT_FIELD_METRIC, .metric = m, .is_signed = is_signed, .unit = unit, .offset = offset };
}

static void add_maps(struct qt_plan *p)
{
	static const struct qt_plan_map maps[] = {
		{ "counters", QT_MAP_PERCPU_ARRAY, 4, 8 * SAMPLE_COUNTERS, 1, false },
		{ "strings", QT_MAP_HASH, 8, 80, 128, false },
		{ .name = "context", .kind = QT_MAP_TASK_STORAGE },
		{ .name = "scratch", .kind = QT_MAP_PERCPU_ARRAY },
		{ "ring", QT_MAP_RINGBUF, 0, 0, 4096, false },
		{ .name = "filter", .kind = QT_MAP_HASH },
		{ .name = "threads", .kind = QT_MAP_ARRAY },
		{ "tag0", QT_MAP_PERCPU_HASH, 24, 8 * SAMPLE_TAG_WORDS, 128, true },
		{ "funcs", QT_MAP_PERCPU_HASH, 8, 8, 128, true },
		{ "plain", QT_MAP_HASH, 8, 8, 128, false },
	};

	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++)
		*qt_vec_push(p->arena, &p->maps) = maps[i];
}

static struct qt_plan_table *add_table(struct qt_plan *p, enum qt_table_kind kind, const char *name, uint32_t map, struct qt_field key)
{
	struct qt_plan_table *t = qt_vec_push(p->arena, &p->tables);

	*t = (struct qt_plan_table){ .kind = kind, .name = name, .map = map, .untagged = -1 };
	*qt_vec_push(p->arena, &t->keys) = key;
	return t;
}

static void add_tables(struct qt_plan *p)
{
	static const struct {
		enum qt_metric m;
		enum qt_unit unit;
	} columns[] = { { QT_METRIC_count, QT_UNIT_NONE }, { QT_METRIC_sum, QT_UNIT_BYTES }, { QT_METRIC_avg, QT_UNIT_NS },
			{ QT_METRIC_min, QT_UNIT_NONE },   { QT_METRIC_max, QT_UNIT_NONE },  { QT_METRIC_hist, QT_UNIT_NS } };
	struct qt_plan_table *t = add_table(p, QT_TABLE_TAG, "reads", QT_MAP_FIXED, (struct qt_field){ .name = "sql", .kind = QT_FIELD_TEXT });
	uint32_t offset = 0;

	t->untagged = SAMPLE_UNTAGGED;
	*qt_vec_push(p->arena, &t->keys) = (struct qt_field){ .name = "comm", .kind = QT_FIELD_COMM, .offset = 8 };
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		*qt_vec_push(p->arena, &t->columns) =
			sample_metric(qt_metric_info(columns[i].m)->name, columns[i].m,
				      columns[i].m == QT_METRIC_min || columns[i].m == QT_METRIC_max, columns[i].unit, offset);
		offset += 8 * qt_metric_info(columns[i].m)->words;
	}
	t = add_table(p, QT_TABLE_MAP, "@funcs", QT_MAP_FIXED + 1, (struct qt_field){ .name = "func", .kind = QT_FIELD_FUNC });
	*qt_vec_push(p->arena, &t->columns) = sample_metric("count", QT_METRIC_count, false, QT_UNIT_NONE, 0);
	t = add_table(p, QT_TABLE_MAP, "@plain", QT_MAP_FIXED + 2, (struct qt_field){ .name = "arg0", .kind = QT_FIELD_INT });
	*qt_vec_push(p->arena, &t->columns) = (struct qt_field){ .name = "value", .kind = QT_FIELD_INT };
}

static void add_programs(struct qt_plan *p)
{
	*qt_vec_push(p->arena, &p->progs) =
		(struct qt_plan_prog){ .name = "rule0", .hook = QT_HOOK_uprobe, .probe = "uprobe:./t:f*", .file = "t.qt", .line = 3, .column = 1 };
	for (uint32_t i = 0; i < 3; i++) {
		static const struct qt_plan_probe probes[] = { { "uprobe:/t:fa", "fa" }, { "uprobe:/u:fa", "fa" }, { "uprobe:/t:fb", "fb" } };

		*qt_vec_push(p->arena, &p->points) = (struct qt_plan_point){ .prog = 0, .probe = i, .path = "/t", .offset = 0x1000 + i };
		*qt_vec_push(p->arena, &p->probes) = probes[i];
	}
}

static void add_piece(struct qt_plan *p, struct qt_plan_format *f, enum qt_conv conv, const char *text)
{
	*qt_vec_push(p->arena, &f->pieces) = (struct qt_plan_piece){ .conv = conv, .text = qt_str_from(text), .width = -1, .precision = -1 };
}

/* printf("%s says %d, %s\n", text, number, comm) */
static void add_format(struct qt_plan *p)
{
	struct qt_plan_format *f = qt_vec_push(p->arena, &p->formats);

	add_piece(p, f, QT_CONV_STR, "");
	add_piece(p, f, QT_CONV_TEXT, " says\t");
	add_piece(p, f, QT_CONV_INT, "");
	add_piece(p, f, QT_CONV_TEXT, ", ");
	add_piece(p, f, QT_CONV_STR, "");
	add_piece(p, f, QT_CONV_TEXT, "\n");
	*qt_vec_push(p->arena, &f->args) = (struct qt_field){ .kind = QT_FIELD_TEXT, .offset = 0 };
	*qt_vec_push(p->arena, &f->args) = (struct qt_field){ .kind = QT_FIELD_INT, .offset = 8 };
	*qt_vec_push(p->arena, &f->args) = (struct qt_field){ .kind = QT_FIELD_COMM, .offset = 16 };
}

struct qt_plan *sample_plan(void)
{
	struct qt_plan *p = qt_plan_new();

	p->max_strlen = 64;
	p->object = "not really an object";
	p->object_size = 20;
	add_maps(p);
	add_tables(p);
	add_programs(p);
	add_format(p);
	*qt_vec_push(p->arena, &p->counters) = (struct qt_plan_counter){ QT_NOT_A_LOSS, "reads" };
	*qt_vec_push(p->arena, &p->counters) = (struct qt_plan_counter){ QT_LOSS_map_full, "reads" };
	*qt_vec_push(p->arena, &p->counters) = (struct qt_plan_counter){ QT_LOSS_truncated, NULL };
	*qt_vec_push(p->arena, &p->literals) = (struct qt_str){ "a\0b", 3 };
	return p;
}

static int entries(void *self, uint32_t map, qt_store_entry_fn fn, void *ctx)
{
	struct sample_store *s = self;
	uint32_t size = s->plan->maps.items[map].value_size;
	unsigned ncpu = s->plan->maps.items[map].kind == QT_MAP_HASH ? 1 : SAMPLE_CPUS;

	for (unsigned i = 0; i < s->nentries; i++) {
		char values[SAMPLE_CPUS * sizeof(s->entries[0].values[0])];

		if (s->entries[i].map != map)
			continue;
		for (unsigned cpu = 0; cpu < ncpu; cpu++)
			memcpy(values + cpu * size, s->entries[i].values[cpu], size);
		if (!fn(s->entries[i].key, values, ncpu, ctx))
			break;
	}
	return map == QT_MAP_CONTEXT ? -EINVAL : 0;
}

static uint64_t counter(void *self, uint32_t c)
{
	return ((struct sample_store *)self)->counters[c];
}

static const char *text(void *self, uint64_t id, uint32_t *len, uint32_t *flags)
{
	struct sample_store *s = self;

	for (unsigned i = 0; i < s->ntexts; i++) {
		if (s->texts[i].id != id)
			continue;
		*len = (uint32_t)strlen(s->texts[i].text);
		*flags = s->texts[i].flags;
		return s->texts[i].text;
	}
	return NULL;
}

void sample_store_init(struct sample_store *s, const struct qt_plan *p)
{
	memset(s, 0, sizeof(*s));
	s->plan = p;
	s->store = (struct qt_store){ .self = s, .entries = entries, .counter = counter, .text = text };
}

struct sample_entry *sample_put(struct sample_store *s, uint32_t map, uint64_t k0, uint64_t k1, uint64_t k2)
{
	struct sample_entry *e = &s->entries[s->nentries++];

	e->map = map;
	e->key[0] = k0;
	e->key[1] = k1;
	e->key[2] = k2;
	return e;
}

void sample_text(struct sample_store *s, uint64_t id, const char *value, uint32_t flags)
{
	s->texts[s->ntexts++] = (struct sample_text){ id, value, flags };
}
