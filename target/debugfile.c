/* Separate debug information: by build id, by .gnu_debuglink (its CRC must fit), and the small symbol table that some distributions
 * pack into .gnu_debugdata. Opened only when a binary's own tables do not have what was asked. */
#include "target/target_internal.h"

#include <fcntl.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#define MAX_UNPACKED (256u << 20)

/* The CRC of .gnu_debuglink is zlib's (IEEE 802.3). */
static uint32_t crc32_of(const struct qt_image *i)
{
	return (uint32_t)crc32_z(0, i->data, i->size);
}

static bool open_elf(struct qt_target *t, const char *path, struct qt_elf_file *out)
{
	struct qt_image image;

	if (!qt_image_map(path, &image))
		return false;
	if (qt_elf_classify(&image) == QT_WHY_NONE && qt_elf_parse(t->arena, image, out))
		return true;
	qt_image_close(&image);
	*out = (struct qt_elf_file){ 0 };
	return false;
}

static bool by_build_id(struct qt_target *t, struct qt_elf *e)
{
	const char *id = e->pub.build_id, *path;

	if (strlen(id) < 4)
		return false;
	path = qt_arena_printf(t->arena, "%s/usr/lib/debug/.build-id/%.2s/%s.debug", t->root, id, id + 2);
	if (!open_elf(t, path, &e->debug))
		return false;
	if (strcmp(qt_elf_build_id(t->arena, &e->debug), id) == 0)
		return true;
	qt_image_close(&e->debug.image);
	e->debug = (struct qt_elf_file){ 0 };
	e->debug_problem = qt_arena_printf(t->arena, "the debug file %s has another build id", path);
	return false;
}

static bool try_link(struct qt_target *t, struct qt_elf *e, const char *path, uint32_t crc)
{
	if (strcmp(path, e->pub.path) == 0 || !open_elf(t, path, &e->debug))
		return false;
	if (crc32_of(&e->debug.image) == crc)
		return true;
	qt_image_close(&e->debug.image);
	e->debug = (struct qt_elf_file){ 0 };
	e->debug_problem = qt_arena_printf(t->arena, "the debug file %s does not belong to it (its CRC differs)", path);
	return false;
}

static bool by_link(struct qt_target *t, struct qt_elf *e)
{
	const struct qt_section *s = qt_elf_section(&e->file, ".gnu_debuglink");
	const char *name = s ? qt_elf_string(s, 0) : "", *slash = strrchr(e->pub.path, '/');
	uint64_t at = (strlen(name) + 4) & ~3ull;
	int dir = slash ? (int)(slash - e->pub.path) : 0;
	const char *inside = e->pub.name;
	int inside_dir = (int)(strrchr(inside, '/') ? strrchr(inside, '/') - inside : 0);
	uint32_t crc;

	if (!*name || strchr(name, '/') || at + sizeof(crc) > s->size)
		return false;
	memcpy(&crc, s->data + at, sizeof(crc));
	return try_link(t, e, qt_arena_printf(t->arena, "%.*s/%s", dir, e->pub.path, name), crc) ||
	       try_link(t, e, qt_arena_printf(t->arena, "%.*s/.debug/%s", dir, e->pub.path, name), crc) ||
	       try_link(t, e, qt_arena_printf(t->arena, "%s/usr/lib/debug%.*s/%s", t->root, inside_dir, inside, name), crc);
}

/* Unpacks xz into anonymous memory, so that it is given back like a mapped file. */
static bool unpack(const struct qt_section *s, struct qt_image *out)
{
	uint64_t limit = 512u << 20;
	size_t cap = s->size * 8 < 65536 ? 65536 : s->size * 8, in = 0, used = 0;

	for (; cap <= MAX_UNPACKED; cap *= 4) {
		uint8_t *p = mmap(NULL, cap, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		lzma_ret r;

		if (p == MAP_FAILED)
			return false;
		in = used = 0;
		r = lzma_stream_buffer_decode(&limit, 0, NULL, s->data, &in, s->size, p, &used, cap);
		if (r == LZMA_OK) {
			*out = (struct qt_image){ p, cap };
			return true;
		}
		munmap(p, cap);
		if (r != LZMA_BUF_ERROR)
			return false;
	}
	return false;
}

static void open_mini(struct qt_target *t, struct qt_elf *e)
{
	const struct qt_section *s = qt_elf_section(&e->file, ".gnu_debugdata");
	struct qt_image image;

	if (!s || !s->data || !unpack(s, &image))
		return;
	if (qt_elf_classify(&image) != QT_WHY_NONE || !qt_elf_parse(t->arena, image, &e->mini)) {
		qt_image_close(&image);
		e->mini = (struct qt_elf_file){ 0 };
	}
}

void qt_elf_debug_open(struct qt_target *t, struct qt_elf *e)
{
	if (e->debug_tried || !t->live)
		return;
	e->debug_tried = true;
	if (!by_build_id(t, e) && !by_link(t, e))
		open_mini(t, e);
}

void qt_elf_free(struct qt_elf *e)
{
	qt_image_close(&e->file.image);
	qt_image_close(&e->debug.image);
	qt_image_close(&e->mini.image);
}
