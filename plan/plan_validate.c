/* Is a plan sound? Each structure has its check; the first thing that is wrong is told. What passes here can be run and decoded without further bounds checks
 * on indices, offsets and sizes, whoever wrote the bytes. */
#include "plan/plan.h"

#include "base/check.h"
#include "base/intern.h"
#include "base/map.h"
#include "plan/fields.h"

#include <ctype.h>
#include <string.h>

#define ITEMS_MAX 65536 /* of each list: record heads have 16 bits for an index */
#define POINTS_MAX 1000000
#define BYTES_MAX (1u << 20) /* of a key, a value or a record */
#define RING_MAX (1u << 30)
#define ENTRIES_MAX (1u << 28)
#define OBJECT_MAX ((uint64_t)256 << 20)
#define STRLEN_MAX 16384
#define FRAMES_MAX 2047
#define WIDTH_MAX 4096
#define NAME_MAX_BYTES 15

struct check {
	struct qt_plan *p;
	struct qt_interns *names;
	struct qt_map maps, progs; /* names taken */
	const char *what; /* which list */
	uint32_t index;
};

/* The message, with the place in the plan; NULL when it HOLDS. */
static const char *need(const struct check *c, bool holds, const char *text)
{
	return holds ? NULL : qt_arena_printf(c->p->arena, "%s %u: %s", c->what, c->index, text);
}

#define NEED(holds, text)                                      \
	do {                                                   \
		const char *wrong_ = need(c, (holds), (text)); \
		if (wrong_)                                    \
			return wrong_;                         \
	} while (0)

static bool is_identifier(const char *s)
{
	if (!s || !(isalpha((unsigned char)*s) || *s == '_'))
		return false;
	while (isalnum((unsigned char)*s) || *s == '_')
		s++;
	return !*s;
}

/* Names of kernel functions and tracepoints become parts of paths and commands of tracefs: nothing else than these may be in them. */
static bool is_kernel_name(const char *s, unsigned slashes)
{
	unsigned seen = 0;

	for (const char *p = s; *p; p++) {
		if (*p == '/')
			seen++;
		else if (!isalnum((unsigned char)*p) && !strchr("_.-", *p))
			return false;
	}
	return *s && *s != '/' && s[strlen(s) - 1] != '/' && *s != '.' && !strstr(s, "/.") && seen == slashes;
}

static bool is_taken(struct check *c, struct qt_map *names, const char *name)
{
	return qt_map_put(c->p->arena, names, QT_KEY(qt_intern(c->names, name)), c) != NULL;
}

static const char *check_map(struct check *c, uint32_t index)
{
	const struct qt_plan_map *m = &c->p->maps.items[index];

	if (!m->max_entries && index < QT_MAP_FIXED)
		return NULL;
	NEED(is_identifier(m->name) && strlen(m->name) <= NAME_MAX_BYTES, "its name is no identifier of at most 15 bytes");
	NEED(!is_taken(c, &c->maps, m->name), "its name is taken");
	NEED(m->max_entries && m->max_entries <= (m->kind == QT_MAP_RINGBUF ? RING_MAX : ENTRIES_MAX), "its number of entries");
	if (m->kind == QT_MAP_RINGBUF) {
		NEED(!(m->max_entries & (m->max_entries - 1)), "the ring's size is no power of two");
		return NULL;
	}
	NEED(m->value_size && m->value_size % 8 == 0 && m->value_size <= BYTES_MAX, "the size of its values");
	if (m->kind == QT_MAP_PERCPU_ARRAY || m->kind == QT_MAP_TASK_STORAGE || m->kind == QT_MAP_ARRAY)
		NEED(m->key_size == 4, "the size of its keys");
	else
		NEED(m->key_size && m->key_size % 8 == 0 && m->key_size <= BYTES_MAX, "the size of its keys");
	return NULL;
}

static const char *check_counters_map(const struct check *c)
{
	const struct qt_plan_map *m = &c->p->maps.items[QT_MAP_COUNTERS];

	if (!c->p->counters.len)
		return NULL;
	NEED(m->max_entries && m->kind == QT_MAP_PERCPU_ARRAY, "the counters have no array");
	NEED((uint64_t)m->value_size * m->max_entries / 8 >= c->p->counters.len, "the counters do not fit their array");
	return NULL;
}

static bool needs_attach_to(enum qt_hook h)
{
	return h == QT_HOOK_fentry || h == QT_HOOK_fexit;
}

static const char *check_prog(struct check *c, uint32_t index)
{
	const struct qt_plan_prog *p = &c->p->progs.items[index];

	NEED(is_identifier(p->name), "its name is no identifier");
	NEED(!is_taken(c, &c->progs, p->name), "its name is taken");
	NEED(p->attach_to || !needs_attach_to(p->hook), "the function that it belongs to is missing");
	NEED(!p->attach_to || is_kernel_name(p->attach_to, 0), "the name of what it belongs to");
	return NULL;
}

static bool is_user(enum qt_hook h)
{
	return h == QT_HOOK_uprobe || h == QT_HOOK_uretprobe;
}

static bool needs_event(enum qt_hook h)
{
	return h == QT_HOOK_kprobe || h == QT_HOOK_kretprobe || h == QT_HOOK_tracepoint;
}

static const char *check_point(struct check *c, uint32_t index)
{
	const struct qt_plan_point *pt = &c->p->points.items[index];
	enum qt_hook hook;

	NEED(pt->prog < c->p->progs.len, "there is no such program");
	NEED(pt->probe < c->p->probes.len || (pt->probe == 0 && !c->p->probes.len), "there is no such probe");
	hook = c->p->progs.items[pt->prog].hook;
	NEED(!is_user(hook) || (pt->path && *pt->path), "a user probe without a file");
	NEED(!pt->path || strlen(pt->path) < 4096, "the path is too long");
	NEED(!needs_event(hook) || pt->event, "a kernel probe without a name");
	NEED(!pt->event || is_kernel_name(pt->event, hook == QT_HOOK_tracepoint), "the name of its event");
	NEED((hook != QT_HOOK_interval && hook != QT_HOOK_profile) || pt->period_ns, "a timer without a period");
	return NULL;
}

