/* Opens the plan's object from memory, writes the config area, sizes the tables, loads. A verifier log is made only after a failure (libbpf
 * loads again with one then) and becomes one diagnostic. Takes a validated plan; gives file descriptors and the mapped live area. */
#include "base/check.h"
#include "runtime/runtime_internal.h"
#include "runtime/verifier_log.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TRACE_UPROBE_MULTI 48 /* BPF_TRACE_UPROBE_MULTI, kernel 6.6; newer than libbpf 1.1's headers */

/* ---- what libbpf says ------------------------------------------------------------------------------------------------ */

/* libbpf's callback has no context of ours: this is set for the length of one load, by and for the thread that loads. */
static __thread struct qt_buf *libbpf_words;

static int keep_words(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	if (libbpf_words && level != LIBBPF_DEBUG)
		qt_buf_vprintf(libbpf_words, fmt, ap);
	return 0;
}

/* The text between BEGIN and the mark AFTER it, searched from FROM on; empty when there is none. */
static struct qt_str between(const char *from, const char *begin, const char *after)
{
	const char *start = from ? strstr(from, begin) : NULL, *end;

	if (!start)
		return (struct qt_str){ 0 };
	start += strlen(begin);
	end = strstr(start, after);
	return (struct qt_str){ start, end ? (size_t)(end - start) : strlen(start) };
}

static uint32_t find_prog(const struct qt_plan *plan, struct qt_str name)
{
	for (uint32_t i = 0; i < plan->progs.len; i++)
		if (qt_str_is(name, plan->progs.items[i].name))
			return i;
	return UINT32_MAX;
}

static bool is_trampoline(enum qt_hook h)
{
	return h == QT_HOOK_fentry || h == QT_HOOK_fexit;
}

static void report_rejection(const struct qt_run *run, uint32_t prog, struct qt_str log, int err)
{
	const struct qt_plan_prog *p = &run->plan->progs.items[prog];
	const char *probe = p->probe ? p->probe : p->name;
	struct qt_rejection r;
	struct qt_span span;
	struct qt_diag *d;

	if (is_trampoline(p->hook) && qt_target_feature(run->target, QT_FEATURE_FENTRY).state == QT_NO) {
		qt_function_refused(run, prog, p->attach_to ? p->attach_to : probe, err, QT_FEATURE_FENTRY);
		return;
	}
	if (!qt_verifier_log_read(run->arena, log, &r)) {
		qt_diag_prog(run, QT_E0602, prog, "the kernel refused the program of %s: %s", probe, qt_errno_text(run, err));
		return;
	}
	span = qt_place(run, r.file, r.line, 0);
	if (span.file)
		d = qt_diag_add(run->diags, QT_E0602, span, "the kernel refused the program of %s", probe);
	else
		d = qt_diag_prog(run, QT_E0602, prog, "the kernel refused the program of %s", probe);
	qt_diag_note(run->diags, d, (struct qt_span){ 0 }, "the verifier says: %s", r.sentence);
	if (r.instruction)
		qt_diag_note(run->diags, d, (struct qt_span){ 0 }, "at instruction %s", r.instruction);
	qt_diag_hint(run->diags, d, "this is a mistake in qtrace or a limit of this kernel: -v prints the verifier's whole log");
}

static void report_map(const struct qt_run *run, struct qt_str name, int err)
{
	struct qt_diag *d = qt_diag_run(run, QT_E0603, "the table %.*s could not be made: %s", QT_STR_ARG(name), qt_errno_text(run, err));

	qt_hint_files(run, d, err);
	if (err == -ENOMEM || err == -E2BIG)
		qt_diag_hint(run->diags, d, "make it smaller: config = { max_entries = N; }");
}

/* Fewer than the programs and tables and what is open beside them can need. */
static bool has_few_files(const struct qt_plan *plan)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 24 + (uint64_t)plan->progs.len + plan->maps.len;
}

