/* qtrace FILE --help: the params of a script, as it writes them. */
#include "cli/cli.h"
#include "cli/pipeline.h"
#include "parser/parser.h"

#define COLUMN 24

static struct qt_str written(const struct qt_sources *sources, struct qt_span span)
{
	const struct qt_source *s = qt_sources_get(sources, span.file);

	return (struct qt_str){ s->text.ptr + span.begin, span.end - span.begin };
}

static void put_param(const struct qt_cli *cli, const struct qt_ast_param *p, FILE *out)
{
	int n = fprintf(out, "      --%s=VALUE", p->name);

	fprintf(out, "%*s", n < COLUMN ? COLUMN - n : 2, "");
	if (p->doc.len)
		fprintf(out, "%.*s ", QT_STR_ARG(p->doc));
	fprintf(out, "(without it: %.*s)\n", QT_STR_ARG(written(cli->sources, p->value->span)));
}

int qt_script_help(struct qt_cli *cli, const char *path, FILE *out)
{
	const struct qt_source *source = qt_cli_source(cli, path);
	struct qt_compilation c;
	struct qt_ast_program *tree;
	unsigned n = 0;

	if (!source)
		return QT_EXIT_WRONG;
	qt_cli_compilation(cli, &c, NULL);
	tree = qt_parse(source, c.arena, c.names, c.diags);
	qt_imports_resolve(&c, source, tree);
	qt_cli_tell(cli, c.diags);
	for (uint32_t i = 0; i < tree->items.len; i++) {
		if (tree->items.items[i]->kind != QT_AST_param)
			continue;
		if (!n++)
			fprintf(out, "Params of %s:\n", source->name);
		put_param(cli, QT_AST(param, tree->items.items[i]), out);
	}
	if (!n)
		fprintf(out, "%s has no params. qtrace --help tells the options of qtrace.\n", source->name);
	return qt_diags_errors(c.diags) ? QT_EXIT_WRONG : QT_EXIT_DONE;
}
