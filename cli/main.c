/* qtrace: reads the command line, calls the command, gives its exit code. */
#include "cli/cli.h"

#include "codegen/codegen.h"
#include "runtime/session.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void out_of_memory(void)
{
	static const char text[] = "qtrace: out of memory\n";
	ssize_t n = write(STDERR_FILENO, text, sizeof(text) - 1);

	(void)n;
	_exit(QT_EXIT_FAILED);
}

static int print_version(FILE *out)
{
	fprintf(out, "qtrace %s\nLLVM %s\nlibbpf %s\n", QT_VERSION, qt_codegen_llvm_version(), qt_session_libbpf_version());
	return QT_EXIT_DONE;
}

static int print_help(const struct qt_options *o, FILE *out)
{
	if (o->named)
		qt_options_command_help(o->which, out);
	else
		qt_options_help(out);
	return QT_EXIT_DONE;
}

static int dispatch(struct qt_cli *cli)
{
	static int (*const commands[])(struct qt_cli *) = {
#define COMMAND(name, arguments, text) qt_cmd_##name,
#include "cli/commands.def"
#undef COMMAND
	};

	if (cli->options.help && cli->options.which == QT_COMMAND_run && cli->options.words.len)
		return qt_script_help(cli, cli->options.words.items[0], cli->out->file);
	if (cli->options.help)
		return print_help(&cli->options, cli->out->file);
	if (cli->options.version)
		return print_version(cli->out->file);
	return commands[cli->options.which](cli);
}

int main(int argc, char **argv)
{
	struct qt_output out;
	struct qt_cli cli = { .arena = qt_arena_new(), .out = &out };
	int code = QT_EXIT_WRONG;

	qt_oom_set(out_of_memory);
	signal(SIGPIPE, SIG_IGN);
	cli.sources = qt_sources_new(cli.arena);
	cli.diags = qt_diags_new(cli.arena);
	if (qt_output_open(&cli, &out, NULL) && qt_options_parse(&cli.options, argc, argv, getenv("QTRACE_OPTIONS"), cli.arena, cli.diags))
		code = dispatch(&cli);
	qt_output_close(&cli, &out);
	qt_cli_tell(&cli, cli.diags);
	qt_cli_summary(&cli);
	if (cli.errors)
		code = qt_cli_exit_code(&cli);
	qt_arena_free(cli.arena);
	return code;
}
