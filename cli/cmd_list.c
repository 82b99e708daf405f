/* qtrace list: what can be probed here, as text that can be pasted into a script; with -v the arguments, too. */
#include "cli/cli.h"

#include "base/check.h"
#include "target/target.h"

#include <string.h>

/* Kinds of probes, and whether a binary stands behind the first colon. `all` ones are looked through for a pattern without a kind. */
static const struct {
	const char *name, *brief;
	bool binary, all;
} providers[] = {
	{ "uprobe", "u", true, false },	  { "uretprobe", "ur", true, false },  { "usdt", "U", true, false },
	{ "syscall", NULL, false, true }, { "tracepoint", "t", false, true },  { "rawtracepoint", "rt", false, true },
	{ "kprobe", "k", false, true },	  { "kretprobe", "kr", false, false }, { "fentry", "f", false, false },
	{ "fexit", "fr", false, false },  { "software", "s", false, true },    { "hardware", "h", false, true },
};

struct listing {
	FILE *out;
	bool details;
	bool any;
};

static bool put_probe(void *ctx, const struct qt_listed *probe)
{
	struct listing *l = ctx;

	l->any = true;
	fprintf(l->out, "%s\n", probe->probe);
	if (l->details && *probe->args)
		fprintf(l->out, "    %s\n", probe->args);
	return !ferror(l->out);
}

static int provider_find(const char *name)
{
	for (size_t i = 0; i < QT_COUNT(providers); i++)
		if (!strcmp(providers[i].name, name) || (providers[i].brief && !strcmp(providers[i].brief, name)))
			return (int)i;
	return -1;
}

/* Cuts the part before the next colon off *S (quotes hold it together, and are taken away); the rest stays in *S, NULL at the end. */
static char *take_part(struct qt_arena *a, const char **s)
{
	const char *p = *s;
	struct qt_buf b = { 0 };
	bool quoted = false;
	char *part;

	for (; *p && (quoted || *p != ':'); p++) {
		if (*p == '"')
			quoted = !quoted;
		else
			qt_buf_addc(&b, *p);
	}
	part = qt_arena_strndup(a, b.ptr ? b.ptr : "", b.len);
	qt_buf_free(&b);
	*s = *p ? p + 1 : NULL;
	return part;
}

/* "read" means every name that holds it; with a star or a colon the pattern is taken as it is. */
static const char *widened(struct qt_arena *a, const char *pattern)
{
	if (!pattern || !*pattern)
		return NULL;
	return strpbrk(pattern, "*?[{:") ? pattern : qt_arena_printf(a, "*%s*", pattern);
}

static void nothing(struct qt_cli *cli, const char *pattern, const struct qt_reason *why)
{
	qt_cli_error(cli, QT_E0710, why->hint, "%s: %s", pattern, why->text ? why->text : "no probe matches");
}

/* Everything that a program or library offers: its USDT probes, then its functions. */
static void list_binary(struct qt_cli *cli, struct listing *l, struct qt_target *t, const char *binary, struct qt_reason *why)
{
	struct qt_reason ignored;

	(void)cli;
	qt_target_list(t, "usdt", binary, NULL, l->details, put_probe, l, &ignored);
	qt_target_list(t, "uprobe", binary, NULL, l->details, put_probe, l, why);
}

static void list_everywhere(struct listing *l, struct qt_target *t, const char *pattern, struct qt_reason *why)
{
	for (size_t i = 0; i < QT_COUNT(providers); i++)
		if (providers[i].all)
			qt_target_list(t, providers[i].name, NULL, pattern, l->details, put_probe, l, why);
}

static void list_provider(struct qt_cli *cli, struct listing *l, struct qt_target *t, int provider, const char *rest, struct qt_reason *why)
{
	const char *binary = providers[provider].binary && rest ? take_part(cli->arena, &rest) : NULL;

	if (providers[provider].binary && !binary) {
		why->text = "which program or library?";
		why->hint = qt_arena_printf(cli->arena, "qtrace list %s:BINARY, where BINARY is a path or a name: %s:libc", providers[provider].name,
					    providers[provider].name);
		return;
	}
	qt_target_list(t, providers[provider].name, binary, widened(cli->arena, rest), l->details, put_probe, l, why);
}

static void list_pattern(struct qt_cli *cli, struct listing *l, struct qt_target *t, const char *pattern)
{
	const char *rest = pattern;
	int provider = provider_find(take_part(cli->arena, &rest));
	struct qt_reason why = { 0 };

	l->any = false;
	if (provider >= 0)
		list_provider(cli, l, t, provider, rest, &why);
	else if (strchr(pattern, '/'))
		list_binary(cli, l, t, pattern, &why);
	else
		list_everywhere(l, t, widened(cli->arena, pattern), &why);
	if (!l->any)
		nothing(cli, pattern, &why);
}

int qt_cmd_list(struct qt_cli *cli)
{
	struct qt_target *t = qt_cli_target(cli);
	struct listing l = { .out = cli->out->file, .details = cli->options.verbose > 0 };
	struct qt_reason why = { 0 };

	if (!t)
		return QT_EXIT_WRONG;
	if (!cli->options.words.len)
		list_everywhere(&l, t, NULL, &why);
	qt_vec_each (pattern, &cli->options.words)
		list_pattern(cli, &l, t, *pattern);
	qt_target_free(t);
	return QT_EXIT_DONE;
}
