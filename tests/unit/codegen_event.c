/* The event, the shared areas, the process filter and counters in this kernel; a program of every hook is loaded. */
#include "base/regs.h"
#include "base/space.h"
#include "tests/unit/codegen_kit.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* `now` is asked for on two ways through the program and behind them: it is one value a run. */
QT_TEST(what_an_event_knows)
{
	static const enum qt_ir_op ops[] = { QT_IR_pid_tgid, QT_IR_uid_gid, QT_IR_cpu, QT_IR_cookie, QT_IR_rand, QT_IR_ctx_addr };
	struct kit k;
	uint32_t yes, no, then;
	uint64_t before;

	kit_begin(&k, 64);
	kit_program(&k, "event", QT_HOOK_raw_tracepoint);
	for (unsigned n = 0; n < 6; n++)
		if (ops[n] != QT_IR_cookie)
			kit_result(&k, n, kit_op(&k, ops[n], 0, 0)->dst);
	yes = qt_ir_block_new(&k.b), no = qt_ir_block_new(&k.b), then = qt_ir_block_new(&k.b);
	uint32_t arg = kit_arg(&k, 0);
	struct qt_ir_ins *i = qt_ir_emit(&k.b, QT_IR_brif, arg, 0);
	i->target = yes;
	i->otherwise = no;
	for (unsigned n = 0; n < 2; n++) {
		k.b.block = n ? no : yes;
		kit_result(&k, 6 + n, kit_op(&k, QT_IR_now, 0, 0)->dst);
		kit_goto(&k, then);
	}
	k.b.block = then;
	kit_result(&k, 8, kit_op(&k, QT_IR_now, 0, 0)->dst);
	kit_ret(&k);
	QT_NEED(kit_load(&k));
	for (unsigned n = 0; n < 2; n++) {
		before = clock_ns();
		QT_NEED(KIT_RUN(&k, "event", n));
		QT_EQ_INT(k.result[0], (uint64_t)getpid() << 32 | (uint32_t)syscall(SYS_gettid));
		QT_EQ_INT(k.result[1], (uint64_t)getgid() << 32 | getuid());
		QT_EQ_INT(k.result[2], 0);
		QT_EQ_INT((uint64_t)k.result[4] >> 32, 0);
		QT_TRUE(k.result[5] != 0);
		QT_TRUE((uint64_t)k.result[8] >= before && (uint64_t)k.result[8] <= clock_ns());
		QT_EQ_INT(k.result[n ? 6 : 7], k.result[8]);
		QT_EQ_INT(k.result[n ? 7 : 6], 0);
	}
	kit_end(&k);
}

QT_TEST(memory)
{
	static const int16_t here[4] = { 1, -2, 3, -4 };
	struct kit k;

	kit_begin(&k, 64);
	kit_program(&k, "read", QT_HOOK_raw_tracepoint);
	for (unsigned n = 0; n < 3; n++) {
		struct qt_ir_ins *i = kit_op(&k, QT_IR_mem_read, kit_arg(&k, 0), 0);

		i->imm = QT_SPACE_USER;
		i->size = n == 2 ? 8 : 2;
		i->sign = n == 1;
		kit_result(&k, n, i->dst);
	}
	kit_ret(&k);
	QT_NEED(kit_load(&k));
	QT_NEED(KIT_RUN(&k, "read", (uint64_t)(uintptr_t)(here + 1)));
	QT_EQ_INT(k.result[0], 0xfffe);
	QT_EQ_INT(k.result[1], -2);
	QT_NEED(KIT_RUN(&k, "read", 4096));
	QT_EQ_INT(k.result[255], 1);
	kit_end(&k);
}

static bool passes(enum qt_filter_mode mode, uint32_t pid, bool in_map)
{
	struct kit k;
	bool passed;
	uint64_t key = (uint32_t)getpid(), one = 1;

	kit_begin(&k, 64);
	k.filter_mode = mode;
	k.filter_pid = pid;
	kit_program(&k, "wanted", QT_HOOK_raw_tracepoint);
	kit_op(&k, QT_IR_filter, 0, 0);
	kit_ret(&k);
	QT_NEED_OR_FALSE(kit_load(&k));
	if (in_map)
		QT_EQ_INT(bpf_map_update_elem(kit_map(&k, QT_MAP_FILTER), &key, &one, 0), 0);
	QT_NEED_OR_FALSE(KIT_RUN(&k, "wanted", 0));
	passed = !k.result[255];
	kit_end(&k);
	return passed;
}

QT_TEST(process_filter)
{
	uint32_t me = (uint32_t)getpid();

	QT_TRUE(passes(QT_FILTER_NONE, 0, false));
	QT_TRUE(passes(QT_FILTER_ONE, me, false));
	QT_TRUE(!passes(QT_FILTER_ONE, me + 1, true));
	QT_TRUE(passes(QT_FILTER_TREE, me, false));
	QT_TRUE(passes(QT_FILTER_TREE, me + 1, true));
	QT_TRUE(!passes(QT_FILTER_TREE, me + 1, false));
}

