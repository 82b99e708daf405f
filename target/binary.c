/* From what a script writes as BIN to binaries: paths, globs, programs in PATH, libraries of the linker's cache, and what a process has
 * mapped. Each file is opened once; what cannot be probed gets a reason that says what works instead. */
#include "target/target_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct qt_elf *qt_elf_of(const struct qt_binary *b)
{
	return (struct qt_elf *)b; /* pub is its first member */
}

/* ---- what is wrong with a file ---- */

static bool not_elf(struct qt_target *t, const char *name, const struct qt_image *i, enum qt_why why, struct qt_reason *r)
{
	int n;

	switch (why) {
	case QT_WHY_EMPTY:
		return qt_why_set(t, r, why, NULL, "%s is an empty file", name);
	case QT_WHY_SCRIPT:
		n = (int)strcspn((const char *)i->data + 2, "\n");
		n = n < 200 && (size_t)n + 2 <= i->size ? n : 0;
		return qt_why_set(t, r, why, qt_arena_printf(t->arena, "probe its interpreter instead: %.*s", n, (const char *)i->data + 2),
				  "%s is a script, which has no machine code to probe", name);
	case QT_WHY_JAVA:
		return qt_why_set(t, r, why, QT_JAVA_HINT, "%s is Java byte code or a zip archive, which has no machine code to probe", name);
	case QT_WHY_MACHINE:
		return qt_why_set(t, r, why, "only 64-bit x86 programs and libraries can be probed", "%s is an ELF file of another class or machine",
				  name);
	case QT_WHY_DAMAGED:
		return qt_why_set(t, r, why, NULL, "%s is a damaged ELF file", name);
	default:
		return qt_why_set(t, r, QT_WHY_NOT_ELF, "give a program or a shared library", "%s is not an ELF file", name);
	}
}

static bool cannot_open(struct qt_target *t, const char *name, int error, struct qt_reason *r)
{
	if (error == EISDIR)
		return qt_why_set(t, r, QT_WHY_DIRECTORY, qt_arena_printf(t->arena, "name a file in it, or write %s/*", name), "%s is a directory",
				  name);
	if (error == EACCES || error == EPERM)
		return qt_why_set(t, r, QT_WHY_PERMISSION, "run as root, or make it readable", "%s cannot be read: %s", name, strerror(error));
	if (error == ENOENT || error == ENOTDIR)
		return qt_why_set(t, r, QT_WHY_NOT_FOUND, NULL, "there is no file %s", name);
	return qt_why_set(t, r, QT_WHY_NOT_ELF, NULL, "%s cannot be opened: %s", name, strerror(error));
}

/* ---- opening ---- */

static void describe(struct qt_target *t, struct qt_elf *e)
{
	const struct qt_section *comment = qt_elf_section(&e->file, ".interp");

	e->pub.build_id = qt_elf_build_id(t->arena, &e->file);
	e->pub.position_independent = e->file.header.e_type == ET_DYN;
	e->pub.executable = e->file.header.e_type == ET_EXEC || comment;
	e->pub.go =
		qt_elf_section(&e->file, ".note.go.buildid") || qt_elf_section(&e->file, ".go.buildinfo") || qt_elf_section(&e->file, ".gopclntab");
}

static void record_binary(struct qt_target *t, const struct qt_elf *e)
{
	qt_rows_add(t, "binary", e->pub.path, e->pub.name, *e->pub.build_id ? e->pub.build_id : "-",
		    qt_arena_printf(t->arena, "%s,%s,%s", e->pub.position_independent ? "pie" : "fixed", e->pub.executable ? "program" : "library",
				    e->pub.go ? "go" : "c"),
		    NULL);
}

static struct qt_elf *add_elf(struct qt_target *t, const char *path, const char *name)
{
	struct qt_elf *e = QT_NEW(t->arena, struct qt_elf);

	e->pub.path = path;
	e->pub.name = name;
	e->pub.build_id = "";
	*qt_vec_push(t->arena, &t->elfs) = e;
	return e;
}

static struct qt_elf *open_recorded(struct qt_target *t, const char *path, struct qt_reason *why)
{
	const struct qt_row *r = qt_rows_find(t, "binary", path, NULL);
	struct qt_reason local;
	struct qt_elf *e;

	if (!r) {
		qt_why_set(t, &local, QT_WHY_NOT_FOUND, NULL, "there is no file %s", path);
		qt_absent(t, "file", path, path, why ? why : &local);
		return NULL;
	}
	e = add_elf(t, qt_row_field(r, 1), *qt_row_field(r, 2) ? qt_row_field(r, 2) : path);
	e->pub.build_id = strcmp(qt_row_field(r, 3), "-") ? qt_row_field(r, 3) : "";
	e->pub.position_independent = strstr(qt_row_field(r, 4), "pie");
	e->pub.executable = strstr(qt_row_field(r, 4), "program");
	e->pub.go = strstr(qt_row_field(r, 4), ",go");
	return e;
}

