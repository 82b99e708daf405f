/* Tracepoints: the tracefs of this machine, or the format files of a snapshot. Where tracefs is not mounted, root gets a mount that is
 * attached nowhere and that nobody else sees (fsmount(2), Linux 5.2). */
#include "target/target_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <dirent.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_FORMAT (1u << 20)

/* ---- the folder ---- */

static int open_mounted(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), e;

	if (fd < 0)
		return -1;
	if (faccessat(fd, "events", F_OK, 0) == 0)
		return fd;
	e = errno;
	close(fd);
	errno = e;
	return -1;
}

static int open_private(void)
{
	int fs = (int)syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC), fd = -1, e;

	if (fs < 0)
		return -1;
	if (syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
		fd = (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC, 0);
	e = errno;
	close(fs);
	errno = e;
	return fd;
}

int qt_target_tracefs(struct qt_target *t)
{
	if (t->tracefs_tried || !t->live)
		return t->tracefs;
	t->tracefs_tried = true;
	t->tracefs = open_mounted("/sys/kernel/tracing");
	if (t->tracefs < 0) {
		t->tracefs_error = errno;
		t->tracefs = open_mounted("/sys/kernel/debug/tracing");
	}
	if (t->tracefs < 0)
		t->tracefs = open_private();
	return t->tracefs;
}

bool qt_no_tracefs(struct qt_target *t, struct qt_reason *r)
{
	if (!t->live)
		return qt_why_set(t, r, QT_WHY_NOT_RECORDED, NULL, "the snapshot %s has no tracepoints", t->folder);
	if (t->tracefs_error == EACCES || t->tracefs_error == EPERM)
		return qt_why_set(t, r, QT_WHY_UNAVAILABLE, "run as root, or give a snapshot of a machine",
				  "tracepoints are described in tracefs, which only root can read");
	return qt_why_set(t, r, QT_WHY_UNAVAILABLE, "mount it: mount -t tracefs nodev /sys/kernel/tracing", "tracefs is not mounted: %s",
			  strerror(t->tracefs_error));
}

/* ---- names ---- */

static void split_lines(struct qt_target *t, char *text, struct qt_name_list *out)
{
	for (char *line = text, *next; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (strchr(line, ':'))
			*qt_vec_push(t->arena, out) = line;
	}
}

/* In a snapshot: format files "CATEGORY.NAME", and rows "name tracepoint CATEGORY:NAME". */
static void recorded_events(struct qt_target *t)
{
	DIR *d = opendir(qt_arena_printf(t->arena, "%s/tracing", t->folder));
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char *dot = strchr(e->d_name, '.');

		if (dot && dot != e->d_name)
			*qt_vec_push(t->arena, &t->events) = qt_arena_printf(t->arena, "%.*s:%s", (int)(dot - e->d_name), e->d_name, dot + 1);
	}
	if (d)
		closedir(d);
	QT_ROWS_EACH(r, t)
	{
		if (QT_ROW_IS(r, "name") && strcmp(qt_row_field(r, 1), "tracepoint") == 0)
			*qt_vec_push(t->arena, &t->events) = qt_row_field(r, 2);
	}
}

const struct qt_name_list *qt_tracefs_events(struct qt_target *t)
{
	if (t->events_read)
		return &t->events;
	t->events_read = true;
	if (!t->live)
		recorded_events(t);
	else if (qt_target_tracefs(t) >= 0)
		split_lines(t, qt_read_text(t, t->tracefs, "available_events", 64u << 20, NULL), &t->events);
	qt_names_sort(&t->events);
	return &t->events;
}

