/* Address spaces by process: mappings in the order in which they were seen, the youngest last. A mapping that was seen is never forgotten while the run lasts, so what is
 * mapped over it later does not hide it from stacks that were taken before: an address is looked up among the youngest first. */
#include "runtime/spaces.h"

#include "base/arena.h"
#include "base/check.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "runtime/perf_tasks.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct space {
	bool read; /* from /proc, or whole by its own word */
	QT_VEC(struct qt_mapping) mappings;
};

struct qt_spaces {
	struct qt_arena *arena;
	struct qt_interns *paths;
	struct qt_map by_pid;
	struct qt_perf_tasks *tasks; /* NULL: not watched */
};

struct qt_spaces *qt_spaces_new(void)
{
	struct qt_arena *arena = qt_arena_new();
	struct qt_spaces *s = QT_NEW(arena, struct qt_spaces);

	s->arena = arena;
	s->paths = qt_interns_new(arena);
	return s;
}

void qt_spaces_free(struct qt_spaces *s)
{
	if (!s)
		return;
	qt_perf_tasks_close(s->tasks);
	qt_arena_free(s->arena);
}

static struct space *space_of(struct qt_spaces *s, uint32_t pid)
{
	struct space *p = qt_map_get(&s->by_pid, (uint64_t)pid + 1);

	if (p)
		return p;
	p = QT_NEW(s->arena, struct space);
	qt_map_put(s->arena, &s->by_pid, (uint64_t)pid + 1, p);
	return p;
}

static bool same(const struct qt_mapping *a, const struct qt_mapping *b)
{
	return a->start == b->start && a->end == b->end && a->offset == b->offset && a->path == b->path && (a->inode == b->inode);
}

/* One that is there already becomes the youngest again only when another lies over it. */
static void add(struct qt_spaces *s, struct space *p, struct qt_mapping m)
{
	for (uint32_t i = p->mappings.len; i--;) {
		const struct qt_mapping *old = &p->mappings.items[i];

		if (same(old, &m))
			return;
		if (old->start < m.end && m.start < old->end)
			break;
	}
	*qt_vec_push(s->arena, &p->mappings) = m;
}

/* ---- /proc ---- */

/* "START-END r-xp OFFSET MAJ:MIN INODE   PATH" */
static bool parse_line(struct qt_spaces *s, char *line, struct qt_mapping *m)
{
	char perms[5];
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %" SCNu64 "%n", &m->start, &m->end, perms, &m->offset, &m->inode, &at) != 5)
		return false;
	line += at;
	line += strspn(line, " ");
	line[strcspn(line, "\n")] = 0;
	m->path = qt_intern(s->paths, line);
	return perms[2] == 'x';
}

bool qt_spaces_snapshot(struct qt_spaces *s, uint32_t pid)
{
	struct space *p = space_of(s, pid);
	struct qt_mapping m;
	char name[64], *line = NULL;
	size_t room = 0;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%u/maps", pid);
	f = fopen(name, "re");
	p->read = true;
	if (!f)
		return false;
	while (getline(&line, &room, f) > 0)
		if (parse_line(s, line, &m))
			add(s, p, m);
	free(line);
	fclose(f);
	return true;
}

void qt_spaces_snapshot_all(struct qt_spaces *s)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;

	while (proc && (e = readdir(proc)))
		if (isdigit((unsigned char)e->d_name[0]))
			qt_spaces_snapshot(s, (uint32_t)strtoul(e->d_name, NULL, 10));
	if (proc)
		closedir(proc);
}

/* ---- what processes tell ---- */

static void on_mapped(void *ctx, uint32_t pid, uint64_t start, uint64_t size, uint64_t offset, uint64_t inode, const char *path)
{
	struct qt_spaces *s = ctx;

	if (!strcmp(path, "//anon"))
		path = "";
	add(s, space_of(s, pid), (struct qt_mapping){ start, start + size, offset, inode, qt_intern(s->paths, path) });
}

/* A child begins with what its parent has; a parent that was not read yet is read as the child, which is its copy. */
static void on_forked(void *ctx, uint32_t pid, uint32_t parent)
{
	struct qt_spaces *s = ctx;
	struct space *from = space_of(s, parent), *to = space_of(s, pid);

	if (!from->read)
		return;
	to->read = true;
	for (uint32_t i = 0; i < from->mappings.len; i++)
		add(s, to, from->mappings.items[i]);
}

static void on_executed(void *ctx, uint32_t pid)
{
	struct qt_spaces *s = ctx;

	space_of(s, pid)->read = true; /* its mappings are told from here on */
}

int qt_spaces_watch(struct qt_spaces *s)
{
	return qt_perf_tasks_open(&s->tasks);
}

void qt_spaces_read(struct qt_spaces *s)
{
	static const struct qt_perf_tasks_sink sink = { on_mapped, on_forked, on_executed };

	if (s->tasks)
		qt_perf_tasks_read(s->tasks, &sink, s);
}

/* ---- looking up ---- */

static const struct qt_mapping *look(const struct space *p, uint64_t address)
{
	for (uint32_t i = p->mappings.len; i--;) {
		const struct qt_mapping *m = &p->mappings.items[i];

		if (address >= m->start && address < m->end)
			return m;
	}
	return NULL;
}

const struct qt_mapping *qt_spaces_find(struct qt_spaces *s, uint32_t pid, uint64_t address)
{
	struct space *p = space_of(s, pid);
	const struct qt_mapping *m = look(p, address);

	if (m || p->read)
		return m;
	qt_spaces_snapshot(s, pid);
	return look(p, address);
}
