/* Functions of a binary by what a script writes: a symbol, name@VERSION, a readable C++ or Rust name, a glob, a raw address. The
 * binary's own tables are asked first, its debug files only when these do not know. */
#include "target/target_internal.h"

#include "base/check.h"

#include <stdlib.h>
#include <string.h>

enum mode { MODE_EXACT, MODE_READABLE, MODE_GLOB };

struct query {
	struct qt_target *t;
	struct qt_elf *e;
	enum mode mode;
	const char *pattern;
	const char *name, *version; /* EXACT: the pattern split at its @ */
	bool default_only; /* name@@VERSION */
	const char *stem; /* READABLE: an identifier that a mangled name must hold */
	QT_VEC(struct qt_function) hits;
	struct qt_map by_address; /* index + 1 of the hit at an address */
	const char *imported, *other_version; /* EXACT: seen, but not to be had */
	const char *library;
	unsigned skipped;
};

/* ---- one symbol ---- */

static bool may_run(const struct query *q, const struct qt_symbol *s)
{
	if (s->type == STT_FUNC || s->type == STT_GNU_IFUNC)
		return true;
	return s->type == STT_NOTYPE && q->mode == MODE_EXACT && (!s->defined || !q->t->live || qt_elf_segment(&q->e->file, s->address, PF_X));
}

/* Of several names of one address: the default version, then the one with fewer underscores in front, then by the alphabet. */
static bool better_name(const struct qt_function *old, const struct qt_symbol *s)
{
	size_t mine = strspn(s->name, "_"), its = strspn(old->name, "_");

	if (s->default_version != old->default_version)
		return s->default_version;
	if (strcmp(s->name, old->name) == 0)
		return s->version && !old->version;
	return mine != its ? mine < its : strcmp(s->name, old->name) < 0;
}

static struct qt_function *slot_for(struct query *q, const struct qt_symbol *s)
{
	uintptr_t at = (uintptr_t)qt_map_get(&q->by_address, s->address);
	struct qt_function *f;

	if (at) {
		f = &q->hits.items[at - 1];
		if (!f->size)
			f->size = s->size;
		return better_name(f, s) ? f : NULL;
	}
	f = qt_vec_push(q->t->arena, &q->hits);
	qt_map_put(q->t->arena, &q->by_address, s->address, (void *)(uintptr_t)q->hits.len);
	return f;
}

static const char *readable(struct query *q, const char *name)
{
	char *text = qt_demangle(name);
	const char *kept = text ? qt_intern(q->t->names, text) : NULL;

	free(text);
	return kept;
}

static void hit(struct query *q, const struct qt_symbol *s)
{
	uint64_t offset = s->file_offset;
	struct qt_function *f;

	if (q->t->live && !qt_elf_offset(&q->e->file, s->address, &offset))
		return;
	f = slot_for(q, s);
	if (!f)
		return;
	f->name = qt_intern(q->t->names, s->name);
	f->version = s->version ? qt_intern(q->t->names, s->version) : NULL;
	f->demangled = readable(q, s->name);
	f->address = s->address;
	f->file_offset = offset;
	f->size = s->size ? s->size : f->size;
	f->default_version = s->default_version;
	f->ifunc = s->type == STT_GNU_IFUNC;
}

static void take(struct query *q, const struct qt_symbol *s)
{
	bool versioned = q->version || (q->mode == MODE_GLOB && strchr(q->pattern, '@'));

	if (!s->defined) {
		q->imported = qt_intern(q->t->names, s->name);
		q->library = s->library;
		q->skipped++;
	} else if (!s->default_version && !versioned) {
		q->other_version = s->version ? qt_intern(q->t->names, s->version) : "";
		q->skipped++;
	} else {
		hit(q, s);
	}
}

/* ---- matching ---- */

static bool exact(const struct query *q, const struct qt_symbol *s)
{
	if (strcmp(s->name, q->name))
		return false;
	if (!q->version)
		return true;
	return s->version && strcmp(s->version, q->version) == 0 && (s->default_version || !q->default_only);
}

static bool word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* How much of TEXT the pattern covers, blanks ignored; NULL when it differs. */
static const char *covers(const char *pattern, const char *text)
{
	for (;; pattern++, text++) {
		while (*pattern == ' ')
			pattern++;
		if (!*pattern)
			return text;
		while (*text == ' ')
			text++;
		if (*pattern != *text)
			return NULL;
	}
}

/* TEXT begins with a parameter list that ends the name: what follows is nothing, "const", a reference mark. */
static bool only_parameters(const char *text)
{
	int depth = 0;

	if (strncmp(text, "[abi:", 5) == 0)
		text += strcspn(text, "]") + 1;
	if (*text != '(')
		return false;
	for (; *text; text++) {
		depth += (*text == '(') - (*text == ')');
		if (!depth)
			break;
	}
	return *text && strncmp(text + 1, "::", 2) && !strstr(text, "[clone");
}

static bool has_parameters(const char *pattern)
{
	const char *call = strstr(pattern, "operator()");

	return strchr(call ? call + 10 : pattern, '(') != NULL;
}

