/* The ring buffer, one function an operation. As in the kernel, a record takes its size and a head of 8 bytes, rounded up to 8, and the ring is never filled to its last byte. */
#include "base/check.h"
#include "ir/eval_internal.h"

#include <string.h>

/* A zeroed record; false when it does not fit. */
static bool reserve(struct qt_machine *m, uint64_t size, struct qt_eval_record *record)
{
	uint64_t need = QT_ALIGN(size, 8) + 8;

	if (size > UINT16_MAX + 1u || m->ring_used + need >= m->ring_bytes)
		return false;
	m->ring_used += need;
	*record = (struct qt_eval_record){ .bytes = qt_arena_alloc(m->arena, size), .size = (uint32_t)size };
	*qt_vec_push(m->arena, &m->records) = *record;
	return true;
}

bool qt_eval_ring_reserve(struct qt_run *r, const struct qt_ir_ins *i)
{
	struct qt_eval_record record;

	return reserve(r->m, i->imm, &record) && qt_eval_result(r, i, (uint64_t)(uintptr_t)record.bytes);
}

bool qt_eval_ring_submit(struct qt_run *r, const struct qt_ir_ins *i)
{
	(void)r;
	(void)i;
	return true;
}

bool qt_eval_ring_open(struct qt_run *r, const struct qt_ir_ins *i)
{
	return reserve(r->m, qt_eval_a(r, i), &r->open);
}

static void write_open(const struct qt_run *r, uint64_t offset, const void *bytes, uint64_t len)
{
	QT_ASSERT(offset <= r->open.size && len <= r->open.size - offset);
	memcpy(r->open.bytes + offset, bytes, len);
}

bool qt_eval_ring_words(struct qt_run *r, const struct qt_ir_ins *i)
{
	write_open(r, i->imm, r->bufs[i->buf], r->fn->bufs.items[i->buf].size);
	return true;
}

bool qt_eval_ring_text(struct qt_run *r, const struct qt_ir_ins *i)
{
	const struct qt_text *text = (const struct qt_text *)r->bufs[i->buf];

	write_open(r, qt_eval_a(r, i), text->bytes, text->len);
	return true;
}

bool qt_eval_ring_close(struct qt_run *r, const struct qt_ir_ins *i)
{
	(void)i;
	r->open = (struct qt_eval_record){ 0 };
	return true;
}
