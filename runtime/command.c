/* Finds the command of -c before anything is attached: splits its text, looks it up as execvp would, and says what is wrong with it. */
#include "runtime/command.h"

#include "runtime/runtime_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- where it lies ---- */

/* 0 when PATH is a program that we may run. */
static int check_program(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	return S_ISREG(st.st_mode) && access(path, X_OK) == 0 ? 0 : EACCES;
}

static char *join_path(const char *dir, size_t len, const char *name)
{
	char *path;

	return asprintf(&path, "%.*s/%s", len ? (int)len : 1, len ? dir : ".", name) < 0 ? NULL : path;
}

static char *find_in_path(const char *name)
{
	const char *dir = getenv("PATH");
	int why = ENOENT;

	for (dir = dir ? dir : "/usr/local/bin:/usr/bin:/bin"; dir;) {
		const char *end = strchrnul(dir, ':');
		char *path = join_path(dir, (size_t)(end - dir), name);
		int err = path ? check_program(path) : ENOMEM;

		if (!err)
			return path;
		free(path);
		if (err == EACCES)
			why = EACCES;
		dir = *end ? end + 1 : NULL;
	}
	errno = why;
	return NULL;
}

char *qt_command_find(const char *name)
{
	int err;

	if (!*name) {
		errno = ENOENT;
		return NULL;
	}
	if (!strchr(name, '/'))
		return find_in_path(name);
	err = check_program(name);
	if (!err)
		return strdup(name);
	errno = err;
	return NULL;
}

/* ---- what is wrong with it ---- */

static const char *trouble(int err)
{
	return err == ENOENT ? "was not found" : err == EACCES ? "is not executable" : err == EISDIR ? "is a directory" : NULL;
}

static void report_lookup(const struct qt_run *run, const char *name, int err)
{
	const char *what = trouble(err);
	struct qt_diag *d;

	if (what)
		d = qt_diag_run(run, QT_E0610, "the command %s %s", name, what);
	else
		d = qt_diag_run(run, QT_E0610, "the command %s cannot be run: %s", name, qt_errno_text(run, err));
	if (err == ENOENT && !strchr(name, '/') && access(name, X_OK) == 0)
		qt_diag_hint(run->diags, d, "it is in this directory: ./%s", name);
}

/* The file was there and executable a moment ago: only its interpreter can be missing. */
void qt_command_report(const struct qt_run *run, const char *name, int err)
{
	if (err == -ENOENT)
		qt_diag_run(run, QT_E0610, "the command %s cannot be run: the interpreter that it names does not exist", name);
	else
		qt_diag_run(run, QT_E0610, "the command %s cannot be run: %s", name, qt_errno_text(run, err));
}

bool qt_command_prepare(const struct qt_run *run, struct qt_words *words, char **path)
{
	struct qt_diag *d;

	if (!run->options->command)
		return true;
	if (!qt_words_split(run->arena, run->options->command, words)) {
		qt_diag_run(run, QT_E0609, "-c: %s", words->error);
		return false;
	}
	*path = qt_command_find(words->items[0]);
	if (!*path) {
		report_lookup(run, words->items[0], errno);
		return false;
	}
	if (words->shell) {
		d = qt_diag_run(run, QT_W0602, "no shell runs the command: it gets the word %s as it stands", words->shell);
		qt_diag_hint(run->diags, d, "to have a shell, write -c \"sh -c '...'\"");
	}
	return true;
}
