/* The plan's tables: maps, fields, counters, literals, probes; and how keys, values and the storage of a task are laid out. */
#include "base/check.h"
#include "ir/lower_internal.h"

#include <string.h>

#define PLACES_MAX 65536 /* threads that have a place each, if they do not share one */
#define PLACES_BYTES (2u << 20) /* of all places together */
#define PLACE_BYTES_MAX 256 /* of the value of one thread */
#define PREALLOC_BYTES_MAX 32 /* of a value, on each CPU */

/* ---- small things ---- */

const char *qt_layout_copy(struct qt_lower *l, const char *s)
{
	return s ? qt_arena_strndup(l->plan->arena, s, strlen(s)) : NULL;
}

static struct qt_str copy_str(struct qt_lower *l, struct qt_str s)
{
	return (struct qt_str){ qt_arena_strndup(l->plan->arena, s.ptr, s.len), s.len };
}

static bool same_subject(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

uint32_t qt_layout_counter(struct qt_lower *l, enum qt_loss cause, const char *subject)
{
	for (uint32_t k = 0; k < l->plan->counters.len; k++) {
		const struct qt_plan_counter *c = &l->plan->counters.items[k];

		if (c->cause == cause && same_subject(c->subject, subject))
			return k;
	}
	*qt_vec_push(l->plan->arena, &l->plan->counters) = (struct qt_plan_counter){ cause, qt_layout_copy(l, subject) };
	return l->plan->counters.len - 1;
}

uint32_t qt_layout_ask(struct qt_lower *l, enum qt_ask kind, const char *text)
{
	for (uint32_t k = 0; k < l->plan->asks.len; k++) {
		if (l->plan->asks.items[k].kind == kind && !strcmp(l->plan->asks.items[k].text, text))
			return k;
	}
	if (l->plan->asks.len == QT_ASKS_MAX) {
		l->failed = true;
		qt_diag_hint(l->diags, qt_diag_add(l->diags, QT_E0507, l->b.span, "more than %u names of symbols and cgroups", QT_ASKS_MAX),
			     "split the script in two");
		return 0;
	}
	*qt_vec_push(l->plan->arena, &l->plan->asks) = (struct qt_plan_ask){ kind, qt_layout_copy(l, text) };
	return l->plan->asks.len - 1;
}

uint32_t qt_layout_literal(struct qt_lower *l, struct qt_str text)
{
	for (uint32_t k = 0; k < l->plan->literals.len; k++) {
		if (qt_str_eq(l->plan->literals.items[k], text))
			return k;
	}
	*qt_vec_push(l->plan->arena, &l->plan->literals) = copy_str(l, text);
	return l->plan->literals.len - 1;
}

uint32_t qt_layout_probe(struct qt_lower *l, const char *text, const char *func)
{
	uint64_t key = qt_text_id(text, strlen(text), qt_text_id(func, strlen(func), 0, 0), 0);
	uint64_t found = (uint64_t)(uintptr_t)qt_map_get(&l->probes, key);

	if (found)
		return (uint32_t)(found - 1);
	*qt_vec_push(l->plan->arena, &l->plan->probes) = (struct qt_plan_probe){ qt_layout_copy(l, text), qt_layout_copy(l, func) };
	qt_map_put(l->arena, &l->probes, key, (void *)(uintptr_t)l->plan->probes.len);
	return l->plan->probes.len - 1;
}

/* ---- fields ---- */

uint32_t qt_layout_words(struct qt_type t)
{
	return t.kind == QT_TYPE_COMM ? 2 : 1;
}

static enum qt_field_kind field_kind(struct qt_type t)
{
	switch (t.kind) {
	case QT_TYPE_INT:
		return t.is_signed ? QT_FIELD_INT : QT_FIELD_UINT;
	case QT_TYPE_STR:
		return QT_FIELD_TEXT;
	case QT_TYPE_COMM:
		return QT_FIELD_COMM;
	case QT_TYPE_SHOWN:
		return QT_FIELD_SHOWN;
	case QT_TYPE_PROBE:
		return t.func ? QT_FIELD_FUNC : QT_FIELD_PROBE;
	default:
		return QT_FIELD_UINT;
	}
}

struct qt_field qt_layout_field(struct qt_lower *l, const char *name, struct qt_type t, uint32_t offset)
{
	return (struct qt_field){
		.name = qt_layout_copy(l, name), .kind = field_kind(t), .shown = t.shown, .is_signed = t.is_signed, .unit = t.unit, .offset = offset
	};
}

/* A key or a column at *OFFSET, which moves on behind it. */
static struct qt_field column_field(struct qt_lower *l, const struct qt_column *column, uint32_t *offset)
{
	struct qt_field f = qt_layout_field(l, column->name ? column->name : "", column->type, *offset);

	if (column->metric == QT_METRIC_COUNT) {
		*offset += qt_layout_words(column->type) * 8;
		return f;
	}
	f.kind = QT_FIELD_METRIC;
	f.metric = column->metric;
	*offset += qt_metric_info(column->metric)->words * 8;
	return f;
}

/* ---- maps ---- */

static struct qt_plan_map *map_add(struct qt_lower *l, const char *name, enum qt_map_kind kind, uint32_t key, uint32_t value, uint32_t entries)
{
	struct qt_plan_map *m = qt_vec_push(l->plan->arena, &l->plan->maps);

	*m = (struct qt_plan_map){ .name = qt_layout_copy(l, name),
				   .kind = kind,
				   .key_size = key,
				   .value_size = value,
				   .max_entries = entries,
				   .no_prealloc = kind == QT_MAP_HASH || kind == QT_MAP_PERCPU_HASH };
	return m;
}

/* A map of rows for TABLE, whose fields are there. Without keys there is one row, under the key 0. */
static void rows_add(struct qt_lower *l, struct qt_plan_table *t, enum qt_map_kind kind, uint32_t key, uint32_t value, struct qt_span span)
{
	char name[16];

	snprintf(name, sizeof(name), "%s%u", t->kind == QT_TABLE_TAG ? "tag" : "map", l->plan->tables.len - 1);
	t->map = l->plan->maps.len;
	map_add(l, name, kind, key ? key : 8, value, t->keys.len ? l->program->max_entries : 1);
	if (kind != QT_MAP_PERCPU_HASH || value <= QT_PERCPU_BYTES_MAX)
		return;
	l->failed = true;
	qt_diag_hint(l->diags,
		     qt_diag_add(l->diags, QT_E0504, span, "a row of %u bytes, more than the %u that the kernel has for one on each CPU", value,
				 QT_PERCPU_BYTES_MAX),
		     "a histogram takes 528 bytes: use fewer metrics, or several tags");
}

static bool counts_untagged(const struct qt_tag *tag)
{
	return tag->has_context;
}

static void tag_table(struct qt_lower *l, const struct qt_tag *tag)
{
	struct qt_plan_table *t = qt_vec_push(l->plan->arena, &l->plan->tables);
	uint32_t key = 0, value = 0;

	*t = (struct qt_plan_table){ .kind = QT_TABLE_TAG, .name = qt_layout_copy(l, tag->name), .untagged = -1 };
	qt_vec_each (column, &tag->keys)
		*qt_vec_push(l->plan->arena, &t->keys) = column_field(l, column, &key);
	qt_vec_each (column, &tag->metrics)
		*qt_vec_push(l->plan->arena, &t->columns) = column_field(l, column, &value);
	if (counts_untagged(tag))
		t->untagged = (int32_t)qt_layout_counter(l, QT_NOT_A_LOSS, tag->name);
	rows_add(l, t, QT_MAP_PERCPU_HASH, key, value, tag->span);
}

static void map_table(struct qt_lower *l, const struct qt_map_decl *map)
{
	struct qt_plan_table *t = qt_vec_push(l->plan->arena, &l->plan->tables);
	uint32_t key = 0, value = 0;

	*t = (struct qt_plan_table){ .kind = QT_TABLE_MAP, .name = qt_arena_printf(l->plan->arena, "@%s", map->name), .untagged = -1 };
	qt_vec_each (column, &map->keys)
		*qt_vec_push(l->plan->arena, &t->keys) = column_field(l, column, &key);
	qt_vec_each (column, &map->parts)
		*qt_vec_push(l->plan->arena, &t->columns) = column_field(l, column, &value);
	if (!map->parts.len)
		*qt_vec_push(l->plan->arena, &t->columns) = column_field(l, &map->value, &value);
	rows_add(l, t, map->value.metric == QT_METRIC_COUNT ? QT_MAP_HASH : QT_MAP_PERCPU_HASH, key, value, map->span);
}

uint32_t qt_layout_tag_map(uint32_t tag)
{
	return QT_MAP_FIXED + tag;
}

uint32_t qt_layout_map_map(const struct qt_lower *l, uint32_t map)
{
	return QT_MAP_FIXED + l->program->tags.len + map;
}

uint32_t qt_layout_map_table(const struct qt_lower *l, uint32_t map)
{
	return l->program->tags.len + map;
}

/* ---- the storage of a task: two words a context variable, then the frame stacks ---- */

uint32_t qt_layout_context(uint32_t context)
{
	return context * 16;
}

static uint32_t task_layout(struct qt_lower *l)
{
	uint64_t offset = (uint64_t)l->program->contexts.len * 16;

	l->stacks = QT_NEW_ARRAY(l->arena, uint32_t, l->program->rules.len);
	for (uint32_t k = 0; k < l->program->rules.len; k++) {
		const struct qt_rule *rule = &l->program->rules.items[k];

		if (!rule->pair)
			continue;
		l->stacks[k] = (uint32_t)offset;
		offset += 8 + QT_FRAME_DEPTH * (16 + rule->pair->captures.len * 8ull);
		if (offset <= QT_TASK_BYTES_MAX)
			continue;
		l->failed = true;
		qt_diag_hint(l->diags,
			     qt_diag_add(l->diags, QT_E0502, rule->span, "what is kept for each thread takes %llu bytes up to this rule, at most %u",
					 (unsigned long long)offset, QT_TASK_BYTES_MAX),
			     "each return rule that uses `latency` or arguments of the entry keeps %u frames: use fewer of them in one script",
			     QT_FRAME_DEPTH);
		return 0;
	}
	return (uint32_t)offset;
}

/* ---- who touches which tables ---- */

/* The map that S adds rows to; maps begin at 1, so 0 is none. */
static uint32_t map_of(const struct qt_lower *l, const struct qt_stmt *s)
{
	if (s->kind == QT_S_TAG)
		return qt_layout_tag_map(s->index);
	if (s->kind == QT_S_MAP_SET || s->kind == QT_S_MAP_ADD || s->kind == QT_S_MAP_AGG)
		return qt_layout_map_map(l, s->index);
	return 0;
}

/* Programs that interrupt one another on one CPU may touch the same row of an aggregation at once. */
static void mark_nesting(struct qt_lower *l, uint32_t map)
{
	l->nests[map] = true;
}

/* Where interrupts are off the kernel cannot fetch memory for new rows, and has only a few at hand: small ones are made beforehand. */
static void mark_prealloc(struct qt_lower *l, uint32_t map)
{
	struct qt_plan_map *m = &l->plan->maps.items[map];

	m->no_prealloc = m->no_prealloc && m->value_size > PREALLOC_BYTES_MAX;
}

static void mark(struct qt_lower *l, const struct qt_stmts *body, void (*how)(struct qt_lower *l, uint32_t map))
{
	for (uint32_t k = 0; k < body->len; k++) {
		const struct qt_stmt *s = body->items[k];
		uint32_t map = map_of(l, s);

		if (map)
			how(l, map);
		mark(l, &s->then, how);
		mark(l, &s->otherwise, how);
	}
}

/* By a formatted tracepoint's name, or a raw one's. */
static bool is_syscall(const char *event)
{
	return event &&
	       (!strncmp(event, "syscalls/", 9) || !strncmp(event, "raw_syscalls/", 13) || !strcmp(event, "sys_enter") || !strcmp(event, "sys_exit"));
}

/* Tracepoints of the scheduler, timers, faults, block devices and the like; system calls have interrupts on. */
static bool interrupts_off(const struct qt_rule *rule)
{
	if (rule->hook != QT_HOOK_tracepoint && rule->hook != QT_HOOK_raw_tracepoint)
		return false;
	qt_vec_each (point, &rule->points) {
		if (!is_syscall(point->event))
			return true;
	}
	return false;
}

static void deepest(const struct qt_expr *e, void *ctx)
{
	struct qt_plan *plan = ctx;

	if (e->kind == QT_X_STACK && e->size > plan->stack_frames)
		plan->stack_frames = e->size;
	if (e->kind == QT_X_STACK && e->value & QT_STACK_USER && QT_STACK_MODE(e->value) != QT_STACK_RAW)
		plan->names_user = true;
	if (e->kind == QT_X_PACK && e->type.shown == QT_SHOWN_usym)
		plan->names_user = true;
}

/* How deep stacks are taken decides how large texts are. */
static void stack_frames(struct qt_lower *l)
{
	qt_vec_each (rule, &l->program->rules) {
		qt_scan_expr(rule->cond, deepest, l->plan);
		qt_scan_stmts(&rule->body, deepest, l->plan);
		if (!rule->pair)
			continue;
		qt_vec_each (capture, &rule->pair->captures)
			qt_scan_expr(*capture, deepest, l->plan);
	}
}

/* Places in the map `threads` for values of TASK bytes, a power of two; large values (frames) stay in task storage alone. */
static uint32_t places(uint32_t task)
{
	uint32_t n = PLACES_MAX;

	if (!task || task > PLACE_BYTES_MAX)
		return 0;
	while ((uint64_t)n * (QT_PLACE_VALUE + task) > PLACES_BYTES)
		n /= 2;
	return n;
}

void qt_layout(struct qt_lower *l)
{
	const struct qt_program *p = l->program;
	uint32_t task;

	l->plan->max_strlen = p->max_strlen;
	stack_frames(l);
	task = task_layout(l);
	map_add(l, "counters", QT_MAP_PERCPU_ARRAY, 4, 8, 0);
	map_add(l, "strings", QT_MAP_HASH, 8, qt_plan_text_size(l->plan), 0);
	map_add(l, "context", QT_MAP_TASK_STORAGE, 4, task, task ? 1 : 0);
	map_add(l, "scratch", QT_MAP_PERCPU_ARRAY, 4, 8, 0);
	map_add(l, "ring", QT_MAP_RINGBUF, 0, 0, 0);
	map_add(l, "filter", QT_MAP_HASH, 8, 8, QT_FILTER_ENTRIES);
	map_add(l, "threads", QT_MAP_ARRAY, 4, QT_PLACE_VALUE + task, places(task));
	qt_vec_each (tag, &p->tags)
		tag_table(l, tag);
	qt_vec_each (map, &p->maps)
		map_table(l, map);
	l->nests = QT_NEW_ARRAY(l->arena, bool, l->plan->maps.len);
	qt_vec_each (rule, &p->rules) {
		if (!qt_hook_info(rule->hook)->exclusive)
			mark(l, &rule->body, mark_nesting);
		if (interrupts_off(rule))
			mark(l, &rule->body, mark_prealloc);
	}
}

/* ---- what only the functions know ---- */

static bool uses_any(const struct qt_ir *ir, enum qt_ir_op one, enum qt_ir_op other)
{
	qt_vec_each (fn, &ir->fns) {
		qt_vec_each (block, &fn->blocks) {
			qt_vec_each (i, &block->ins) {
				if (i->op == one || i->op == other)
					return true;
			}
		}
	}
	return false;
}

static void finish_scratch(struct qt_lower *l)
{
	struct qt_plan_map *scratch = &l->plan->maps.items[QT_MAP_SCRATCH];

	if (!uses_any(l->ir, QT_IR_scratch_take, QT_IR_scratch_take))
		return;
	scratch->max_entries = QT_SCRATCH_SLOTS;
	scratch->value_size = l->ir->scratch_bytes;
}

void qt_layout_finish(struct qt_lower *l)
{
	struct qt_plan_map *maps = l->plan->maps.items;
	uint32_t ncounters = l->plan->counters.len;

	if (ncounters) {
		maps[QT_MAP_COUNTERS].max_entries = 1;
		maps[QT_MAP_COUNTERS].value_size = ncounters * 8;
	}
	if (l->plan->literals.len || uses_any(l->ir, QT_IR_text_intern, QT_IR_text_byid))
		maps[QT_MAP_STRINGS].max_entries = l->program->max_strings + l->plan->literals.len;
	if (uses_any(l->ir, QT_IR_ring_reserve, QT_IR_ring_open))
		maps[QT_MAP_RING].max_entries = (uint32_t)l->program->ring_bytes;
	finish_scratch(l);
}
