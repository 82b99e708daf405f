/* The interpreter: a machine of maps, memory and a ring, and the loop that runs a program on an event through a table of one function an operation. */
#include "base/check.h"
#include "ir/eval_internal.h"

#include <string.h>

#define STEPS_MAX 1000000000u /* loops have bounds: only a mistake in qtrace gets here */
#define MEMORY_BASE 0x10000000ull
#define MEMORY_GAP 4096u
#define SEED0 0x243f6a8885a308d3ull /* digits of pi: any fixed seed gives the same ids in each run */
#define SEED1 0x13198a2e03707344ull

static const qt_eval_fn fns[QT_IR_OPS] = {
#define OP(name, result, a, b, flags, text) qt_eval_##name,
#include "ir/ops.def"
#undef OP
};

/* ---- the machine ---- */

static void map_make(struct qt_machine *m, uint32_t k)
{
	const struct qt_plan_map *map = &m->ir->plan->maps.items[k];

	if (map->max_entries && (map->kind == QT_MAP_HASH || map->kind == QT_MAP_PERCPU_HASH))
		qt_eval_table_init(&m->maps[k], m->arena, map->key_size, map->value_size, map->kind == QT_MAP_HASH ? 1 : m->ncpu, map->max_entries);
}

static void literals_make(struct qt_machine *m)
{
	const struct qt_plan *p = m->ir->plan;
	struct qt_text *text = qt_arena_alloc(m->arena, qt_plan_text_size(p));

	for (uint32_t k = 0; k < p->literals.len; k++) {
		struct qt_str s = p->literals.items[k];
		uint64_t id = qt_text_id(s.ptr, s.len, SEED0, SEED1);

		memset(text, 0, qt_plan_text_size(p));
		text->len = (uint32_t)(s.len < p->max_strlen ? s.len : p->max_strlen);
		text->flags = s.len > p->max_strlen ? QT_TEXT_TRUNCATED : 0;
		memcpy(text->bytes, s.ptr, text->len);
		m->config[QT_CONFIG_LITERALS + k] = id;
		if (m->maps[QT_MAP_STRINGS].buckets)
			qt_eval_intern(m, id, text);
	}
}

struct qt_machine *qt_machine_new(struct qt_ir *ir, unsigned ncpu)
{
	struct qt_arena *arena = qt_arena_new();
	struct qt_machine *m = QT_NEW(arena, struct qt_machine);
	const struct qt_plan *p = ir->plan;

	QT_ASSERT(ncpu >= 1 && ncpu <= 64);
	m->arena = arena;
	m->ir = ir;
	m->ncpu = ncpu;
	m->live[QT_LIVE_ENABLED] = 1;
	m->config = QT_NEW_ARRAY(arena, uint64_t, QT_CONFIG_LITERALS + p->literals.len);
	for (uint32_t k = 0; k < p->asks.len; k++)
		m->config[QT_CONFIG_ASKS + k] = p->asks.items[k].kind == QT_ASK_cpus ? ncpu : 0;
	m->config[QT_CONFIG_SEED0] = SEED0;
	m->config[QT_CONFIG_SEED1] = SEED1;
	m->counters = QT_NEW_ARRAY(arena, uint64_t, (size_t)ncpu * p->counters.len);
	m->maps = QT_NEW_ARRAY(arena, struct qt_eval_table, p->maps.len);
	for (uint32_t k = 0; k < p->maps.len; k++)
		map_make(m, k);
	qt_eval_table_init(&m->tasks, arena, sizeof(uint64_t), p->maps.items[QT_MAP_CONTEXT].value_size, 1, 0);
	m->next_address = MEMORY_BASE;
	m->ring_bytes = p->maps.items[QT_MAP_RING].max_entries;
	m->random = SEED0;
	literals_make(m);
	qt_eval_store_init(m);
	return m;
}

void qt_machine_free(struct qt_machine *m)
{
	if (m)
		qt_arena_free(m->arena);
}

uint64_t qt_machine_memory(struct qt_machine *m, const void *bytes, size_t len)
{
	uint64_t address = m->next_address;

	*qt_vec_push(m->arena, &m->memory) = (struct qt_eval_region){ address, len + 1, (unsigned char *)qt_arena_strndup(m->arena, bytes, len) };
	m->next_address = address + QT_ALIGN(len + 1, MEMORY_GAP) + MEMORY_GAP;
	return address;
}

void qt_machine_thread_exit(struct qt_machine *m, uint32_t tid)
{
	uint64_t key = tid;

	qt_eval_table_delete(&m->tasks, &key);
}

const struct qt_store *qt_machine_store(struct qt_machine *m)
{
	return &m->store;
}

