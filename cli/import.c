/* import "file.qt": the rules of another script in place of the line. Looked for beside the script that imports it, then in the folders of QTRACE_PATH, then among the installed
 * scripts (../share/qtrace/scripts, as seen from the program). A file is taken in once, however often it is imported; one that imports itself, through others or not, is refused. Tests of
 * an imported script stay its own. */
#include "base/check.h"
#include "cli/pipeline.h"
#include "parser/parser.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 32

struct file {
	dev_t dev;
	ino_t ino;
	bool open; /* its own imports are being taken in */
};

struct imports {
	struct qt_compilation *c;
	struct qt_ast_list items; /* of all files, in order */
	QT_VEC(struct file) seen;
	unsigned depth;
};

static void take_in(struct imports *m, const struct qt_source *source, const struct qt_ast_program *tree);

/* ---- finding ---- */

/* The path when there is a file. */
static const char *there(struct imports *m, const char *folder, size_t len, struct qt_str path)
{
	const char *full = qt_arena_printf(m->c->arena, "%.*s%s%.*s", (int)len, folder, len ? "/" : "", QT_STR_ARG(path));
	struct stat st;

	return !stat(full, &st) && S_ISREG(st.st_mode) ? full : NULL;
}

static const char *beside(struct imports *m, const struct qt_source *source, struct qt_str path)
{
	const char *slash = strrchr(source->name, '/');

	if (!slash)
		return there(m, "", 0, path);
	return slash == source->name ? there(m, "/.", 2, path) : there(m, source->name, (size_t)(slash - source->name), path);
}

static const char *in_list(struct imports *m, const char *list, struct qt_str path)
{
	const char *found = NULL;

	while (list && *list && !found) {
		size_t len = strcspn(list, ":");

		found = len ? there(m, list, len, path) : NULL;
		list += len + (list[len] == ':');
	}
	return found;
}

static const char *installed(struct imports *m, struct qt_str path)
{
	char exe[4096];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	char *slash;

	if (n <= 0)
		return NULL;
	exe[n] = 0;
	slash = strrchr(exe, '/');
	*slash = 0;
	return in_list(m, qt_arena_printf(m->c->arena, "%s/../share/qtrace/scripts", exe), path);
}

static const char *find(struct imports *m, const struct qt_source *source, struct qt_str path)
{
	const char *found;

	if (path.len && path.ptr[0] == '/')
		return there(m, "", 0, path);
	found = beside(m, source, path);
	if (!found)
		found = in_list(m, getenv("QTRACE_PATH"), path);
	return found ? found : installed(m, path);
}

/* ---- taking in ---- */

static void not_found(struct imports *m, const struct qt_ast_import *node)
{
	struct qt_diag *d = qt_diag_add(m->c->diags, QT_E0222, node->head.span, "there is no script `%.*s`", QT_STR_ARG(node->path));

	qt_diag_hint(m->c->diags, d, "it is looked for beside this script and in the folders of QTRACE_PATH (now %s)",
		     getenv("QTRACE_PATH") ? getenv("QTRACE_PATH") : "not set");
}

/* Its number among the files seen, -1 when it was taken in before or cannot be. */
static int enter(struct imports *m, const char *path, const struct qt_ast_import *node)
{
	struct stat st = { 0 };

	stat(path, &st);
	qt_vec_each (f, &m->seen) {
		if (f->dev != st.st_dev || f->ino != st.st_ino)
			continue;
		if (f->open)
			qt_diag_add(m->c->diags, QT_E0222, node->head.span, "`%s` imports itself", path);
		return -1;
	}
	if (m->depth == DEPTH_MAX) {
		qt_diag_add(m->c->diags, QT_E0222, node->head.span, "imports are nested more than %d deep", DEPTH_MAX);
		return -1;
	}
	*qt_vec_push(m->c->arena, &m->seen) = (struct file){ st.st_dev, st.st_ino, true };
	return (int)m->seen.len - 1;
}

static void import_one(struct imports *m, const struct qt_source *source, const struct qt_ast_import *node)
{
	const char *path = find(m, source, node->path);
	const struct qt_source *other;
	int file;

	if (!path) {
		not_found(m, node);
		return;
	}
	file = enter(m, path, node);
	if (file < 0)
		return;
	other = qt_sources_load(m->c->sources, path);
	if (!other) {
		qt_diag_add(m->c->diags, QT_E0222, node->head.span, "%s: %s", path, errno == EFBIG ? "the file is over 16 MiB" : strerror(errno));
		return;
	}
	m->depth++;
	take_in(m, other, qt_parse(other, m->c->arena, m->c->names, m->c->diags));
	m->depth--;
	m->seen.items[file].open = false;
}

static void take_in(struct imports *m, const struct qt_source *source, const struct qt_ast_program *tree)
{
	for (uint32_t i = 0; i < tree->items.len; i++) {
		struct qt_ast *item = tree->items.items[i];

		if (item->kind == QT_AST_import)
			import_one(m, source, QT_AST(import, item));
		else if (item->kind != QT_AST_test || !m->depth)
			*qt_vec_push(m->c->arena, &m->items) = item;
	}
}

void qt_imports_resolve(struct qt_compilation *c, const struct qt_source *source, struct qt_ast_program *tree)
{
	struct imports m = { .c = c };
	struct stat st;

	if (!stat(source->name, &st))
		*qt_vec_push(c->arena, &m.seen) = (struct file){ st.st_dev, st.st_ino, true };
	take_in(&m, source, tree);
	tree->items = m.items;
}
