/* qtrace test: runs the tests that stand in scripts through the interpreter. A line a test ("ok NAME", or "FAIL NAME" with what differs), and at the end
 * "N passed, N failed"; exit code 1 when any failed. */
#include "cli/cli.h"

#include "cli/test_internal.h"
#include "plan/decode.h"
#include "target/target.h"

#define CPUS 4

struct tally {
	unsigned passed, failed;
};

struct test_run {
	FILE *out;
	const struct qt_compilation *c;
	struct qt_arena *arena; /* of this test alone */
	struct qt_test_feeder feeder;
	struct qt_test_output output;
};

static void on_record(const void *record, size_t size, void *ctx)
{
	struct test_run *r = ctx;
	struct qt_buf b = { 0 };

	if (qt_decode_printf(r->c->plan, NULL, record, size, QT_PRINTF_UNESCAPED, &b))
		*qt_vec_push(r->arena, &r->output.lines) = (struct qt_str){ qt_arena_strndup(r->arena, b.ptr ? b.ptr : "", b.len), b.len };
	qt_buf_free(&b);
}

static void put_place(FILE *out, const struct qt_compilation *c, struct qt_span span)
{
	const struct qt_source *s = qt_sources_get(c->sources, span.file);

	if (s)
		fprintf(out, "%s:%u", s->name, qt_source_position(s, span.begin).line);
}

static bool expect(struct test_run *r, const struct qt_expect *e)
{
	struct qt_buf diff = { 0 };
	bool ok = qt_test_expect(r->c->plan, qt_machine_store(r->feeder.machine), &r->output, e, r->arena, &diff);

	if (!ok) {
		fputs("  ", r->out);
		put_place(r->out, r->c, e->span);
		fprintf(r->out, ": %s is not as expected (- expected, + found)\n%s", e->table, diff.ptr ? diff.ptr : "");
	}
	qt_buf_free(&diff);
	return ok;
}

static bool step(struct test_run *r, const struct qt_test_step *s)
{
	if (s->expect)
		return expect(r, s->expect);
	if (!qt_test_feed(&r->feeder, s->feed)) {
		fputs("  ", r->out);
		put_place(r->out, r->c, s->feed->span);
		fputs(": a program did not come to its end\n", r->out);
		return false;
	}
	qt_machine_drain(r->feeder.machine, on_record, r);
	return true;
}

static bool run_test(FILE *out, const struct qt_compilation *c, const struct qt_test *test)
{
	struct test_run r = { .out = out, .c = c, .arena = qt_arena_new() };
	bool ok = true;

	r.feeder = (struct qt_test_feeder){ .arena = r.arena, .plan = c->plan, .machine = qt_machine_new(c->ir, CPUS) };
	qt_vec_each (s, &test->steps)
		ok = step(&r, s) && ok;
	fprintf(out, "%s ", ok ? "ok" : "FAIL");
	fwrite(test->name.ptr, 1, test->name.len, out);
	if (!ok) {
		fputs(" (", out);
		put_place(out, c, test->span);
		fputc(')', out);
	}
	fputc('\n', out);
	qt_machine_free(r.feeder.machine);
	qt_arena_free(r.arena);
	return ok;
}

static void test_file(struct qt_cli *cli, struct qt_target *target, const char *path, struct tally *tally)
{
	const struct qt_source *source = qt_cli_source(cli, path);
	struct qt_compilation c;
	bool compiled;

	if (!source)
		return;
	qt_cli_compilation(cli, &c, target);
	c.missing_binaries_ok = true;
	c.no_object = cli->options.dump == QT_STAGE_NONE;
	compiled = qt_compile(&c, source);
	qt_output_flush(cli->out);
	qt_cli_tell(cli, c.diags);
	if (compiled && !cli->options.dump) {
		qt_vec_each (test, &c.program->tests)
			run_test(cli->out->file, &c, test) ? tally->passed++ : tally->failed++;
	}
	qt_cli_compilation_free(&c);
}

int qt_cmd_test(struct qt_cli *cli)
{
	struct tally tally = { 0 };
	struct qt_target *target;

	if (!cli->options.program && !cli->options.words.len) {
		qt_cli_error(cli, QT_E0704, "qtrace test FILE..., or qtrace test -e 'PROGRAM'", "there is nothing to test");
		return QT_EXIT_WRONG;
	}
	target = qt_cli_target(cli);
	if (!target)
		return QT_EXIT_WRONG;
	if (cli->options.program)
		test_file(cli, target, NULL, &tally);
	else
		qt_vec_each (path, &cli->options.words)
			test_file(cli, target, *path, &tally);
	qt_target_free(target);
	if (!cli->options.dump)
		fprintf(cli->out->file, "%u passed, %u failed\n", tally.passed, tally.failed);
	return tally.failed ? QT_EXIT_FAILED : QT_EXIT_DONE;
}
