/* Where the symbols of a binary come from: the file's tables, its debug files, or the rows of a snapshot; and what else is asked of
 * all of them: names near to one, the function at an address, the library that defines an import. */
#include "target/target_internal.h"

#include <stdlib.h>
#include <string.h>

static const char *given(const struct qt_row *r, unsigned i)
{
	const char *s = qt_row_field(r, i);

	return *s && strcmp(s, "-") ? s : NULL;
}

/* function PATH NAME ADDRESS [FILE_OFFSET [SIZE [FLAG [VERSION [LIBRARY]]]]] */
static void from_row(const struct qt_row *r, struct qt_symbol *s)
{
	const char *flag = qt_row_field(r, 6);

	*s = (struct qt_symbol){ .name = qt_row_field(r, 2), .address = qt_row_number(r, 3), .size = qt_row_number(r, 5), .type = STT_FUNC };
	s->file_offset = given(r, 4) ? qt_row_number(r, 4) : s->address;
	s->version = given(r, 7);
	s->library = given(r, 8);
	s->bind = STB_GLOBAL;
	s->defined = strcmp(flag, "imported") != 0;
	s->default_version = strcmp(flag, "old") != 0;
	if (strcmp(flag, "ifunc") == 0)
		s->type = STT_GNU_IFUNC;
}

static bool recorded_symbols(struct qt_target *t, const struct qt_elf *e, qt_symbol_visit fn, void *ctx)
{
	struct qt_symbol s;

	QT_ROWS_EACH(r, t)
	{
		if (!QT_ROW_IS(r, "function") || strcmp(qt_row_field(r, 1), e->pub.path))
			continue;
		from_row(r, &s);
		if (!fn(ctx, &s))
			return false;
	}
	return true;
}

bool qt_binary_symbols(struct qt_target *t, struct qt_elf *e, qt_symbol_visit fn, void *ctx)
{
	if (!t->live)
		return recorded_symbols(t, e, fn, ctx);
	return qt_elf_symbols(&e->file, fn, ctx) && qt_elf_symbols(&e->debug, fn, ctx) && qt_elf_symbols(&e->mini, fn, ctx);
}

/* ---- names near to one ---- */

struct offer {
	struct qt_target *t;
	qt_offer_fn fn;
	void *ctx;
	bool readable;
};

static bool offer_symbol(void *ctx, const struct qt_symbol *s)
{
	struct offer *o = ctx;
	char *text = NULL;

	if ((s->type != STT_FUNC && s->type != STT_GNU_IFUNC) || !s->defined)
		return true;
	if (o->readable)
		text = qt_demangle(s->name);
	o->fn(o->ctx, qt_intern(o->t->names, text ? text : s->name));
	free(text);
	return true;
}

void qt_binary_function_offer(struct qt_target *t, const struct qt_binary *b, const char *pattern, qt_offer_fn offer, void *ctx)
{
	struct offer o = { t, offer, ctx, strncmp(pattern, "_Z", 2) != 0 };

	qt_binary_symbols(t, qt_elf_of(b), offer_symbol, &o);
}

/* ---- the function at an address ---- */

struct covering {
	struct qt_target *t;
	uint64_t address;
	struct qt_function *best;
};

static bool look_at(void *ctx, const struct qt_symbol *s)
{
	struct covering *c = ctx;
	struct qt_function *f = c->best;

	if ((s->type != STT_FUNC && s->type != STT_GNU_IFUNC) || !s->defined || s->address > c->address ||
	    (s->size && c->address - s->address >= s->size))
		return true;
	if (f && f->address > s->address)
		return true;
	if (f && f->address == s->address && (s->bind != STB_GLOBAL || strcmp(f->name, s->name) <= 0))
		return true;
	if (!f)
		f = c->best = QT_NEW(c->t->arena, struct qt_function);
	*f = (struct qt_function){ .name = qt_intern(c->t->names, s->name),
				   .address = s->address,
				   .size = s->size,
				   .file_offset = s->file_offset,
				   .default_version = s->default_version,
				   .ifunc = s->type == STT_GNU_IFUNC };
	return true;
}

const struct qt_function *qt_binary_function_at(struct qt_target *t, const struct qt_binary *b, uint64_t address)
{
	struct covering c = { t, address, NULL };
	struct qt_elf *e = qt_elf_of(b);
	char *text;

	qt_elf_debug_open(t, e);
	qt_binary_symbols(t, e, look_at, &c);
	if (!c.best)
		return NULL;
	qt_elf_offset(&e->file, c.best->address, &c.best->file_offset);
	text = qt_demangle(c.best->name);
	c.best->demangled = text ? qt_intern(t->names, text) : NULL;
	free(text);
	return c.best;
}

/* ---- imports ---- */

struct definition {
	const char *name;
	bool found;
};

static bool defines(void *ctx, const struct qt_symbol *s)
{
	struct definition *d = ctx;

	if (s->defined && strcmp(s->name, d->name) == 0)
		d->found = true;
	return !d->found;
}

static const char *in_run_path(struct qt_target *t, const struct qt_elf *user, const char *soname)
{
	const char *path = qt_elf_dynamic(&user->file, DT_RUNPATH, 0);
	const char *slash = strrchr(user->pub.name, '/');

	if (!path)
		path = qt_elf_dynamic(&user->file, DT_RPATH, 0);
	for (; path && *path; path += *path == ':') {
		int n = (int)strcspn(path, ":"), here = slash ? (int)(slash - user->pub.name) : 0;
		bool origin = strncmp(path, "$ORIGIN", 7) == 0;
		const char *full = qt_arena_printf(t->arena, "%.*s%.*s/%s", origin ? here : 0, user->pub.name, origin ? n - 7 : n,
						   origin ? path + 7 : path, soname);
		const char *real = qt_path_real(t, t->root, full);

		if (real)
			return real;
		path += n;
	}
	return NULL;
}

static const char *needed_path(struct qt_target *t, const struct qt_elf *user, const char *soname)
{
	const char *path = in_run_path(t, user, soname);

	if (path)
		return path;
	path = qt_ldcache_find(t, soname);
	return path ? qt_path_real(t, t->root, path) : NULL;
}

const char *qt_library_defining(struct qt_target *t, const struct qt_elf *user, const char *symbol)
{
	const char *soname;

	for (unsigned i = 0; (soname = qt_elf_dynamic(&user->file, DT_NEEDED, i)); i++) {
		struct definition d = { symbol, false };
		const char *path = needed_path(t, user, soname);
		struct qt_elf *e = path ? qt_elf_open(t, qt_arena_printf(t->arena, "%s%s", t->root, path), path, NULL) : NULL;

		if (e)
			qt_elf_symbols(&e->file, defines, &d);
		if (d.found)
			return path;
	}
	return NULL;
}