void qt_machine_drain(struct qt_machine *m, qt_record_fn fn, void *ctx)
{
	qt_vec_each (record, &m->records)
		fn(record->bytes, record->size, ctx);
	m->records.len = 0;
	m->ring_used = 0;
}

bool qt_machine_exited(const struct qt_machine *m, int *code)
{
	uint64_t word = m->live[QT_LIVE_EXIT];

	if (word)
		*code = (int)(word - 1);
	return word != 0;
}

void qt_machine_set_ring(struct qt_machine *m, uint64_t bytes)
{
	m->ring_bytes = bytes;
}

/* ---- running ---- */

static bool run_steps(struct qt_run *r)
{
	for (uint32_t steps = 0; !r->done; steps++) {
		const struct qt_ir_ins *i = &r->fn->blocks.items[r->block].ins.items[r->at++];

		if (steps == STEPS_MAX)
			return false;
		if (!fns[i->op](r, i)) {
			r->block = i->fail;
			r->at = 0;
		}
	}
	return true;
}

static void bufs_make(struct qt_run *r, struct qt_arena *arena)
{
	r->bufs = QT_NEW_ARRAY(arena, unsigned char *, r->fn->bufs.len);
	for (uint32_t k = 0; k < r->fn->bufs.len; k++) {
		const struct qt_ir_buf *buf = &r->fn->bufs.items[k];

		r->bufs[k] = qt_arena_alloc(arena, buf->kind == QT_IR_BUF_WORDS ? buf->size : qt_plan_text_size(r->m->ir->plan));
	}
}

static bool run_fn(struct qt_machine *m, const struct qt_ir_fn *fn, const struct qt_event *event, uint32_t probe)
{
	struct qt_arena *arena = qt_arena_new();
	struct qt_run r = { .m = m, .fn = fn, .event = event, .probe = probe, .cpu = event->cpu % m->ncpu, .arena = arena };
	bool ok;

	r.values = QT_NEW_ARRAY(arena, uint64_t, fn->nvalues + 1);
	r.slots = QT_NEW_ARRAY(arena, uint64_t, fn->nslots);
	bufs_make(&r, arena);
	ok = run_steps(&r);
	qt_arena_free(arena);
	return ok;
}

/* The point of FN's program that EVENT hits; its number among the probes in *PROBE. */
static bool point_find(const struct qt_plan *p, const struct qt_ir_fn *fn, const struct qt_event *event, uint32_t *probe)
{
	qt_vec_each (point, &p->points) {
		if (point->prog != fn->prog || strcmp(p->probes.items[point->probe].text, event->probe) != 0)
			continue;
		if (event->site && event->site != point->offset)
			continue;
		*probe = point->probe;
		return true;
	}
	return false;
}

static bool same_rule(const struct qt_ir_fn *a, const struct qt_ir_fn *b)
{
	return a->span.file && a->span.file == b->span.file && a->span.begin == b->span.begin && a->span.end == b->span.end;
}

/* Sites with other layouts of their arguments have programs of their own; an event is at one site, so that the first stands for all. */
static bool stands_for_another(const struct qt_machine *m, uint32_t k, const struct qt_event *event, bool entry)
{
	const struct qt_plan *p = m->ir->plan;
	const struct qt_ir_fn *fn = &m->ir->fns.items[k];
	uint32_t probe;

	for (uint32_t j = 0; j < k; j++) {
		const struct qt_ir_fn *before = &m->ir->fns.items[j];

		if ((p->progs.items[before->prog].role == QT_ROLE_ENTRY) == entry && same_rule(fn, before) && point_find(p, before, event, &probe))
			return true;
	}
	return false;
}

/* Runs the entry programs, or all others; false after a broken one. */
static bool run_matching(struct qt_machine *m, const struct qt_event *event, bool entry, int *n)
{
	const struct qt_plan *p = m->ir->plan;
	uint32_t probe;

	for (uint32_t k = 0; k < m->ir->fns.len; k++) {
		const struct qt_ir_fn *fn = &m->ir->fns.items[k];

		if ((p->progs.items[fn->prog].role == QT_ROLE_ENTRY) != entry || !point_find(p, fn, event, &probe))
			continue;
		if (stands_for_another(m, k, event, entry))
			continue;
		if (!run_fn(m, fn, event, probe))
			return false;
		++*n;
	}
	return true;
}

int qt_machine_run(struct qt_machine *m, const struct qt_event *event)
{
	int n = 0;

	if (!run_matching(m, event, true, &n) || !run_matching(m, event, false, &n))
		return -1;
	return n;
}
