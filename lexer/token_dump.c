/* Tokens as text, one a line: place, kind, and what the token carries. */
#include "lexer/lexer.h"

#include <inttypes.h>

static void put_text(FILE *out, struct qt_str s)
{
	fputs(" \"", out);
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.ptr[i];

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			fprintf(out, "\\x%02x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

static void put_value(FILE *out, const struct qt_token *t)
{
	switch (t->kind) {
	case QT_TOK_NUMBER:
		fprintf(out, " %" PRIu64 "%s%s", t->value, t->unit ? " " : "", t->unit ? t->unit : "");
		break;
	case QT_TOK_POSITIONAL:
		fprintf(out, " %" PRIu64, t->value);
		break;
	case QT_TOK_STRING:
	case QT_TOK_PROBE:
		put_text(out, t->text);
		break;
	case QT_TOK_NAME:
	case QT_TOK_TYPE:
	case QT_TOK_SCRATCH:
	case QT_TOK_MAP:
		fprintf(out, " %s", t->name);
		break;
	default:
		break;
	}
}

void qt_tokens_dump(const struct qt_tokens *tokens, const struct qt_source *source, FILE *out)
{
	for (uint32_t i = 0; i < tokens->len; i++) {
		const struct qt_token *t = &tokens->items[i];
		struct qt_position p = qt_source_position(source, t->span.begin);

		fprintf(out, "%u:%u %s", p.line, p.column, qt_token_kind_name(t->kind));
		put_value(out, t);
		fputc('\n', out);
	}
}
