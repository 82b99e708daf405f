/* The texts of values that user space shows: stacks and symbols by kallsyms, by the symbol tables of what a process has mapped and by what its JIT compiler tells
 * (/tmp/perf-PID.map); users and cgroups by their names. An address is never given a name that it may not have: where a file has changed, it stays a number. */
#include "runtime/show.h"

#include "base/check.h"
#include "base/intern.h"
#include "base/map.h"
#include "plan/fields.h"
#include "runtime/cgroups.h"
#include "runtime/jit.h"
#include "runtime/spaces.h"
#include "target/target.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct qt_shower {
	struct qt_target *target;
	struct qt_arena *arena;
	struct qt_interns *names;
	struct qt_spaces *spaces;
	struct qt_jits *jits;
	struct qt_cgroups *cgroups;
	struct qt_map users, files; /* by number + 1; by interned path */
};

/* A name with the distance from it, and where it stands. */
struct spot {
	const char *name; /* NULL: none */
	uint64_t offset;
	const char *file; /* "" when there is none */
};

struct qt_shower *qt_shower_new(struct qt_target *target)
{
	struct qt_arena *arena = qt_arena_new();
	struct qt_shower *s = QT_NEW(arena, struct qt_shower);

	s->target = target;
	s->arena = arena;
	s->names = qt_interns_new(arena);
	s->spaces = qt_spaces_new();
	s->jits = qt_jits_new();
	s->cgroups = qt_cgroups_new();
	return s;
}

void qt_shower_free(struct qt_shower *s)
{
	if (!s)
		return;
	qt_spaces_free(s->spaces);
	qt_jits_free(s->jits);
	qt_cgroups_free(s->cgroups);
	qt_arena_free(s->arena);
}

struct qt_spaces *qt_shower_spaces(struct qt_shower *s)
{
	return s->spaces;
}

/* ---- the kernel ---- */

static struct spot kernel_spot(struct qt_shower *s, uint64_t address, uint64_t look)
{
	struct qt_symbol_at at;

	if (!qt_target_kernel_symbol(s->target, look, &at))
		return (struct spot){ .file = "[kernel]" };
	return (struct spot){ at.name, address - at.address, at.module ? at.module : "[kernel]" };
}

/* ---- processes ---- */

/* The file that was mapped, as it can be opened now; NULL when it has gone or is another one now. */
static const struct qt_binary *open_mapped(struct qt_shower *s, uint32_t pid, const struct qt_mapping *m)
{
	char inside[4200];
	const char *paths[] = { m->path, inside };
	struct stat st;

	if (!strcmp(m->path, "[vdso]"))
		return qt_target_vdso(s->target);
	snprintf(inside, sizeof(inside), "/proc/%u/root%s", pid, m->path);
	for (size_t i = 0; i < QT_COUNT(paths) && m->path[0] == '/'; i++)
		if (!stat(paths[i], &st) && (!m->inode || st.st_ino == m->inode))
			return qt_target_binary_file(s->target, paths[i], m->path);
	return NULL;
}

/* The same for all processes that have mapped it: by path and inode. */
static const struct qt_binary *binary_of(struct qt_shower *s, uint32_t pid, const struct qt_mapping *m)
{
	static const struct qt_binary none;
	const char *key = qt_intern(s->names, qt_arena_printf(s->arena, "%" PRIu64 " %s", m->inode, m->path));
	const struct qt_binary *b = qt_map_get(&s->files, QT_KEY(key));

	if (!b) {
		b = open_mapped(s, pid, m);
		qt_map_put(s->arena, &s->files, QT_KEY(key), (void *)(b ? b : &none));
	}
	return b == &none ? NULL : b;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && path[0] == '/' ? slash + 1 : path;
}

/* Where no symbol covers it, the file and the address in it: the same in each process, wherever it was mapped. */
static struct spot file_spot(struct qt_shower *s, uint32_t pid, const struct qt_mapping *m, uint64_t address, uint64_t look)
{
	const struct qt_binary *b = binary_of(s, pid, m);
	struct qt_symbol_at at;
	uint64_t virtual;

	if (!b || !qt_binary_address(b, look - m->start + m->offset, &virtual))
		return (struct spot){ m->path[0] == '/' ? base_name(m->path) : NULL, address - m->start + m->offset, m->path };
	if (qt_binary_symbol_at(s->target, b, virtual, &at))
		return (struct spot){ at.name, virtual + (address - look) - at.address, m->path };
	return (struct spot){ base_name(m->path), virtual + (address - look), m->path };
}

static struct spot user_spot(struct qt_shower *s, uint32_t pid, uint64_t address, uint64_t look)
{
	const struct qt_mapping *m = qt_spaces_find(s->spaces, pid, look);
	struct spot spot = { .file = "" };
	uint64_t begin;

	if (m && (m->path[0] == '/' || !strcmp(m->path, "[vdso]")) && strncmp(m->path, "/memfd:", 7))
		return file_spot(s, pid, m, address, look);
	spot.name = qt_jit_symbol(s->jits, pid, look, &begin);
	if (spot.name) {
		spot.offset = address - begin;
		spot.file = "[jit]";
	}
	return spot;
}

/* ---- stacks ---- */

