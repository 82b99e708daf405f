/* /etc/ld.so.cache, which maps library names to paths, in the format of glibc 2.2 and later ("glibc-ld.so.cache1.1"), alone or behind
 * the older one. Bounds are checked everywhere: the file may be damaged. */
#include "target/target_internal.h"

#include <string.h>

#define OLD_MAGIC "ld.so-1.7.0"
#define NEW_MAGIC "glibc-ld.so.cache1.1"
#define ELF_X86_64 0x0303 /* FLAG_ELF_LIBC6 and FLAG_X8664_LIB64 */

struct old_header {
	char magic[12];
	uint32_t nlibs;
};

struct new_header {
	char magic[20];
	uint32_t nlibs, len_strings, unused[5];
};

struct new_entry {
	int32_t flags;
	uint32_t key, value, osversion;
	uint64_t hwcap;
};

_Static_assert(sizeof(struct new_header) == 48 && sizeof(struct new_entry) == 24, "the layout of the cache file");

/* Where the new format begins; false: nowhere. */
static bool find_new(const uint8_t *data, size_t size, size_t *at)
{
	struct old_header old;

	*at = 0;
	if (size >= sizeof(old) && memcmp(data, OLD_MAGIC, sizeof(OLD_MAGIC) - 1) == 0) {
		memcpy(&old, data, sizeof(old));
		*at = (sizeof(old) + (size_t)old.nlibs * 12 + 7) & ~(size_t)7;
	}
	return *at <= size && size - *at >= sizeof(struct new_header) && memcmp(data + *at, NEW_MAGIC, sizeof(NEW_MAGIC) - 1) == 0;
}

static const char *text_at(const uint8_t *data, size_t size, uint32_t at)
{
	return at < size && memchr(data + at, 0, size - at) ? (const char *)data + at : NULL;
}

bool qt_ldcache_parse(const uint8_t *data, size_t size, qt_ldcache_fn fn, void *ctx)
{
	struct new_header h;
	struct new_entry e;
	size_t at;

	if (!data || !find_new(data, size, &at))
		return false;
	data += at;
	size -= at;
	memcpy(&h, data, sizeof(h));
	for (uint32_t i = 0; i < h.nlibs && sizeof(h) + ((size_t)i + 1) * sizeof(e) <= size; i++) {
		const char *name, *path;

		memcpy(&e, data + sizeof(h) + i * sizeof(e), sizeof(e));
		name = text_at(data, size, e.key);
		path = text_at(data, size, e.value);
		if (name && path && (e.flags & 0xffff) == ELF_X86_64 && !fn(ctx, name, path))
			break;
	}
	return true;
}

void qt_ldcache_each(struct qt_target *t, qt_ldcache_fn fn, void *ctx)
{
	if (!t->ld_cache_read)
		qt_image_map(qt_arena_printf(t->arena, "%s/etc/ld.so.cache", t->root), &t->ld_cache);
	t->ld_cache_read = true;
	qt_ldcache_parse(t->ld_cache.data, t->ld_cache.size, fn, ctx);
}

/* NAME is the soname, or it without "lib", without ".so" and without a version. */
bool qt_soname_matches(const char *soname, const char *name)
{
	size_t n = strlen(name);
	const char *rest;

	if (strncmp(soname, "lib", 3) == 0 && strncmp(name, "lib", 3))
		soname += 3;
	if (strncmp(soname, name, n))
		return false;
	rest = soname + n;
	if (!*rest || strncmp(rest, ".so", 3) == 0)
		return true;
	return *rest == '.' && strstr(name, ".so");
}

struct wanted {
	const char *name, *exact, *near;
};

static bool look_at(void *ctx, const char *soname, const char *path)
{
	struct wanted *w = ctx;

	if (strcmp(soname, w->name) == 0)
		w->exact = path;
	else if (!w->near && qt_soname_matches(soname, w->name))
		w->near = path;
	return !w->exact;
}

/* The cache is sorted with the highest version first, so the first near one is the newest. */
const char *qt_ldcache_find(struct qt_target *t, const char *name)
{
	struct wanted w = { name, NULL, NULL };

	qt_ldcache_each(t, look_at, &w);
	return w.exact ? w.exact : w.near;
}
