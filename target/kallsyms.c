/* /proc/kallsyms: which functions the kernel and its modules have. Slow to read (the kernel makes some ten megabytes of text), so it is
 * read once and only for names that BTF does not know. */
#include "target/target_internal.h"

#include <stdlib.h>
#include <string.h>

struct qt_kallsyms {
	char *text; /* on the heap; lines "ADDRESS TYPE NAME[\t[MODULE]]" */
	size_t len;
};

static void load(struct qt_target *t)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	struct qt_buf b = { 0 };
	char chunk[65536];
	size_t n;

	t->kallsyms = QT_NEW(t->arena, struct qt_kallsyms);
	while (f && (n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		qt_buf_add(&b, chunk, n);
	if (f)
		fclose(f);
	t->kallsyms->text = b.ptr;
	t->kallsyms->len = b.len;
}

void qt_kallsyms_free(struct qt_kallsyms *k)
{
	if (k)
		free(k->text);
}

/* The line's module, if the name at P really is the whole name of a function. */
static bool is_function_line(const char *text, const char *p, size_t n, struct qt_str *module)
{
	const char *end = p + n;

	if (p - text < 3 || p[-1] != ' ' || !strchr("tTwW", p[-2]) || (*end != '\n' && *end != '\t' && *end))
		return false;
	*module = (struct qt_str){ NULL, 0 };
	if (end[0] == '\t' && end[1] == '[')
		*module = (struct qt_str){ end + 2, strcspn(end + 2, "]\n") };
	return true;
}

const char *qt_kallsyms_text(struct qt_target *t)
{
	if (!t->kallsyms && t->live)
		load(t);
	return t->kallsyms && t->kallsyms->text ? t->kallsyms->text : "";
}

enum qt_tri qt_kallsyms_has(struct qt_target *t, const char *name, const char **module)
{
	size_t n = strlen(name);
	struct qt_str m;

	if (!t->kallsyms && t->live)
		load(t);
	if (!t->kallsyms || !t->kallsyms->len)
		return QT_UNKNOWN;
	for (const char *p = t->kallsyms->text; n && (p = strstr(p, name)); p += n) {
		if (!is_function_line(t->kallsyms->text, p, n, &m))
			continue;
		if (module)
			*module = m.ptr ? qt_intern_n(t->names, m.ptr, m.len) : NULL;
		return QT_YES;
	}
	return QT_NO;
}
