/* Symbol tables of an ELF file: .symtab and .dynsym with GNU versions, the dynamic section's strings, and C++ names made readable.
 * Works on the mapped bytes; nothing is copied but what a version needs. Formats: gABI and the LSB's symbol versioning. */
#include "target/target_internal.h"

#include <stdlib.h>
#include <string.h>

#define VERSION_HIDDEN 0x8000u

/* Version names by index, as .gnu.version_d and .gnu.version_r give them. */
struct versions {
	const struct qt_section *versym;
	const char *names[1024];
};

static void put_version(struct versions *v, unsigned index, const char *name)
{
	index &= ~VERSION_HIDDEN;
	if (index > 1 && index < sizeof(v->names) / sizeof(v->names[0]))
		v->names[index] = name;
}

static void read_verdef(struct versions *v, const struct qt_section *s, const struct qt_section *strings)
{
	Elf64_Verdef d;
	Elf64_Verdaux x;

	for (uint64_t at = 0, left = s->info; left && at + sizeof(d) <= s->size; left--) {
		memcpy(&d, s->data + at, sizeof(d));
		if (at + d.vd_aux + sizeof(x) <= s->size) {
			memcpy(&x, s->data + at + d.vd_aux, sizeof(x));
			put_version(v, d.vd_ndx, qt_elf_string(strings, x.vda_name));
		}
		if (!d.vd_next)
			return;
		at += d.vd_next;
	}
}

static void read_verneed_of(struct versions *v, const struct qt_section *s, const struct qt_section *strings, uint64_t at, unsigned n)
{
	Elf64_Vernaux x;

	for (; n && at + sizeof(x) <= s->size; n--) {
		memcpy(&x, s->data + at, sizeof(x));
		put_version(v, x.vna_other, qt_elf_string(strings, x.vna_name));
		if (!x.vna_next)
			return;
		at += x.vna_next;
	}
}

static void read_verneed(struct versions *v, const struct qt_section *s, const struct qt_section *strings)
{
	Elf64_Verneed d;

	for (uint64_t at = 0, left = s->info; left && at + sizeof(d) <= s->size; left--) {
		memcpy(&d, s->data + at, sizeof(d));
		read_verneed_of(v, s, strings, at + d.vn_aux, d.vn_cnt);
		if (!d.vn_next)
			return;
		at += d.vn_next;
	}
}

static void read_versions(struct versions *v, const struct qt_elf_file *f)
{
	for (unsigned i = 0; i < f->nsections; i++) {
		const struct qt_section *s = &f->sections[i];

		if (!s->data || s->link >= f->nsections)
			continue;
		if (s->type == SHT_GNU_versym)
			v->versym = s;
		else if (s->type == SHT_GNU_verdef)
			read_verdef(v, s, &f->sections[s->link]);
		else if (s->type == SHT_GNU_verneed)
			read_verneed(v, s, &f->sections[s->link]);
	}
}

static void set_version(struct qt_symbol *out, const struct versions *v, uint64_t i)
{
	uint16_t index;

	out->default_version = true;
	if (!v->versym || (i + 1) * sizeof(index) > v->versym->size)
		return;
	memcpy(&index, v->versym->data + i * sizeof(index), sizeof(index));
	if ((index & ~VERSION_HIDDEN) < sizeof(v->names) / sizeof(v->names[0]))
		out->version = v->names[index & ~VERSION_HIDDEN];
	out->default_version = !(index & VERSION_HIDDEN);
}

/* .symtab spells versions in the name ("memcpy@@GLIBC_2.14"): they are cut off, into BUF. */
static void split_version(struct qt_symbol *s, char *buf, size_t size)
{
	const char *at = strchr(s->name + 1, '@');

	if (!at || strlen(s->name) >= size)
		return;
	memcpy(buf, s->name, strlen(s->name) + 1);
	buf[at - s->name] = 0;
	s->default_version = at[1] == '@';
	s->version = buf + (at - s->name) + (at[1] == '@' ? 2 : 1);
	s->name = buf;
}

static bool visit_table(const struct qt_elf_file *f, const struct qt_section *table, const struct versions *v, qt_symbol_visit fn, void *ctx)
{
	const struct qt_section *strings = &f->sections[table->link];
	uint64_t n = table->size / sizeof(Elf64_Sym);
	char buf[1024];
	Elf64_Sym s;

	for (uint64_t i = 1; i < n; i++) {
		struct qt_symbol out = { 0 };

		memcpy(&s, table->data + i * sizeof(s), sizeof(s));
		if (s.st_name >= strings->size)
			continue;
		out.name = (const char *)strings->data + s.st_name;
		if (!*out.name)
			continue;
		out.address = s.st_value;
		out.size = s.st_size;
		out.type = ELF64_ST_TYPE(s.st_info);
		out.bind = ELF64_ST_BIND(s.st_info);
		out.defined = s.st_shndx != SHN_UNDEF;
		out.default_version = true;
		if (v)
			set_version(&out, v, i);
		else
			split_version(&out, buf, sizeof(buf));
		if (!fn(ctx, &out))
			return false;
	}
	return true;
}

static bool usable_table(const struct qt_elf_file *f, const struct qt_section *s)
{
	const struct qt_section *strings;

	if ((s->type != SHT_SYMTAB && s->type != SHT_DYNSYM) || !s->data || s->entsize != sizeof(Elf64_Sym) || s->link >= f->nsections)
		return false;
	strings = &f->sections[s->link];
	return strings->data && strings->size && !strings->data[strings->size - 1]; /* so that no name runs out of it */
}

bool qt_elf_symbols(const struct qt_elf_file *f, qt_symbol_visit fn, void *ctx)
{
	struct versions v = { 0 };
	bool all = true;

	for (unsigned i = 0; i < f->nsections && all; i++) {
		const struct qt_section *s = &f->sections[i];

		if (!usable_table(f, s))
			continue;
		if (s->type == SHT_DYNSYM)
			read_versions(&v, f);
		all = visit_table(f, s, s->type == SHT_DYNSYM ? &v : NULL, fn, ctx);
	}
	return all;
}

const char *qt_elf_dynamic(const struct qt_elf_file *f, int64_t tag, unsigned which)
{
	for (unsigned i = 0; i < f->nsections; i++) {
		const struct qt_section *s = &f->sections[i];
		Elf64_Dyn d;

		if (s->type != SHT_DYNAMIC || !s->data || s->link >= f->nsections)
			continue;
		for (uint64_t at = 0; at + sizeof(d) <= s->size; at += sizeof(d)) {
			memcpy(&d, s->data + at, sizeof(d));
			if (d.d_tag == tag && !which--)
				return qt_elf_string(&f->sections[s->link], d.d_un.d_val);
		}
	}
	return NULL;
}

/* The demangler of the C++ run-time library (Itanium C++ ABI), which the link has for LLVM anyway. */
char *__cxa_demangle(const char *mangled, char *out, size_t *size, int *status);

/* Rust's older scheme is C++'s with a hash as last part: "::h" and 16 digits. */
static void cut_rust_hash(char *s)
{
	size_t n = strlen(s);

	if (n > 19 && strncmp(s + n - 19, "::h", 3) == 0 && strspn(s + n - 16, "0123456789abcdef") == 16)
		s[n - 19] = 0;
}

char *qt_demangle(const char *name)
{
	char *text;
	int status;

	if (strncmp(name, "_Z", 2) || strlen(name) > 4096)
		return NULL;
	text = __cxa_demangle(name, NULL, NULL, &status);
	if (text)
		cut_rust_hash(text);
	return text;
}