QT_TEST(shared_areas_and_counters)
{
	struct kit k;
	uint32_t zero = 0;
	static uint64_t counters[16 * 128];

	kit_begin(&k, 64);
	kit_program(&k, "areas", QT_HOOK_raw_tracepoint);
	kit_imm(&k, QT_IR_live_store, kit_arg(&k, 0), 0, QT_LIVE_EXIT);
	kit_result(&k, 0, kit_imm(&k, QT_IR_live, 0, 0, QT_LIVE_EXIT));
	kit_result(&k, 1, kit_imm(&k, QT_IR_live, 0, 0, QT_LIVE_ENABLED));
	kit_result(&k, 2, kit_imm(&k, QT_IR_config, 0, 0, QT_CONFIG_SEED1));
	kit_imm(&k, QT_IR_count, 0, 0, 3);
	kit_imm(&k, QT_IR_count, 0, 0, 15);
	kit_ret(&k);
	QT_NEED(kit_load(&k));
	for (unsigned n = 1; n <= 7; n++) {
		QT_NEED(KIT_RUN(&k, "areas", n));
		QT_EQ_INT(k.result[0], n);
		QT_EQ_INT(k.result[1], 0);
		QT_EQ_INT(k.result[2], KIT_SEED1);
	}
	QT_EQ_INT(bpf_map_lookup_elem(kit_map(&k, QT_MAP_COUNTERS), &zero, counters), 0);
	QT_EQ_INT(counters[3], 7);
	QT_EQ_INT(counters[15], 7);
	QT_EQ_INT(counters[4], 0);
	kit_end(&k);
}

/* What every hook can do, with all of its context. */
static void build_hook(struct kit *k, enum qt_hook hook)
{
	const struct qt_hook_info *info = qt_hook_info(hook);

	kit_program(k, qt_arena_printf(k->arena, "on_%s", info->name), hook);
	kit_op(k, QT_IR_filter, 0, 0);
	struct qt_ir_ins *i = kit_op(k, QT_IR_task_get, 0, 0);
	i->sign = true;
	uint32_t row = i->dst;
	i = kit_op(k, QT_IR_frame_push, row, kit_op(k, info->context == QT_CONTEXT_WORDS ? QT_IR_ctx_addr : QT_IR_pid_tgid, 0, 0)->dst);
	i->size = 3;
	kit_imm(k, QT_IR_row_store, i->dst, kit_op(k, QT_IR_now, 0, 0)->dst, 8);
	if (info->context == QT_CONTEXT_REGS) {
		kit_result(k, 0, kit_imm(k, QT_IR_reg, 0, 0, QT_REG_rdi));
		kit_result(k, 1, kit_imm(k, QT_IR_reg, 0, 0, QT_REG_rax));
		kit_result(k, 2, kit_op(k, QT_IR_cookie, 0, 0)->dst);
	} else if (info->context == QT_CONTEXT_FIELDS) {
		i = kit_op(k, QT_IR_ctx_load, 0, 0);
		i->imm = 8;
		i->size = 4;
		kit_result(k, 0, i->dst);
		kit_result(k, 1, kit_imm(k, QT_IR_ctx_load, 0, 0, 16));
	} else if (info->context == QT_CONTEXT_WORDS) {
		kit_result(k, 0, kit_imm(k, QT_IR_lshr, kit_arg(k, 0), kit_arg(k, 1), 0));
	}
	kit_imm(k, QT_IR_count, 0, 0, 3);
	kit_ret(k);
}

/* Trampolines are not there on every kernel: then those programs are left out. */
QT_TEST(every_hook_loads)
{
	struct kit k;

	for (unsigned traces = 0; traces < 2; traces++) {
		kit_begin(&k, 64);
		for (unsigned h = 0; h < QT_HOOK_COUNT; h++)
			if (traces || (h != QT_HOOK_fentry && h != QT_HOOK_fexit))
				build_hook(&k, (enum qt_hook)h);
		if (!traces) {
			QT_NEED(kit_load(&k));
		} else {
			QT_NEED(kit_compile(&k));
			k.object = bpf_object__open_mem(k.plan->object, k.plan->object_size, NULL);
			QT_NEED(k.object);
			int code = bpf_object__load(k.object);
			if (code == -EPERM)
				QT_SKIP("this kernel refuses fentry; the other hooks loaded");
			QT_EQ_INT(code, 0);
		}
		kit_end(&k);
	}
}

QT_TEST(texts_of_tracepoints)
{
	struct kit k;

	kit_begin(&k, 64);
	kit_program(&k, "texts", QT_HOOK_tracepoint);
	kit_op(&k, QT_IR_scratch_take, 0, 0);
	for (unsigned n = 0; n < 3; n++) {
		struct qt_ir_ins *i = kit_op(&k, QT_IR_text_ctx, 0, 0);

		i->imm = 8 + 8 * n;
		i->size = n == 0 ? 0 : n == 1 ? 16 : 200;
		i->buf = qt_ir_text_new(&k.b);
		uint32_t buf = i->buf;
		i = kit_op(&k, QT_IR_text_hash, 0, 0);
		i->buf = buf;
		kit_result(&k, n, i->dst);
	}
	kit_op(&k, QT_IR_scratch_give, 0, 0);
	kit_ret(&k);
	QT_NEED(kit_load(&k));
	kit_end(&k);
}
