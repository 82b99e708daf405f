/* Diagnostics of the runtime: finds the script's line of a program, and the words for what the kernel said. */
#include "runtime/runtime_internal.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

static const struct qt_source *find_source(const struct qt_sources *sources, const char *file)
{
	const struct qt_source *s;

	for (uint32_t i = 1; sources && file && (s = qt_sources_get(sources, i)); i++)
		if (strcmp(s->name, file) == 0)
			return s;
	return NULL;
}

/* Offset of a column counted in characters. */
static uint32_t column_offset(struct qt_str line, uint32_t column)
{
	uint32_t at = 0;

	for (uint32_t c = 1; c < column && at < line.len; c++)
		for (at++; at < line.len && (line.ptr[at] & 0xc0) == 0x80;)
			at++;
	return at;
}

/* Where the rule's probe ends, so that not the whole line is underlined. */
static uint32_t word_end(struct qt_str line, uint32_t begin)
{
	uint32_t end = begin;

	while (end < line.len && line.ptr[end] != ' ' && line.ptr[end] != '\t')
		end++;
	return end;
}

struct qt_span qt_place(const struct qt_run *run, const char *file, uint32_t line, uint32_t column)
{
	const struct qt_source *s = find_source(run->options->sources, file);
	struct qt_str text;
	uint32_t start, begin, end;

	if (!s || line < 1 || line > s->nlines)
		return (struct qt_span){ 0 };
	start = s->lines[line - 1];
	text = qt_source_line(s, line);
	begin = column ? column_offset(text, column) : 0;
	end = column ? word_end(text, begin) : (uint32_t)text.len;
	return (struct qt_span){ s->file, start + begin, start + end };
}

struct qt_diag *qt_diag_prog(const struct qt_run *run, enum qt_code code, uint32_t prog, const char *fmt, ...)
{
	const struct qt_plan_prog *p = &run->plan->progs.items[prog];
	struct qt_span span = qt_place(run, p->file, p->line, p->column);
	struct qt_diag *d;
	struct qt_buf text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	qt_buf_vprintf(&text, fmt, ap);
	va_end(ap);
	d = qt_diag_add(run->diags, code, span, "%s", text.ptr);
	qt_buf_free(&text);
	if (!span.file && p->file && p->line)
		qt_diag_note(run->diags, d, span, "the rule stands at %s:%u", p->file, p->line);
	return d;
}

struct qt_diag *qt_diag_run(const struct qt_run *run, enum qt_code code, const char *fmt, ...)
{
	struct qt_buf text = { 0 };
	struct qt_diag *d;
	va_list ap;

	va_start(ap, fmt);
	qt_buf_vprintf(&text, fmt, ap);
	va_end(ap);
	d = qt_diag_add(run->diags, code, (struct qt_span){ 0 }, "%s", text.ptr);
	qt_buf_free(&text);
	return d;
}

void qt_message(const struct qt_run *run, int level, const char *fmt, ...)
{
	struct qt_buf text = { 0 };
	va_list ap;

	if (run->options->verbose < level || !run->sink->message)
		return;
	va_start(ap, fmt);
	qt_buf_vprintf(&text, fmt, ap);
	va_end(ap);
	run->sink->message(run->sink->ctx, (struct qt_str){ text.ptr, text.len });
	qt_buf_free(&text);
}

const char *qt_errno_text(const struct qt_run *run, int err)
{
	char room[128];

	err = err < 0 ? -err : err;
	if (err == 524) /* ENOTSUPP: the kernel's own, unknown to libc */
		return "the kernel does not support it";
	return qt_arena_printf(run->arena, "%s", strerror_r(err, room, sizeof(room)));
}

uint64_t qt_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}
