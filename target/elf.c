/* ELF files of this machine (64-bit, little-endian, x86-64), read from a byte image without trusting any of it: headers, segments,
 * sections, notes, build id. Format: System V gABI, elf(5). */
#include "target/target_internal.h"

#include <string.h>

#define MAX_HEADERS 65536u

static bool inside(const struct qt_image *i, uint64_t offset, uint64_t size)
{
	return offset <= i->size && size <= i->size - offset;
}

struct magic {
	const char *bytes;
	unsigned size;
	enum qt_why why;
};

static const struct magic magics[] = {
	{ "#!", 2, QT_WHY_SCRIPT },
	{ "PK\3\4", 4, QT_WHY_JAVA },
	{ "PK\5\6", 4, QT_WHY_JAVA },
	{ "\xca\xfe\xba\xbe", 4, QT_WHY_JAVA },
};

enum qt_why qt_elf_classify(const struct qt_image *i)
{
	const Elf64_Ehdr *h = (const Elf64_Ehdr *)i->data;

	if (!i->size)
		return QT_WHY_EMPTY;
	for (unsigned k = 0; k < sizeof(magics) / sizeof(magics[0]); k++) {
		if (i->size >= magics[k].size && memcmp(i->data, magics[k].bytes, magics[k].size) == 0)
			return magics[k].why;
	}
	if (i->size < SELFMAG || memcmp(i->data, ELFMAG, SELFMAG))
		return QT_WHY_NOT_ELF;
	if (i->size < sizeof(*h))
		return QT_WHY_DAMAGED;
	if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB)
		return QT_WHY_MACHINE;
	return h->e_machine == EM_X86_64 ? QT_WHY_NONE : QT_WHY_MACHINE;
}

static bool read_segments(struct qt_arena *a, struct qt_elf_file *f)
{
	const Elf64_Ehdr *h = &f->header;
	struct qt_segment *segments;

	if (!h->e_phnum)
		return true;
	if (h->e_phentsize != sizeof(Elf64_Phdr) || !inside(&f->image, h->e_phoff, h->e_phnum * sizeof(Elf64_Phdr)))
		return false;
	segments = QT_NEW_ARRAY(a, struct qt_segment, h->e_phnum);
	for (unsigned i = 0; i < h->e_phnum; i++) {
		Elf64_Phdr p;

		memcpy(&p, f->image.data + h->e_phoff + i * sizeof(p), sizeof(p));
		if (p.p_type == PT_LOAD)
			segments[f->nsegments++] = (struct qt_segment){ p.p_vaddr, p.p_offset, p.p_filesz, p.p_memsz, p.p_flags };
	}
	f->segments = segments;
	return true;
}

static void read_section(const struct qt_elf_file *f, uint64_t i, Elf64_Shdr *out)
{
	memcpy(out, f->image.data + f->header.e_shoff + i * sizeof(*out), sizeof(*out));
}

/* e_shnum 0 and SHN_XINDEX: the real numbers are in section 0. */
static bool section_counts(const struct qt_elf_file *f, uint64_t *count, uint64_t *names)
{
	const Elf64_Ehdr *h = &f->header;
	Elf64_Shdr zero;

	*count = h->e_shnum;
	*names = h->e_shstrndx;
	if (!h->e_shoff || h->e_shentsize != sizeof(Elf64_Shdr) || !inside(&f->image, h->e_shoff, sizeof(Elf64_Shdr)))
		return false;
	read_section(f, 0, &zero);
	if (!*count)
		*count = zero.sh_size;
	if (*names == SHN_XINDEX)
		*names = zero.sh_link;
	return *count && *count <= MAX_HEADERS && inside(&f->image, h->e_shoff, *count * sizeof(Elf64_Shdr));
}

static void set_section(const struct qt_elf_file *f, struct qt_section *s, const Elf64_Shdr *h)
{
	*s = (struct qt_section){ .name = "",
				  .type = h->sh_type,
				  .link = h->sh_link,
				  .info = h->sh_info,
				  .flags = h->sh_flags,
				  .addr = h->sh_addr,
				  .offset = h->sh_offset,
				  .size = h->sh_size,
				  .entsize = h->sh_entsize };
	if (h->sh_type != SHT_NOBITS && h->sh_type != SHT_NULL && inside(&f->image, h->sh_offset, h->sh_size))
		s->data = f->image.data + h->sh_offset;
}

