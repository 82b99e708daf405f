/* The ELF side of a plan's object: sections, symbols, relocations. Formats: System V ABI (ELF), and R_BPF_* of LLVM (docs: BPF relocations). */
#include "plan/object_internal.h"

#include "base/check.h"
#include "base/hook.h"

#include <elf.h>

#define SECTIONS_MAX 4096u
#define AREA_MAX (16u << 20) /* bytes of .bss, which has none in the file */

struct view {
	struct qt_bytes file;
	Elf64_Ehdr head;
	struct qt_bytes names; /* of sections */
	struct qt_bytes texts; /* names of symbols */
	uint32_t symtab; /* its number; 0: none yet */
	uint32_t nsymbols;
	struct qt_bytes btf, ext;
	unsigned nmaps, nlicenses;
};

/* ---- sections -------------------------------------------------------------------------------------------------------- */

static bool section(const struct view *v, uint32_t i, Elf64_Shdr *out)
{
	return i < v->head.e_shnum && qt_bytes_get(v->file, v->head.e_shoff + (uint64_t)i * sizeof(*out), out, sizeof(*out));
}

static struct qt_bytes contents(const struct view *v, const Elf64_Shdr *s)
{
	struct qt_bytes b;

	if (s->sh_type == SHT_NOBITS)
		return (struct qt_bytes){ v->file.at, 0 };
	qt_bytes_part(v->file, s->sh_offset, s->sh_size, &b);
	return b;
}

static bool is_inside(const struct view *v, const Elf64_Shdr *s)
{
	struct qt_bytes b;

	if (s->sh_type == SHT_NOBITS)
		return s->sh_size <= AREA_MAX;
	return s->sh_type == SHT_NULL || qt_bytes_part(v->file, s->sh_offset, s->sh_size, &b);
}

static bool is_hook(const char *name)
{
	for (int h = 0; h < QT_HOOK_COUNT; h++) {
		const char *section = qt_hook_info((enum qt_hook)h)->section;
		size_t n = strlen(section);

		if (strncmp(name, section, n) == 0 && (!name[n] || name[n] == '/'))
			return true;
	}
	return strcmp(name, ".text") == 0;
}

static bool is_data(const char *name)
{
	static const char *const known[] = { "", ".strtab", ".symtab", ".shstrtab", ".maps", ".bss", ".data", ".rodata", "license", ".BTF", ".BTF.ext" };

	for (size_t i = 0; i < QT_COUNT(known); i++)
		if (strcmp(name, known[i]) == 0)
			return true;
	return strncmp(name, ".debug_", 7) == 0 || strncmp(name, ".rel", 4) == 0;
}

static bool is_type(uint32_t type)
{
	return type == SHT_NULL || type == SHT_PROGBITS || type == SHT_STRTAB || type == SHT_SYMTAB || type == SHT_REL || type == SHT_NOBITS;
}

static const char *note_section(struct view *v, const char *name, const Elf64_Shdr *s)
{
	struct qt_bytes b = contents(v, s);

	v->nmaps += strcmp(name, ".maps") == 0;
	if (strcmp(name, "license") == 0 && (v->nlicenses++ || !b.size || b.at[b.size - 1]))
		return "its license";
	if (strcmp(name, ".BTF") == 0) {
		if (v->btf.size || s->sh_type != SHT_PROGBITS)
			return "several sections of types";
		v->btf = b;
	}
	if (strcmp(name, ".BTF.ext") == 0) {
		if (v->ext.size || s->sh_type != SHT_PROGBITS)
			return "several sections of lines";
		v->ext = b;
	}
	return NULL;
}

static const char *check_section(struct view *v, uint32_t i)
{
	Elf64_Shdr s;
	const char *name;

	if (!section(v, i, &s) || s.sh_name >= v->names.size)
		return "a section outside of the file";
	name = (const char *)v->names.at + s.sh_name;
	if (!is_type(s.sh_type) || (s.sh_flags & SHF_COMPRESSED) || !is_inside(v, &s) || (s.sh_addralign & (s.sh_addralign - 1)) ||
	    s.sh_addralign > 4096 || s.sh_offset % (s.sh_addralign ? s.sh_addralign : 1))
		return "a section that lies outside of the file or is of no known kind";
	if (s.sh_flags & SHF_EXECINSTR ? !is_hook(name) || s.sh_type != SHT_PROGBITS || s.sh_size % 8 : !is_data(name))
		return "a section that does not belong there";
	if (s.sh_type == SHT_STRTAB && !qt_bytes_are_texts(contents(v, &s)))
		return "names without an end";
	if (s.sh_type == SHT_SYMTAB) {
		if (v->symtab || s.sh_entsize != sizeof(Elf64_Sym) || s.sh_size % sizeof(Elf64_Sym))
			return "its table of symbols";
		v->symtab = i;
		v->nsymbols = (uint32_t)(s.sh_size / sizeof(Elf64_Sym));
	}
	return note_section(v, name, &s);
}

/* ---- symbols --------------------------------------------------------------------------------------------------------- */