static void put_frame(struct qt_buf *out, enum qt_stack_mode mode, uint64_t address, const struct spot *spot)
{
	if (mode == QT_STACK_RAW || (mode == QT_STACK_NAMES && !spot->name)) {
		qt_buf_printf(out, "0x%" PRIx64 "\n", address);
		return;
	}
	if (mode == QT_STACK_PERF)
		qt_buf_printf(out, "%16" PRIx64 " ", address);
	if (spot->name)
		qt_buf_printf(out, "%s+%" PRIu64, spot->name, spot->offset);
	else
		qt_buf_adds(out, "[unknown]");
	if (mode == QT_STACK_PERF && *spot->file)
		qt_buf_printf(out, " (%s)", spot->file);
	qt_buf_addc(out, '\n');
}

/* Where the stack was taken by a program of ours the kernel's first frames are that program's own. */
static bool is_ours(const char *name)
{
	static const char *const begins[] = { "bpf_prog_",    "bpf_get_stack", "bpf_trampoline_", "bpf_trace_run",
					      "__bpf_trace_", "__traceiter_",  "__bpf_prog_",	  "__bpf_get_stack" };

	for (size_t i = 0; name && i < QT_COUNT(begins); i++)
		if (!strncmp(name, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* A frame but the innermost holds where its call returns to, which may be the next function's begin: the call stands before. */
static bool show_frame(struct qt_shower *s, uint64_t head, uint64_t address, bool innermost, bool skip_ours, struct qt_buf *out)
{
	enum qt_stack_mode mode = QT_STACK_MODE(head);
	uint64_t look = address - !innermost;
	struct spot spot = { .file = "" };

	if (mode != QT_STACK_RAW && head & QT_STACK_USER)
		spot = user_spot(s, QT_STACK_PID(head), address, look);
	else if (mode != QT_STACK_RAW)
		spot = kernel_spot(s, address, look);
	if (skip_ours && is_ours(spot.name))
		return false;
	put_frame(out, mode, address, &spot);
	return true;
}

static void show_frames(struct qt_shower *s, const uint64_t *words, uint32_t n, struct qt_buf *out)
{
	bool ours = !(words[0] & QT_STACK_USER);

	for (uint32_t i = 2; i < n; i++) {
		if (show_frame(s, words[0], words[i], i == 2, ours, out))
			ours = false;
		if (i == 2 && words[1])
			show_frame(s, words[0], words[1], false, false, out);
	}
}

static bool show_stack(struct qt_shower *s, const void *bytes, uint32_t len, struct qt_buf *out)
{
	uint64_t *words;

	if (len < 16 || len % 8)
		return false;
	words = qt_xcalloc(len / 8, sizeof(*words));
	memcpy(words, bytes, len);
	show_frames(s, words, len / 8, out);
	free(words);
	return true;
}

/* ---- single addresses ---- */

static bool put_name(struct qt_buf *out, const struct spot *spot, bool whole)
{
	if (!spot->name)
		return false;
	qt_buf_adds(out, spot->name);
	if (whole && spot->offset)
		qt_buf_printf(out, "+%" PRIu64, spot->offset);
	return true;
}

static bool show_ksym(struct qt_shower *s, const void *bytes, uint32_t len, struct qt_buf *out)
{
	uint64_t address;
	struct spot spot;

	if (len != sizeof(address))
		return false;
	memcpy(&address, bytes, sizeof(address));
	spot = kernel_spot(s, address, address);
	return put_name(out, &spot, true);
}

static bool show_usym(struct qt_shower *s, const void *bytes, uint32_t len, struct qt_buf *out)
{
	uint64_t words[2];
	struct spot spot;

	if (len != sizeof(words))
		return false;
	memcpy(words, bytes, sizeof(words));
	spot = user_spot(s, QT_STACK_PID(words[0]), words[1], words[1]);
	return put_name(out, &spot, true);
}

/* ---- users and cgroups ---- */

static bool show_user(struct qt_shower *s, const void *bytes, uint32_t len, struct qt_buf *out)
{
	const struct passwd *known;
	const char *name;
	uint64_t uid;

	if (len != sizeof(uid))
		return false;
	memcpy(&uid, bytes, sizeof(uid));
	name = qt_map_get(&s->users, uid + 1);
	if (!name) {
		known = getpwuid((uid_t)uid);
		name = qt_intern(s->names, known ? known->pw_name : "");
		qt_map_put(s->arena, &s->users, uid + 1, (void *)name);
	}
	qt_buf_adds(out, name);
	return *name;
}

static bool show_cgroup(struct qt_shower *s, const void *bytes, uint32_t len, struct qt_buf *out)
{
	const char *path;
	uint64_t id;

	if (len != sizeof(id))
		return false;
	memcpy(&id, bytes, sizeof(id));
	path = qt_cgroup_path(s->cgroups, id);
	if (path)
		qt_buf_adds(out, path);
	return path;
}

/* ---- all of them ---- */

bool qt_shower_show(struct qt_shower *s, enum qt_shown shown, const void *bytes, uint32_t len, struct qt_buf *out)
{
	static bool (*const shows[QT_SHOWN_COUNT])(struct qt_shower *s, const void *bytes, uint32_t len, struct qt_buf *out) = {
		[QT_SHOWN_stack] = show_stack, [QT_SHOWN_ksym] = show_ksym,	[QT_SHOWN_usym] = show_usym,
		[QT_SHOWN_user] = show_user,   [QT_SHOWN_cgroup] = show_cgroup,
	};

	qt_spaces_read(s->spaces);
	return shows[shown] && shows[shown](s, bytes, len, out);
}
