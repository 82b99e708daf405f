/* agree [-t SECONDS] [-s SEED] [-n PROGRAMS] [-v]: random programs, each run by the interpreter and by the kernel on the same calls; what is printed, every table, and the
 * losses must be the same, byte for byte. Speaks the line protocol of tests/run. A program that differs is kept as build/agree/SEED.qt with both results beside
 * it, and `agree -s SEED -n 1` runs it again. */
#include "base/check.h"
#include "cli/pipeline.h"
#include "ir/eval.h"
#include "plan/decode.h"
#include "report/report.h"
#include "runtime/session.h"
#include "target/target.h"
#include "tests/agree/generate.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TRACED "build/triggers/agree"
#define CALLS_FILE "build/agree/calls"
enum { CALLS = 61 };

/* Where events come from; the texts hold the whole path of the binary, as a compiled program's do. */
enum { STEP, MARK, STEP_RETURN, PROBES };
static const char *const probe_forms[PROBES] = { "uprobe:%s:step", "uprobe:%s:mark", "uretprobe:%s:step" };

struct trial {
	const char *probes[PROBES];
	uint64_t seed;
	struct qt_arena *arena;
	struct qt_buf text;
	struct qt_compilation c;
	struct agree_call calls[CALLS];
};

/* Results as text: lines of printf in their order, then tables, then losses. */
struct results {
	FILE *file;
	char *bytes;
	size_t size;
	struct qt_report report;
};

static void results_begin(struct results *r)
{
	r->file = open_memstream(&r->bytes, &r->size);
	QT_ASSERT(r->file);
	r->report = (struct qt_report){ .format = qt_report_find("json"), .options = { .out = r->file, .err = r->file } };
}

static void results_end(struct results *r)
{
	fclose(r->file);
}

static void put_losses(struct results *r, const struct qt_result_losses *l)
{
	for (int i = 0; i < QT_LOSS_COUNT; i++)
		fprintf(r->file, "%s %" PRIu64 "\n", qt_loss_info((enum qt_loss)i)->cause, l->total[i]);
}

/* ---- compiling ---- */

static void name_probes(struct trial *t)
{
	char path[PATH_MAX], text[PATH_MAX + 32];

	QT_ASSERT(realpath(TRACED, path));
	for (int i = 0; i < PROBES; i++) {
		int n = snprintf(text, sizeof(text), probe_forms[i], path);

		t->probes[i] = qt_arena_strndup(t->arena, text, (size_t)n);
	}
}

static bool compile(struct trial *t, struct qt_target *target)
{
	struct qt_sources *sources = qt_sources_new(t->arena);
	const struct qt_source *source;

	name_probes(t);
	agree_program(t->seed, TRACED, &t->text);
	agree_calls(t->seed, t->calls, CALLS);
	source = qt_sources_add(sources, "agree.qt", t->text.ptr, t->text.len);
	t->c = (struct qt_compilation){
		.arena = t->arena,
		.sources = sources,
		.names = qt_interns_new(t->arena),
		.diags = qt_diags_new(t->arena),
		.target = target,
	};
	return qt_compile(&t->c, source);
}

/* ---- the interpreter ---- */

static void on_record(const void *record, size_t size, void *ctx)
{
	struct results *r = ((void **)ctx)[0];
	const struct qt_plan *plan = ((void **)ctx)[1];
	struct qt_buf b = { 0 };

	if (qt_decode_printf(plan, NULL, record, size, QT_PRINTF_UNESCAPED | QT_PRINTF_PLAIN, &b))
		r->report.format->printed(&r->report, (struct qt_str){ b.ptr ? b.ptr : "", b.len });
	qt_buf_free(&b);
}

