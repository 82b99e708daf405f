/* qtrace check: compiles scripts and says what is wrong with them; runs nothing, needs no privileges. */
#include "cli/cli.h"

#include "target/target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The messages of several files as one JSON array. */
struct collected {
	struct qt_buf items;
};

static void collect(struct qt_cli *cli, struct collected *all, const struct qt_diags *diags)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		qt_oom();
	qt_diags_render_json(diags, cli->sources, f);
	fclose(f);
	/* "[...]\n" without its brackets */
	if (len > 3) {
		qt_buf_adds(&all->items, all->items.len ? ",\n " : "");
		qt_buf_add(&all->items, text + 1, len - 3);
	}
	free(text);
}

static void tell(struct qt_cli *cli, struct collected *all, const struct qt_diags *diags)
{
	qt_cli_tell(cli, diags);
	if (cli->options.json)
		collect(cli, all, diags);
}

static void check_one(struct qt_cli *cli, struct collected *all, struct qt_target *target, const char *path)
{
	const struct qt_source *source = qt_cli_source(cli, path);
	struct qt_compilation c;

	if (!source)
		return;
	qt_cli_compilation(cli, &c, target);
	c.missing_binaries_ok = true;
	qt_compile(&c, source);
	qt_output_flush(cli->out);
	tell(cli, all, c.diags);
	qt_cli_compilation_free(&c);
}

/* What was asked of this machine becomes a snapshot. */
static void save_target(struct qt_cli *cli, struct qt_target *target)
{
	const char *dir = cli->options.save_target;

	if (!dir)
		return;
	if (!qt_target_is_live(target))
		qt_cli_error(cli, QT_E0703, "leave one of them out", "--save-target writes the facts of this machine, --target takes those of another");
	else if (!qt_target_save(target, dir))
		qt_cli_error(cli, QT_E0708, "the folder is made if it is not there; it needs space and permission to write", "%s could not be written: %s", dir,
			     strerror(errno));
}

int qt_cmd_check(struct qt_cli *cli)
{
	struct collected all = { 0 };
	struct qt_target *target;

	if (!cli->options.program && !cli->options.words.len) {
		qt_cli_error(cli, QT_E0704, "qtrace check FILE..., or qtrace check -e 'PROGRAM'", "there is nothing to check");
		return QT_EXIT_WRONG;
	}
	target = qt_cli_target(cli);
	if (!target)
		return QT_EXIT_WRONG;
	if (cli->options.program)
		check_one(cli, &all, target, NULL);
	else
		qt_vec_each (path, &cli->options.words)
			check_one(cli, &all, target, *path);
	save_target(cli, target);
	if (cli->options.json) {
		tell(cli, &all, cli->diags);
		cli->diags = qt_diags_new(cli->arena);
		fprintf(cli->out->file, "[%s]\n", all.items.ptr ? all.items.ptr : "");
	}
	qt_buf_free(&all.items);
	qt_target_free(target);
	return qt_cli_exit_code(cli);
}
