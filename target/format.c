/* Tracepoint format files (Documentation/trace/events.rst): the fields of a record with their places and C types. */
#include "target/target_internal.h"

#include <stdlib.h>
#include <string.h>

struct line {
	const char *decl; /* "const char * filename" */
	size_t decl_len;
	uint32_t offset, size;
	bool is_signed;
};

static uint32_t number_after(const char *p, const char *end, const char *key)
{
	const char *at = memmem(p, (size_t)(end - p), key, strlen(key));

	return at ? (uint32_t)strtoul(at + strlen(key), NULL, 10) : 0;
}

static bool read_line(const char *p, const char *end, struct line *out)
{
	const char *semicolon;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (end - p < 6 || memcmp(p, "field:", 6))
		return false;
	p += 6;
	semicolon = memchr(p, ';', (size_t)(end - p));
	if (!semicolon)
		return false;
	*out = (struct line){ p, (size_t)(semicolon - p), number_after(semicolon, end, "offset:"), number_after(semicolon, end, "size:"),
			      number_after(semicolon, end, "signed:") };
	return true;
}

static bool name_char(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Cuts "TYPE NAME[N]" into name and "TYPE[N]". */
static bool split_decl(struct qt_target *t, const struct line *l, const char **type, const char **name)
{
	size_t end = l->decl_len, tail, begin;

	while (end && l->decl[end - 1] == ' ')
		end--;
	tail = end;
	if (end && l->decl[end - 1] == ']') {
		while (tail && l->decl[tail - 1] != '[')
			tail--;
		if (!tail)
			return false;
		tail--;
	}
	for (begin = tail; begin && name_char(l->decl[begin - 1]); begin--)
		;
	if (begin == tail || !begin)
		return false;
	*name = qt_intern_n(t->names, l->decl + begin, tail - begin);
	while (begin && l->decl[begin - 1] == ' ')
		begin--;
	*type = qt_arena_printf(t->arena, "%.*s%.*s", (int)begin, l->decl, (int)(end - tail), l->decl + tail);
	return true;
}

/* Takes "__data_loc " or "__rel_loc " off. */
static const char *take_loc(const char *type, struct qt_record_field *f)
{
	static const char data[] = "__data_loc ", rel[] = "__rel_loc ";

	f->data_loc = strncmp(type, data, sizeof(data) - 1) == 0;
	f->rel_loc = strncmp(type, rel, sizeof(rel) - 1) == 0;
	if (f->data_loc)
		return type + sizeof(data) - 1;
	return f->rel_loc ? type + sizeof(rel) - 1 : type;
}

/* What the format says beats what the text says, but for slots that are wider than the type (system call arguments). */
static void fit_type(struct qt_record_field *f, bool known, bool is_signed)
{
	struct qt_ctype *c = &f->type;

	if (f->data_loc || f->rel_loc || c->kind == QT_CTYPE_POINTER || c->kind == QT_CTYPE_STRUCT)
		return;
	if (c->kind == QT_CTYPE_ARRAY) {
		c->size = f->size;
		return;
	}
	if (known && c->size && c->size < f->size)
		return;
	if (!known || c->size != f->size) {
		c->kind = f->size <= 8 ? QT_CTYPE_INT : QT_CTYPE_OTHER;
		c->size = f->size;
	}
	c->is_signed = is_signed || (known && c->is_signed);
}

static bool add_field(struct qt_target *t, const struct line *l, struct qt_record_field *f)
{
	const char *type, *name;
	bool known;

	if (!split_decl(t, l, &type, &name))
		return false;
	*f = (struct qt_record_field){ .name = name, .offset = l->offset, .size = l->size, .common = strncmp(name, "common_", 7) == 0 };
	known = qt_ctype_parse(t, take_loc(type, f), &f->type);
	fit_type(f, known, l->is_signed);
	return true;
}

bool qt_format_parse(struct qt_target *t, const char *text, struct qt_tracepoint *out)
{
	QT_VEC(struct qt_record_field) fields = { 0 };
	const char *id = strstr(text, "\nID:");

	for (const char *p = text, *end; *p; p = *end ? end + 1 : end) {
		struct qt_record_field f;
		struct line l;

		end = p + strcspn(p, "\n");
		if (read_line(p, end, &l) && add_field(t, &l, &f))
			*qt_vec_push(t->arena, &fields) = f;
	}
	out->id = id ? (uint32_t)strtoul(id + 4, NULL, 10) : 0;
	out->fields = fields.items;
	out->nfields = fields.len;
	return fields.len > 0;
}

const struct qt_record_field *qt_tracepoint_field(const struct qt_tracepoint *tp, const char *name)
{
	for (unsigned i = 0; i < tp->nfields; i++) {
		if (strcmp(tp->fields[i].name, name) == 0)
			return &tp->fields[i];
	}
	return NULL;
}