static void set_registers(struct qt_machine *m, const struct agree_call *c, struct qt_event *e)
{
	uint64_t text = c->null_text ? 0 : qt_machine_memory(m, c->text, c->text_len + 1);

	e->regs[QT_REG_rdi] = c->args[0];
	e->regs[QT_REG_rsi] = c->is_mark ? text : c->args[1];
	e->regs[QT_REG_rdx] = c->args[2];
	e->regs[QT_REG_rcx] = text;
	e->regs[QT_REG_r8] = c->args[4];
	e->regs[QT_REG_r9] = c->args[5];
	e->regs[QT_REG_rsp] = 0x7ffc00000000;
}

static bool interpret_call(const struct trial *t, struct qt_machine *m, const struct agree_call *c, uint64_t now)
{
	struct qt_event e = { .probe = t->probes[c->is_mark ? MARK : STEP], .pid = 7, .tid = 7, .comm = "agree", .time_ns = now };

	set_registers(m, c, &e);
	if (qt_machine_run(m, &e) < 0)
		return false;
	e.probe = t->probes[STEP_RETURN];
	e.regs[QT_REG_rax] = c->args[5];
	e.regs[QT_REG_rsp] += 8;
	return c->is_mark || qt_machine_run(m, &e) >= 0;
}

static bool interpret(struct trial *t, struct results *r)
{
	struct qt_machine *m = qt_machine_new(t->c.ir, 2);
	void *ctx[] = { r, t->c.plan };
	struct qt_result_table table;
	struct qt_result_losses losses;
	bool ok = true;

	for (unsigned i = 0; ok && i < CALLS; i++) {
		ok = interpret_call(t, m, &t->calls[i], 1000 + i);
		qt_machine_drain(m, on_record, ctx);
	}
	for (uint32_t i = 0; ok && i < t->c.plan->tables.len; i++)
		if (!qt_decode_table(t->c.plan, qt_machine_store(m), i, t->arena, &table))
			r->report.format->table(&r->report, &table);
	qt_decode_losses(t->c.plan, qt_machine_store(m), 0, t->arena, &losses);
	put_losses(r, &losses);
	qt_machine_free(m);
	return ok;
}

/* ---- the kernel ---- */

static void on_printed(void *ctx, struct qt_str text)
{
	struct results *r = ctx;

	r->report.format->printed(&r->report, text);
}

static void on_table(void *ctx, const struct qt_result_table *table)
{
	struct results *r = ctx;

	r->report.format->table(&r->report, table);
}

static void on_losses(void *ctx, const struct qt_result_losses *losses)
{
	put_losses(ctx, losses);
}

static void put_text(FILE *f, const struct agree_call *c)
{
	if (c->null_text)
		fputc('-', f);
	for (uint32_t i = 0; !c->null_text && i < c->text_len; i++)
		fprintf(f, "%02x", (unsigned char)c->text[i]);
	fputs(!c->null_text && !c->text_len ? "00\n" : "\n", f);
}

static bool write_calls(const struct trial *t)
{
	FILE *f = fopen(CALLS_FILE, "w");

	if (!f)
		return false;
	for (unsigned i = 0; i < CALLS; i++) {
		const struct agree_call *c = &t->calls[i];

		if (c->is_mark)
			fprintf(f, "mark %" PRId64 " ", (int64_t)c->args[0]);
		else
			fprintf(f, "step %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " ", (int64_t)c->args[0], (int64_t)c->args[1],
				(int64_t)c->args[2], (int64_t)c->args[4], (int64_t)c->args[5]);
		put_text(f, c);
	}
	return !fclose(f);
}

static bool run_in_kernel(struct trial *t, struct qt_target *target, struct results *r)
{
	struct qt_session_sink sink = { .ctx = r, .printed = on_printed, .table = on_table, .losses = on_losses };
	struct qt_session_options options = { .command = TRACED " " CALLS_FILE, .raw_text = true, .sources = t->c.sources };
	struct qt_session_end end = { 0 };

	return write_calls(t) && qt_session_run(t->c.plan, target, &options, &sink, t->c.diags, &end);
}

/* ---- comparing ---- */

