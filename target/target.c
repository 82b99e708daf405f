/* Opening, closing, saving a target; reasons; whole files; lists of names. What is asked lives in the other files. */
#include "target/target_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct qt_target *new_target(const struct qt_target_options *o)
{
	struct qt_arena *a = qt_arena_new();
	struct qt_target *t = QT_NEW(a, struct qt_target);

	t->arena = a;
	t->names = qt_interns_new(a);
	t->root = "";
	t->tracefs = -1;
	if (o)
		t->options = *o;
	return t;
}

/* "" when the process sees the same files as this one. */
static const char *process_root(struct qt_target *t, pid_t pid)
{
	const char *root = qt_arena_printf(t->arena, "/proc/%d/root", (int)pid);
	const char *space = qt_arena_printf(t->arena, "/proc/%d/ns/mnt", (int)pid);
	struct stat mine, its;

	if (stat("/", &mine) || stat(qt_arena_printf(t->arena, "%s/", root), &its))
		return "";
	if (mine.st_dev != its.st_dev || mine.st_ino != its.st_ino)
		return root;
	if (stat("/proc/self/ns/mnt", &mine) || stat(space, &its))
		return "";
	return mine.st_ino == its.st_ino ? "" : root;
}

struct qt_target *qt_target_live(const struct qt_target_options *o)
{
	struct qt_target *t = new_target(o);

	t->live = true;
	if (t->options.pid > 0)
		t->root = process_root(t, t->options.pid);
	return t;
}

struct qt_target *qt_target_snapshot(const char *dir, const struct qt_target_options *o)
{
	struct qt_target *t = new_target(o);

	t->folder = qt_arena_printf(t->arena, "%s", dir);
	if (qt_rows_read(t, qt_arena_printf(t->arena, "%s/facts", dir)))
		return t;
	qt_target_free(t);
	return NULL;
}

bool qt_target_save(struct qt_target *t, const char *dir)
{
	if (!t->live || !t->options.record) {
		errno = EINVAL;
		return false;
	}
	if (mkdir(dir, 0777) && errno != EEXIST)
		return false;
	return qt_rows_write(t, qt_arena_printf(t->arena, "%s/facts", dir)) && qt_formats_write(t, dir);
}

void qt_target_free(struct qt_target *t)
{
	if (!t)
		return;
	qt_vec_each (e, &t->elfs)
		qt_elf_free(*e);
	qt_image_close(&t->ld_cache);
	qt_btf_free(t->btf);
	qt_kallsyms_free(t->kallsyms);
	if (t->tracefs >= 0)
		close(t->tracefs);
	qt_arena_free(t->arena);
}

bool qt_target_is_live(const struct qt_target *t)
{
	return t->live;
}

/* ---- reasons ---- */

void qt_why_clear(struct qt_reason *r)
{
	if (r)
		*r = (struct qt_reason){ QT_WHY_NONE, NULL, NULL };
}

bool qt_why_set(struct qt_target *t, struct qt_reason *r, enum qt_why why, const char *hint, const char *fmt, ...)
{
	struct qt_buf b = { 0 };
	va_list ap;

	if (!r)
		return false;
	va_start(ap, fmt);
	qt_buf_vprintf(&b, fmt, ap);
	va_end(ap);
	r->why = why;
	r->text = qt_arena_strndup(t->arena, b.ptr ? b.ptr : "", b.len);
	r->hint = hint;
	qt_buf_free(&b);
	return false;
}

static bool recall(struct qt_target *t, const char *kind, const char *key, struct qt_reason *r)
{
	QT_ROWS_EACH(row, t)
	{
		const char *begin = qt_row_field(row, 2);

		if (strcmp(qt_row_field(row, 1), kind))
			continue;
		if (QT_ROW_IS(row, "complete") && strncmp(key, begin, strlen(begin)) == 0)
			return true;
		if (!QT_ROW_IS(row, "absent") || strcmp(begin, key))
			continue;
		r->why = (enum qt_why)qt_row_number(row, 3);
		r->text = qt_row_field(row, 4);
		r->hint = *qt_row_field(row, 5) ? qt_row_field(row, 5) : NULL;
		return true;
	}
	return false;
}

bool qt_absent(struct qt_target *t, const char *kind, const char *key, const char *what, struct qt_reason *r)
{
	const char *why = qt_arena_printf(t->arena, "%d", (int)r->why);

	if (t->live)
		qt_rows_add(t, "absent", kind, key, why, r->text ? r->text : "", r->hint ? r->hint : "", NULL);
	else if (!recall(t, kind, key, r))
		qt_why_set(t, r, QT_WHY_NOT_RECORDED, NULL, "the snapshot %s knows nothing about %s", t->folder, what);
	return false;
}

/* ---- files ---- */

bool qt_image_map(const char *path, struct qt_image *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), e;
	struct stat st;
	void *p = NULL;

	*out = (struct qt_image){ NULL, 0 };
	if (fd < 0)
		return false;
	if (fstat(fd, &st) || S_ISDIR(st.st_mode) || !S_ISREG(st.st_mode)) {
		e = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
		close(fd);
		errno = e;
		return false;
	}
	if (st.st_size > 0)
		p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	e = errno;
	close(fd);
	errno = e;
	if (p == MAP_FAILED)
		return false;
	*out = (struct qt_image){ p, p ? (size_t)st.st_size : 0 };
	return true;
}

void qt_image_close(struct qt_image *i)
{
	if (i->data)
		munmap((void *)i->data, i->size);
	*i = (struct qt_image){ NULL, 0 };
}

char *qt_read_text(struct qt_target *t, int dirfd, const char *path, size_t limit, size_t *len)
{
	int fd = openat(dirfd < 0 ? AT_FDCWD : dirfd, path, O_RDONLY | O_CLOEXEC);
	struct qt_buf b = { 0 };
	char *text = NULL, chunk[16384];
	ssize_t n;

	if (fd < 0)
		return NULL;
	while ((n = read(fd, chunk, sizeof(chunk))) > 0 && b.len < limit)
		qt_buf_add(&b, chunk, (size_t)n);
	if (n >= 0) {
		text = qt_arena_strndup(t->arena, b.ptr ? b.ptr : "", b.len);
		if (len)
			*len = b.len;
	}
	qt_buf_free(&b);
	close(fd);
	return text;
}

/* ---- names ---- */

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void qt_names_sort(struct qt_name_list *l)
{
	uint32_t n = 0;

	if (!l->len)
		return;
	qsort(l->items, l->len, sizeof(*l->items), compare_names);
	for (uint32_t i = 1; i < l->len; i++) {
		if (strcmp(l->items[n], l->items[i]))
			l->items[++n] = l->items[i];
	}
	l->len = n + 1;
}

bool qt_names_match(struct qt_target *t, const struct qt_name_list *all, const char *pattern, struct qt_names *out)
{
	struct qt_name_list hits = { 0 };

	qt_vec_each (n, all) {
		if (!pattern || qt_glob_match(pattern, *n))
			*qt_vec_push(t->arena, &hits) = *n;
	}
	out->items = hits.items;
	out->count = hits.len;
	qt_why_clear(&out->reason);
	return hits.len > 0;
}

const char *qt_feature_name(enum qt_feature f)
{
	static const char *const names[] = {
#define F(id, name, words) name,
		QT_FEATURES(F)
#undef F
	};

	return names[f];
}

const char *qt_feature_words(enum qt_feature f)
{
	static const char *const words[] = {
#define F(id, name, words) words,
		QT_FEATURES(F)
#undef F
	};

	return words[f];
}