static struct qt_elf *open_file(struct qt_target *t, const char *path, const char *name, struct qt_reason *why)
{
	struct qt_elf_file file;
	struct qt_image image;
	enum qt_why kind;
	struct qt_elf *e;

	if (!qt_image_map(path, &image)) {
		cannot_open(t, name, errno, why);
		return NULL;
	}
	kind = qt_elf_classify(&image);
	if (kind == QT_WHY_NONE && !qt_elf_parse(t->arena, image, &file))
		kind = QT_WHY_DAMAGED;
	if (kind != QT_WHY_NONE) {
		not_elf(t, name, &image, kind, why);
		qt_image_close(&image);
		return NULL;
	}
	e = add_elf(t, path, name);
	e->file = file;
	describe(t, e);
	record_binary(t, e);
	return e;
}

struct qt_elf *qt_elf_open(struct qt_target *t, const char *path, const char *name, struct qt_reason *why)
{
	struct qt_reason local;
	struct qt_elf *e;

	qt_vec_each (i, &t->elfs) {
		if (strcmp((*i)->pub.path, path) == 0)
			return *i;
	}
	if (!t->live)
		return open_recorded(t, path, why);
	e = open_file(t, path, name, &local);
	if (!e)
		qt_absent(t, "file", name, name, &local);
	if (!e && why)
		*why = local;
	return e;
}

/* ---- collecting what a spec names ---- */

struct found {
	struct qt_target *t;
	QT_VEC(const struct qt_binary *) items;
	struct qt_binaries *out;
	unsigned refused;
};

static bool debug_only(const struct qt_elf *e)
{
	const struct qt_section *text = qt_elf_section(&e->file, ".text");

	return text && text->type == SHT_NOBITS;
}

/* NAME: canonical inside of the root. */
static bool take(struct found *f, const char *path, const char *name)
{
	struct qt_target *t = f->t;
	struct qt_elf *e = qt_elf_open(t, path, name, &f->out->reason);

	if (e && debug_only(e)) {
		qt_why_set(t, &f->out->reason, QT_WHY_DEBUG_FILE, "name the program or library that it belongs to; its debug file is found by itself",
			   "%s holds debug information only, no code that runs", name);
		e = NULL;
	}
	if (!e) {
		f->refused++;
		return false;
	}
	for (uint32_t i = 0; i < f->items.len; i++) {
		if (f->items.items[i] == &e->pub)
			return true;
	}
	*qt_vec_push(t->arena, &f->items) = &e->pub;
	return true;
}

static bool take_path(struct found *f, const char *path)
{
	struct qt_target *t = f->t;
	char *real = qt_path_real(t, t->root, path);

	if (!real)
		return cannot_open(t, path, errno, &f->out->reason);
	return take(f, qt_arena_printf(t->arena, "%s%s", t->root, real), real);
}

static bool take_glob(struct found *f, const char *pattern)
{
	const char *full = qt_arena_printf(f->t->arena, "%s%s", f->t->root, pattern);
	glob_t g = { 0 };

	if (glob(full, GLOB_BRACE, NULL, &g) == 0) {
		for (size_t i = 0; i < g.gl_pathc; i++)
			take_path(f, g.gl_pathv[i] + strlen(f->t->root));
	}
	globfree(&g);
	if (!f->items.len && !f->refused)
		qt_why_set(f->t, &f->out->reason, QT_WHY_NOT_FOUND, NULL, "no file matches %s", pattern);
	return f->items.len > 0;
}

static const char *search_path(struct qt_target *t)
{
	const char *p = t->options.path ? t->options.path : getenv("PATH");

	return p ? p : "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
}

static bool take_program(struct found *f, const char *name)
{
	for (const char *p = search_path(f->t); *p; p += *p == ':') {
		int n = (int)strcspn(p, ":");
		const char *path = qt_arena_printf(f->t->arena, "%.*s/%s", n, p, name);
		struct stat st;

		p += n;
		if (*path == '/' && stat(qt_arena_printf(f->t->arena, "%s%s", f->t->root, path), &st) == 0 && S_ISREG(st.st_mode) &&
		    (st.st_mode & 0111))
			return take_path(f, path);
	}
	return false;
}

struct cache_glob {
	struct found *found;
	const char *pattern;
};

static bool take_matching(void *ctx, const char *soname, const char *path)
{
	struct cache_glob *g = ctx;

	if (qt_glob_match(g->pattern, soname))
		take_path(g->found, path);
	return true;
}

