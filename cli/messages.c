/* Messages of a call: rendered once, counted, closed by one line. */
#include "cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool qt_cli_colour(int fd)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(fd) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

/* Errors of running (E06xx) and of writing results end with code 1, all others with 2. */
static bool is_of_running(enum qt_code code)
{
	return !strncmp(qt_code_name(code), "E06", 3) || code == QT_E0706;
}

static void note(struct qt_cli *cli, const struct qt_diags *diags)
{
	unsigned n;
	const struct qt_diag *const *list = qt_diags_sorted(diags, &n);

	for (unsigned i = 0; i < n; i++) {
		bool error = list[i]->severity == QT_ERROR;

		if (cli->first == QT_CODE_NONE || (error && !cli->first_is_error)) {
			cli->first = list[i]->code;
			cli->first_is_error = error;
		}
		if (error && is_of_running(list[i]->code))
			cli->failed = true;
	}
}

void qt_cli_tell(struct qt_cli *cli, const struct qt_diags *diags)
{
	if (!qt_diags_errors(diags) && !qt_diags_warnings(diags))
		return;
	if (cli->errors + cli->warnings && !cli->options.json)
		fputc('\n', stderr);
	note(cli, diags);
	cli->errors += qt_diags_errors(diags);
	cli->warnings += qt_diags_warnings(diags);
	if (!cli->options.json)
		qt_diags_render_text(diags, cli->sources, stderr, qt_cli_colour(STDERR_FILENO));
}

static void put_count(unsigned n, const char *what, const char *before)
{
	if (n)
		fprintf(stderr, "%s%u %s%s", before, n, what, n == 1 ? "" : "s");
}

void qt_cli_summary(const struct qt_cli *cli)
{
	if ((!cli->errors && !cli->warnings) || cli->options.json)
		return;
	fputc('\n', stderr);
	put_count(cli->errors, "error", "");
	put_count(cli->warnings, "warning", cli->errors ? ", " : "");
	fprintf(stderr, "; qtrace explain %s says more\n", qt_code_name(cli->first));
}

int qt_cli_exit_code(const struct qt_cli *cli)
{
	return !cli->errors ? QT_EXIT_DONE : cli->failed ? QT_EXIT_FAILED : QT_EXIT_WRONG;
}

void qt_cli_error(struct qt_cli *cli, enum qt_code code, const char *hint, const char *fmt, ...)
{
	struct qt_buf b = { 0 };
	struct qt_diag *d;
	va_list ap;

	va_start(ap, fmt);
	qt_buf_vprintf(&b, fmt, ap);
	va_end(ap);
	d = qt_diag_add(cli->diags, code, (struct qt_span){ 0 }, "%s", b.ptr ? b.ptr : "");
	if (hint)
		qt_diag_hint(cli->diags, d, "%s", hint);
	qt_buf_free(&b);
}