static const char *check_field(const struct check *c, const struct qt_field *f, uint32_t size)
{
	uint64_t end = (uint64_t)f->offset + qt_field_size(f);

	NEED(f->offset % 8 == 0 && end <= size, "a field that lies outside of its bytes");
	NEED(f->kind != QT_FIELD_METRIC || f->metric < QT_METRIC_COUNT, "a metric that does not exist");
	return NULL;
}

static const char *check_table(struct check *c, uint32_t index)
{
	const struct qt_plan_table *t = &c->p->tables.items[index];
	const struct qt_plan_map *m = t->map < c->p->maps.len ? &c->p->maps.items[t->map] : NULL;
	const char *wrong = NULL;

	if (!m || t->map < QT_MAP_FIXED || m->kind > QT_MAP_PERCPU_ARRAY)
		return need(c, false, "there is no map of its rows");
	NEED(t->name && *t->name, "it has no name");
	NEED(t->columns.len, "it has no columns");
	NEED(t->untagged >= -1 && t->untagged < (int64_t)c->p->counters.len, "there is no such counter");
	qt_vec_each (f, &t->keys) {
		NEED(f->kind != QT_FIELD_METRIC && f->name, "a key that is none");
		wrong = wrong ? wrong : check_field(c, f, m->key_size);
	}
	qt_vec_each (f, &t->columns) {
		NEED(f->name, "a column without a name");
		wrong = wrong ? wrong : check_field(c, f, m->value_size);
	}
	return wrong;
}

static bool is_text(enum qt_field_kind k)
{
	return k == QT_FIELD_TEXT || k == QT_FIELD_COMM || k == QT_FIELD_PROBE || k == QT_FIELD_FUNC || k == QT_FIELD_SHOWN;
}

static const char *check_piece(const struct check *c, const struct qt_plan_piece *piece, const struct qt_field *arg)
{
	NEED(piece->width >= -1 && piece->width <= WIDTH_MAX && piece->precision >= -1 && piece->precision <= WIDTH_MAX, "a width beyond the limit");
	NEED(piece->conv == QT_CONV_STR || !is_text(arg->kind), "a number is wanted where a text stands");
	return check_field(c, arg, BYTES_MAX);
}

static const char *check_format(struct check *c, uint32_t index)
{
	const struct qt_plan_format *f = &c->p->formats.items[index];
	uint32_t used = 0;

	qt_vec_each (piece, &f->pieces) {
		const char *wrong;

		if (piece->conv == QT_CONV_TEXT)
			continue;
		NEED(used < f->args.len, "more conversions than arguments");
		NEED(f->args.items[used].kind != QT_FIELD_METRIC, "an argument that is a metric");
		wrong = check_piece(c, piece, &f->args.items[used++]);
		if (wrong)
			return wrong;
	}
	NEED(used == f->args.len, "more arguments than conversions");
	return NULL;
}

static const char *check_ask(struct check *c, uint32_t index)
{
	NEED(c->p->asks.items[index].text && strlen(c->p->asks.items[index].text) < 4096, "what is asked for");
	return NULL;
}

static const char *check_literal(struct check *c, uint32_t index)
{
	NEED(c->p->literals.items[index].len <= c->p->max_strlen, "it is longer than texts can be");
	return NULL;
}

static const char *check_whole(const struct check *c)
{
	struct qt_plan *p = c->p;

	NEED(p->max_strlen <= STRLEN_MAX, "the length of texts is beyond the limit");
	NEED(p->stack_frames <= FRAMES_MAX, "the number of frames of a stack is beyond the limit");
	NEED(p->asks.len <= QT_ASKS_MAX, "too long a list");
	NEED(p->object_size <= OBJECT_MAX && !p->object == !p->object_size, "the size of its object");
	NEED(p->points.len <= POINTS_MAX, "too many points");
	NEED(p->maps.len <= ITEMS_MAX && p->progs.len <= ITEMS_MAX && p->tables.len <= ITEMS_MAX && p->counters.len <= ITEMS_MAX, "too long a list");
	NEED(p->formats.len <= ITEMS_MAX && p->literals.len <= ITEMS_MAX && p->probes.len <= POINTS_MAX, "too long a list");
	NEED(p->maps.len >= QT_MAP_FIXED || !p->tables.len, "the maps that every plan has are missing");
	return p->maps.len >= QT_MAP_FIXED ? check_counters_map(c) : need(c, !p->counters.len, "counters without their map");
}

const char *qt_plan_validate(struct qt_plan *p)
{
	const struct {
		const char *what;
		uint32_t len;
		const char *(*check)(struct check *c, uint32_t index);
	} lists[] = {
		{ "map", p->maps.len, check_map },	 { "program", p->progs.len, check_prog },    { "point", p->points.len, check_point },
		{ "table", p->tables.len, check_table }, { "format", p->formats.len, check_format }, { "literal", p->literals.len, check_literal },
		{ "question", p->asks.len, check_ask },
	};
	struct check c = { .p = p, .names = qt_interns_new(p->arena), .what = "plan", .index = 1 };
	const char *wrong = check_whole(&c);

	for (size_t l = 0; l < QT_COUNT(lists); l++) {
		c.what = lists[l].what;
		for (c.index = 0; c.index < lists[l].len && !wrong; c.index++)
			wrong = lists[l].check(&c, c.index);
	}
	return wrong;
}
