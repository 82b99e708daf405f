/* Records of the ring buffer in this kernel: fixed and variable ones, and a ring that is full. */
#include "base/space.h"
#include "tests/unit/codegen_kit.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <string.h>

struct seen {
	unsigned count;
	size_t size;
	char bytes[256];
};

static int take(void *ctx, void *data, size_t size)
{
	struct seen *s = ctx;

	s->count++;
	s->size = size;
	memcpy(s->bytes, data, size < sizeof(s->bytes) ? size : sizeof(s->bytes));
	return 0;
}

static struct ring_buffer *reader(struct kit *k, struct seen *s)
{
	memset(s, 0, sizeof(*s));
	return ring_buffer__new(kit_map(k, QT_MAP_RING), take, s, NULL);
}

static void build_fixed(struct kit *k)
{
	uint32_t record;

	kit_program(k, "fixed", QT_HOOK_raw_tracepoint);
	record = kit_imm(k, QT_IR_ring_reserve, 0, 0, 48);
	for (unsigned n = 0; n < 6; n++)
		kit_imm(k, QT_IR_row_store, record, kit_arg(k, n), n * 8);
	kit_op(k, QT_IR_ring_submit, record, 0);
	kit_ret(k);
}

QT_TEST(records_of_fixed_size)
{
	struct kit k;
	struct seen s;
	struct ring_buffer *r;

	kit_begin(&k, 64);
	build_fixed(&k);
	QT_NEED(kit_load(&k));
	r = reader(&k, &s);
	for (unsigned n = 0; n < 13; n++)
		QT_NEED(KIT_RUN(&k, "fixed", 2, 3, 5, 7, 11, n));
	ring_buffer__consume(r);
	QT_EQ_INT(s.count, 13);
	QT_EQ_INT(s.size, 48);
	QT_TRUE(!memcmp(s.bytes, (uint64_t[]){ 2, 3, 5, 7, 11, 12 }, 48));
	ring_buffer__free(r);
	kit_end(&k);
}

QT_TEST(a_full_ring_fails)
{
	struct kit k;
	struct seen s;
	struct ring_buffer *r;
	unsigned failures = 0;

	kit_begin(&k, 64);
	k.plan->maps.items[QT_MAP_RING].max_entries = 4096;
	build_fixed(&k);
	QT_NEED(kit_load(&k));
	r = reader(&k, &s);
	for (unsigned n = 0; n < 97; n++) {
		QT_NEED(KIT_RUN(&k, "fixed", n));
		failures += k.result[255] != 0;
	}
	ring_buffer__consume(r);
	QT_EQ_INT(s.count + failures, 97);
	QT_TRUE(failures > 0);
	ring_buffer__free(r);
	kit_end(&k);
}

/* A record of two words and two texts; arg 2: bytes to ask for, 0: as many as it needs. */
static void build_open(struct kit *k)
{
	uint32_t words, text[2], len[2], size, gave_up, here;

	kit_program(k, "open", QT_HOOK_raw_tracepoint);
	words = qt_ir_words_new(&k->b, 16);
	gave_up = qt_ir_block_new(&k->b);
	here = k->b.block;
	k->b.block = gave_up;
	kit_op(k, QT_IR_scratch_give, 0, 0);
	kit_goto(k, k->failed);
	k->b.block = here;
	kit_op(k, QT_IR_scratch_take, 0, 0);
	for (unsigned n = 0; n < 2; n++) {
		text[n] = qt_ir_text_new(&k->b);
		struct qt_ir_ins *i = kit_op(k, QT_IR_text_read, kit_arg(k, n), 0);
		i->buf = text[n];
		i->imm = QT_SPACE_USER;
		i->fail = gave_up;
	}
	for (unsigned n = 0; n < 2; n++) {
		struct qt_ir_ins *i = kit_op(k, QT_IR_text_len, 0, 0);

		i->buf = text[n];
		len[n] = i->dst;
		i = kit_op(k, QT_IR_buf_store, len[n], 0);
		i->buf = words;
		i->imm = n * 8;
	}
	size = qt_ir_bin(&k->b, QT_IR_add, len[0], len[1]);
	size = qt_ir_bin(&k->b, QT_IR_add, size, qt_ir_const(&k->b, 16));
	size = qt_ir_bin(&k->b, QT_IR_add, size, kit_arg(k, 2));
	kit_op(k, QT_IR_ring_open, size, 0)->fail = gave_up;
	kit_op(k, QT_IR_ring_words, 0, 0)->buf = words;
	kit_op(k, QT_IR_ring_text, qt_ir_const(&k->b, 16), 0)->buf = text[0];
	uint32_t at = qt_ir_bin(&k->b, QT_IR_add, len[0], qt_ir_const(&k->b, 16));
	kit_op(k, QT_IR_ring_text, at, 0)->buf = text[1];
	kit_op(k, QT_IR_ring_close, 0, 0);
	kit_op(k, QT_IR_scratch_give, 0, 0);
	kit_ret(k);
}

QT_TEST(records_of_variable_size)
{
	struct kit k;
	struct seen s;
	struct ring_buffer *r;

	kit_begin(&k, 64);
	build_open(&k);
	QT_NEED(kit_load(&k));
	r = reader(&k, &s);
	QT_NEED(KIT_RUN(&k, "open", (uint64_t)(uintptr_t)"select", (uint64_t)(uintptr_t)" all of it", 0));
	QT_EQ_INT(k.result[255], 0);
	ring_buffer__consume(r);
	QT_EQ_INT(s.count, 1);
	QT_EQ_INT(s.size, 32);
	QT_TRUE(!memcmp(s.bytes, (uint64_t[]){ 6, 10 }, 16));
	QT_TRUE(!memcmp(s.bytes + 16, "select all of it", 16));
	QT_NEED(KIT_RUN(&k, "open", (uint64_t)(uintptr_t)"", (uint64_t)(uintptr_t)"", 0));
	ring_buffer__consume(r);
	QT_EQ_INT(s.count, 2);
	QT_EQ_INT(s.size, 16);
	QT_NEED(KIT_RUN(&k, "open", (uint64_t)(uintptr_t)"a", (uint64_t)(uintptr_t)"b", 2 << 20));
	QT_EQ_INT(k.result[255], 1);
	ring_buffer__consume(r);
	QT_EQ_INT(s.count, 2);
	ring_buffer__free(r);
	kit_end(&k);
}
