/* The kernel's maps as a store for the reader of results: batched look-ups, per-CPU counters, texts by their id with a cache that lives
 * for one report. Taking (reading and emptying in one step) loses nothing where all columns of a tag are sums: their rows stay, and what was
 * told is subtracted. Other entries are read and deleted by one operation of the kernel; an update that is under way in that very moment is lost. */
#include "base/check.h"
#include "runtime/baseline.h"
#include "runtime/runtime_internal.h"
#include "runtime/show.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_BYTES (1u << 20)
#define BATCH_MIN 64u
#define BATCH_MAX 4096u

/* ---- entries --------------------------------------------------------------------------------------------------------- */

struct batch {
	char *keys, *values;
	uint32_t room; /* entries */
	uint64_t key_size, row_size; /* row: the values of all CPUs */
	uint64_t cursor[32]; /* opaque to us: a bucket number, or a key for maps of other kinds (at most 256 bytes) */
};

static void batch_make(struct batch *b, uint32_t room)
{
	free(b->keys);
	free(b->values);
	b->room = room;
	b->keys = qt_xcalloc(room, b->key_size);
	b->values = qt_xcalloc(room, b->row_size);
}

static void batch_open(struct batch *b, const struct qt_plan_map *m, unsigned ncpu)
{
	uint64_t room;

	memset(b, 0, sizeof(*b));
	b->key_size = m->key_size;
	b->row_size = QT_ALIGN((uint64_t)m->value_size, 8) * ncpu;
	room = BATCH_BYTES / (b->key_size + b->row_size);
	batch_make(b, room < BATCH_MIN ? BATCH_MIN : room > BATCH_MAX ? BATCH_MAX : (uint32_t)room);
}

static void batch_close(struct batch *b)
{
	free(b->keys);
	free(b->values);
}

/* One step. *COUNT entries were read; 1: more may follow, 0: that was the end, else a negative errno. */
static int batch_step(struct batch *b, int fd, bool take, bool first, uint32_t *count)
{
	int (*look)(int, void *, void *, void *, void *, __u32 *, const struct bpf_map_batch_opts *) =
		take ? bpf_map_lookup_and_delete_batch : bpf_map_lookup_batch;

	for (;;) {
		uint64_t from[32];
		int err;

		memcpy(from, b->cursor, sizeof(from));
		*count = b->room;
		err = look(fd, first ? NULL : from, b->cursor, b->keys, b->values, count, NULL);
		if (!err)
			return 1;
		if (err == -ENOENT)
			return 0;
		*count = 0;
		if (err != -ENOSPC || b->room > 1u << 24) /* ENOSPC: one bucket has more entries than we have room for */
			return err;
		memcpy(b->cursor, from, sizeof(from));
		batch_make(b, b->room * 2);
	}
}

static bool give(const struct batch *b, uint32_t count, unsigned ncpu, qt_store_entry_fn fn, void *ctx)
{
	for (uint32_t i = 0; i < count; i++)
		if (!fn(b->keys + i * b->key_size, b->values + i * b->row_size, ncpu, ctx))
			return false;
	return true;
}

static bool give_none(const void *key, const void *values, unsigned ncpu, void *ctx)
{
	(void)key, (void)values, (void)ncpu, (void)ctx;
	return true;
}

static int walk_hash(struct qt_kernel_store *s, uint32_t map, bool take, qt_store_entry_fn fn, void *ctx)
{
	const struct qt_plan_map *m = &s->plan->maps.items[map];
	unsigned ncpu = m->kind == QT_MAP_PERCPU_HASH ? s->ncpu : 1;
	struct batch b;
	uint32_t count;
	int more = 1;

	batch_open(&b, m, ncpu);
	for (bool first = true; more > 0; first = false) {
		more = batch_step(&b, s->loaded->map_fds[map], take, first, &count);
		if (more >= 0 && !give(&b, count, ncpu, fn, ctx))
			break;
	}
	batch_close(&b);
	return more < 0 ? more : 0;
}

/* ---- tables of sums -------------------------------------------------------------------------------------------------- */

struct sums {
	struct qt_kernel_store *s;
	struct qt_baseline *told;
	uint32_t map, seen;
	unsigned ncpu;
	bool deleted; /* the row that is given is not in the map any more */
	qt_store_entry_fn fn;
	void *ctx;
};

static uint64_t row_words(const struct qt_kernel_store *s, uint32_t map)
{
	return QT_ALIGN((uint64_t)s->plan->maps.items[map].value_size, 8) / 8 * s->ncpu;
}

