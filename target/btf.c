/* The kernel's type information, /sys/kernel/btf/vmlinux, by mmap where the kernel lets (6.16), else read. One pass finds where each type
 * begins and checks that none runs out of the bytes. Format: Documentation/bpf/btf.rst. */
#include "base/btf_kind.h"
#include "target/target_internal.h"

#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define VMLINUX "/sys/kernel/btf/vmlinux"
#define FINDS_WITHOUT_INDEX 16 /* a search takes about a millisecond, the index 20 */
#define INDEX_BUCKETS (1u << 16)

static bool read_offsets(struct qt_btf *b)
{
	uint32_t cap = b->types_len / sizeof(struct btf_type) / 2 + 16, n;

	b->offsets = qt_xcalloc(cap, sizeof(*b->offsets));
	b->count = 1;
	for (uint32_t at = 0; at + sizeof(struct btf_type) <= b->types_len; at += n) {
		if (!qt_btf_type_size((const struct btf_type *)(b->types + at), &n) || n > b->types_len - at)
			return false;
		if (b->count == cap)
			b->offsets = qt_xrealloc(b->offsets, (cap *= 2) * sizeof(*b->offsets));
		b->offsets[b->count++] = at;
	}
	return true;
}

bool qt_btf_open(struct qt_image image, struct qt_btf *out)
{
	const struct btf_header *h = (const struct btf_header *)image.data;
	uint64_t types, strings;

	*out = (struct qt_btf){ .image = image };
	if (image.size < sizeof(*h) || h->magic != BTF_MAGIC || h->hdr_len < sizeof(*h))
		return false;
	types = (uint64_t)h->hdr_len + h->type_off;
	strings = (uint64_t)h->hdr_len + h->str_off;
	if (types + h->type_len > image.size || strings + h->str_len > image.size || !h->str_len || types % 4 || image.data[strings + h->str_len - 1])
		return false;
	out->types = image.data + types;
	out->types_len = h->type_len;
	out->strings = (const char *)image.data + strings;
	out->strings_len = h->str_len;
	if (read_offsets(out))
		return true;
	free(out->offsets);
	*out = (struct qt_btf){ 0 };
	return false;
}

static bool read_all(int fd, size_t size, struct qt_image *out)
{
	uint8_t *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t have = 0;
	ssize_t n;

	if (p == MAP_FAILED)
		return false;
	while (have < size && (n = read(fd, p + have, size - have)) > 0)
		have += (size_t)n;
	*out = (struct qt_image){ p, size };
	if (have == size)
		return true;
	qt_image_close(out);
	return false;
}

static bool load(struct qt_image *out)
{
	int fd = open(VMLINUX, O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool ok = false;
	void *p;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && st.st_size > 0) {
		p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
		*out = (struct qt_image){ p, (size_t)st.st_size };
		ok = p != MAP_FAILED || read_all(fd, (size_t)st.st_size, out);
	}
	close(fd);
	return ok;
}

struct qt_btf *qt_btf_get(struct qt_target *t)
{
	struct qt_image image;
	struct qt_btf b;

	if (t->btf_tried || !t->live || (t->options.missing & (1u << QT_FEATURE_BTF)))
		return t->btf;
	t->btf_tried = true;
	if (!load(&image))
		return NULL;
	if (!qt_btf_open(image, &b)) {
		qt_image_close(&image);
		return NULL;
	}
	t->btf = QT_NEW(t->arena, struct qt_btf);
	*t->btf = b;
	return t->btf;
}

void qt_btf_free(struct qt_btf *b)
{
	if (!b)
		return;
	free(b->offsets);
	free(b->bucket);
	free(b->next);
	qt_image_close(&b->image);
}

const struct btf_type *qt_btf_type(const struct qt_btf *b, uint32_t id)
{
	return id && id < b->count ? (const struct btf_type *)(b->types + b->offsets[id]) : NULL;
}

const char *qt_btf_string(const struct qt_btf *b, uint32_t at)
{
	return at < b->strings_len ? b->strings + at : "";
}

/* Where NAME stands among the strings, each of which is there once; 0: nowhere. One search of the strings saves a look at those of all types. */
static uint32_t string_offset(const struct qt_btf *b, const char *name)
{
	char needle[512] = { 0 }; /* with the NUL of the string before it */
	size_t n = strlen(name);
	const char *at;

	if (!n || n + 2 > sizeof(needle))
		return 0;
	memcpy(needle + 1, name, n);
	at = memmem(b->strings, b->strings_len, needle, n + 2);
	return at ? (uint32_t)(at + 1 - b->strings) : 0;
}

static uint32_t find_searching(const struct qt_btf *b, const char *name, uint32_t kind)
{
	uint32_t at = string_offset(b, name);

	for (uint32_t id = 1; at && id < b->count; id++) {
		const struct btf_type *type = (const struct btf_type *)(b->types + b->offsets[id]);

		if (type->name_off == at && btf_kind(type) == kind)
			return id;
	}
	return 0;
}

/* FNV-1a */
static uint32_t hash_name(const char *name)
{
	uint32_t h = 2166136261u;

	while (*name)
		h = (h ^ (uint8_t)*name++) * 16777619u;
	return h & (INDEX_BUCKETS - 1);
}

/* Backwards, so that a chain begins with the smallest id, which searching finds too. */
static void make_index(struct qt_btf *b)
{
	b->bucket = qt_xcalloc(INDEX_BUCKETS, sizeof(*b->bucket));
	b->next = qt_xcalloc(b->count, sizeof(*b->next));
	for (uint32_t id = b->count - 1; id; id--) {
		const struct btf_type *type = qt_btf_type(b, id);
		uint32_t *head = &b->bucket[hash_name(qt_btf_string(b, type->name_off))];

		if (!type->name_off)
			continue;
		b->next[id] = *head;
		*head = id;
	}
}

uint32_t qt_btf_find(struct qt_btf *b, const char *name, uint32_t kind)
{
	if (!b->bucket && b->finds++ < FINDS_WITHOUT_INDEX)
		return find_searching(b, name, kind);
	if (!b->bucket)
		make_index(b);
	for (uint32_t id = b->bucket[hash_name(name)]; id; id = b->next[id]) {
		const struct btf_type *type = qt_btf_type(b, id);

		if (btf_kind(type) == kind && strcmp(qt_btf_string(b, type->name_off), name) == 0)
			return id;
	}
	return 0;
}

void qt_btf_names(const struct qt_btf *b, uint32_t kind, qt_btf_name_fn fn, void *ctx)
{
	for (uint32_t id = 1; id < b->count; id++) {
		const struct btf_type *type = (const struct btf_type *)(b->types + b->offsets[id]);

		if (btf_kind(type) == kind && type->name_off && !fn(ctx, qt_btf_string(b, type->name_off)))
			return;
	}
}

bool qt_no_btf(struct qt_target *t, struct qt_reason *r)
{
	if (!t->live)
		return qt_why_set(t, r, QT_WHY_NOT_RECORDED, NULL, "the snapshot %s has no types of the kernel", t->folder);
	return qt_why_set(t, r, QT_WHY_UNAVAILABLE, "a kernel built with CONFIG_DEBUG_INFO_BTF=y has them",
			  "this kernel tells no types (there is no usable " VMLINUX ")");
}
