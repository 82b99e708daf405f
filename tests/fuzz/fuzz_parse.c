/* Hostile text as a script: lexing, parsing, the tree's dump and the rendering of every message end, and never crash. */
#include "lexer/lexer.h"
#include "parser/parser.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static FILE *sink(void)
{
	static FILE *f;

	return f ? f : (f = fopen("/dev/null", "w"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct qt_arena *arena = qt_arena_new();
	struct qt_sources *sources = qt_sources_new(arena);
	struct qt_interns *names = qt_interns_new(arena);
	struct qt_diags *diags = qt_diags_new(arena);
	struct qt_source *source = qt_sources_add(sources, "fuzz", (const char *)data, size);
	struct qt_tokens tokens = qt_lex(source, arena, names, diags);

	qt_tokens_dump(&tokens, source, sink());
	if (qt_ast_check(arena, &qt_parse(source, arena, names, qt_diags_new(arena))->head))
		__builtin_trap();
	qt_ast_dump(&qt_parse(source, arena, names, diags)->head, sink());
	qt_diags_render_text(diags, sources, sink(), true);
	qt_diags_render_json(diags, sources, sink());
	qt_arena_free(arena);
	return 0;
}
