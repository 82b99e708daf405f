/* Splits a probe spec into its provider and its fields. Quotes are taken off; what stands in them is never split. */
#include "parser/parser_internal.h"

#include <string.h>

/* The end of the field that begins at AT: a colon outside quotes and ${...}, or the end. */
static uint32_t field_end(struct qt_str spec, uint32_t at)
{
	bool quoted = false;

	for (; at < spec.len; at++) {
		if (quoted && spec.ptr[at] == '\\' && at + 1 < spec.len)
			at++;
		else if (spec.ptr[at] == '"')
			quoted = !quoted;
		else if (spec.ptr[at] == ':' && !quoted)
			break;
	}
	return at;
}

/* TEXT without its quotes; inside them \" and \\ stand for the character itself. */
static struct qt_str unquote(struct qt_parse *p, struct qt_str text)
{
	char *out = qt_arena_alloc(p->arena, text.len + 1);
	bool quoted = false;
	size_t len = 0;

	for (size_t i = 0; i < text.len; i++) {
		bool escape = quoted && text.ptr[i] == '\\' && i + 1 < text.len && strchr("\"\\", text.ptr[i + 1]) && text.ptr[i + 1];

		if (text.ptr[i] == '"') {
			quoted = !quoted;
			continue;
		}
		i += escape;
		out[len++] = text.ptr[i];
	}
	return (struct qt_str){ out, len };
}

static struct qt_ast *make_field(struct qt_parse *p, struct qt_span span, struct qt_str text)
{
	struct qt_ast_probe_field *f = QT_AST_NEW(p->arena, probe_field, span);

	f->quoted = memchr(text.ptr, '"', text.len) != NULL;
	f->text = f->quoted ? unquote(p, text) : text;
	return &f->head;
}

struct qt_ast *qt_make_probe(struct qt_parse *p, const struct qt_token *t)
{
	struct qt_ast_probe *probe = QT_AST_NEW(p->arena, probe, t->span);
	uint32_t end = field_end(t->text, 0);

	probe->text = t->text;
	probe->provider = qt_intern_n(p->names, t->text.ptr, end);
	while (end < t->text.len) {
		uint32_t begin = end + 1;
		struct qt_span span = { t->span.file, t->span.begin + begin, 0 };

		end = field_end(t->text, begin);
		span.end = t->span.begin + end;
		probe->fields = qt_list_add(p, probe->fields, make_field(p, span, (struct qt_str){ t->text.ptr + begin, end - begin }));
	}
	probe->head.depth = probe->fields.len ? 2 : 1;
	return &probe->head;
}
