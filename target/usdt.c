/* USDT probes of a binary from its .note.stapsdt section. Format (SystemTap, "UserSpaceProbeImplementation"): three addresses (probe,
 * base, semaphore), then provider, name and arguments as strings. The addresses move by what .stapsdt.base moved (prelink). */
#include "target/target_internal.h"

#include <stdlib.h>
#include <string.h>

#define NT_STAPSDT 3
#define MAX_ARGS 12

/* ---- notes ---- */

struct note_reader {
	uint64_t base;
	qt_usdt_note_fn fn;
	void *ctx;
	unsigned bad;
};

/* The string at *p and its end; NULL when it runs out of the note. */
static const char *take_string(const char **p, const char *end)
{
	const char *s = *p;
	const char *nul = s < end ? memchr(s, 0, (size_t)(end - s)) : NULL;

	*p = nul ? nul + 1 : end;
	return nul ? s : NULL;
}

static bool read_note(void *ctx, const char *owner, uint32_t type, const uint8_t *desc, uint32_t size)
{
	struct note_reader *r = ctx;
	const char *p = (const char *)desc + 24, *end = (const char *)desc + size, *provider, *name, *args;
	uint64_t at[3], moved;

	if (type != NT_STAPSDT || strcmp(owner, "stapsdt"))
		return true;
	if (size < 24) {
		r->bad++;
		return true;
	}
	memcpy(at, desc, sizeof(at));
	provider = take_string(&p, end);
	name = take_string(&p, end);
	args = take_string(&p, end);
	if (!provider || !name || !args || !*provider || !*name) {
		r->bad++;
		return true;
	}
	moved = r->base && at[1] ? r->base - at[1] : 0;
	r->fn(r->ctx, provider, name, args, at[0] + moved, at[2] ? at[2] + moved : 0);
	return true;
}

unsigned qt_usdt_notes(const struct qt_section *s, uint64_t base, qt_usdt_note_fn fn, void *ctx)
{
	struct note_reader r = { base, fn, ctx, 0 };

	qt_elf_notes(s, read_note, &r);
	return r.bad;
}

/* ---- sites of one binary ---- */

struct reading {
	struct qt_target *t;
	struct qt_elf *e;
	QT_VEC(struct qt_usdt_site) sites;
	unsigned bad;
};

struct wanted_symbol {
	const char *name;
	uint64_t address;
	bool found;
};

static bool is_symbol(void *ctx, const struct qt_symbol *s)
{
	struct wanted_symbol *w = ctx;

	if (s->defined && strcmp(s->name, w->name) == 0) {
		w->address = s->address;
		w->found = true;
	}
	return !w->found;
}

static bool symbol_address(void *ctx, const char *name, uint64_t *address)
{
	struct reading *r = ctx;
	struct wanted_symbol w = { name, 0, false };

	qt_binary_symbols(r->t, r->e, is_symbol, &w);
	if (!w.found) {
		qt_elf_debug_open(r->t, r->e);
		qt_binary_symbols(r->t, r->e, is_symbol, &w);
	}
	*address = w.address;
	return w.found;
}

/* Arguments are separated by blanks; one that makes no sense is kept as unsupported, so that the others keep their numbers. */
static void parse_args(struct reading *r, struct qt_usdt_site *s, const char *text)
{
	struct qt_usdt_arg *args = QT_NEW_ARRAY(r->t->arena, struct qt_usdt_arg, MAX_ARGS);

	for (text += strspn(text, " "); *text && s->nargs < MAX_ARGS; text += strspn(text, " ")) {
		size_t n = strcspn(text, " ");
		const char *one = qt_intern_n(r->t->names, text, n);

		if (strcmp(one, ":"))
			qt_usdt_parse_arg(one, s->address, symbol_address, r, &args[s->nargs++]);
		text += n;
	}
	s->args = args;
}

