/* A script in a test: its tokens, its tree or its messages as one short text. The text lives until script_end. */
#ifndef QT_TESTS_UNIT_PARSER_SCRIPT_H
#define QT_TESTS_UNIT_PARSER_SCRIPT_H

#include "lexer/lexer.h"
#include "parser/parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct script {
	struct qt_arena *arena;
	struct qt_sources *sources;
	struct qt_interns *names;
	struct qt_diags *diags;
	struct qt_source *source;
};

static inline struct script script_begin(const char *text, size_t len)
{
	struct script s = { .arena = qt_arena_new() };

	s.sources = qt_sources_new(s.arena);
	s.names = qt_interns_new(s.arena);
	s.diags = qt_diags_new(s.arena);
	s.source = qt_sources_add(s.sources, "x.qt", text, len);
	return s;
}

static inline void script_end(struct script *s)
{
	qt_arena_free(s->arena);
}

/* "E0104@1:5 W0101@2:3": code and place of each message. */
static inline const char *script_codes(const struct script *s)
{
	unsigned count;
	const struct qt_diag *const *list = qt_diags_sorted(s->diags, &count);
	const char *text = "";

	for (unsigned i = 0; i < count; i++) {
		struct qt_position p = qt_source_position(s->source, list[i]->span.begin);

		text = qt_arena_printf(s->arena, "%s%s%s@%u:%u", text, i ? " " : "", qt_code_name(list[i]->code), p.line, p.column);
	}
	return text;
}

/* "on PROBE(kprobe:f) tag NAME(x)": the kinds in order, with what they carry. */
static inline const char *script_tokens(struct script *s)
{
	struct qt_tokens list = qt_lex(s->source, s->arena, s->names, s->diags);
	const char *text = "";

	for (uint32_t i = 0; i + 1 < list.len; i++) {
		const struct qt_token *t = &list.items[i];

		text = qt_arena_printf(s->arena, "%s%s%s", text, i ? " " : "",
				       qt_token_is_fixed(t->kind) ? qt_token_spelling(t->kind) : qt_token_kind_name(t->kind));
		if (t->kind == QT_TOK_NUMBER || t->kind == QT_TOK_POSITIONAL)
			text = qt_arena_printf(s->arena, "%s(%llu%s)", text, (unsigned long long)t->value, t->unit ? t->unit : "");
		else if (!qt_token_is_fixed(t->kind))
			text = qt_arena_printf(s->arena, "%s(%.*s)", text, t->text.ptr ? (int)t->text.len : (int)strlen(t->name),
					       t->text.ptr ? t->text.ptr : t->name);
	}
	return text;
}

#endif
