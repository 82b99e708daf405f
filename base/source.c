/* Script text and its line table. Text is kept as it was read, without a byte order mark. */
#include "base/source.h"

#include "base/check.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define SOURCE_MAX ((size_t)16 << 20)

struct qt_sources {
	struct qt_arena *arena;
	QT_VEC(struct qt_source *) files;
};

struct qt_sources *qt_sources_new(struct qt_arena *a)
{
	struct qt_sources *s = QT_NEW(a, struct qt_sources);

	s->arena = a;
	return s;
}

static void lines_find(struct qt_arena *a, struct qt_source *src)
{
	QT_VEC(uint32_t) lines = { 0 };

	*qt_vec_push(a, &lines) = 0;
	for (size_t i = 0; i < src->text.len; i++)
		if (src->text.ptr[i] == '\n')
			*qt_vec_push(a, &lines) = (uint32_t)i + 1;
	src->lines = lines.items;
	src->nlines = lines.len;
}

struct qt_source *qt_sources_add(struct qt_sources *s, const char *name, const char *text, size_t len)
{
	struct qt_source *src = QT_NEW(s->arena, struct qt_source);

	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
		text += 3;
		len -= 3;
	}
	src->name = qt_arena_strndup(s->arena, name, strlen(name));
	src->text = (struct qt_str){ qt_arena_strndup(s->arena, text, len), len };
	*qt_vec_push(s->arena, &s->files) = src;
	src->file = s->files.len;
	lines_find(s->arena, src);
	return src;
}

/* Everything that FD gives, up to the limit; false with errno set. */
static bool read_all(int fd, struct qt_buf *b)
{
	char chunk[16384];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		qt_buf_add(b, chunk, (size_t)n);
		if (b->len > SOURCE_MAX) {
			errno = EFBIG;
			return false;
		}
	}
	return true;
}

struct qt_source *qt_sources_load(struct qt_sources *s, const char *path)
{
	bool standard = !strcmp(path, "-");
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	struct qt_source *src = NULL;
	struct qt_buf b = { 0 };
	int err;

	if (fd < 0)
		return NULL;
	if (read_all(fd, &b))
		src = qt_sources_add(s, path, b.ptr ? b.ptr : "", b.len);
	err = errno;
	qt_buf_free(&b);
	if (!standard)
		close(fd);
	errno = err;
	return src;
}

const struct qt_source *qt_sources_get(const struct qt_sources *s, uint32_t file)
{
	return file && file <= s->files.len ? s->files.items[file - 1] : NULL;
}

/* The number (from 0) of the line that holds OFFSET. */
static uint32_t line_at(const struct qt_source *s, uint32_t offset)
{
	uint32_t lo = 0, hi = s->nlines;

	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (s->lines[mid] <= offset)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

struct qt_position qt_source_position(const struct qt_source *s, uint32_t offset)
{
	struct qt_position p;

	if (offset > s->text.len)
		offset = (uint32_t)s->text.len;
	p.line = line_at(s, offset) + 1;
	p.column = 1;
	for (uint32_t i = s->lines[p.line - 1]; i < offset; i++)
		p.column += ((unsigned char)s->text.ptr[i] & 0xc0) != 0x80;
	return p;
}

struct qt_str qt_source_line(const struct qt_source *s, uint32_t line)
{
	size_t begin, end;

	if (!line || line > s->nlines)
		return (struct qt_str){ "", 0 };
	begin = s->lines[line - 1];
	end = line < s->nlines ? s->lines[line] - 1 : s->text.len;
	if (end > begin && s->text.ptr[end - 1] == '\r')
		end--;
	return (struct qt_str){ s->text.ptr + begin, end - begin };
}
