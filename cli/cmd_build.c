/* qtrace build: compiles into a plan that runs where no compiler is (qtrace run FILE.qtp). */
#include "cli/cli.h"

#include "plan/plan.h"
#include "target/target.h"

#include <unistd.h>

static int write_plan(struct qt_cli *cli, const struct qt_plan *plan)
{
	struct qt_output out;
	struct qt_buf bytes = { 0 };

	if (!qt_output_open(cli, &out, cli->options.output))
		return QT_EXIT_FAILED;
	qt_plan_save(plan, &bytes);
	fwrite(bytes.ptr, 1, bytes.len, out.file);
	qt_buf_free(&bytes);
	if (qt_output_close(cli, &out))
		return QT_EXIT_DONE;
	/* Half a plan is of no use to anybody. */
	unlink(cli->options.output);
	return QT_EXIT_FAILED;
}

static int build(struct qt_cli *cli, const struct qt_source *source, struct qt_target *target)
{
	unsigned skip = cli->options.program ? 0 : 1;
	struct qt_compilation c;
	int code = QT_EXIT_WRONG;
	bool compiled;

	qt_cli_compilation(cli, &c, target);
	c.params = cli->options.words.items + skip;
	c.nparams = (int)(cli->options.words.len - skip);
	compiled = qt_compile(&c, source) && (cli->options.dump || qt_cli_has_rules(&c, source));
	qt_cli_tell(cli, c.diags);
	if (compiled)
		code = cli->options.dump ? QT_EXIT_DONE : write_plan(cli, c.plan);
	qt_cli_compilation_free(&c);
	return code;
}

int qt_cmd_build(struct qt_cli *cli)
{
	const struct qt_options *o = &cli->options;
	const struct qt_source *source;
	struct qt_target *target;
	int code = QT_EXIT_WRONG;

	if ((!o->program && !o->words.len) || (!o->output && !o->dump)) {
		qt_cli_error(cli, QT_E0704, "qtrace build FILE.qt -o FILE.qtp", "build needs a script and -o FILE");
		return code;
	}
	target = qt_cli_target(cli);
	source = target ? qt_cli_source(cli, o->program ? NULL : o->words.items[0]) : NULL;
	if (source)
		code = build(cli, source, target);
	if (target)
		qt_target_free(target);
	return code;
}
