/* Maps and the thread's storage in this kernel. */
#include "tests/unit/codegen_kit.h"

#include <bpf/bpf.h>
#include <string.h>
#include <sys/prctl.h>

static struct qt_ir_ins *on_map(struct kit *k, enum qt_ir_op op, unsigned map, uint32_t key)
{
	struct qt_ir_ins *i = kit_op(k, op, 0, 0);

	i->imm = map;
	i->buf = key;
	return i;
}

static void set_word(struct kit *k, uint32_t buf, unsigned word, uint32_t value)
{
	struct qt_ir_ins *i = kit_op(k, QT_IR_buf_store, 0, 0);

	i->a = value;
	i->buf = buf;
	i->imm = word * 8;
}

/* key (arg 0, 0 by default); value (arg 1, 0, arg 2) */
static void build_table(struct kit *k)
{
	uint32_t key, value, row;
	struct qt_ir_ins *i;

	kit_program(k, "put", QT_HOOK_raw_tracepoint);
	key = qt_ir_words_new(&k->b, 16), value = qt_ir_words_new(&k->b, 24);
	set_word(k, key, 0, kit_arg(k, 0));
	set_word(k, value, 0, kit_arg(k, 1));
	set_word(k, value, 2, kit_arg(k, 2));
	i = on_map(k, QT_IR_map_put, KIT_HASH, key);
	i->buf2 = value;
	kit_ret(k);

	kit_program(k, "get", QT_HOOK_raw_tracepoint);
	key = qt_ir_words_new(&k->b, 16);
	set_word(k, key, 0, kit_arg(k, 0));
	row = on_map(k, QT_IR_map_get, KIT_HASH, key)->dst;
	for (unsigned n = 0; n < 3; n++)
		kit_result(k, n, kit_imm(k, QT_IR_row_load, row, 0, n * 8));
	kit_ret(k);

	kit_program(k, "drop", QT_HOOK_raw_tracepoint);
	key = qt_ir_words_new(&k->b, 16);
	set_word(k, key, 0, kit_arg(k, 0));
	on_map(k, QT_IR_map_delete, KIT_HASH, key);
	kit_ret(k);
}

QT_TEST(put_get_delete)
{
	struct kit k;

	kit_begin(&k, 64);
	build_table(&k);
	QT_NEED(kit_load(&k));
	for (unsigned n = 0; n < 17; n++) {
		QT_NEED(KIT_RUN(&k, "put", n, n * 3 + 1, n + 100));
		QT_EQ_INT(k.result[255], n == 16);
	}
	for (unsigned n = 0; n < 17; n++) {
		QT_NEED(KIT_RUN(&k, "get", n));
		QT_EQ_INT(k.result[255], n == 16);
		QT_EQ_INT(k.result[0], n == 16 ? 0 : n * 3 + 1);
		QT_EQ_INT(k.result[1], 0);
		QT_EQ_INT(k.result[2], n == 16 ? 0 : n + 100);
	}
	QT_NEED(KIT_RUN(&k, "drop", 7));
	QT_NEED(KIT_RUN(&k, "drop", 7));
	QT_NEED(KIT_RUN(&k, "get", 7));
	QT_EQ_INT(k.result[255], 1);
	kit_end(&k);
}

QT_TEST(new_rows_begin_with_zeros)
{
	struct kit k;
	uint32_t key, row, add;

	kit_begin(&k, 64);
	k.plan->maps.items[KIT_ROWS].max_entries = 13;
	kit_program(&k, "upsert", QT_HOOK_raw_tracepoint);
	key = qt_ir_words_new(&k.b, 8);
	set_word(&k, key, 0, kit_arg(&k, 0));
	row = on_map(&k, QT_IR_map_upsert, KIT_ROWS, key)->dst;
	add = kit_imm(&k, QT_IR_row_fetch_add, row, kit_arg(&k, 1), 67 * 8);
	kit_result(&k, 0, add);
	kit_ret(&k);
	QT_NEED(kit_load(&k));
	for (unsigned round = 0; round < 3; round++)
		for (unsigned n = 0; n < 14; n++) {
			QT_NEED(KIT_RUN(&k, "upsert", n, n));
			QT_EQ_INT(k.result[255], n == 13);
			QT_EQ_INT(k.result[0], n == 13 ? 0 : n * round);
		}
	kit_end(&k);
}

QT_TEST(names_of_the_thread)
{
	struct kit k;
	uint32_t buf;

	prctl(PR_SET_NAME, "unit");
	kit_begin(&k, 64);
	kit_program(&k, "comm", QT_HOOK_raw_tracepoint);
	buf = qt_ir_words_new(&k.b, 24);
	on_map(&k, QT_IR_buf_comm, 8, buf);
	for (unsigned n = 0; n < 3; n++)
		kit_result(&k, 2 + n, on_map(&k, QT_IR_buf_load, n * 8, buf)->dst);
	kit_op(&k, QT_IR_row_comm, k.out, 0);
	kit_ret(&k);
	QT_NEED(kit_load(&k));
	QT_NEED(KIT_RUN(&k, "comm", 0));
	QT_EQ_STR((const char *)k.result, "unit");
	QT_EQ_INT(k.result[1], 0);
	QT_EQ_INT(k.result[2], 0);
	QT_EQ_STR((const char *)(k.result + 3), "unit");
	QT_EQ_INT(k.result[4], 0);
	kit_end(&k);
}

QT_TEST(storage_of_the_thread)
{
	struct kit k;
	uint32_t row;

	kit_begin(&k, 64);
	for (unsigned create = 0; create < 2; create++) {
		kit_program(&k, create ? "set" : "get", QT_HOOK_raw_tracepoint);
		struct qt_ir_ins *i = kit_op(&k, QT_IR_task_get, 0, 0);
		i->sign = create;
		row = i->dst;
		if (create)
			kit_imm(&k, QT_IR_row_store, row, kit_arg(&k, 0), 40);
		kit_result(&k, 0, kit_imm(&k, QT_IR_row_load, row, 0, 40));
		kit_ret(&k);
	}
	QT_NEED(kit_load(&k));
	QT_NEED(KIT_RUN(&k, "get", 0));
	QT_EQ_INT(k.result[255], 1);
	QT_NEED(KIT_RUN(&k, "set", 1000003));
	QT_EQ_INT(k.result[0], 1000003);
	QT_NEED(KIT_RUN(&k, "get", 0));
	QT_EQ_INT(k.result[255], 0);
	QT_EQ_INT(k.result[0], 1000003);
	kit_end(&k);
}