static void report_load(const struct qt_run *run, const char *words, int err)
{
	struct qt_str prog = between(words, "libbpf: prog '", "': BPF program load failed");
	struct qt_str log = between(words, "-- BEGIN PROG LOAD LOG --\n", "-- END PROG LOAD LOG --");
	const char *failed = words ? strstr(words, "failed to create: ") : NULL;
	uint32_t index = find_prog(run->plan, prog);
	struct qt_diag *d;

	if (words)
		qt_message(run, 1, "%s", words);
	if (has_few_files(run->plan))
		err = -EMFILE; /* libbpf goes on without what it could not try out, and fails of that in some other way */
	if (failed) {
		while (failed > words && failed[-1] != '\n')
			failed--;
		report_map(run, between(failed, "map '", "'"), err);
	} else if (index != UINT32_MAX && !qt_lacks_files(err)) {
		report_rejection(run, index, log, err);
	} else {
		d = qt_diag_run(run, QT_E0604, "the programs could not be loaded: %s", qt_errno_text(run, err));
		qt_hint_files(run, d, err);
	}
}

/* ---- areas ----------------------------------------------------------------------------------------------------------- */

/* The words of variable NAME in the area of section SECTION; NULL when it is not there or shorter than WORDS. */
static uint64_t *find_area(struct bpf_object *object, const char *section, const char *name, uint64_t words)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, section);
	const struct btf *btf = bpf_object__btf(object);
	size_t size = 0;
	uint64_t *base = map ? (uint64_t *)bpf_map__initial_value(map, &size) : NULL;
	const struct btf_type *t = map && btf ? btf__type_by_id(btf, bpf_map__btf_value_type_id(map)) : NULL;
	const struct btf_var_secinfo *var;

	if (!base || !t || !btf_is_datasec(t))
		return NULL;
	var = btf_var_secinfos(t);
	for (unsigned i = 0; i < btf_vlen(t); i++, var++) {
		const struct btf_type *v = btf__type_by_id(btf, var->type);
		const char *found = v ? btf__name_by_offset(btf, v->name_off) : NULL;

		if (found && strcmp(found, name) == 0 && var->size >= 8 * words && (uint64_t)var->offset + var->size <= size && var->offset % 8 == 0)
			return base + var->offset / 8;
	}
	return NULL;
}

static bool write_config(const struct qt_run *run, const struct qt_load_options *o, struct bpf_object *object, uint64_t *seed)
{
	uint64_t *config = find_area(object, ".rodata", "qt_config", QT_CONFIG_LITERALS + run->plan->literals.len);

	if (getrandom(seed, 16, 0) != 16) {
		qt_diag_run(run, QT_E0612, "no random numbers: %s", qt_errno_text(run, errno));
		return false;
	}
	if (!config) /* a plan whose programs need none of it */
		return run->plan->literals.len == 0 && run->plan->asks.len == 0 && o->filter == QT_FILTER_NONE;
	config[QT_CONFIG_SEED0] = seed[0];
	config[QT_CONFIG_SEED1] = seed[1];
	config[QT_CONFIG_FILTER] = o->filter;
	config[QT_CONFIG_FILTER_PID] = o->npids ? o->pids[0] : 0;
	for (uint32_t i = 0; i < run->plan->asks.len; i++)
		if (!qt_ask_answer(run, o, &run->plan->asks.items[i], &config[QT_CONFIG_ASKS + i]))
			return false;
	for (uint32_t i = 0; i < run->plan->literals.len; i++) {
		struct qt_str s = run->plan->literals.items[i];

		config[QT_CONFIG_LITERALS + i] = qt_text_id(s.ptr, s.len, seed[0], seed[1]);
	}
	return true;
}

/* ---- tables and programs before loading ------------------------------------------------------------------------------ */

static int size_map(struct bpf_object *object, const struct qt_plan_map *m)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, m->name);
	int err = 0;

	if (!map)
		return -ENOENT;
	if (m->kind != QT_MAP_RINGBUF && (bpf_map__key_size(map) != m->key_size || bpf_map__value_size(map) != m->value_size))
		return -EBADMSG; /* what is read from it goes into room of the plan's sizes */
	if (m->kind != QT_MAP_TASK_STORAGE && bpf_map__max_entries(map) != m->max_entries)
		err = bpf_map__set_max_entries(map, m->max_entries);
	if (!err && m->no_prealloc)
		err = bpf_map__set_map_flags(map, bpf_map__map_flags(map) | BPF_F_NO_PREALLOC);
	return err;
}

static bool size_maps(const struct qt_run *run, struct bpf_object *object)
{
	qt_vec_each (m, &run->plan->maps) {
		int err = m->max_entries ? size_map(object, m) : 0;

		if (err) {
			report_map(run, qt_str_from(m->name), err);
			return false;
		}
	}
	return true;
}

