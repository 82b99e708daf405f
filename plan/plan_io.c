/* A plan as bytes and back. One description of the format serves both ways: each function below names the parts of one structure in their order, and
 * the cursor either writes or reads them. Little endian, lengths before contents, no padding; a reader never goes past the end and never trusts a count. */
#include "plan/plan.h"

#include "base/check.h"
#include "plan/wire.h"

#include <string.h>

#define MAGIC "qtplan"
#define VERSION 4
#define SUM_AT (sizeof(MAGIC) - 1 + 4) /* of the checksum: behind magic and version */
#define BODY_AT (SUM_AT + 8)

struct io {
	struct qt_buf *out; /* writing; NULL: reading */
	const unsigned char *at, *end;
	struct qt_arena *arena;
	const char *error;
};

static void fail(struct io *io, const char *why)
{
	if (!io->error)
		io->error = why;
}

/* N bytes of the input, or NULL at its end. */
static const unsigned char *take(struct io *io, uint64_t n)
{
	const unsigned char *p = io->at;

	if (io->error || n > (uint64_t)(io->end - io->at)) {
		fail(io, "the file ends too early");
		return NULL;
	}
	io->at += n;
	return p;
}

static void io_u64(struct io *io, uint64_t *v)
{
	unsigned char b[8];
	const unsigned char *p;

	if (io->out) {
		for (int i = 0; i < 8; i++)
			b[i] = (unsigned char)(*v >> 8 * i);
		qt_buf_add(io->out, b, sizeof(b));
		return;
	}
	p = take(io, 8);
	*v = 0;
	for (int i = 0; p && i < 8; i++)
		*v |= (uint64_t)p[i] << 8 * i;
}

static void io_u32(struct io *io, uint32_t *v)
{
	unsigned char b[4];
	const unsigned char *p;

	if (io->out) {
		for (int i = 0; i < 4; i++)
			b[i] = (unsigned char)(*v >> 8 * i);
		qt_buf_add(io->out, b, sizeof(b));
		return;
	}
	p = take(io, 4);
	*v = 0;
	for (int i = 0; p && i < 4; i++)
		*v |= (uint32_t)p[i] << 8 * i;
}

static void io_i32(struct io *io, int32_t *v)
{
	uint32_t u = (uint32_t)*v;

	io_u32(io, &u);
	*v = (int32_t)u;
}

static void io_flag(struct io *io, bool *v)
{
	uint32_t u = *v;

	io_u32(io, &u);
	if (u > 1)
		fail(io, "a flag that is neither 0 nor 1");
	*v = u == 1;
}

/* Enumerations: V points to any of them, all are of an int's size. BELOW is the first number that is none. */
#define io_enum(io, v, below) io_enum_number((io), (uint32_t *)(v), (below))
static void io_enum_number(struct io *io, uint32_t *v, uint32_t below)
{
	io_u32(io, v);
	if (*v >= below) {
		fail(io, "a number that stands for nothing");
		*v = 0;
	}
}

static void io_bytes(struct io *io, struct qt_str *s)
{
	uint64_t len = s->len;
	const unsigned char *p;

	io_u64(io, &len);
	if (io->out) {
		qt_buf_add(io->out, s->ptr, s->len);
		return;
	}
	p = take(io, len);
	*s = p ? (struct qt_str){ qt_arena_strndup(io->arena, (const char *)p, len), len } : (struct qt_str){ "", 0 };
}

/* A text without NUL, or NULL. */
static void io_text(struct io *io, const char **s)
{
	struct qt_str bytes = qt_str_from(*s ? *s : "");
	bool there = *s != NULL;

	io_flag(io, &there);
	if (there)
		io_bytes(io, &bytes);
	if (io->out)
		return;
	if (there && memchr(bytes.ptr, 0, bytes.len))
		fail(io, "a NUL inside of a text");
	*s = there ? bytes.ptr : NULL;
}

/* How many items follow. Each takes at least LEAST bytes, so that a count beyond the end is known before anything is allocated. */
static uint32_t io_count(struct io *io, uint32_t n, uint32_t least)
{
	io_u32(io, &n);
	if (!io->out && (uint64_t)n * least > (uint64_t)(io->end - io->at))
		fail(io, "a count that goes beyond the end of the file");
	return io->error ? 0 : n;
}

#define io_list(io, v, least, each)                                                              \
	do {                                                                                     \
		uint32_t n_ = io_count((io), (v)->len, (least));                                 \
		for (uint32_t i_ = 0; i_ < n_ && !(io)->error; i_++)                             \
			each((io), (io)->out ? &(v)->items[i_] : qt_vec_push((io)->arena, (v))); \
	} while (0)

static void io_field(struct io *io, struct qt_field *f)
{
	io_text(io, &f->name);
	io_enum(io, &f->kind, QT_FIELD_KINDS);
	io_enum(io, &f->metric, QT_METRIC_COUNT + 1);
	io_enum(io, &f->shown, QT_SHOWN_COUNT);
	io_flag(io, &f->is_signed);
	io_enum(io, &f->unit, QT_UNIT_BYTES + 1);
	io_u32(io, &f->offset);
}

static void io_map(struct io *io, struct qt_plan_map *m)
{
	io_text(io, &m->name);
	io_enum(io, &m->kind, QT_MAP_KINDS);
	io_u32(io, &m->key_size);
	io_u32(io, &m->value_size);
	io_u32(io, &m->max_entries);
	io_flag(io, &m->no_prealloc);
}