/* A row that did not change since the last report makes room for others. What it got after it was read is still given. */
static bool drop_idle(struct sums *m, const void *key, uint64_t *row)
{
	int err = bpf_map_lookup_and_delete_elem(m->s->loaded->map_fds[m->map], key, row);
	bool any = !err && qt_baseline_since(m->told, key, row, false);

	qt_baseline_forget(m->told, key);
	return any ? m->fn(key, row, m->ncpu, m->ctx) : true;
}

static bool give_since(const void *key, const void *values, unsigned ncpu, void *ctx)
{
	struct sums *m = ctx;
	uint64_t *row = (uint64_t *)values; /* ours: the batch's room */

	(void)ncpu;
	m->seen++;
	if (qt_baseline_since(m->told, key, row, m->s->taking && !m->deleted))
		return m->fn(key, row, m->ncpu, m->ctx);
	return m->s->taking && !m->deleted ? drop_idle(m, key, row) : true;
}

static bool is_nearly_full(uint64_t rows, uint64_t room)
{
	return room > 1 && rows * 4 >= room * 3; /* the row of a table without keys is always there */
}

static int walk_sums(struct qt_kernel_store *s, uint32_t map, qt_store_entry_fn fn, void *ctx)
{
	struct sums m = { .s = s, .told = s->told[map], .map = map, .ncpu = s->ncpu, .fn = fn, .ctx = ctx };
	int err = walk_hash(s, map, false, give_since, &m);

	if (err || !s->taking || !is_nearly_full(m.seen, s->plan->maps.items[map].max_entries))
		return err;
	m.deleted = true; /* nearly full: room for new rows is worth more than the last update */
	err = walk_hash(s, map, true, give_since, &m);
	qt_baseline_forget_all(m.told);
	return err;
}

/* Whether all that TABLE shows of an event can be added and subtracted. */
static bool is_sums(const struct qt_plan_table *t)
{
	qt_vec_each (f, &t->columns)
		if (f->kind != QT_FIELD_METRIC || f->metric == QT_METRIC_min || f->metric == QT_METRIC_max)
			return false;
	return t->kind == QT_TABLE_TAG;
}

static void open_baselines(struct qt_kernel_store *s)
{
	s->told = qt_xcalloc(s->plan->maps.len + 1, sizeof(struct qt_baseline *));
	qt_vec_each (t, &s->plan->tables)
		if (is_sums(t) && s->plan->maps.items[t->map].kind == QT_MAP_PERCPU_HASH && !s->told[t->map])
			s->told[t->map] = qt_baseline_new(s->plan->maps.items[t->map].key_size, (uint32_t)row_words(s, t->map));
}

static void close_baselines(struct qt_kernel_store *s)
{
	for (uint32_t i = 0; i < s->plan->maps.len; i++)
		qt_baseline_free(s->told[i]);
	free(s->told);
}

/* ---- any map --------------------------------------------------------------------------------------------------------- */

static int walk_array(struct qt_kernel_store *s, uint32_t map, qt_store_entry_fn fn, void *ctx)
{
	const struct qt_plan_map *m = &s->plan->maps.items[map];
	int fd = s->loaded->map_fds[map], err = 0;
	uint64_t *values = qt_xcalloc(row_words(s, map), sizeof(*values)), *zero = qt_xcalloc(row_words(s, map), sizeof(*zero));

	for (uint32_t i = 0; i < m->max_entries && !err; i++) {
		err = bpf_map_lookup_elem(fd, &i, values);
		if (!err && s->taking)
			err = bpf_map_update_elem(fd, &i, zero, BPF_ANY);
		if (!err && !fn(&i, values, s->ncpu, ctx))
			break;
	}
	free(values);
	free(zero);
	return err;
}

static bool is_hash(enum qt_map_kind k)
{
	return k == QT_MAP_HASH || k == QT_MAP_PERCPU_HASH;
}

static int entries(void *self, uint32_t map, qt_store_entry_fn fn, void *ctx)
{
	struct qt_kernel_store *s = self;
	enum qt_map_kind kind = s->plan->maps.items[map].kind;

	if (s->loaded->map_fds[map] < 0)
		return 0;
	if (s->told[map])
		return walk_sums(s, map, fn, ctx);
	if (is_hash(kind))
		return walk_hash(s, map, s->taking, fn, ctx);
	return kind == QT_MAP_PERCPU_ARRAY ? walk_array(s, map, fn, ctx) : -EINVAL;
}

