/* See codegen_kit.h. */
#include "tests/unit/codegen_kit.h"

#include "codegen/codegen.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add_map(struct kit *k, const char *name, enum qt_map_kind kind, uint32_t key, uint32_t value, uint32_t entries)
{
	*qt_vec_push(k->plan->arena, &k->plan->maps) =
		(struct qt_plan_map){ .name = name, .kind = kind, .key_size = key, .value_size = value, .max_entries = entries };
}

static void add_maps(struct kit *k)
{
	add_map(k, "counters", QT_MAP_PERCPU_ARRAY, 4, KIT_COUNTERS * 8, 1);
	add_map(k, "strings", QT_MAP_HASH, 8, qt_plan_text_size(k->plan), 4096);
	k->plan->maps.items[QT_MAP_STRINGS].no_prealloc = true;
	add_map(k, "context", QT_MAP_TASK_STORAGE, 4, 2048, 1);
	add_map(k, "scratch", QT_MAP_PERCPU_ARRAY, 4, 0, 1);
	add_map(k, "ring", QT_MAP_RINGBUF, 0, 0, 1 << 20);
	add_map(k, "filter", QT_MAP_HASH, 8, 8, 64);
	add_map(k, "threads", QT_MAP_ARRAY, 4, QT_PLACE_VALUE + 2048, 0);
	add_map(k, "out", QT_MAP_PERCPU_HASH, 8, KIT_OUT_WORDS * 8, 1);
	add_map(k, "hash", QT_MAP_HASH, 16, 24, 16);
	add_map(k, "rows", QT_MAP_PERCPU_HASH, 8, 68 * 8, 64);
}

void kit_begin(struct kit *k, uint32_t max_strlen)
{
	memset(k, 0, sizeof(*k));
	k->plan = qt_plan_new();
	k->plan->max_strlen = max_strlen;
	k->arena = qt_arena_new();
	k->diags = qt_diags_new(k->arena);
	k->sources = qt_sources_new(k->arena);
	qt_sources_add(k->sources, "kit.qt", "one line\nanother line\n", 22);
	add_maps(k);
	for (unsigned n = 0; n < KIT_COUNTERS; n++)
		qt_vec_push(k->plan->arena, &k->plan->counters)->cause = QT_NOT_A_LOSS;
	k->ir = qt_ir_new(k->arena, k->plan, k->sources);
}

void kit_program(struct kit *k, const char *name, enum qt_hook hook)
{
	static const char *const targets[QT_HOOK_COUNT] = { [QT_HOOK_fentry] = "vfs_read", [QT_HOOK_fexit] = "vfs_read" };
	uint32_t key;

	*qt_vec_push(k->plan->arena, &k->plan->progs) = (struct qt_plan_prog){ .name = name, .hook = hook, .attach_to = targets[hook] };
	qt_ir_begin(&k->b, k->ir, k->plan->progs.len - 1, name, hook, (struct qt_span){ 1, 9, 16 });
	k->end = qt_ir_block_new(&k->b);
	k->failed = qt_ir_block_new(&k->b);
	key = qt_ir_words_new(&k->b, 8);
	struct qt_ir_ins *get = qt_ir_emit(&k->b, QT_IR_map_get, 0, 0);
	get->imm = KIT_OUT;
	get->buf = key;
	get->fail = k->end;
	k->out = get->dst;
	uint32_t main = k->b.block;
	k->b.block = k->end;
	kit_ret(k);
	k->b.block = k->failed;
	kit_result(k, 255, qt_ir_const(&k->b, 1));
	kit_ret(k);
	k->b.block = main;
}

struct qt_ir_ins *kit_op(struct kit *k, enum qt_ir_op op, uint32_t a, uint32_t v)
{
	struct qt_ir_ins *i = qt_ir_emit(&k->b, op, a, v);

	i->size = 8;
	if (qt_ir_op_info(op)->flags & QT_IR_MAY_FAIL)
		i->fail = k->failed;
	return i;
}

uint32_t kit_imm(struct kit *k, enum qt_ir_op op, uint32_t a, uint32_t v, uint64_t imm)
{
	struct qt_ir_ins *i = kit_op(k, op, a, v);

	i->imm = imm;
	return i->dst;
}

