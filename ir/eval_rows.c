/* Buffers of words, maps, rows and frame stacks, one function an operation. */
#include "ir/eval_internal.h"

#include <string.h>

static uint64_t load(const unsigned char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

static void store(unsigned char *p, uint64_t word)
{
	memcpy(p, &word, sizeof(word));
}

/* ---- buffers of words ---- */

bool qt_eval_buf_store(struct qt_run *r, const struct qt_ir_ins *i)
{
	store(r->bufs[i->buf] + i->imm, qt_eval_a(r, i));
	return true;
}

bool qt_eval_buf_load(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, load(r->bufs[i->buf] + i->imm));
}

bool qt_eval_buf_comm(struct qt_run *r, const struct qt_ir_ins *i)
{
	qt_eval_comm(r, r->bufs[i->buf] + i->imm);
	return true;
}

/* ---- maps ---- */

/* The result is this CPU's copy of the entry's value. */
static bool row_result(struct qt_run *r, const struct qt_ir_ins *i, const struct qt_eval_table *t, const struct qt_eval_entry *e)
{
	size_t copy = t->copies > 1 ? r->cpu : 0;

	return e && qt_eval_result(r, i, (uint64_t)(uintptr_t)(e->values + copy * t->value_size));
}

bool qt_eval_map_get(struct qt_run *r, const struct qt_ir_ins *i)
{
	const struct qt_eval_table *t = &r->m->maps[i->imm];

	return row_result(r, i, t, qt_eval_table_get(t, r->bufs[i->buf]));
}

bool qt_eval_map_upsert(struct qt_run *r, const struct qt_ir_ins *i)
{
	struct qt_eval_table *t = &r->m->maps[i->imm];

	return row_result(r, i, t, qt_eval_table_upsert(t, r->bufs[i->buf]));
}

bool qt_eval_map_put(struct qt_run *r, const struct qt_ir_ins *i)
{
	struct qt_eval_table *t = &r->m->maps[i->imm];
	struct qt_eval_entry *e = qt_eval_table_upsert(t, r->bufs[i->buf]);

	if (e)
		memcpy(e->values, r->bufs[i->buf2], t->value_size);
	return e != NULL;
}

bool qt_eval_map_delete(struct qt_run *r, const struct qt_ir_ins *i)
{
	qt_eval_table_delete(&r->m->maps[i->imm], r->bufs[i->buf]);
	return true;
}

/* The interpreter's threads have their storage alone, which ends with them. */
bool qt_eval_task_drop(struct qt_run *r, const struct qt_ir_ins *i)
{
	(void)r, (void)i;
	return true;
}

bool qt_eval_task_get(struct qt_run *r, const struct qt_ir_ins *i)
{
	uint64_t tid = r->event->tid;
	struct qt_eval_table *t = &r->m->tasks;

	return row_result(r, i, t, i->sign ? qt_eval_table_upsert(t, &tid) : qt_eval_table_get(t, &tid));
}

/* ---- rows ---- */

static unsigned char *at(const struct qt_run *r, const struct qt_ir_ins *i)
{
	return (unsigned char *)(uintptr_t)qt_eval_a(r, i) + i->imm;
}

bool qt_eval_row_load(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, qt_eval_number(at(r, i), i->size, i->sign));
}

bool qt_eval_row_store(struct qt_run *r, const struct qt_ir_ins *i)
{
	uint64_t value = qt_eval_b(r, i);

	memcpy(at(r, i), &value, i->size);
	return true;
}

bool qt_eval_row_comm(struct qt_run *r, const struct qt_ir_ins *i)
{
	qt_eval_comm(r, at(r, i));
	return true;
}

bool qt_eval_row_add(struct qt_run *r, const struct qt_ir_ins *i)
{
	store(at(r, i), load(at(r, i)) + qt_eval_b(r, i));
	return true;
}

bool qt_eval_row_fetch_add(struct qt_run *r, const struct qt_ir_ins *i)
{
	uint64_t before = load(at(r, i));

	store(at(r, i), before + qt_eval_b(r, i));
	return qt_eval_result(r, i, before);
}

bool qt_eval_row_max(struct qt_run *r, const struct qt_ir_ins *i)
{
	if (load(at(r, i)) < qt_eval_b(r, i))
		store(at(r, i), qt_eval_b(r, i));
	return true;
}

bool qt_eval_row_hist(struct qt_run *r, const struct qt_ir_ins *i)
{
	unsigned char *bucket = at(r, i) + 8 * (size_t)qt_hist_bucket(qt_eval_b(r, i), i->sign);

	store(bucket, load(bucket) + 1);
	return true;
}

/* ---- frames: a word with a bit for each used frame, then the frames: key, time, captures ---- */

static unsigned char *frame_at(const struct qt_run *r, const struct qt_ir_ins *i, unsigned n)
{
	return at(r, i) + 8 + (size_t)n * (16 + i->size * 8);
}

/* The used frame with the key, QT_FRAME_DEPTH when there is none. */
static unsigned frame_find(const struct qt_run *r, const struct qt_ir_ins *i)
{
	uint64_t used = load(at(r, i));
	unsigned n = 0;

	while (n < QT_FRAME_DEPTH && !(used >> n & 1 && load(frame_at(r, i, n)) == qt_eval_b(r, i)))
		n++;
	return n;
}

static unsigned frame_free(const struct qt_run *r, const struct qt_ir_ins *i)
{
	uint64_t used = load(at(r, i));
	unsigned n = 0;

	while (n < QT_FRAME_DEPTH && used >> n & 1)
		n++;
	return n;
}

bool qt_eval_frame_push(struct qt_run *r, const struct qt_ir_ins *i)
{
	uint64_t used = load(at(r, i));
	unsigned dead = frame_find(r, i), n = frame_free(r, i);

	if (dead < QT_FRAME_DEPTH || n == QT_FRAME_DEPTH) {
		store(at(r, i), used & ~(1ULL << dead % QT_FRAME_DEPTH));
		return false;
	}
	store(at(r, i), used | 1ULL << n);
	store(frame_at(r, i, n), qt_eval_b(r, i));
	return qt_eval_result(r, i, (uint64_t)(uintptr_t)frame_at(r, i, n));
}

bool qt_eval_frame_pop(struct qt_run *r, const struct qt_ir_ins *i)
{
	unsigned n = frame_find(r, i);

	if (n == QT_FRAME_DEPTH)
		return false;
	store(at(r, i), load(at(r, i)) & ~(1ULL << n));
	return qt_eval_result(r, i, (uint64_t)(uintptr_t)frame_at(r, i, n));
}
