/* qtrace explain: a code of a message, or a cause of loss, in words. */
#include "cli/cli.h"

#include "plan/plan.h"

#include <string.h>

#define WIDTH 100

static void put_wrapped(FILE *out, const char *text)
{
	size_t at = 0;

	while (*text) {
		size_t len = strcspn(text, " \n");

		if (at && at + 1 + len > WIDTH) {
			fputc('\n', out);
			at = 0;
		} else if (at) {
			fputc(' ', out);
			at++;
		}
		fwrite(text, 1, len, out);
		at += len;
		text += len;
		if (*text == '\n') {
			fputc('\n', out);
			at = 0;
		}
		text += *text != 0;
	}
	fputc('\n', out);
}

static void list_all(FILE *out)
{
	for (int c = QT_CODE_NONE + 1; c < QT_CODE_COUNT; c++)
		fprintf(out, "%s  %s\n", qt_code_name((enum qt_code)c), qt_code_title((enum qt_code)c));
	fputs("\nCauses of loss:\n", out);
	for (int l = 0; l < QT_LOSS_COUNT; l++)
		fprintf(out, "%-12s %s\n", qt_loss_info((enum qt_loss)l)->cause, qt_loss_info((enum qt_loss)l)->text);
}

static bool explain_code(FILE *out, const char *word)
{
	enum qt_code c = qt_code_find(word);

	if (c == QT_CODE_NONE)
		return false;
	fprintf(out, "%s: %s\n\n", qt_code_name(c), qt_code_title(c));
	put_wrapped(out, qt_code_text(c));
	return true;
}

static bool explain_loss(FILE *out, const char *word)
{
	for (int l = 0; l < QT_LOSS_COUNT; l++) {
		const struct qt_loss_info *info = qt_loss_info((enum qt_loss)l);

		if (strcmp(info->cause, word) != 0)
			continue;
		fprintf(out, "%s: %s\n", info->cause, info->text);
		if (*info->advice) {
			fputc('\n', out);
			put_wrapped(out, info->advice);
		}
		return true;
	}
	return false;
}

static void unknown(struct qt_cli *cli, const char *word)
{
	struct qt_diag *d = qt_diag_add(cli->diags, QT_E0709, (struct qt_span){ 0 }, "there is no code and no cause of loss \"%s\"", word);
	struct qt_suggest s;

	qt_suggest_begin(&s, word);
	for (int l = 0; l < QT_LOSS_COUNT; l++)
		qt_suggest_offer(&s, qt_loss_info((enum qt_loss)l)->cause);
	if (!qt_suggest_hint(cli->diags, d, &s))
		qt_diag_hint(cli->diags, d, "qtrace explain lists them");
}

int qt_cmd_explain(struct qt_cli *cli)
{
	FILE *out = cli->out->file;
	bool first = true;

	if (!cli->options.words.len)
		list_all(out);
	qt_vec_each (word, &cli->options.words) {
		if (!first)
			fputc('\n', out);
		first = false;
		if (!explain_code(out, *word) && !explain_loss(out, *word))
			unknown(cli, *word);
	}
	return QT_EXIT_DONE;
}