static bool take_library(struct found *f, const char *name)
{
	struct cache_glob g = { f, name };
	const char *path;

	if (qt_glob_is_pattern(name)) {
		qt_ldcache_each(f->t, take_matching, &g);
		return f->items.len > 0;
	}
	path = qt_ldcache_find(f->t, name);
	return path && take_path(f, path);
}

/* What the process has mapped under that name: the very file, even when its path means another one by now. */
static bool take_mapping(struct found *f, const char *line, const char *file)
{
	struct qt_target *t = f->t;
	const char *path = qt_arena_printf(t->arena, "%s%s", t->root, file);
	struct stat st;
	unsigned long inode = 0;

	sscanf(line, "%*s %*s %*s %*s %lu", &inode);
	if (stat(path, &st) || st.st_ino != inode)
		path = qt_arena_printf(t->arena, "/proc/%d/map_files/%.*s", (int)t->options.pid, (int)strcspn(line, " "), line);
	return take(f, path, file);
}

static bool take_mapped(struct found *f, const char *name)
{
	char *maps = qt_read_text(f->t, -1, qt_arena_printf(f->t->arena, "/proc/%d/maps", (int)f->t->options.pid), 64u << 20, NULL);

	for (char *line = maps, *next; line && *line; line = next) {
		char *file = strchr(line, '/');

		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (!file || (next && file >= next))
			continue;
		file = qt_arena_printf(f->t->arena, "%s", file);
		if (strstr(file, " (deleted)"))
			*strstr(file, " (deleted)") = 0;
		if (strcmp(strrchr(file, '/') + 1, name) == 0 || qt_soname_matches(strrchr(file, '/') + 1, name))
			return take_mapping(f, line, file);
	}
	return false;
}

static bool take_bare(struct found *f, const char *name)
{
	f->out->reason.why = QT_WHY_NONE;
	if (f->t->options.pid > 0 && take_mapped(f, name))
		return true;
	if (take_program(f, name) || f->refused || take_library(f, name))
		return true;
	if (!f->refused && f->out->reason.why == QT_WHY_NONE)
		qt_why_set(f->t, &f->out->reason, QT_WHY_NOT_FOUND, "give a path",
			   "there is no program %s in PATH (%s) and no library %s in the dynamic linker's cache", name, search_path(f->t), name);
	return false;
}

/* ---- the snapshot's side ---- */

static bool row_fits(const struct qt_row *row, const char *spec)
{
	const char *path = qt_row_field(row, 1), *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;

	if (strcmp(path, spec) == 0 || strcmp(last, spec) == 0 || qt_soname_matches(last, spec))
		return true;
	return qt_glob_is_pattern(spec) && qt_glob_match(spec, strchr(spec, '/') ? path : last);
}

static void recall_spec(struct found *f, const char *spec)
{
	QT_ROWS_EACH(r, f->t)
	{
		if (QT_ROW_IS(r, "spec") && strcmp(qt_row_field(r, 1), spec) == 0)
			take(f, qt_row_field(r, 2), qt_row_field(r, 2));
	}
	if (f->items.len)
		return;
	QT_ROWS_EACH(row, f->t)
	{
		if (QT_ROW_IS(row, "binary") && row_fits(row, spec))
			take(f, qt_row_field(row, 1), qt_row_field(row, 1));
	}
	if (f->items.len)
		return;
	qt_why_set(f->t, &f->out->reason, QT_WHY_NOT_FOUND, "give a path", "there is no %s %s", strchr(spec, '/') ? "file" : "program or library",
		   spec);
	qt_absent(f->t, "binary", spec, spec, &f->out->reason);
}

static void record_spec(struct found *f, const char *spec)
{
	for (uint32_t i = 0; i < f->items.len; i++)
		qt_rows_add(f->t, "spec", spec, f->items.items[i]->path, NULL);
	if (!f->items.len)
		qt_absent(f->t, "binary", spec, spec, &f->out->reason);
}

static void find_live(struct found *f, const char *spec)
{
	struct stat st;

	if (strchr(spec, '/') && qt_glob_is_pattern(spec) && stat(spec, &st))
		take_glob(f, spec);
	else if (strchr(spec, '/'))
		take_path(f, spec);
	else
		take_bare(f, spec);
	record_spec(f, spec);
}

bool qt_target_binaries(struct qt_target *t, const char *spec, struct qt_binaries *out)
{
	struct found f = { .t = t, .out = out };

	*out = (struct qt_binaries){ 0 };
	if (t->live)
		find_live(&f, spec);
	else
		recall_spec(&f, spec);
	out->items = f.items.items;
	out->count = f.items.len;
	if (out->count && !qt_glob_is_pattern(spec))
		qt_why_clear(&out->reason);
	return out->count > 0;
}