static void add_site(void *ctx, const char *provider, const char *name, const char *args, uint64_t pc, uint64_t semaphore)
{
	struct reading *r = ctx;
	struct qt_usdt_site s = {
		.provider = qt_intern(r->t->names, provider), .name = qt_intern(r->t->names, name), .address = pc, .semaphore = semaphore
	};

	if (!qt_elf_segment(&r->e->file, pc, PF_X) || !qt_elf_offset(&r->e->file, pc, &s.file_offset) ||
	    (semaphore && !qt_elf_offset(&r->e->file, semaphore, &s.semaphore_offset))) {
		r->bad++;
		return;
	}
	parse_args(r, &s, args);
	*qt_vec_push(r->t->arena, &r->sites) = s;
}

static int compare_sites(const void *a, const void *b)
{
	const struct qt_usdt_site *x = a, *y = b;
	int c = strcmp(x->provider, y->provider);

	c = c ? c : strcmp(x->name, y->name);
	return c ? c : (x->address > y->address) - (x->address < y->address);
}

static void read_file(struct reading *r)
{
	const struct qt_section *notes = qt_elf_section(&r->e->file, ".note.stapsdt");
	const struct qt_section *base = qt_elf_section(&r->e->file, ".stapsdt.base");

	if (notes)
		r->bad += qt_usdt_notes(notes, base ? base->addr : 0, add_site, r);
}

/* ---- sites in a snapshot: usdt PATH PROVIDER NAME ADDRESS OFFSET SEMAPHORE SEMAPHORE_OFFSET ARG... ---- */

static bool any_symbol(void *ctx, const char *name, uint64_t *address)
{
	(void)ctx;
	(void)name;
	*address = 0;
	return true;
}

/* An operand that needed a symbol carries the value that it got behind a blank: "-4@NBuffers(%rip) 1234". */
static void read_arg(struct reading *r, struct qt_usdt_site *s, const char *text, struct qt_usdt_arg *out)
{
	size_t n = strcspn(text, " ");
	const char *operand = qt_intern_n(r->t->names, text, n);

	qt_usdt_parse_arg(operand, s->address, text[n] ? any_symbol : NULL, NULL, out);
	if (text[n])
		out->value = strtoll(text + n, NULL, 0);
}

static void read_rows(struct reading *r)
{
	QT_ROWS_EACH(row, r->t)
	{
		struct qt_usdt_site *s;
		struct qt_usdt_arg *args;

		if (!QT_ROW_IS(row, "usdt") || strcmp(qt_row_field(row, 1), r->e->pub.path))
			continue;
		s = qt_vec_push(r->t->arena, &r->sites);
		args = QT_NEW_ARRAY(r->t->arena, struct qt_usdt_arg, MAX_ARGS);
		*s = (struct qt_usdt_site){ .provider = qt_row_field(row, 2),
					    .name = qt_row_field(row, 3),
					    .address = qt_row_number(row, 4),
					    .file_offset = qt_row_number(row, 5),
					    .semaphore = qt_row_number(row, 6),
					    .semaphore_offset = qt_row_number(row, 7),
					    .args = args };
		for (unsigned i = 8; i < row->nfields && s->nargs < MAX_ARGS; i++)
			read_arg(r, s, row->fields[i], &args[s->nargs++]);
	}
}

static void record(struct qt_target *t, const struct qt_elf *e, const struct qt_usdt_site *s)
{
	const char *fields[8 + MAX_ARGS] = { "usdt", e->pub.path, s->provider, s->name };
	const uint64_t numbers[4] = { s->address, s->file_offset, s->semaphore, s->semaphore_offset };

	for (unsigned i = 0; i < 4; i++)
		fields[4 + i] = qt_arena_printf(t->arena, "0x%llx", (unsigned long long)numbers[i]);
	for (unsigned i = 0; i < s->nargs; i++) {
		const struct qt_usdt_arg *a = &s->args[i];
		struct qt_usdt_arg bare;

		fields[8 + i] = a->text;
		if (a->kind != QT_USDT_UNSUPPORTED && !qt_usdt_parse_arg(a->text, s->address, NULL, NULL, &bare))
			fields[8 + i] = qt_arena_printf(t->arena, "%s %lld", a->text, (long long)a->value);
	}
	qt_rows_add_fields(t, fields, 8 + s->nargs);
}

/* ---- the question ---- */

