/* What every compiling command does before the pipeline: facts and source text. */
#include "cli/cli.h"

#include "plan/plan.h"
#include "sema/program.h"
#include "target/target.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

struct qt_target *qt_cli_target(struct qt_cli *cli)
{
	struct qt_target_options o = { .missing = cli->options.without, .record = cli->options.save_target };
	struct qt_target *t;

	if (cli->options.pids.len)
		o.pid = (pid_t)cli->options.pids.items[0];
	if (!cli->options.target)
		return qt_target_live(&o);
	t = qt_target_snapshot(cli->options.target, &o);
	if (!t)
		qt_cli_error(cli, QT_E0708, NULL, "%s holds no facts of a machine: %s", cli->options.target, strerror(errno));
	return t;
}

const struct qt_source *qt_cli_source(struct qt_cli *cli, const char *path)
{
	const struct qt_source *s;

	if (!path)
		return qt_sources_add(cli->sources, "-e", cli->options.program, strlen(cli->options.program));
	s = qt_sources_load(cli->sources, path);
	if (s)
		return s;
	qt_cli_error(cli, QT_E0705, errno == EISDIR ? "a script is a file, or standard input (-)" : NULL, "%s: %s", path,
		     errno == EFBIG ? "the file is over 16 MiB" : strerror(errno));
	return NULL;
}

void qt_cli_compilation(struct qt_cli *cli, struct qt_compilation *c, struct qt_target *target)
{
	*c = (struct qt_compilation){
		.arena = cli->arena,
		.sources = cli->sources,
		.names = qt_interns_new(cli->arena),
		.diags = qt_diags_new(cli->arena),
		.target = target,
		.unsafe = cli->options.unsafe,
		.values = cli->options.values.items,
		.nvalues = cli->options.values.len,
		.dump = cli->options.dump,
		.dump_to = cli->out->file,
	};
}

bool qt_cli_has_rules(const struct qt_compilation *c, const struct qt_source *source)
{
	struct qt_diag *d;

	if (c->program->rules.len)
		return true;
	d = qt_diag_add(c->diags, QT_E0704, (struct qt_span){ 0 }, "%s has no rule: there is nothing to run",
			strcmp(source->name, "-") ? source->name : "standard input");
	return qt_diag_hint(c->diags, d, "a rule is a probe and what to do there: on syscall:read tag comm"), false;
}

void qt_cli_compilation_free(struct qt_compilation *c)
{
	qt_plan_free(c->plan);
	c->plan = NULL;
}