/* A file without usable section headers still has segments: that is no error. */
static void read_sections(struct qt_arena *a, struct qt_elf_file *f)
{
	uint64_t count, names;
	struct qt_section *sections;
	Elf64_Shdr h;

	if (!section_counts(f, &count, &names))
		return;
	sections = QT_NEW_ARRAY(a, struct qt_section, count);
	for (uint64_t i = 0; i < count; i++) {
		read_section(f, i, &h);
		set_section(f, &sections[i], &h);
	}
	for (uint64_t i = 0; i < count && names < count; i++) {
		read_section(f, i, &h);
		sections[i].name = qt_elf_string(&sections[names], h.sh_name);
	}
	f->sections = sections;
	f->nsections = (unsigned)count;
}

bool qt_elf_parse(struct qt_arena *a, struct qt_image image, struct qt_elf_file *out)
{
	*out = (struct qt_elf_file){ .image = image };
	if (image.size < sizeof(out->header) || memcmp(image.data, ELFMAG, SELFMAG))
		return false;
	memcpy(&out->header, image.data, sizeof(out->header));
	if (!read_segments(a, out))
		return false;
	read_sections(a, out);
	return true;
}

const char *qt_elf_string(const struct qt_section *s, uint64_t at)
{
	if (!s->data || at >= s->size || !memchr(s->data + at, 0, s->size - at))
		return "";
	return (const char *)s->data + at;
}

const struct qt_section *qt_elf_section(const struct qt_elf_file *f, const char *name)
{
	for (unsigned i = 0; i < f->nsections; i++) {
		if (strcmp(f->sections[i].name, name) == 0)
			return &f->sections[i];
	}
	return NULL;
}

const struct qt_segment *qt_elf_segment(const struct qt_elf_file *f, uint64_t vaddr, uint32_t flags)
{
	for (unsigned i = 0; i < f->nsegments; i++) {
		const struct qt_segment *s = &f->segments[i];

		if ((s->flags & flags) == flags && vaddr >= s->vaddr && vaddr - s->vaddr < s->filesz)
			return s;
	}
	return NULL;
}

bool qt_elf_offset(const struct qt_elf_file *f, uint64_t vaddr, uint64_t *offset)
{
	const struct qt_segment *s = qt_elf_segment(f, vaddr, 0);

	if (s)
		*offset = vaddr - s->vaddr + s->offset;
	return s != NULL;
}

void qt_elf_notes(const struct qt_section *s, qt_note_fn fn, void *ctx)
{
	uint64_t at = 0;
	Elf64_Nhdr n;

	while (s->data && at + sizeof(n) <= s->size) {
		uint64_t name = at + sizeof(n), desc;

		memcpy(&n, s->data + at, sizeof(n));
		desc = name + (((uint64_t)n.n_namesz + 3) & ~3ull);
		if (desc > s->size || n.n_descsz > s->size - desc)
			return;
		if (n.n_namesz && !s->data[name + n.n_namesz - 1] && !fn(ctx, (const char *)s->data + name, n.n_type, s->data + desc, n.n_descsz))
			return;
		at = desc + (((uint64_t)n.n_descsz + 3) & ~3ull);
	}
}

struct build_id {
	struct qt_arena *arena;
	const char *hex;
};

static bool take_build_id(void *ctx, const char *name, uint32_t type, const uint8_t *desc, uint32_t size)
{
	struct build_id *b = ctx;
	char *hex;

	if (type != NT_GNU_BUILD_ID || strcmp(name, "GNU") || !size || size > 64)
		return true;
	hex = qt_arena_alloc(b->arena, size * 2 + 1);
	for (uint32_t i = 0; i < size; i++) {
		hex[i * 2] = "0123456789abcdef"[desc[i] >> 4];
		hex[i * 2 + 1] = "0123456789abcdef"[desc[i] & 15];
	}
	b->hex = hex;
	return false;
}

const char *qt_elf_build_id(struct qt_arena *a, const struct qt_elf_file *f)
{
	struct build_id b = { a, "" };

	for (unsigned i = 0; i < f->nsections && !*b.hex; i++) {
		if (f->sections[i].type == SHT_NOTE)
			qt_elf_notes(&f->sections[i], take_build_id, &b);
	}
	return b.hex;
}