static int clear(void *self, uint32_t map)
{
	struct qt_kernel_store *s = self;
	bool taking = s->taking;
	int err;

	s->taking = true;
	err = entries(self, map, give_none, NULL);
	s->taking = taking;
	return err;
}

/* ---- counters -------------------------------------------------------------------------------------------------------- */

static uint64_t read_counter(struct qt_kernel_store *s, uint32_t counter)
{
	const struct qt_plan_map *m = &s->plan->maps.items[QT_MAP_COUNTERS];
	uint64_t stride = QT_ALIGN(m->value_size, 8) / 8, sum = 0;
	uint32_t key = 0;

	if (s->loaded->map_fds[QT_MAP_COUNTERS] < 0 || counter >= stride ||
	    bpf_map_lookup_elem(s->loaded->map_fds[QT_MAP_COUNTERS], &key, s->counters))
		return 0;
	for (unsigned cpu = 0; cpu < s->ncpu; cpu++)
		sum += ((const uint64_t *)s->counters)[cpu * stride + counter];
	return sum;
}

/* While taking, a count of untagged events is taken too: the next one begins where this one ended. Losses stay those of the whole run. */
static uint64_t counter_since(void *self, uint32_t counter)
{
	struct qt_kernel_store *s = self;
	uint64_t now = read_counter(s, counter), since = now - s->baseline[counter];

	if (s->taking && s->plan->counters.items[counter].cause == QT_NOT_A_LOSS)
		s->baseline[counter] = now;
	return since;
}

/* ---- texts ----------------------------------------------------------------------------------------------------------- */

static struct qt_text *fetch_text(struct qt_kernel_store *s, uint64_t id)
{
	struct qt_text *value = s->value, *copy;
	uint32_t room = s->plan->maps.items[QT_MAP_STRINGS].value_size;

	if (s->loaded->map_fds[QT_MAP_STRINGS] < 0 || bpf_map_lookup_elem(s->loaded->map_fds[QT_MAP_STRINGS], &id, value))
		return NULL;
	if (value->len > room - sizeof(*value))
		return NULL;
	copy = qt_arena_alloc(s->texts, sizeof(*copy) + value->len + 1);
	memcpy(copy, value, sizeof(*copy) + value->len);
	qt_map_put(s->texts, &s->known, id, copy);
	return copy;
}

static const char *text(void *self, uint64_t id, uint32_t *len, uint32_t *flags)
{
	struct qt_kernel_store *s = self;
	struct qt_text *t = qt_map_get(&s->known, id);

	if (!t)
		t = fetch_text(s, id);
	if (!t)
		return NULL;
	*len = t->len;
	*flags = t->flags;
	return t->bytes;
}

static bool show(void *self, enum qt_shown shown, const void *bytes, uint32_t len, struct qt_buf *out)
{
	return qt_shower_show(((struct qt_kernel_store *)self)->shower, shown, bytes, len, out);
}

void qt_store_forget(struct qt_kernel_store *s)
{
	if (!s->known.len)
		return;
	qt_arena_free(s->texts);
	s->texts = qt_arena_new();
	s->known = (struct qt_map){ 0 };
}

/* ---- opening --------------------------------------------------------------------------------------------------------- */

void qt_store_open(struct qt_kernel_store *s, const struct qt_run *run, const struct qt_loaded *loaded)
{
	const struct qt_plan *plan = run->plan;

	*s = (struct qt_kernel_store){ .plan = plan, .loaded = loaded, .ncpu = qt_target_kernel(run->target)->cpus };
	s->store = (struct qt_store){ .self = s, .entries = entries, .clear = clear, .counter = counter_since, .text = text, .show = show };
	s->shower = qt_shower_new(run->target);
	s->baseline = qt_xcalloc(plan->counters.len + 1, sizeof(*s->baseline));
	open_baselines(s);
	s->counters = qt_xcalloc(s->ncpu, QT_ALIGN(plan->maps.items[QT_MAP_COUNTERS].value_size, 8) + 8);
	s->value = qt_xcalloc(1, plan->maps.items[QT_MAP_STRINGS].value_size + sizeof(struct qt_text));
	s->texts = qt_arena_new();
}

void qt_store_close(struct qt_kernel_store *s)
{
	if (!s->texts)
		return;
	qt_shower_free(s->shower);
	close_baselines(s);
	free(s->baseline);
	free(s->counters);
	free(s->value);
	qt_arena_free(s->texts);
	s->texts = NULL;
}
