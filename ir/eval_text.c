/* Foreign memory and texts, one function an operation. A text buffer holds a struct qt_text: cut at max_strlen, zero up to the next word. */
#include "ir/eval_internal.h"

#include <string.h>

static struct qt_text *text_of(const struct qt_run *r, const struct qt_ir_ins *i)
{
	return (struct qt_text *)r->bufs[i->buf];
}

static void text_set(const struct qt_run *r, struct qt_text *t, const void *bytes, size_t len, uint32_t flags)
{
	memset(t, 0, qt_plan_text_size(r->m->ir->plan));
	if (len > r->m->ir->plan->max_strlen) {
		len = r->m->ir->plan->max_strlen;
		flags |= QT_TEXT_TRUNCATED;
	}
	t->len = (uint32_t)len;
	t->flags = flags;
	if (len)
		memcpy(t->bytes, bytes, len);
}

static bool text_fail(const struct qt_run *r, struct qt_text *t, uint32_t flags)
{
	text_set(r, t, NULL, 0, flags);
	return false;
}

const unsigned char *qt_eval_memory(const struct qt_machine *m, uint64_t address, size_t len, size_t *rest)
{
	qt_vec_each (region, &m->memory) {
		uint64_t offset = address - region->address;

		if (address < region->address || offset >= region->len || len > region->len - offset)
			continue;
		if (rest)
			*rest = region->len - offset;
		return region->bytes + offset;
	}
	return NULL;
}

bool qt_eval_mem_read(struct qt_run *r, const struct qt_ir_ins *i)
{
	const unsigned char *p = qt_eval_memory(r->m, qt_eval_a(r, i), i->size, NULL);

	return p && qt_eval_result(r, i, qt_eval_number(p, i->size, i->sign));
}

/* At most B bytes, up to a NUL among them: what lies behind need not be readable. */
static bool read_counted(const struct qt_run *r, const struct qt_ir_ins *i)
{
	uint64_t most = qt_eval_b(r, i), room = r->m->ir->plan->max_strlen + UINT64_C(1), want = most < room ? most : room;
	size_t rest = 0, len;
	const unsigned char *p = want ? qt_eval_memory(r->m, qt_eval_a(r, i), 1, &rest) : (const unsigned char *)"";

	if (!p || (int64_t)most < 0)
		return text_fail(r, text_of(r, i), QT_TEXT_UNREADABLE);
	len = strnlen((const char *)p, want < rest ? want : rest);
	if (len == rest && len < want)
		return text_fail(r, text_of(r, i), QT_TEXT_UNREADABLE);
	text_set(r, text_of(r, i), p, len, 0);
	return true;
}

bool qt_eval_text_read(struct qt_run *r, const struct qt_ir_ins *i)
{
	size_t rest, len;
	const unsigned char *p;

	if (i->has_b)
		return read_counted(r, i);
	p = qt_eval_memory(r->m, qt_eval_a(r, i), 1, &rest);
	if (!p)
		return text_fail(r, text_of(r, i), QT_TEXT_UNREADABLE);
	len = strnlen((const char *)p, rest);
	if (len == rest && len <= r->m->ir->plan->max_strlen)
		return text_fail(r, text_of(r, i), QT_TEXT_UNREADABLE);
	text_set(r, text_of(r, i), p, len, 0);
	return true;
}

/* Where a __data_loc or __rel_loc word at OFFSET says that its text lies: offset in the low, length in the high half. */
static bool located(const struct qt_event *e, const struct qt_ir_ins *i, uint64_t *offset, uint64_t *len)
{
	uint32_t word;

	if (i->imm > e->ctx_size || e->ctx_size - i->imm < sizeof(word))
		return false;
	memcpy(&word, (const char *)e->ctx + i->imm, sizeof(word));
	*offset = (word & 0xffff) + (i->sign ? i->imm + sizeof(word) : 0);
	*len = word >> 16;
	return true;
}

bool qt_eval_text_ctx(struct qt_run *r, const struct qt_ir_ins *i)
{
	const struct qt_event *e = r->event;
	uint64_t offset = i->imm, len = i->size;
	const char *p;

	if (!i->size && !located(e, i, &offset, &len))
		len = 0;
	if (!e->ctx || offset > e->ctx_size || len > e->ctx_size - offset)
		len = 0;
	p = len ? (const char *)e->ctx + offset : "";
	text_set(r, text_of(r, i), p, strnlen(p, len), 0);
	return true;
}

void qt_eval_comm(const struct qt_run *r, unsigned char *to)
{
	const char *comm = r->event->comm ? r->event->comm : "";

	memset(to, 0, 16);
	memcpy(to, comm, strnlen(comm, 15));
}

