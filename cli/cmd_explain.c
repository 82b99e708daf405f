/* qtrace explain: a code of a message, or a cause of loss, in words. */
#include "cli/cli.h"

#include "plan/plan.h"

#include <string.h>

#define WIDTH 100

static void put_wrapped(const char *text)
{
	size_t at = 0;

	while (*text) {
		size_t len = strcspn(text, " \n");

		if (at && at + 1 + len > WIDTH) {
			putchar('\n');
			at = 0;
		} else if (at) {
			putchar(' ');
			at++;
		}
		fwrite(text, 1, len, stdout);
		at += len;
		text += len;
		if (*text == '\n') {
			putchar('\n');
			at = 0;
		}
		text += *text != 0;
	}
	putchar('\n');
}

static void list_all(void)
{
	for (int c = QT_CODE_NONE + 1; c < QT_CODE_COUNT; c++)
		printf("%s  %s\n", qt_code_name((enum qt_code)c), qt_code_title((enum qt_code)c));
	puts("\nCauses of loss:");
	for (int l = 0; l < QT_LOSS_COUNT; l++)
		printf("%-12s %s\n", qt_loss_info((enum qt_loss)l)->cause, qt_loss_info((enum qt_loss)l)->text);
}

static bool explain_code(const char *word)
{
	enum qt_code c = qt_code_find(word);

	if (c == QT_CODE_NONE)
		return false;
	printf("%s: %s\n\n", qt_code_name(c), qt_code_title(c));
	put_wrapped(qt_code_text(c));
	return true;
}

static bool explain_loss(const char *word)
{
	for (int l = 0; l < QT_LOSS_COUNT; l++) {
		const struct qt_loss_info *info = qt_loss_info((enum qt_loss)l);

		if (strcmp(info->cause, word))
			continue;
		printf("%s: %s\n", info->cause, info->text);
		if (*info->advice) {
			putchar('\n');
			put_wrapped(info->advice);
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
	bool first = true;

	if (!cli->options.words.len)
		list_all();
	qt_vec_each (word, &cli->options.words) {
		if (!first)
			putchar('\n');
		first = false;
		if (!explain_code(*word) && !explain_loss(*word))
			unknown(cli, *word);
	}
	return QT_EXIT_DONE;
}
