/* qtrace FILE, qtrace -e PROGRAM, qtrace run PLAN: compiles (or loads a plan), runs, and shows the results in the wanted form. */
#include "cli/cli.h"

#include "base/text.h"
#include "plan/object.h"
#include "plan/plan.h"
#include "report/report.h"
#include "runtime/session.h"
#include "target/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what the session tells ---- */

struct run {
	struct qt_cli *cli;
	struct qt_output *out;
	struct qt_report report;
	struct qt_diags *diags; /* of the session, not yet told */
	bool refreshes; /* tables of an interval take the place of those before */
	bool shown; /* a whole interval was shown */
};

#define HOME_AND_CLEAR "\033[H\033[J"

static void on_attached(void *ctx, unsigned probes)
{
	struct run *r = ctx;

	/* What was left out is told before there are results without it. */
	qt_cli_tell(r->cli, r->diags);
	qt_diags_clear(r->diags);
	if (r->report.format->attached)
		r->report.format->attached(&r->report, probes);
}

static void on_printed(void *ctx, struct qt_str text)
{
	struct run *r = ctx;

	if (r->report.format->printed)
		r->report.format->printed(&r->report, text);
}

static void on_table(void *ctx, const struct qt_result_table *table)
{
	struct run *r = ctx;

	if (r->refreshes && r->shown) {
		fputs(HOME_AND_CLEAR, r->out->file);
		r->report.began = r->shown = false;
	}
	if (r->report.format->table)
		r->report.format->table(&r->report, table);
}

static void on_losses(void *ctx, const struct qt_result_losses *losses)
{
	struct run *r = ctx;

	/* Results before what is said about them, also where both go to one terminal. */
	qt_output_flush(r->out);
	if (r->report.format->losses)
		r->report.format->losses(&r->report, losses);
}

static bool on_closed(void *ctx)
{
	return qt_output_is_closed(((struct run *)ctx)->out);
}

/* After the tables of an interval, too. */
static void on_flush(void *ctx)
{
	struct run *r = ctx;

	r->shown = true;
	qt_output_flush(r->out);
}

static void on_message(void *ctx, struct qt_str text)
{
	(void)ctx;
	fwrite(text.ptr, 1, text.len, stderr);
}

static void report_init(struct run *r, const struct qt_plan *plan)
{
	const struct qt_options *o = &r->cli->options;

	/* Lines of printf would be wiped with the tables: then everything stays. */
	r->refreshes = o->interval_ns && r->out->terminal && !o->format->raw_text && !plan->formats.len && qt_cli_colour(r->out->fd);
	r->report.format = o->format;
	r->report.options = (struct qt_report_options){
		.out = r->out->file,
		.err = stderr,
		.colour = r->out->terminal && qt_cli_colour(r->out->fd),
		.width = qt_output_width(r->out),
		.top = o->top,
		.quiet = o->quiet,
	};
}

/* ---- exit codes ---- */