static void read_sites(struct qt_target *t, struct qt_elf *e)
{
	struct reading r = { .t = t, .e = e };

	if (e->sites_read)
		return;
	e->sites_read = true;
	if (t->live)
		read_file(&r);
	else
		read_rows(&r);
	if (r.sites.len)
		qsort(r.sites.items, r.sites.len, sizeof(*r.sites.items), compare_sites);
	e->sites = r.sites.items;
	e->nsites = r.sites.len;
	e->bad_notes = r.bad;
}

static bool wanted(const struct qt_usdt_site *s, const char *provider, const char *name)
{
	return (!provider || strcmp(provider, s->provider) == 0 || qt_glob_match(provider, s->provider)) &&
	       (strcmp(name, s->name) == 0 || qt_glob_match(name, s->name));
}

/* A plain name without provider must belong to one provider only. */
static bool ambiguous(struct qt_target *t, const struct qt_elf *e, const char *name, struct qt_usdt *out)
{
	const struct qt_usdt_site *first = &out->sites[0], *last = &out->sites[out->count - 1];

	if (strcmp(first->provider, last->provider) == 0)
		return false;
	out->count = 0;
	qt_why_set(t, &out->reason, QT_WHY_AMBIGUOUS,
		   qt_arena_printf(t->arena, "write %s:%s or %s:%s, or *:%s for all of them", first->provider, name, last->provider, name, name),
		   "several providers of %s have a probe %s", e->pub.name, name);
	return true;
}

static bool tell_why(struct qt_target *t, const struct qt_elf *e, const char *provider, const char *name, struct qt_usdt *out)
{
	const char *key = qt_arena_printf(t->arena, "%s:%s:%s", e->pub.path, provider ? provider : "", name);

	if (!e->nsites)
		qt_why_set(t, &out->reason, QT_WHY_NOT_FOUND, "probe a function of it with uprobe instead", "%s has no USDT probes%s", e->pub.name,
			   e->bad_notes ? " that make sense" : "");
	else
		qt_why_set(t, &out->reason, QT_WHY_NOT_FOUND, NULL, "%s has no USDT probe %s%s%s", e->pub.name, provider ? provider : "",
			   provider ? ":" : "", name);
	return qt_absent(t, "usdt", key, qt_arena_printf(t->arena, "a USDT probe %s of %s", name, e->pub.name), &out->reason);
}

bool qt_binary_usdt(struct qt_target *t, const struct qt_binary *b, const char *provider, const char *name, struct qt_usdt *out)
{
	struct qt_elf *e = qt_elf_of(b);
	QT_VEC(struct qt_usdt_site) hits = { 0 };

	*out = (struct qt_usdt){ 0 };
	read_sites(t, e);
	for (unsigned i = 0; i < e->nsites; i++) {
		if (!wanted(&e->sites[i], provider, name))
			continue;
		*qt_vec_push(t->arena, &hits) = e->sites[i];
		if (t->live)
			record(t, e, &e->sites[i]);
	}
	out->sites = hits.items;
	out->count = hits.len;
	if (!out->count)
		return tell_why(t, e, provider, name, out);
	if (!provider && !qt_glob_is_pattern(name) && ambiguous(t, e, name, out))
		return false;
	if (e->bad_notes)
		qt_why_set(t, &out->reason, QT_WHY_DAMAGED, NULL, "%u USDT notes of %s make no sense", e->bad_notes, e->pub.name);
	return true;
}

void qt_binary_usdt_offer(struct qt_target *t, const struct qt_binary *b, qt_offer_fn offer, void *ctx)
{
	struct qt_elf *e = qt_elf_of(b);

	read_sites(t, e);
	for (unsigned i = 0; i < e->nsites; i++) {
		if (i && strcmp(e->sites[i].name, e->sites[i - 1].name) == 0 && e->sites[i].provider == e->sites[i - 1].provider)
			continue;
		offer(ctx, e->sites[i].name);
		offer(ctx, qt_intern(t->names, qt_arena_printf(t->arena, "%s:%s", e->sites[i].provider, e->sites[i].name)));
	}
}
