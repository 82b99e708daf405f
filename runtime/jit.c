/* Maps of JIT compilers, by process. Code is made anew at addresses that were used before: the last line that covers an address counts. A file that belongs to neither
 * root nor the process's user is not believed. */
#include "runtime/jit.h"

#include "base/arena.h"
#include "base/check.h"
#include "base/map.h"
#include "base/vec.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct entry {
	uint64_t begin, size;
	const char *name;
};

struct jit {
	off_t read; /* bytes of the file */
	QT_VEC(struct entry) entries; /* in the file's order */
};

struct qt_jits {
	struct qt_arena *arena;
	struct qt_map by_pid;
};

struct qt_jits *qt_jits_new(void)
{
	struct qt_arena *arena = qt_arena_new();
	struct qt_jits *j = QT_NEW(arena, struct qt_jits);

	j->arena = arena;
	return j;
}

void qt_jits_free(struct qt_jits *j)
{
	if (j)
		qt_arena_free(j->arena);
}

static struct jit *jit_of(struct qt_jits *j, uint32_t pid)
{
	struct jit *m = qt_map_get(&j->by_pid, (uint64_t)pid + 1);

	if (m)
		return m;
	m = QT_NEW(j->arena, struct jit);
	qt_map_put(j->arena, &j->by_pid, (uint64_t)pid + 1, m);
	return m;
}

/* The process's number in its own namespace, as it names its file; its owner. */
static uint32_t own_number(uint32_t pid, uid_t *owner)
{
	char path[64], line[256];
	uint32_t number = pid;
	struct stat st;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	f = fopen(path, "re");
	if (!f)
		return pid;
	*owner = fstat(fileno(f), &st) ? 0 : st.st_uid;
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, "NStgid:", 7) && strrchr(line, '\t'))
			number = (uint32_t)strtoul(strrchr(line, '\t'), NULL, 10);
	fclose(f);
	return number;
}

static FILE *open_map(uint32_t pid)
{
	char paths[2][96];
	uid_t owner = 0;
	struct stat st;
	FILE *f = NULL;

	snprintf(paths[0], sizeof(paths[0]), "/proc/%u/root/tmp/perf-%u.map", pid, own_number(pid, &owner));
	snprintf(paths[1], sizeof(paths[1]), "/tmp/perf-%u.map", pid);
	for (size_t i = 0; i < QT_COUNT(paths) && !f; i++)
		f = fopen(paths[i], "re");
	if (f && !fstat(fileno(f), &st) && S_ISREG(st.st_mode) && (!st.st_uid || st.st_uid == owner || !owner))
		return f;
	if (f)
		fclose(f);
	return NULL;
}

static bool parse(struct qt_arena *a, char *line, struct entry *e)
{
	int at = 0;

	if (sscanf(line, "%" SCNx64 " %" SCNx64 " %n", &e->begin, &e->size, &at) != 2 || !at || !line[at])
		return false;
	line[strcspn(line, "\n")] = 0;
	e->name = qt_arena_strndup(a, line + at, strlen(line + at));
	return true;
}

/* What was added since the file was read last. */
static void read_on(struct qt_jits *j, struct jit *m, uint32_t pid)
{
	FILE *f = open_map(pid);
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	struct entry e;

	if (!f)
		return;
	if (fseeko(f, m->read, SEEK_SET) == 0)
		while ((n = getline(&line, &room, f)) > 0 && line[n - 1] == '\n') {
			m->read += n;
			if (parse(j->arena, line, &e))
				*qt_vec_push(j->arena, &m->entries) = e;
		}
	free(line);
	fclose(f);
}

static const struct entry *look(const struct jit *m, uint64_t address)
{
	for (uint32_t i = m->entries.len; i--;)
		if (address - m->entries.items[i].begin < m->entries.items[i].size)
			return &m->entries.items[i];
	return NULL;
}

const char *qt_jit_symbol(struct qt_jits *j, uint32_t pid, uint64_t address, uint64_t *begin)
{
	struct jit *m = jit_of(j, pid);
	const struct entry *e;

	read_on(j, m, pid);
	e = look(m, address);
	if (e)
		*begin = e->begin;
	return e ? e->name : NULL;
}