static void io_prog(struct io *io, struct qt_plan_prog *p)
{
	io_text(io, &p->name);
	io_enum(io, &p->hook, QT_HOOK_COUNT);
	io_enum(io, &p->role, QT_ROLE_THREAD_GONE + 1);
	io_text(io, &p->attach_to);
	io_text(io, &p->probe);
	io_text(io, &p->file);
	io_u32(io, &p->line);
	io_u32(io, &p->column);
}

static void io_point(struct io *io, struct qt_plan_point *p)
{
	io_u32(io, &p->prog);
	io_u32(io, &p->probe);
	io_text(io, &p->path);
	io_text(io, &p->build_id);
	io_text(io, &p->event);
	io_u64(io, &p->offset);
	io_u64(io, &p->ref_ctr);
	io_u64(io, &p->period_ns);
}

static void io_probe(struct io *io, struct qt_plan_probe *p)
{
	io_text(io, &p->text);
	io_text(io, &p->func);
}

static void io_table(struct io *io, struct qt_plan_table *t)
{
	io_enum(io, &t->kind, QT_TABLE_MAP + 1);
	io_text(io, &t->name);
	io_u32(io, &t->map);
	io_list(io, &t->keys, 28, io_field);
	io_list(io, &t->columns, 28, io_field);
	io_i32(io, &t->untagged);
}

static void io_counter(struct io *io, struct qt_plan_counter *c)
{
	io_enum(io, &c->cause, QT_NOT_A_LOSS + 1);
	io_text(io, &c->subject);
}

static void io_piece(struct io *io, struct qt_plan_piece *p)
{
	io_enum(io, &p->conv, QT_CONV_KINDS);
	io_bytes(io, &p->text);
	io_i32(io, &p->width);
	io_i32(io, &p->precision);
	io_flag(io, &p->left);
	io_flag(io, &p->zero);
	io_flag(io, &p->plus);
	io_flag(io, &p->space);
	io_flag(io, &p->alternate);
}

static void io_format(struct io *io, struct qt_plan_format *f)
{
	io_list(io, &f->pieces, 40, io_piece);
	io_list(io, &f->args, 28, io_field);
}

static void io_ask(struct io *io, struct qt_plan_ask *a)
{
	io_enum(io, &a->kind, QT_ASK_COUNT);
	io_text(io, &a->text);
}

static void io_object(struct io *io, struct qt_plan *p)
{
	struct qt_str bytes = { p->object, p->object_size };

	io_bytes(io, &bytes);
	if (io->out)
		return;
	p->object = bytes.len ? bytes.ptr : NULL;
	p->object_size = bytes.len;
}

/* Of everything behind it. It tells damage; whoever wants to spoil a file can make a new one. */
static uint64_t checksum(const void *bytes, size_t len)
{
	return qt_text_id((const char *)bytes + BODY_AT, len - BODY_AT, VERSION, 0);
}

static void io_head(struct io *io)
{
	const unsigned char *p = NULL;
	uint32_t version = VERSION;
	uint64_t sum = 0;

	if (io->out)
		qt_buf_add(io->out, MAGIC, sizeof(MAGIC) - 1);
	else
		p = take(io, sizeof(MAGIC) - 1);
	if (!io->out && (!p || memcmp(p, MAGIC, sizeof(MAGIC) - 1) != 0))
		io->error = "it is not a plan of qtrace (made by qtrace build)";
	io_u32(io, &version);
	if (version != VERSION)
		fail(io, "the plan is of another version of qtrace: build it again");
	io_u64(io, &sum);
	if (!io->out && !io->error && sum != checksum(io->at - BODY_AT, (size_t)(io->end - io->at) + BODY_AT))
		fail(io, "the file is damaged (its checksum is not that of its bytes)");
}

static void io_plan(struct io *io, struct qt_plan *p)
{
	io_head(io);
	io_u32(io, &p->max_strlen);
	io_u32(io, &p->stack_frames);
	io_flag(io, &p->names_user);
	io_list(io, &p->maps, 24, io_map);
	io_list(io, &p->progs, 32, io_prog);
	io_list(io, &p->points, 44, io_point);
	io_list(io, &p->probes, 8, io_probe);
	io_list(io, &p->tables, 24, io_table);
	io_list(io, &p->counters, 8, io_counter);
	io_list(io, &p->formats, 8, io_format);
	io_list(io, &p->asks, 5, io_ask);
	io_list(io, &p->literals, 8, io_bytes);
	io_object(io, p);
}

/* The description above serves both directions, so it takes plain pointers; a writer only reads through them. */
void qt_plan_save(const struct qt_plan *p, struct qt_buf *out)
{
	struct io io = { .out = out };
	struct qt_plan copy = *p;

	size_t before = out->len;

	io_plan(&io, &copy);
	QT_ASSERT(!io.error);
	qt_plan_seal(out->ptr + before, out->len - before);
}

void qt_plan_seal(void *bytes, size_t len)
{
	uint64_t sum;

	if (len < BODY_AT)
		return;
	sum = checksum(bytes, len);
	for (int i = 0; i < 8; i++)
		((unsigned char *)bytes)[SUM_AT + i] = (unsigned char)(sum >> 8 * i);
}

struct qt_plan *qt_plan_load(const void *bytes, size_t len, struct qt_buf *error)
{
	struct qt_plan *p = qt_plan_new();
	struct io io = { .at = bytes, .end = (const unsigned char *)bytes + len, .arena = p->arena };
	const char *why;

	io_plan(&io, p);
	if (!io.error && io.at != io.end)
		io.error = "there is something behind the end of the plan";
	why = io.error ? io.error : qt_plan_validate(p);
	if (!why)
		return p;
	qt_buf_adds(error, why);
	qt_plan_free(p);
	return NULL;
}
