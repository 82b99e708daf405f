/* The tables of built-ins and providers: look-up by name and alias, and that no row hides another. */
#include "base/source.h"
#include "sema/builtins.h"
#include "sema/providers.h"
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

QT_TEST(builtins_by_name)
{
	QT_TRUE(!qt_builtin_find("pids"));
	QT_EQ_INT(qt_builtin_find("comm")->env, QT_ENV_comm);
	QT_EQ_STR(qt_builtin_find("arg11")->name, "argN");
	QT_TRUE(!qt_builtin_find("arg"));
	QT_TRUE(!qt_builtin_find("arg123"));
	QT_EQ_STR(qt_builtin_find("args")->name, "args");
	QT_EQ_INT(qt_builtin_find("hist")->metric, QT_METRIC_hist);
	QT_EQ_INT(qt_builtin_find("count")->max_args, 0);
}

QT_TEST(every_builtin_is_found_under_its_name)
{
	const struct qt_builtin *b;

	for (unsigned i = 0; (b = qt_builtin_at(i)); i++)
		QT_TRUE(qt_builtin_find(b->name) == b);
}

QT_TEST(providers_by_alias)
{
	QT_EQ_STR(qt_provider_find("u")->name, "uprobe");
	QT_EQ_STR(qt_provider_find("U")->name, "usdt");
	QT_EQ_STR(qt_provider_find("kretfunc")->name, "fexit");
	QT_EQ_STR(qt_provider_find("BEGIN")->name, "begin");
	QT_TRUE(!qt_provider_find("ufr"));
	QT_TRUE(!qt_provider_find(""));
	QT_TRUE(!qt_provider_find(" "));
}

QT_TEST(every_return_names_its_entry)
{
	const struct qt_provider *p;

	for (unsigned i = 0; (p = qt_provider_row(i)); i++) {
		QT_TRUE(qt_provider_find(p->name) == p);
		if (p->is_return)
			QT_TRUE(qt_provider_find(p->entry) != NULL);
	}
}

QT_TEST(documentation_has_every_row)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const struct qt_builtin *b;

	qt_builtins_doc(out);
	qt_providers_doc(out);
	fclose(out);
	for (unsigned i = 0; (b = qt_builtin_at(i)); i++) {
		if (b->kind != QT_BUILTIN_LATER && b->kind != QT_BUILTIN_METRIC)
			QT_TRUE(strstr(text, b->text) != NULL);
	}
	QT_TRUE(strstr(text, "uretprobe:BINARY:FUNCTION") != NULL);
	QT_TRUE(strstr(text, "watchpoint") == NULL);
	free(text);
}

/* What is not to be had says what to write instead. */
QT_TEST(every_missing_builtin_has_a_hint)
{
	const struct qt_builtin *b;

	for (unsigned i = 0; (b = qt_builtin_at(i)); i++) {
		if (b->kind == QT_BUILTIN_LATER && !b->text[0])
			QT_EQ_STR(b->name, "(a built-in with a hint)");
	}
}

static void page_holds(const char *path, void (*print)(FILE *out))
{
	struct qt_arena *arena = qt_arena_new();
	const struct qt_source *page = qt_sources_load(qt_sources_new(arena), path);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	print(out);
	fclose(out);
	while (size && text[size - 1] == '\n')
		text[--size] = 0;
	if (!page)
		QT_SKIP("the page is not here");
	if (!strstr(page->text.ptr, text))
		QT_EQ_STR(page->text.ptr, text);
	free(text);
	qt_arena_free(arena);
}

/* The tables in docs/language.md are the ones that the program makes. */
QT_TEST(language_page_is_up_to_date)
{
	page_holds("docs/language.md", qt_builtins_doc);
}

QT_TEST(page_for_users_of_bpftrace_is_up_to_date)
{
	page_holds("docs/coming-from-bpftrace.md", qt_builtins_peer_doc);
}
