/* Paths inside of another root: symbolic links are followed as the process there would see them, never out of the root. */
#include "target/target_internal.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LINKS 40

struct walk {
	const char *root;
	char done[PATH_MAX]; /* resolved so far, "" is "/" */
	char rest[PATH_MAX]; /* still to go */
	unsigned links;
};

/* Takes the first component off the rest. */
static void next_part(struct walk *w, char *part)
{
	char *p = w->rest;
	size_t n;

	while (*p == '/')
		p++;
	n = strcspn(p, "/");
	memcpy(part, p, n);
	part[n] = 0;
	memmove(w->rest, p + n, strlen(p + n) + 1);
}

static bool follow(struct walk *w, const char *full, const char *keep)
{
	char target[PATH_MAX], joined[PATH_MAX];
	ssize_t n = readlink(full, target, sizeof(target) - 1);

	if (n < 0 || ++w->links > MAX_LINKS) {
		errno = n < 0 ? errno : ELOOP;
		return false;
	}
	target[n] = 0;
	if ((size_t)snprintf(joined, sizeof(joined), "%s/%s", target, w->rest) >= sizeof(joined)) {
		errno = ENAMETOOLONG;
		return false;
	}
	strcpy(w->rest, joined);
	strcpy(w->done, target[0] == '/' ? "" : keep);
	return true;
}

static bool step(struct walk *w, const char *part)
{
	char full[2 * PATH_MAX], keep[PATH_MAX];
	char *slash = strrchr(w->done, '/');
	struct stat st;
	size_t n = strlen(w->done);

	if (strcmp(part, ".") == 0)
		return true;
	if (strcmp(part, "..") == 0) {
		if (slash)
			*slash = 0;
		return true;
	}
	strcpy(keep, w->done);
	if ((size_t)snprintf(w->done + n, sizeof(w->done) - n, "/%s", part) >= sizeof(w->done) - n) {
		errno = ENAMETOOLONG;
		return false;
	}
	snprintf(full, sizeof(full), "%s%s", w->root, w->done);
	if (lstat(full, &st))
		return false;
	return !S_ISLNK(st.st_mode) || follow(w, full, keep);
}

static char *real_in_root(struct qt_target *t, const char *root, const char *path)
{
	struct walk w = { .root = root };
	char part[PATH_MAX];

	if (strlen(path) >= sizeof(w.rest)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	strcpy(w.rest, path);
	for (next_part(&w, part); *part; next_part(&w, part)) {
		if (!step(&w, part))
			return NULL;
	}
	return qt_arena_printf(t->arena, "%s", *w.done ? w.done : "/");
}

char *qt_path_real(struct qt_target *t, const char *root, const char *path)
{
	char *real, *copy;

	if (*root)
		return real_in_root(t, root, path);
	real = realpath(path, NULL);
	if (!real)
		return NULL;
	copy = qt_arena_strndup(t->arena, real, strlen(real));
	free(real);
	return copy;
}
