/* The tree of cgroups is walked when an id is not known, and all that is found is kept: a cgroup that goes is still named. */
#include "runtime/cgroups.h"

#include "base/arena.h"
#include "base/check.h"
#include "base/map.h"

#include <fts.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct qt_cgroups {
	struct qt_arena *arena;
	struct qt_map paths; /* by id */
};

struct qt_cgroups *qt_cgroups_new(void)
{
	struct qt_arena *arena = qt_arena_new();
	struct qt_cgroups *c = QT_NEW(arena, struct qt_cgroups);

	c->arena = arena;
	return c;
}

void qt_cgroups_free(struct qt_cgroups *c)
{
	if (c)
		qt_arena_free(c->arena);
}

static bool mount_point(char *out, size_t size)
{
	char line[4096], path[2048], type[64];
	FILE *f = fopen("/proc/self/mounts", "re");
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = sscanf(line, "%*s %2047s %63s", path, type) == 2 && !strcmp(type, "cgroup2");
	if (f)
		fclose(f);
	if (found)
		snprintf(out, size, "%s", path);
	return found;
}

static void walk(struct qt_cgroups *c)
{
	char root[2048];
	char *paths[] = { root, NULL };
	size_t skip;
	FTSENT *e;
	FTS *f;

	if (!mount_point(root, sizeof(root)))
		return;
	skip = strlen(root);
	f = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	while (f && (e = fts_read(f))) {
		const char *path = e->fts_path + skip;

		if (e->fts_info == FTS_D && e->fts_statp->st_ino && !qt_map_get(&c->paths, e->fts_statp->st_ino))
			qt_map_put(c->arena, &c->paths, e->fts_statp->st_ino,
				   qt_arena_strndup(c->arena, *path ? path : "/", *path ? strlen(path) : 1));
	}
	if (f)
		fts_close(f);
}

const char *qt_cgroup_path(struct qt_cgroups *c, uint64_t id)
{
	const char *path = id ? qt_map_get(&c->paths, id) : NULL;

	if (path || !id)
		return path;
	walk(c);
	return qt_map_get(&c->paths, id);
}