bool qt_target_tracepoints(struct qt_target *t, const char *category, const char *name, struct qt_names *out)
{
	const struct qt_name_list *all = qt_tracefs_events(t);
	struct qt_name_list hits = { 0 };

	*out = (struct qt_names){ 0 };
	qt_vec_each (e, all) {
		const char *colon = strchr(*e, ':');
		const char *own = qt_intern_n(t->names, *e, (size_t)(colon - *e));

		if ((category && !qt_glob_match(category, own)) || (name && !qt_glob_match(name, colon + 1)))
			continue;
		*qt_vec_push(t->arena, &hits) = *e;
		if (t->live)
			qt_rows_add(t, "name", "tracepoint", *e, NULL);
	}
	out->items = hits.items;
	out->count = hits.len;
	if (out->count)
		return true;
	if (!all->len)
		return qt_no_tracefs(t, &out->reason);
	return qt_why_set(t, &out->reason, QT_WHY_NOT_FOUND, NULL, "no tracepoint matches %s:%s", category ? category : "*", name ? name : "*");
}

void qt_target_tracepoint_offer(struct qt_target *t, qt_offer_fn offer, void *ctx)
{
	const struct qt_name_list *all = qt_tracefs_events(t);

	qt_vec_each (e, all)
		offer(ctx, *e);
}

/* ---- one tracepoint ---- */

static char *read_format(struct qt_target *t, const char *category, const char *name)
{
	if (!t->live)
		return qt_read_text(t, -1, qt_arena_printf(t->arena, "%s/tracing/%s.%s", t->folder, category, name), MAX_FORMAT, NULL);
	if (qt_target_tracefs(t) < 0)
		return NULL;
	return qt_read_text(t, t->tracefs, qt_arena_printf(t->arena, "events/%s/%s/format", category, name), MAX_FORMAT, NULL);
}

static const struct qt_tracepoint *no_tracepoint(struct qt_target *t, const char *key, int error, struct qt_reason *why)
{
	struct qt_reason local;

	if (t->live && t->tracefs < 0) {
		qt_no_tracefs(t, why);
		return NULL;
	}
	if (t->live && error == EACCES)
		qt_why_set(t, &local, QT_WHY_UNAVAILABLE, "run as root", "the tracepoint %s can be read by root only", key);
	else
		qt_why_set(t, &local, QT_WHY_NOT_FOUND, NULL, "this kernel has no tracepoint %s", key);
	qt_absent(t, "tracepoint", key, qt_arena_printf(t->arena, "the tracepoint %s", key), &local);
	if (why)
		*why = local;
	return NULL;
}

const struct qt_tracepoint *qt_target_tracepoint(struct qt_target *t, const char *category, const char *name, struct qt_reason *why)
{
	const char *key = qt_intern(t->names, qt_arena_printf(t->arena, "%s:%s", category, name));
	struct qt_tracepoint *tp = qt_map_get(&t->tracepoints, QT_KEY(key));
	const char *text;

	qt_why_clear(why);
	if (tp)
		return tp;
	tp = QT_NEW(t->arena, struct qt_tracepoint);
	text = strchr(category, '/') || strchr(name, '/') ? NULL : read_format(t, category, name);
	if (!text && t->live && t->tracefs < 0 && qt_tracepoint_guess(t, category, name, tp))
		text = "";
	else if (!text || !qt_format_parse(t, text, tp))
		return no_tracepoint(t, key, errno, why);
	tp->category = qt_intern(t->names, category);
	tp->name = qt_intern(t->names, name);
	if (t->live && *text)
		*qt_vec_push(t->arena, &t->formats) = (struct qt_format_text){ tp->category, tp->name, text };
	else
		tp->id = 0;
	qt_map_put(t->arena, &t->tracepoints, QT_KEY(key), tp);
	return tp;
}

bool qt_formats_write(const struct qt_target *t, const char *dir)
{
	const char *folder = qt_arena_printf(t->arena, "%s/tracing", dir);
	bool ok = mkdir(folder, 0777) == 0 || errno == EEXIST;

	for (uint32_t i = 0; i < t->formats.len && ok; i++) {
		const struct qt_format_text *x = &t->formats.items[i];
		FILE *f = fopen(qt_arena_printf(t->arena, "%s/%s.%s", folder, x->category, x->name), "we");

		ok = f && fputs(x->text, f) >= 0;
		ok = f && fclose(f) == 0 && ok;
	}
	return ok;
}