/* The readable name is the pattern, or the pattern and parameters; a return type in front (templates have one) may be left out. */
static bool readable_matches(const char *pattern, const char *text)
{
	int depth = 0;

	for (const char *start = text; start;) {
		const char *rest = covers(pattern, start), *p = start;

		if (rest && (!*rest || (!has_parameters(pattern) && only_parameters(rest))))
			return true;
		for (; *p && !(*p == ' ' && !depth); p++) {
			depth += (*p == '(' || *p == '<') - (*p == ')' || *p == '>');
			if (*p == '(' && depth == 1 && p != start)
				return false; /* the parameters have begun */
		}
		start = *p ? p + 1 : NULL;
	}
	return false;
}

static bool matches_readable(struct query *q, const struct qt_symbol *s)
{
	bool yes;
	char *text;

	if (s->name[0] != '_' || (q->stem && !strstr(s->name, q->stem)))
		return false;
	text = qt_demangle(s->name);
	yes = text && readable_matches(q->pattern, text);
	free(text);
	return yes;
}

static bool matches_glob(struct query *q, const struct qt_symbol *s)
{
	char versioned[512];
	bool yes;
	char *text;

	if (strchr(q->pattern, '@')) {
		snprintf(versioned, sizeof(versioned), "%s%s%s", s->name, s->default_version ? "@@" : "@", s->version ? s->version : "");
		return qt_glob_match(q->pattern, versioned);
	}
	if (qt_glob_match(q->pattern, s->name))
		return true;
	if (!s->defined)
		return false;
	text = qt_demangle(s->name);
	yes = text && !strstr(text, "[clone") && qt_glob_match(q->pattern, text);
	free(text);
	return yes;
}

static bool visit(void *ctx, const struct qt_symbol *s)
{
	struct query *q = ctx;
	bool yes;

	if (!may_run(q, s))
		return true;
	if (q->mode == MODE_EXACT)
		yes = exact(q, s);
	else
		yes = q->mode == MODE_READABLE ? matches_readable(q, s) : matches_glob(q, s);
	if (yes)
		take(q, s);
	return true;
}

/* ---- the question ---- */

static void split_pattern(struct query *q)
{
	const char *at = strchr(q->pattern, '@');

	q->name = q->pattern;
	if (!at || at == q->pattern || !at[1])
		return;
	q->name = qt_arena_strndup(q->t->arena, q->pattern, (size_t)(at - q->pattern));
	q->default_only = at[1] == '@';
	q->version = at + 1 + q->default_only;
}