bool qt_eval_text_name(struct qt_run *r, const struct qt_ir_ins *i)
{
	uint64_t words[2] = { qt_eval_a(r, i), qt_eval_b(r, i) };

	text_set(r, text_of(r, i), (const unsigned char *)words, strnlen((const char *)words, sizeof(words)), 0);
	return true;
}

bool qt_eval_text_comm(struct qt_run *r, const struct qt_ir_ins *i)
{
	unsigned char comm[16];

	qt_eval_comm(r, comm);
	text_set(r, text_of(r, i), comm, strlen((const char *)comm), 0);
	return true;
}

bool qt_eval_text_stack(struct qt_run *r, const struct qt_ir_ins *i)
{
	const struct qt_event *e = r->event;
	uint64_t words[2] = { qt_eval_a(r, i), i->has_b ? qt_eval_b(r, i) : 0 }, head = words[0];
	const uint64_t *frames = head & QT_STACK_USER ? e->ustack : e->kstack;
	uint32_t n = head & QT_STACK_USER ? e->nustack : e->nkstack;
	struct qt_text *t = text_of(r, i);

	if (!frames)
		return text_fail(r, t, QT_TEXT_UNREADABLE);
	n = n < i->size ? n : i->size;
	memset(t, 0, qt_plan_text_size(r->m->ir->plan));
	if (n > 1 && frames[1] == words[1])
		words[1] = 0;
	n -= words[1] && n == i->size;
	memcpy(t->bytes, words, sizeof(words));
	memcpy(t->bytes + sizeof(words), frames, n * sizeof(*frames));
	t->len = (uint32_t)(sizeof(words) + n * sizeof(*frames));
	return true;
}

bool qt_eval_text_bytes(struct qt_run *r, const struct qt_ir_ins *i)
{
	const unsigned char *p = qt_eval_memory(r->m, qt_eval_a(r, i), i->size, NULL);

	if (!p)
		return text_fail(r, text_of(r, i), QT_TEXT_UNREADABLE);
	text_set(r, text_of(r, i), p, i->size, 0);
	return true;
}

/* What was before offset imm stays, all behind is zero. */
bool qt_eval_text_word(struct qt_run *r, const struct qt_ir_ins *i)
{
	struct qt_text *t = text_of(r, i);
	uint64_t word = qt_eval_a(r, i);

	memset(t->bytes + i->imm, 0, qt_plan_text_size(r->m->ir->plan) - sizeof(*t) - i->imm);
	memcpy(t->bytes + i->imm, &word, i->size);
	t->len = (uint32_t)i->imm + i->size;
	t->flags = 0;
	return true;
}

bool qt_eval_text_load(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, qt_eval_number((const unsigned char *)text_of(r, i)->bytes + i->imm, 8, false));
}

bool qt_eval_text_flags(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, text_of(r, i)->flags);
}

bool qt_eval_text_len(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, text_of(r, i)->len);
}

static uint64_t id_of(const struct qt_run *r, const struct qt_text *t)
{
	return qt_text_id(t->bytes, t->len, r->m->config[QT_CONFIG_SEED0], r->m->config[QT_CONFIG_SEED1]);
}

bool qt_eval_text_hash(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, id_of(r, text_of(r, i)));
}

bool qt_eval_intern(struct qt_machine *m, uint64_t id, const struct qt_text *text)
{
	struct qt_eval_table *strings = &m->maps[QT_MAP_STRINGS];
	uint32_t before = strings->len;
	struct qt_eval_entry *e = qt_eval_table_upsert(strings, &id);

	if (e && strings->len != before)
		memcpy(e->values, text, strings->value_size);
	return e != NULL;
}

bool qt_eval_text_intern(struct qt_run *r, const struct qt_ir_ins *i)
{
	uint64_t id = id_of(r, text_of(r, i));

	return qt_eval_intern(r->m, id, text_of(r, i)) && qt_eval_result(r, i, id);
}

bool qt_eval_text_byid(struct qt_run *r, const struct qt_ir_ins *i)
{
	uint64_t id = qt_eval_a(r, i);
	const struct qt_eval_table *strings = &r->m->maps[QT_MAP_STRINGS];
	const struct qt_eval_entry *e = strings->buckets ? qt_eval_table_get(strings, &id) : NULL;

	if (!e)
		return text_fail(r, text_of(r, i), id ? QT_TEXT_UNREADABLE : 0);
	memcpy(text_of(r, i), e->values, strings->value_size);
	return true;
}