static bool is_user_hook(enum qt_hook h)
{
	return h == QT_HOOK_uprobe || h == QT_HOOK_uretprobe;
}

static bool is_wanted(const struct qt_plan_prog *p, const struct qt_load_options *o)
{
	return o->tree || (p->role != QT_ROLE_FORK && p->role != QT_ROLE_PROC_EXIT);
}

static bool prepare_programs(const struct qt_run *run, const struct qt_load_options *o, struct qt_loaded *l, struct bpf_program **programs)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, l->object) bpf_program__set_autoload(program, false);
	for (uint32_t i = 0; i < run->plan->progs.len; i++) {
		const struct qt_plan_prog *p = &run->plan->progs.items[i];

		program = bpf_object__find_program_by_name(l->object, p->name);
		if (!program) {
			qt_diag_prog(run, QT_E0604, i, "the compiled object has no program %s", p->name);
			return false;
		}
		programs[i] = program;
		bpf_program__set_autoload(program, is_wanted(p, o));
		if (is_user_hook(p->hook) && l->uprobe_multi)
			bpf_program__set_expected_attach_type(program, (enum bpf_attach_type)TRACE_UPROBE_MULTI); // NOLINT: newer than the enum
	}
	return true;
}

/* ---- after loading --------------------------------------------------------------------------------------------------- */

static void collect_fds(const struct qt_run *run, struct qt_loaded *l, struct bpf_program **programs)
{
	const struct qt_plan *plan = run->plan;

	for (uint32_t i = 0; i < plan->progs.len; i++)
		l->prog_fds[i] = bpf_program__autoload(programs[i]) ? bpf_program__fd(programs[i]) : -1;
	for (uint32_t i = 0; i < plan->maps.len; i++) {
		const struct qt_plan_map *m = &plan->maps.items[i];
		struct bpf_map *map = m->max_entries ? bpf_object__find_map_by_name(l->object, m->name) : NULL;

		l->map_fds[i] = map ? bpf_map__fd(map) : -1;
	}
}

static int store_literal(const struct qt_plan *plan, int fd, struct qt_text *value, struct qt_str s, const uint64_t *seed)
{
	uint64_t id = qt_text_id(s.ptr, s.len, seed[0], seed[1]);
	size_t len = s.len < plan->max_strlen ? s.len : plan->max_strlen;

	memset(value, 0, plan->maps.items[QT_MAP_STRINGS].value_size);
	value->len = (uint32_t)len;
	value->flags = len < s.len ? QT_TEXT_TRUNCATED : 0;
	memcpy(value->bytes, s.ptr, len);
	return bpf_map_update_elem(fd, &id, value, BPF_ANY);
}

static bool store_literals(const struct qt_run *run, const struct qt_loaded *l, const uint64_t *seed)
{
	int fd = l->map_fds[QT_MAP_STRINGS], err = 0;
	struct qt_text *value;

	if (fd < 0 || !run->plan->literals.len)
		return true;
	value = qt_xcalloc(1, run->plan->maps.items[QT_MAP_STRINGS].value_size);
	qt_vec_each (s, &run->plan->literals)
		if (!err)
			err = store_literal(run->plan, fd, value, *s, seed);
	free(value);
	if (err)
		report_map(run, QT_STR("strings"), err);
	return !err;
}

/* The first process passes by the config area; the others, and with a tree the first too, are entries of `filter`. */
static bool store_filter(const struct qt_run *run, const struct qt_load_options *o, const struct qt_loaded *l)
{
	int fd = l->map_fds[QT_MAP_FILTER], err = 0;
	uint64_t one = 1;

	if (o->filter != QT_FILTER_TREE || fd < 0)
		return true;
	for (unsigned i = 0; i < o->npids && !err; i++) {
		uint64_t pid = o->pids[i];

		err = bpf_map_update_elem(fd, &pid, &one, BPF_ANY);
	}
	if (err)
		report_map(run, QT_STR("filter"), err);
	return !err;
}