/* Names that mangling abbreviates where they are the standard library's (Itanium C++ ABI, 5.1.10): they do not stand in the symbol. */
static bool is_abbreviated(const char *name)
{
	static const char *const names[] = { "allocator",     "basic_string", "string",		"basic_istream", "istream",
					     "basic_ostream", "ostream",      "basic_iostream", "iostream" };

	for (size_t i = 0; i < QT_COUNT(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* Where the name ends: at its parameters, or at the arguments of the template that it is itself. */
static size_t name_end(const char *pattern)
{
	size_t end = 0;
	int depth = 0;

	for (size_t i = 0; pattern[i] && (depth || (pattern[i] != '(' && pattern[i] != '[')); i++) {
		if (pattern[i] == '<' && !depth++)
			end = i;
		depth -= pattern[i] == '>' && depth > 0;
		if (!depth && word(pattern[i]))
			end = i + 1;
	}
	return end;
}

/* The identifier that the symbol must have in it: "go" of "ns::S<int>::go(int)". Operators have none. */
static const char *stem_of(struct query *q)
{
	size_t end = name_end(q->pattern), begin;
	const char *stem;

	if (strstr(q->pattern, "operator"))
		return NULL;
	while (end && !word(q->pattern[end - 1]))
		end--;
	for (begin = end; begin && word(q->pattern[begin - 1]); begin--)
		;
	stem = begin < end ? qt_arena_strndup(q->t->arena, q->pattern + begin, end - begin) : NULL;
	return stem && is_abbreviated(stem) ? NULL : stem;
}

static bool ask(struct query *q, enum mode mode)
{
	q->mode = mode;
	if (mode != MODE_GLOB || !q->hits.len)
		q->skipped = 0;
	qt_binary_symbols(q->t, q->e, visit, q);
	return q->hits.len > 0;
}

static bool find(struct query *q)
{
	split_pattern(q);
	q->stem = stem_of(q);
	if (ask(q, MODE_EXACT))
		return true;
	if (!q->e->debug_tried && q->t->live) {
		qt_elf_debug_open(q->t, q->e);
		if ((q->e->debug.nsections || q->e->mini.nsections) && ask(q, MODE_EXACT))
			return true;
	}
	if (q->imported || q->other_version)
		return false;
	return ask(q, MODE_READABLE) || (qt_glob_is_pattern(q->pattern) && ask(q, MODE_GLOB));
}

static int compare_functions(const void *a, const void *b)
{
	const struct qt_function *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : (x->address > y->address) - (x->address < y->address);
}

static bool raw_address(struct query *q, uint64_t address, struct qt_functions *out)
{
	struct qt_function *f = qt_vec_push(q->t->arena, &q->hits);

	f->name = qt_intern(q->t->names, q->pattern);
	f->address = address;
	f->default_version = true;
	if (qt_elf_segment(&q->e->file, address, PF_X) && qt_elf_offset(&q->e->file, address, &f->file_offset))
		return true;
	q->hits.len = 0;
	return qt_why_set(q->t, &out->reason, QT_WHY_NOT_CODE, "give a virtual address as nm or objdump -d print it",
			  "no executable part of %s holds the address %s", q->e->pub.name, q->pattern);
}

static bool add_offset(struct query *q, uint64_t offset, struct qt_functions *out)
{
	for (uint32_t i = 0; i < q->hits.len; i++) {
		struct qt_function *f = &q->hits.items[i];

		if (f->size && offset >= f->size)
			return qt_why_set(q->t, &out->reason, QT_WHY_NOT_CODE, NULL, "%s is only %llu bytes long", f->name,
					  (unsigned long long)f->size);
		f->address += offset;
		f->file_offset += offset;
	}
	return true;
}

static bool tell_imported(struct query *q, struct qt_functions *out)
{
	struct qt_function *f = qt_vec_push(q->t->arena, &q->hits);
	const char *lib = q->t->live ? qt_library_defining(q->t, q->e, q->imported) : q->library;

	f->name = q->imported;
	f->demangled = readable(q, f->name);
	f->imported = true;
	f->library = lib;
	return qt_why_set(q->t, &out->reason, QT_WHY_IMPORTED,
			  lib ? qt_arena_printf(q->t->arena, "write %s as the binary: it defines %s", lib, f->name)
			      : "name the library that defines it as the binary",
			  "%s only imports %s%s%s", q->e->pub.name, f->name, lib ? "; it is defined in " : "", lib ? lib : "");
}

static bool tell_why(struct query *q, struct qt_functions *out)
{
	struct qt_target *t = q->t;
	const char *key = qt_arena_printf(t->arena, "%s:%s", q->e->pub.path, q->pattern);
	const char *hint = NULL;

	if (q->other_version) {
		qt_why_set(t, &out->reason, QT_WHY_VERSION, qt_arena_printf(t->arena, "write %s@%s", q->name, q->other_version),
			   "%s has %s only in an old version (%s)", q->e->pub.name, q->name, q->other_version);
	} else {
		if (q->e->debug_problem)
			hint = q->e->debug_problem;
		else if (t->live && !qt_elf_section(&q->e->file, ".symtab") && !q->e->debug.nsections)
			hint = "it is stripped: only exported functions have names; its debug symbols (a -dbgsym or -debuginfo package) would "
			       "name the others";
		qt_why_set(t, &out->reason, QT_WHY_NOT_FOUND, hint, "%s has no function %s", q->e->pub.name, q->pattern);
	}
	return qt_absent(t, "function", key, qt_arena_printf(t->arena, "a function %s of %s", q->pattern, q->e->pub.name), &out->reason);
}

static void record(struct query *q, const struct qt_function *f)
{
	struct qt_arena *a = q->t->arena;

	qt_rows_add(q->t, "function", q->e->pub.path, f->name, qt_arena_printf(a, "0x%llx", (unsigned long long)f->address),
		    qt_arena_printf(a, "0x%llx", (unsigned long long)f->file_offset), qt_arena_printf(a, "%llu", (unsigned long long)f->size),
		    f->imported		 ? "imported"
		    : f->ifunc		 ? "ifunc"
		    : f->default_version ? "-"
					 : "old",
		    f->version ? f->version : "-", f->library ? f->library : "-", NULL);
}

static bool finish(struct query *q, uint64_t offset, struct qt_functions *out)
{
	bool ok = q->hits.len > 0;

	if (!ok && q->imported && q->mode == MODE_EXACT)
		tell_imported(q, out);
	else if (!ok && out->reason.why == QT_WHY_NONE)
		tell_why(q, out);
	for (uint32_t i = 0; q->t->live && i < q->hits.len; i++)
		record(q, &q->hits.items[i]);
	if (ok && offset && !add_offset(q, offset, out)) {
		q->hits.len = 0;
		ok = false;
	}
	if (q->hits.len)
		qsort(q->hits.items, q->hits.len, sizeof(*q->hits.items), compare_functions);
	out->items = q->hits.items;
	out->count = q->hits.len;
	out->skipped = qt_glob_is_pattern(q->pattern) ? q->skipped : 0;
	return ok;
}

bool qt_binary_functions(struct qt_target *t, const struct qt_binary *b, const char *pattern, uint64_t offset, struct qt_functions *out)
{
	struct query q = { .t = t, .e = qt_elf_of(b), .pattern = pattern };
	char *end;
	uint64_t address;

	*out = (struct qt_functions){ 0 };
	address = strtoull(pattern, &end, 16);
	if (t->live && strncmp(pattern, "0x", 2) == 0 && pattern[2] && !*end)
		raw_address(&q, address, out);
	else
		find(&q);
	return finish(&q, offset, out);
}
