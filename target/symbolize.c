/* From addresses to names: the kernel's by /proc/kallsyms, those of a binary by its symbol tables and debug files. Tables are sorted once, when first asked. */
#include "target/target_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define LOOK_BACK 16 /* symbols before the nearest one that may still cover an address: functions that lie inside of others */

/* ---- sorted tables ---- */

static int by_address(const void *pa, const void *pb)
{
	const struct qt_named *a = pa, *b = pb;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void sort(struct qt_name_table *n)
{
	if (n->list.len)
		qsort(n->list.items, n->list.len, sizeof(*n->list.items), by_address);
}

/* Index of the last one at or before ADDRESS, -1: none. */
static int64_t nearest(const struct qt_name_table *n, uint64_t address)
{
	uint32_t low = 0, high = n->list.len;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (n->list.items[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return (int64_t)low - 1;
}

/* Of several names for one address the first is the best. */
static const struct qt_named *first_of(const struct qt_name_table *n, int64_t i)
{
	while (i && n->list.items[i - 1].address == n->list.items[i].address)
		i--;
	return &n->list.items[i];
}

static const struct qt_named *covering(const struct qt_name_table *n, uint64_t address)
{
	int64_t i = nearest(n, address);

	for (int64_t k = i; k >= 0 && k > i - LOOK_BACK; k--) {
		const struct qt_named *s = &n->list.items[k];

		if (s->size ? address - s->address < s->size : k == i)
			return s->size ? s : first_of(n, k);
	}
	return NULL;
}

/* ---- binaries ---- */

struct collect {
	struct qt_target *t;
	struct qt_name_table *table;
};

static unsigned rank_of(const struct qt_symbol *s)
{
	return s->bind == STB_GLOBAL ? 0 : s->bind == STB_WEAK ? 1 : 2;
}

static bool collect(void *ctx, const struct qt_symbol *s)
{
	struct collect *c = ctx;

	if (s->defined && s->address && (s->type == STT_FUNC || s->type == STT_GNU_IFUNC))
		*qt_vec_push(c->t->arena, &c->table->list) = (struct qt_named){ s->address, s->size, qt_intern(c->t->names, s->name), rank_of(s) };
	return true;
}

static const struct qt_name_table *names_of(struct qt_target *t, struct qt_elf *e)
{
	if (e->by_address)
		return e->by_address;
	e->by_address = QT_NEW(t->arena, struct qt_name_table);
	qt_elf_debug_open(t, e);
	qt_binary_symbols(t, e, collect, &(struct collect){ t, e->by_address });
	sort(e->by_address);
	return e->by_address;
}

static const char *readable(struct qt_target *t, const char *name)
{
	char *text = qt_demangle(name);
	const char *kept = qt_intern(t->names, text ? text : name);

	free(text);
	return kept;
}

bool qt_binary_symbol_at(struct qt_target *t, const struct qt_binary *b, uint64_t address, struct qt_symbol_at *out)
{
	const struct qt_named *s = covering(names_of(t, qt_elf_of(b)), address);

	if (!s)
		return false;
	*out = (struct qt_symbol_at){ .name = readable(t, s->name), .address = s->address };
	return true;
}

bool qt_binary_address(const struct qt_binary *b, uint64_t file_offset, uint64_t *address)
{
	const struct qt_elf_file *f = &qt_elf_of(b)->file;

	for (unsigned i = 0; i < f->nsegments; i++) {
		const struct qt_segment *s = &f->segments[i];

		if (file_offset < s->offset || file_offset - s->offset >= s->filesz || !(s->flags & PF_X))
			continue;
		*address = file_offset - s->offset + s->vaddr;
		return true;
	}
	return false;
}

const struct qt_binary *qt_target_binary_file(struct qt_target *t, const char *path, const char *name)
{
	struct qt_reason why;
	struct qt_elf *e = qt_elf_open(t, qt_intern(t->names, path), qt_intern(t->names, name), &why);

	return e ? &e->pub : NULL;
}

struct wanted {
	const char *name;
	uint64_t address, size;
	bool found;
};

static bool is_wanted(void *ctx, const struct qt_symbol *s)
{
	struct wanted *w = ctx;

	w->found = s->defined && s->default_version && (s->type == STT_FUNC || s->type == STT_OBJECT || s->type == STT_GNU_IFUNC) && !strcmp(s->name, w->name);
	if (!w->found)
		return true;
	w->address = s->address;
	w->size = s->type == STT_OBJECT ? s->size : 0;
	return false;
}

bool qt_target_symbol(struct qt_target *t, const char *path, const char *name, uint64_t *address, uint64_t *size)
{
	const struct qt_binary *b = qt_target_binary_file(t, path, path);
	struct wanted w = { .name = name };

	if (!b)
		return false;
	qt_elf_debug_open(t, qt_elf_of(b));
	qt_binary_symbols(t, qt_elf_of(b), is_wanted, &w);
	*address = w.address;
	*size = w.size;
	return w.found;
}

bool qt_target_file_address(struct qt_target *t, const char *path, uint64_t offset, uint64_t *address)
{
	const struct qt_binary *b = qt_target_binary_file(t, path, path);

	return b && qt_binary_address(b, offset, address);
}

/* The same in every process: the kernel's own small library. Its section headers are its end. */
const struct qt_binary *qt_target_vdso(struct qt_target *t)
{
	const Elf64_Ehdr *h = (const Elf64_Ehdr *)getauxval(AT_SYSINFO_EHDR); /* NOLINT(performance-no-int-to-ptr) */
	struct qt_elf *e;

	qt_vec_each (known, &t->elfs)
		if (!strcmp((*known)->pub.path, "[vdso]"))
			return &(*known)->pub;
	if (!h)
		return NULL;
	e = QT_NEW(t->arena, struct qt_elf);
	e->pub = (struct qt_binary){ .path = "[vdso]", .name = "[vdso]", .build_id = "", .position_independent = true };
	e->debug_tried = true;
	if (!qt_elf_parse(t->arena, (struct qt_image){ (const uint8_t *)h, h->e_shoff + (size_t)h->e_shnum * h->e_shentsize }, &e->file))
		return NULL;
	e->file.image = (struct qt_image){ NULL, 0 }; /* not ours to give back */
	*qt_vec_push(t->arena, &t->elfs) = e;
	return &e->pub;
}

/* ---- the kernel ---- */

/* "ffffffff81000000 T name\t[module]"; absolute and hidden ones (address 0) are left out. */
static bool kernel_line(struct qt_target *t, const char *line, struct qt_named *out)
{
	char *end;
	size_t n;

	out->address = strtoull(line, &end, 16);
	if (!out->address || *end != ' ' || !end[1] || end[2] != ' ' || end[1] == 'A' || end[1] == 'a')
		return false;
	out->rank = end[1] == 'T' ? 0 : end[1] == 'W' ? 1 : 2;
	n = strcspn(end + 3, "\n");
	out->name = qt_arena_strndup(t->arena, end + 3, n);
	return true;
}

static const struct qt_name_table *kernel_names(struct qt_target *t)
{
	struct qt_named s = { 0 };

	if (t->kernel_by_address)
		return t->kernel_by_address;
	t->kernel_by_address = QT_NEW(t->arena, struct qt_name_table);
	for (const char *p = qt_kallsyms_text(t); *p; p += strcspn(p, "\n"), p += *p == '\n')
		if (kernel_line(t, p, &s))
			*qt_vec_push(t->arena, &t->kernel_by_address->list) = s;
	sort(t->kernel_by_address);
	return t->kernel_by_address;
}

bool qt_target_kernel_symbol(struct qt_target *t, uint64_t address, struct qt_symbol_at *out)
{
	const struct qt_named *s = covering(kernel_names(t), address);
	size_t n = s ? strcspn(s->name, "\t") : 0;

	if (!s)
		return false;
	*out = (struct qt_symbol_at){ .name = s->name, .address = s->address };
	if (s->name[n]) {
		out->name = qt_intern_n(t->names, s->name, n);
		out->module = qt_intern_n(t->names, s->name + n + 2, strcspn(s->name + n + 2, "]"));
	}
	return true;
}

bool qt_target_kernel_address(struct qt_target *t, const char *name, uint64_t *address)
{
	size_t n = strlen(name);

	qt_vec_each (s, &kernel_names(t)->list) {
		if (strncmp(s->name, name, n) || (s->name[n] && s->name[n] != '\t'))
			continue;
		*address = s->address;
		return true;
	}
	return false;
}