static void keep(const struct trial *t, const char *what, const char *bytes, size_t size)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "build/agree/%" PRIu64 "%s", t->seed, what);
	f = fopen(path, "w");
	if (!f)
		return;
	fwrite(bytes, 1, size, f);
	fclose(f);
}

static bool same(const struct trial *t, const struct results *a, const struct results *b)
{
	if (a->size == b->size && !memcmp(a->bytes, b->bytes, a->size))
		return true;
	keep(t, ".interpreter", a->bytes, a->size);
	keep(t, ".kernel", b->bytes, b->size);
	printf("  build/agree/%" PRIu64 ".qt: the interpreter and the kernel disagree\n", t->seed);
	return false;
}

static bool compare(struct trial *t, struct qt_target *target)
{
	struct results interpreted, ran;
	bool ok;

	results_begin(&interpreted);
	results_begin(&ran);
	ok = interpret(t, &interpreted);
	if (!ok)
		printf("  build/agree/%" PRIu64 ".qt: the interpreter did not come to an end\n", t->seed);
	if (ok && !run_in_kernel(t, target, &ran)) {
		printf("  build/agree/%" PRIu64 ".qt: the kernel did not run it\n", t->seed);
		qt_diags_render_text(t->c.diags, t->c.sources, stdout, false);
		ok = false;
	}
	results_end(&interpreted);
	results_end(&ran);
	ok = ok && same(t, &interpreted, &ran);
	free(interpreted.bytes);
	free(ran.bytes);
	return ok;
}

/* Programs beyond BPF's limits (E05xx) are no disagreement; anything else that does not compile is. */
static bool only_too_large(const struct qt_diags *diags)
{
	unsigned count;
	const struct qt_diag *const *all = qt_diags_sorted(diags, &count);

	for (unsigned i = 0; i < count; i++)
		if (all[i]->severity == QT_ERROR && strncmp(qt_code_name(all[i]->code), "E05", 3) != 0)
			return false;
	return true;
}

struct tally {
	unsigned ran, large, failed;
};

static void try_seed(uint64_t seed, struct qt_target *target, struct tally *tally)
{
	struct trial *t = calloc(1, sizeof(*t));
	bool ok = true;

	QT_ASSERT(t);
	t->seed = seed;
	t->arena = qt_arena_new();
	if (compile(t, target)) {
		ok = compare(t, target);
		tally->ran++;
	} else if (only_too_large(t->c.diags)) {
		tally->large++;
	} else {
		printf("  build/agree/%" PRIu64 ".qt does not compile\n", seed);
		qt_diags_render_text(t->c.diags, t->c.sources, stdout, false);
		ok = false;
	}
	if (!ok) {
		keep(t, ".qt", t->text.ptr, t->text.len);
		tally->failed++;
	}
	qt_plan_free(t->c.plan);
	qt_buf_free(&t->text);
	qt_arena_free(t->arena);
	free(t);
}

int main(int argc, char **argv)
{
	struct qt_target_options none = { 0 };
	uint64_t seed = 1, programs = UINT64_MAX;
	time_t end = time(NULL) + 60;
	struct tally tally = { 0 };
	int option;

	while ((option = getopt(argc, argv, "t:s:n:")) != -1) {
		if (option == 't')
			end = time(NULL) + atol(optarg);
		else if (option == 's')
			seed = strtoull(optarg, NULL, 10);
		else if (option == 'n')
			programs = strtoull(optarg, NULL, 10);
		else
			return 2;
	}
	mkdir("build/agree", 0777);
	struct qt_target *target = qt_target_live(&none);
	for (uint64_t n = 0; n < programs && time(NULL) < end && tally.failed < 20; n++)
		try_seed(seed + n, target, &tally);
	qt_target_free(target);
	printf("  from seed %" PRIu64 ": %u programs ran, %u were too large, %u failed\n", seed, tally.ran, tally.large, tally.failed);
	printf("%s interpreter and kernel agree\nend 1\n", tally.failed || !tally.ran ? "FAIL" : "ok");
	return tally.failed || !tally.ran;
}
