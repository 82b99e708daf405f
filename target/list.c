/* The probes of a provider one by one, as text that a script can use; and what is near to a mistyped binary. */
#include "target/target_internal.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

struct lister {
	struct qt_target *t;
	const char *provider, *pattern;
	bool details;
	qt_list_fn fn;
	void *ctx;
	struct qt_reason *why;
	unsigned count;
	bool stopped;
};

/* A part of a probe is written in quotes when it holds anything that could end it. */
static const char *quoted(struct qt_target *t, const char *s)
{
	struct qt_buf b = { 0 };
	const char *text;

	if (*s && strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./@$%~") == strlen(s))
		return s;
	qt_buf_addc(&b, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			qt_buf_addc(&b, '\\');
		qt_buf_addc(&b, *s);
	}
	qt_buf_addc(&b, '"');
	text = qt_arena_strndup(t->arena, b.ptr, b.len);
	qt_buf_free(&b);
	return text;
}

static bool give(struct lister *l, const char *probe, const char *args)
{
	struct qt_listed one = { probe, args ? args : "" };

	l->count++;
	l->stopped = !l->fn(l->ctx, &one);
	return !l->stopped;
}

/* ---- arguments in words ---- */

static void add_param(struct qt_buf *b, const struct qt_param *p)
{
	const char *text = p->type.text ? p->type.text : "?";

	qt_buf_printf(b, "%s%s%s%s", b->len ? ", " : "", text, *text && text[strlen(text) - 1] == '*' ? "" : " ", p->name);
}

static const char *keep(struct qt_target *t, struct qt_buf *b)
{
	const char *text = b->len ? qt_arena_strndup(t->arena, b->ptr, b->len) : "";

	qt_buf_free(b);
	return text;
}

static const char *params_text(struct qt_target *t, const struct qt_param *params, unsigned n)
{
	struct qt_buf b = { 0 };

	for (unsigned i = 0; i < n; i++)
		add_param(&b, &params[i]);
	return keep(t, &b);
}

static const char *fields_text(struct qt_target *t, const struct qt_tracepoint *tp)
{
	struct qt_buf b = { 0 };

	for (unsigned i = 0; tp && i < tp->nfields; i++) {
		if (!tp->fields[i].common && strcmp(tp->fields[i].name, "__syscall_nr"))
			add_param(&b, &(struct qt_param){ tp->fields[i].name, tp->fields[i].type });
	}
	return keep(t, &b);
}

static const char *site_text(struct qt_target *t, const struct qt_usdt_site *s)
{
	struct qt_buf b = { 0 };

	for (unsigned i = 0; i < s->nargs; i++) {
		const struct qt_usdt_arg *a = &s->args[i];

		qt_buf_printf(&b, "%s%sint%u arg%u", i ? ", " : "", a->is_signed ? "" : "u", a->size * 8, i);
	}
	if (s->semaphore)
		qt_buf_printf(&b, "%s(semaphore)", s->nargs ? " " : "");
	return keep(t, &b);
}

/* ---- one provider each ---- */

static bool function_seen(const struct qt_functions *f, unsigned i)
{
	return i && strcmp(f->items[i].name, f->items[i - 1].name) == 0;
}

static void list_functions(struct lister *l, const struct qt_binary *b)
{
	struct qt_functions f;

	if (!qt_binary_functions(l->t, b, l->pattern ? l->pattern : "*", 0, &f) && l->why)
		*l->why = f.reason;
	for (unsigned i = 0; i < f.count && !l->stopped && f.reason.why == QT_WHY_NONE; i++) {
		const struct qt_function *one = &f.items[i];

		if (!function_seen(&f, i))
			give(l,
			     qt_arena_printf(l->t->arena, "%s:%s:%s", l->provider, quoted(l->t, b->name),
					     quoted(l->t, one->demangled ? one->demangled : one->name)),
			     NULL);
	}
}

static void list_usdt(struct lister *l, const struct qt_binary *b)
{
	const char *colon = l->pattern ? strchr(l->pattern, ':') : NULL;
	const char *provider = colon ? qt_arena_strndup(l->t->arena, l->pattern, (size_t)(colon - l->pattern)) : "*";
	struct qt_usdt u;

	if (!qt_binary_usdt(l->t, b, provider, colon ? colon + 1 : l->pattern ? l->pattern : "*", &u) && l->why)
		*l->why = u.reason;
	for (unsigned i = 0; i < u.count && !l->stopped; i++) {
		const struct qt_usdt_site *s = &u.sites[i];

		if (i && s->provider == u.sites[i - 1].provider && s->name == u.sites[i - 1].name)
			continue;
		give(l, qt_arena_printf(l->t->arena, "usdt:%s:%s:%s", quoted(l->t, b->name), quoted(l->t, s->provider), quoted(l->t, s->name)),
		     l->details ? site_text(l->t, s) : NULL);
	}
}

static void list_binaries(struct lister *l, const char *binary, void (*one)(struct lister *l, const struct qt_binary *b))
{
	struct qt_binaries bins;

	if (!qt_target_binaries(l->t, binary ? binary : "", &bins) && l->why)
		*l->why = bins.reason;
	for (unsigned i = 0; i < bins.count && !l->stopped; i++)
		one(l, bins.items[i]);
}

static void list_tracepoints(struct lister *l)
{
	const char *colon = l->pattern ? strchr(l->pattern, ':') : NULL;
	const char *category = colon ? qt_arena_strndup(l->t->arena, l->pattern, (size_t)(colon - l->pattern)) : l->pattern;
	struct qt_names names;

	if (!qt_target_tracepoints(l->t, category, colon ? colon + 1 : NULL, &names) && l->why)
		*l->why = names.reason;
	for (unsigned i = 0; i < names.count && !l->stopped; i++) {
		const char *name = strchr(names.items[i], ':');
		const char *own = qt_arena_strndup(l->t->arena, names.items[i], (size_t)(name - names.items[i]));

		give(l, qt_arena_printf(l->t->arena, "tracepoint:%s", names.items[i]),
		     l->details ? fields_text(l->t, qt_target_tracepoint(l->t, own, name + 1, NULL)) : NULL);
	}
}

typedef bool (*names_fn)(struct qt_target *t, const char *pattern, struct qt_names *out);
typedef const char *(*detail_fn)(struct qt_target *t, const char *name);

static const char *syscall_detail(struct qt_target *t, const char *name)
{
	const struct qt_syscall *s = qt_target_syscall(t, name, NULL);

	return s ? params_text(t, s->args, s->nargs) : "";
}

static const char *raw_detail(struct qt_target *t, const char *name)
{
	const struct qt_prototype *p = qt_target_raw_tracepoint(t, name, NULL);

	return p ? params_text(t, p->params, p->nparams) : "";
}

static const char *function_detail(struct qt_target *t, const char *name)
{
	const struct qt_kernel_function *f = qt_target_kernel_function(t, name, NULL);

	return f ? params_text(t, f->proto.params, f->proto.nparams) : "";
}

static bool software_names(struct qt_target *t, const char *pattern, struct qt_names *out)
{
	static const char *const names[] = { "alignment-faults", "bpf-output",	 "context-switches", "cpu-clock",   "cpu-migrations", "dummy",
					     "emulation-faults", "major-faults", "minor-faults",     "page-faults", "task-clock" };

	*out = (struct qt_names){ 0 };
	return qt_names_match(t, &(struct qt_name_list){ (const char **)(void *)names, sizeof(names) / sizeof(names[0]), 0 }, pattern, out);
}

static bool hardware_names(struct qt_target *t, const char *pattern, struct qt_names *out)
{
	static const char *const names[] = { "backend-stalls",	 "branch-instructions", "branch-misses",   "bus-cycles",   "cache-misses",
					     "cache-references", "cpu-cycles",		"frontend-stalls", "instructions", "ref-cycles" };

	*out = (struct qt_names){ 0 };
	return qt_names_match(t, &(struct qt_name_list){ (const char **)(void *)names, sizeof(names) / sizeof(names[0]), 0 }, pattern, out);
}

static const struct {
	const char *provider;
	names_fn names;
	detail_fn detail;
} simple[] = {
	{ "syscall", qt_target_syscalls, syscall_detail },
	{ "rawtracepoint", qt_target_raw_tracepoints, raw_detail },
	{ "kprobe", qt_target_kernel_functions, function_detail },
	{ "kretprobe", qt_target_kernel_functions, function_detail },
	{ "fentry", qt_target_kernel_functions, function_detail },
	{ "fexit", qt_target_kernel_functions, function_detail },
	{ "software", software_names, NULL },
	{ "hardware", hardware_names, NULL },
};

static void list_simple(struct lister *l, unsigned row)
{
	struct qt_names names;

	if (!simple[row].names(l->t, l->pattern, &names) && l->why)
		*l->why = names.reason;
	for (unsigned i = 0; i < names.count && !l->stopped; i++)
		give(l, qt_arena_printf(l->t->arena, "%s:%s", l->provider, names.items[i]),
		     l->details && simple[row].detail ? simple[row].detail(l->t, names.items[i]) : NULL);
}

unsigned qt_target_list(struct qt_target *t, const char *provider, const char *binary, const char *pattern, bool details, qt_list_fn fn, void *ctx,
			struct qt_reason *why)
{
	struct lister l = { .t = t, .provider = provider, .pattern = pattern, .details = details, .fn = fn, .ctx = ctx, .why = why };

	qt_why_clear(why);
	if (strcmp(provider, "uprobe") == 0 || strcmp(provider, "uretprobe") == 0)
		list_binaries(&l, binary, list_functions);
	else if (strcmp(provider, "usdt") == 0)
		list_binaries(&l, binary, list_usdt);
	else if (strcmp(provider, "tracepoint") == 0)
		list_tracepoints(&l);
	for (unsigned i = 0; i < sizeof(simple) / sizeof(simple[0]); i++) {
		if (strcmp(simple[i].provider, provider) == 0)
			list_simple(&l, i);
	}
	return l.count;
}

/* ---- binaries near to a mistyped one ---- */

static void offer_folder(struct qt_target *t, const char *folder, const char *prefix, qt_offer_fn offer, void *ctx)
{
	DIR *d = opendir(qt_arena_printf(t->arena, "%s%s", t->root, *folder ? folder : "/"));
	struct dirent *e;

	while (d && (e = readdir(d))) {
		if (e->d_name[0] != '.')
			offer(ctx, qt_arena_printf(t->arena, "%s%s", prefix, e->d_name));
	}
	if (d)
		closedir(d);
}

struct offering {
	struct qt_target *t;
	qt_offer_fn offer;
	void *ctx;
};

/* "libssl.so.3" is near to "libsl" only as "libssl". */
static bool offer_soname(void *ctx, const char *soname, const char *path)
{
	struct offering *o = ctx;
	const char *so = strstr(soname, ".so");

	(void)path;
	o->offer(o->ctx, so ? qt_intern_n(o->t->names, soname, (size_t)(so - soname)) : soname);
	return true;
}

void qt_target_binary_offer(struct qt_target *t, const char *spec, qt_offer_fn offer, void *ctx)
{
	struct offering o = { t, offer, ctx };
	const char *slash = strrchr(spec, '/'), *path = t->options.path ? t->options.path : getenv("PATH");

	QT_ROWS_EACH(r, t)
	{
		if (QT_ROW_IS(r, "binary"))
			offer(ctx, slash ? qt_row_field(r, 1) : strrchr(qt_row_field(r, 1), '/') ? strrchr(qt_row_field(r, 1), '/') + 1 : "");
	}
	if (!t->live)
		return;
	if (slash) {
		offer_folder(t, qt_arena_strndup(t->arena, spec, (size_t)(slash - spec)),
			     qt_arena_strndup(t->arena, spec, (size_t)(slash + 1 - spec)), offer, ctx);
		return;
	}
	for (; path && *path; path += *path == ':') {
		size_t n = strcspn(path, ":");

		offer_folder(t, qt_arena_strndup(t->arena, path, n), "", offer, ctx);
		path += n;
	}
	qt_ldcache_each(t, offer_soname, &o);
}