static const char *check_symbol(const struct view *v, const Elf64_Sym *y, bool first)
{
	Elf64_Shdr s;

	if (y->st_name >= v->texts.size)
		return "a symbol without a name";
	if (y->st_shndx == SHN_ABS || (first && y->st_shndx == SHN_UNDEF))
		return ELF64_ST_TYPE(y->st_info) == STT_FUNC || ELF64_ST_TYPE(y->st_info) == STT_OBJECT ? "a symbol that is nowhere" : NULL;
	if (y->st_shndx == SHN_UNDEF || !section(v, y->st_shndx, &s))
		return "a symbol of no section";
	if (y->st_value > s.sh_size || y->st_size > s.sh_size - y->st_value)
		return "a symbol outside of its section";
	if (ELF64_ST_TYPE(y->st_info) != STT_FUNC)
		return NULL;
	return !(s.sh_flags & SHF_EXECINSTR) || y->st_value % 8 || y->st_size % 8 || !y->st_size ? "a function that is none" : NULL;
}

static const char *check_symbols(struct view *v)
{
	const char *wrong = NULL;
	Elf64_Shdr table, texts;
	Elf64_Sym y;

	if (!v->symtab || !section(v, v->symtab, &table) || !section(v, table.sh_link, &texts) || texts.sh_type != SHT_STRTAB)
		return "its table of symbols";
	v->texts = contents(v, &texts);
	for (uint32_t i = 0; i < v->nsymbols && !wrong; i++) {
		if (!qt_bytes_get(contents(v, &table), (uint64_t)i * sizeof(y), &y, sizeof(y)))
			return "its table of symbols";
		wrong = check_symbol(v, &y, i == 0);
	}
	return wrong;
}

/* ---- relocations ----------------------------------------------------------------------------------------------------- */

/* R_BPF_64_64, 64_ABS64, 64_ABS32, 64_NODYLD32, 64_32: how many bytes each touches. */
static uint64_t reach(uint64_t type)
{
	return type == 1 ? 16 : type == 2 || type == 10 ? 8 : type == 3 || type == 4 ? 4 : 0;
}

static const char *check_relocations(const struct view *v, const Elf64_Shdr *s)
{
	struct qt_bytes b = contents(v, s);
	Elf64_Shdr target;
	Elf64_Rel r;

	if (s->sh_entsize != sizeof(r) || s->sh_size % sizeof(r) || s->sh_link != v->symtab || !s->sh_info || !section(v, s->sh_info, &target) ||
	    target.sh_type != SHT_PROGBITS)
		return "a table of relocations";
	for (uint64_t at = 0; qt_bytes_get(b, at, &r, sizeof(r)); at += sizeof(r)) {
		uint64_t n = reach(ELF64_R_TYPE(r.r_info));

		if (!n || n > target.sh_size || r.r_offset > target.sh_size - n || ELF64_R_SYM(r.r_info) >= v->nsymbols)
			return "a relocation outside of its section";
		if ((target.sh_flags & SHF_EXECINSTR) && (r.r_offset % 8 || n < 8))
			return "a relocation inside of an instruction";
	}
	return NULL;
}

/* ---- all of it ------------------------------------------------------------------------------------------------------- */

static bool open_view(struct view *v)
{
	static const unsigned char ident[] = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT };
	Elf64_Ehdr *h = &v->head;
	Elf64_Shdr names;

	if (!qt_bytes_get(v->file, 0, h, sizeof(*h)) || memcmp(h->e_ident, ident, sizeof(ident)))
		return false;
	if (h->e_type != ET_REL || h->e_machine != EM_BPF || h->e_phnum || h->e_version != EV_CURRENT || h->e_ehsize != sizeof(*h))
		return false;
	if (h->e_shentsize != sizeof(names) || !h->e_shnum || h->e_shnum > SECTIONS_MAX || h->e_shoff % 8 || h->e_shoff > v->file.size)
		return false;
	if (!h->e_shstrndx || !section(v, h->e_shstrndx, &names) || names.sh_type != SHT_STRTAB)
		return false;
	v->names = contents(v, &names);
	return qt_bytes_are_texts(v->names);
}

const char *qt_object_check(const void *bytes, size_t size)
{
	struct view v = { .file = { bytes, size } };
	const char *wrong = open_view(&v) ? NULL : "it is no BPF object";
	Elf64_Shdr s;

	for (uint32_t i = 0; i < v.head.e_shnum && !wrong; i++)
		wrong = check_section(&v, i);
	if (!wrong)
		wrong = check_symbols(&v);
	for (uint32_t i = 0; i < v.head.e_shnum && !wrong; i++)
		wrong = section(&v, i, &s) && s.sh_type == SHT_REL ? check_relocations(&v, &s) : NULL;
	if (!wrong && (v.nmaps != 1 || v.nlicenses != 1 || !v.btf.size || !v.ext.size))
		wrong = "a section is missing";
	return wrong ? wrong : qt_object_check_types(v.btf, v.ext);
}