/* libbpf gives the area's first contents; the area itself is mapped here (libbpf does it from 1.5 on, or for skeletons). */
static bool map_live(const struct qt_run *run, struct qt_loaded *l)
{
	uint64_t *initial = find_area(l->object, ".bss", "qt_live", QT_LIVE_WORDS);
	struct bpf_map *map = bpf_object__find_map_by_name(l->object, ".bss");
	size_t size = 0;
	uint64_t *base = map ? (uint64_t *)bpf_map__initial_value(map, &size) : NULL;
	void *area;

	if (!initial || !size) {
		qt_diag_run(run, QT_E0604, "the compiled object has no live area");
		return false;
	}
	area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);
	if (area == MAP_FAILED) {
		qt_diag_run(run, QT_E0612, "the live area cannot be mapped: %s", qt_errno_text(run, errno));
		return false;
	}
	l->area = area;
	l->area_size = size;
	l->live = (uint64_t *)area + (initial - base);
	return true;
}

/* ---- loading --------------------------------------------------------------------------------------------------------- */

static int load_object(struct bpf_object *object, struct qt_buf *words)
{
	int err;

	libbpf_words = words;
	err = bpf_object__load(object);
	libbpf_words = NULL;
	return err;
}

static bool open_object(const struct qt_run *run, struct qt_loaded *l)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "qtrace");
	struct qt_buf words = { 0 };

	libbpf_words = &words;
	l->object = bpf_object__open_mem(run->plan->object, run->plan->object_size, &opts);
	libbpf_words = NULL;
	if (!l->object) {
		qt_message(run, 1, "%s", words.ptr ? words.ptr : "");
		qt_diag_run(run, QT_E0604, "the compiled object cannot be read: %s", qt_errno_text(run, errno));
	}
	qt_buf_free(&words);
	return l->object;
}

static bool load_prepared(const struct qt_run *run, const struct qt_load_options *o, struct qt_loaded *l, struct bpf_program **programs)
{
	struct qt_buf words = { 0 };
	uint64_t seed[2];
	int err;

	if (!size_maps(run, l->object) || !prepare_programs(run, o, l, programs) || !write_config(run, o, l->object, seed))
		return false;
	err = load_object(l->object, &words);
	if (err)
		report_load(run, words.ptr, err);
	qt_buf_free(&words);
	if (err)
		return false;
	if (!map_live(run, l))
		return false;
	collect_fds(run, l, programs);
	return store_literals(run, l, seed) && store_filter(run, o, l);
}

bool qt_run_load(const struct qt_run *run, const struct qt_load_options *o, struct qt_loaded *out)
{
	libbpf_print_fn_t before = libbpf_set_print(keep_words);
	struct bpf_program **programs = QT_NEW_ARRAY(run->arena, struct bpf_program *, run->plan->progs.len + 1);
	bool ok;

	memset(out, 0, sizeof(*out));
	out->prog_fds = QT_NEW_ARRAY(run->arena, int, run->plan->progs.len + 1);
	out->map_fds = QT_NEW_ARRAY(run->arena, int, run->plan->maps.len + 1);
	qt_vec_each (p, &run->plan->progs)
		if (is_user_hook(p->hook) && !out->uprobe_multi)
			out->uprobe_multi = qt_target_feature(run->target, QT_FEATURE_UPROBE_MULTI).state == QT_YES;
	ok = open_object(run, out) && load_prepared(run, o, out, programs);
	if (!ok)
		qt_unload(out);
	libbpf_set_print(before);
	return ok;
}

void qt_unload(struct qt_loaded *l)
{
	if (l->area)
		munmap(l->area, l->area_size);
	bpf_object__close(l->object);
	l->object = NULL;
	l->area = NULL;
	l->live = NULL;
}

/* ---- the live area --------------------------------------------------------------------------------------------------- */

void qt_live_set(struct qt_loaded *l, enum qt_live_word word, uint64_t value)
{
	__atomic_store_n(&l->live[word], value, __ATOMIC_SEQ_CST);
}

uint64_t qt_live_get(const struct qt_loaded *l, enum qt_live_word word)
{
	return __atomic_load_n(&l->live[word], __ATOMIC_SEQ_CST);
}

/* Programs run inside of an RCU read section, and this membarrier waits for an RCU grace period; where a kernel with nohz_full CPUs
 * refuses it, time has to do. */
void qt_quiesce(void)
{
	static const struct timespec pause = { .tv_nsec = 20000000 };

	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) < 0)
		nanosleep(&pause, NULL);
}