static int command_code(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int exit_code(const struct qt_options *o, const struct qt_session_end *end)
{
	if (end->exit_code)
		return end->exit_code & 0xff;
	if (o->forward_exit && end->command_ran && end->command_ended && command_code(end->command_status))
		return command_code(end->command_status);
	return o->strict && end->lost ? QT_EXIT_LOST : QT_EXIT_DONE;
}

static int run_plan(struct qt_cli *cli, const struct qt_plan *plan, struct qt_target *target, bool from_file)
{
	const struct qt_options *o = &cli->options;
	struct qt_output file;
	struct qt_diags *diags = qt_diags_new(cli->arena);
	struct run r = { .cli = cli, .out = o->output ? &file : cli->out, .diags = diags };
	struct qt_session_sink sink = { &r, on_attached, on_printed, on_table, on_losses, on_closed, on_flush, on_message };
	struct qt_session_options so = {
		.pids = o->pids.items,
		.npids = o->pids.len,
		.command = o->command,
		.all = o->all,
		.duration_ns = o->duration_ns,
		.interval_ns = o->interval_ns,
		.clear = o->clear,
		.raw_text = o->format->raw_text,
		.verbose = o->verbose,
		.from_file = from_file,
		.dry_run = o->dry_run,
		.sources = cli->sources,
	};
	struct qt_session_end end = { 0 };
	bool ran;

	if (o->output && !qt_output_open(cli, &file, o->output))
		return QT_EXIT_FAILED;
	report_init(&r, plan);
	ran = qt_session_run(plan, target, &so, &sink, diags, &end);
	if (o->output && !qt_output_close(cli, &file))
		ran = false;
	qt_cli_tell(cli, diags);
	return ran ? exit_code(o, &end) : QT_EXIT_FAILED;
}

/* ---- what is to run ---- */

/* Words of the command line behind the script are its parameters. */
static void set_params(struct qt_cli *cli, struct qt_compilation *c)
{
	unsigned skip = cli->options.program ? 0 : 1;

	c->params = cli->options.words.items + skip;
	c->nparams = (int)(cli->options.words.len - skip);
}

static int compile_and_run(struct qt_cli *cli, const char *path, struct qt_target *target)
{
	const struct qt_source *source = qt_cli_source(cli, path);
	struct qt_compilation c;
	int code = QT_EXIT_WRONG;
	bool compiled;

	if (!source)
		return QT_EXIT_WRONG;
	qt_cli_compilation(cli, &c, target);
	set_params(cli, &c);
	compiled = qt_compile(&c, source) && (cli->options.dump || qt_cli_has_rules(&c, source));
	qt_cli_tell(cli, c.diags);
	if (compiled)
		code = cli->options.dump ? QT_EXIT_DONE : run_plan(cli, c.plan, target, false);
	qt_cli_compilation_free(&c);
	return code;
}

/* Whether the file at PATH is a compiled plan. */
static bool is_plan(const char *path)
{
	char magic[6] = { 0 };
	FILE *f = strcmp(path, "-") ? fopen(path, "re") : NULL;
	bool yes = f && fread(magic, 1, sizeof(magic), f) == sizeof(magic) && !memcmp(magic, "qtplan", sizeof(magic));

	if (f)
		fclose(f);
	return yes;
}

static bool read_file(const char *path, struct qt_buf *b)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;
	char chunk[65536];
	ssize_t n = -1;

	while (fd >= 0 && (n = read(fd, chunk, sizeof(chunk))) > 0)
		qt_buf_add(b, chunk, (size_t)n);
	error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return n == 0;
}

static int load_and_run(struct qt_cli *cli, const char *path, struct qt_target *target)
{
	struct qt_buf bytes = { 0 }, why = { 0 };
	struct qt_plan *plan = NULL;
	int code = QT_EXIT_WRONG;
	const char *wrong;

	if (!read_file(path, &bytes))
		qt_cli_error(cli, QT_E0705, NULL, "%s: %s", path, strerror(errno));
	else if (!(plan = qt_plan_load(bytes.ptr, bytes.len, &why)) || !plan->object)
		qt_cli_error(cli, QT_E0707, NULL, "%s: %s", path, why.len ? why.ptr : "the plan holds no programs");
	else if ((wrong = qt_object_check(plan->object, plan->object_size)))
		qt_cli_error(cli, QT_E0707, NULL, "%s: the object in it: %s", path, wrong);
	else if (cli->options.dump && cli->options.dump != QT_STAGE_plan)
		qt_cli_error(cli, QT_E0703, "--dump=plan", "%s: of a compiled plan only the plan itself can be printed", path);
	else if (cli->options.dump)
		code = (qt_plan_dump(plan, cli->out->file), QT_EXIT_DONE);
	else
		code = run_plan(cli, plan, target, true);
	qt_plan_free(plan);
	qt_buf_free(&bytes);
	qt_buf_free(&why);
	return code;
}

/* Told instead of "no such file" where a command was meant. */
static bool is_misspelt_command(struct qt_cli *cli, const char *word)
{
	struct qt_suggest s;
	struct qt_diag *d;

	qt_suggest_begin(&s, word);
	for (int c = 0; c < QT_COMMANDS; c++)
		qt_suggest_offer(&s, qt_command_name((enum qt_command)c));
	if (!s.count || cli->options.named || access(word, F_OK) == 0)
		return false;
	d = qt_diag_add(cli->diags, QT_E0703, (struct qt_span){ 0 }, "there is neither a command nor a file \"%s\"", word);
	return qt_suggest_hint(cli->diags, d, &s);
}

int qt_cmd_run(struct qt_cli *cli)
{
	const char *path = cli->options.program ? NULL : cli->options.words.len ? cli->options.words.items[0] : "";
	struct qt_target *target;
	int code;

	if (path && !*path) {
		qt_cli_error(cli, QT_E0704, "qtrace -e 'PROGRAM', qtrace FILE.qt, or qtrace --help", "there is nothing to run");
		return QT_EXIT_WRONG;
	}
	if (path && is_misspelt_command(cli, path))
		return QT_EXIT_WRONG;
	target = qt_cli_target(cli);
	if (!target)
		return QT_EXIT_WRONG;
	code = path && is_plan(path) ? load_and_run(cli, path, target) : compile_and_run(cli, path, target);
	qt_target_free(target);
	return code;
}