uint32_t kit_arg(struct kit *k, unsigned n)
{
	return kit_imm(k, QT_IR_ctx_load, 0, 0, n * 8);
}

void kit_result(struct kit *k, unsigned n, uint32_t value)
{
	kit_imm(k, QT_IR_row_store, k->out, value, n * 8);
}

void kit_goto(struct kit *k, uint32_t block)
{
	qt_ir_emit(&k->b, QT_IR_br, 0, 0)->target = block;
}

void kit_ret(struct kit *k)
{
	qt_ir_emit(&k->b, QT_IR_ret, 0, 0);
}

static void tell(struct kit *k)
{
	unsigned count;
	const struct qt_diag *const *all = qt_diags_sorted(k->diags, &count);

	for (unsigned n = 0; n < count; n++)
		printf("# %s\n", all[n]->message);
}

bool kit_compile(struct kit *k)
{
	struct qt_codegen_options options = { .dump_llvm = getenv("KIT_LLVM") ? stderr : NULL, .dump_bpf = getenv("KIT_BPF") ? stderr : NULL };
	const char *wrong;

	k->plan->maps.items[QT_MAP_SCRATCH].value_size = k->ir->scratch_bytes;
	k->plan->maps.items[QT_MAP_SCRATCH].max_entries = k->ir->scratch_bytes ? QT_SCRATCH_SLOTS : 0;
	wrong = qt_ir_check(k->ir);
	if (!QT_EQ_STR(wrong, NULL))
		return false;
	if (QT_TRUE(qt_codegen(k->ir, &options, k->diags)))
		return true;
	tell(k);
	return false;
}

static int speak(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN || getenv("KIT_DEBUG") ? vfprintf(stderr, format, args) : 0;
}

/* The config area is all of .rodata's begin. */
static void fill_config(struct kit *k)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, k->object)
	{
		size_t size = 0;
		const void *old = strstr(bpf_map__name(map), ".rodata") ? bpf_map__initial_value(map, &size) : NULL;
		uint64_t *words;

		if (!old)
			continue;
		words = qt_arena_alloc(k->arena, size);
		memcpy(words, old, size);
		words[QT_CONFIG_SEED0] = KIT_SEED0;
		words[QT_CONFIG_SEED1] = KIT_SEED1;
		words[QT_CONFIG_FILTER] = k->filter_mode;
		words[QT_CONFIG_FILTER_PID] = k->filter_pid;
		bpf_map__set_initial_value(map, words, size);
	}
}

bool kit_load(struct kit *k)
{
	LIBBPF_OPTS(bpf_object_open_opts, options, .object_name = "kit");
	cpu_set_t one;

	if (geteuid())
		QT_SKIP("loading BPF needs root");
	if (!kit_compile(k))
		return false;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	libbpf_set_print(speak);
	k->object = bpf_object__open_mem(k->plan->object, k->plan->object_size, &options);
	if (!QT_TRUE(k->object))
		return false;
	fill_config(k);
	return QT_EQ_INT(bpf_object__load(k->object), 0);
}

int kit_map(struct kit *k, unsigned map)
{
	return bpf_object__find_map_fd_by_name(k->object, k->plan->maps.items[map].name);
}

bool kit_run(struct kit *k, const char *name, const uint64_t *args, unsigned count)
{
	static int64_t rows[KIT_OUT_WORDS * 128];
	uint64_t all[12] = { 0 };
	uint64_t zero = 0;
	LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = all, .ctx_size_in = sizeof(all));
	int prog = bpf_program__fd(bpf_object__find_program_by_name(k->object, name)), map = kit_map(k, KIT_OUT);

	memcpy(all, args, count * sizeof(args[0]));
	memset(rows, 0, sizeof(rows));
	bpf_map_update_elem(map, &zero, rows, 0);
	if (!QT_EQ_INT(bpf_prog_test_run_opts(prog, &run), 0))
		return false;
	bpf_map_lookup_elem(map, &zero, rows);
	memcpy(k->result, rows, sizeof(k->result));
	return true;
}

void kit_end(struct kit *k)
{
	bpf_object__close(k->object);
	qt_arena_free(k->arena);
	qt_plan_free(k->plan);
}
