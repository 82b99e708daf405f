/* Feeds tokens to the grammar and keeps going after errors: inside braces at the next ';' or '}', outside at the next item. Knows which
 * brackets are open, so that a forgotten one is told with the place where it was opened. */
#include "parser/parser.h"

#include "base/check.h"
#include "parser/grammar.h"
#include "parser/parser_internal.h"

#include <string.h>

static bool is_opening(enum qt_token_kind kind)
{
	return kind == QT_TOK_LPAREN || kind == QT_TOK_LBRACKET || kind == QT_TOK_LBRACE;
}

static bool is_closing(enum qt_token_kind kind)
{
	return kind == QT_TOK_RPAREN || kind == QT_TOK_RBRACKET || kind == QT_TOK_RBRACE;
}

static enum qt_token_kind opening_of(enum qt_token_kind closing)
{
	return closing == QT_TOK_RPAREN ? QT_TOK_LPAREN : closing == QT_TOK_RBRACKET ? QT_TOK_LBRACKET : QT_TOK_LBRACE;
}

const struct qt_token *qt_token_before(const struct qt_parse *p, uint32_t at)
{
	return at ? &p->tokens.items[at - 1] : NULL;
}

/* Whether the token at AT begins an item; probes also stand inside rules, spans and tests. */
static bool starts_item(const struct qt_parse *p, uint32_t at)
{
	const struct qt_token *before = qt_token_before(p, at);

	switch (p->tokens.items[at].kind) {
	case QT_TOK_ON:
	case QT_TOK_PARAM:
	case QT_TOK_IMPORT:
	case QT_TOK_CONFIG:
	case QT_TOK_TEST:
	case QT_TOK_SPAN:
	case QT_TOK_BREAKDOWN:
		return true;
	case QT_TOK_PROBE:
		return !before || (before->kind != QT_TOK_ON && before->kind != QT_TOK_COMMA && before->kind != QT_TOK_FEED &&
				   before->kind != QT_TOK_OVER && before->kind != QT_TOK_FROM && before->kind != QT_TOK_TO);
	default:
		return false;
	}
}

static enum qt_token_kind kind_at(const struct qt_parse *p, uint32_t at)
{
	return p->tokens.items[at].kind;
}

/* ---- brackets ---- */

static const struct qt_token *innermost(const struct qt_parse *p)
{
	return p->open.len ? p->open.items[p->open.len - 1] : NULL;
}

/* Whether a closing bracket has an open partner inside the innermost braces. */
static bool has_partner(const struct qt_parse *p, enum qt_token_kind closing)
{
	for (uint32_t i = p->open.len; i-- > 0;) {
		enum qt_token_kind kind = p->open.items[i]->kind;

		if (kind == opening_of(closing))
			return true;
		if (kind == QT_TOK_LBRACE)
			return false;
	}
	return false;
}

static void brackets_update(struct qt_parse *p, const struct qt_token *t)
{
	if (is_opening(t->kind))
		*qt_vec_push(p->arena, &p->open) = t;
	else if (is_closing(t->kind) && p->open.len)
		p->open.len--;
	if (t->kind == QT_TOK_FILTER_OPEN)
		p->filter = t;
	else if (t->kind == QT_TOK_FILTER_CLOSE)
		p->filter = NULL;
}

/* Forgets brackets up to the innermost brace, which is kept. */
static void brackets_to_brace(struct qt_parse *p)
{
	while (p->open.len && innermost(p)->kind != QT_TOK_LBRACE)
		p->open.len--;
}

/* ---- errors ---- */

static void begin_anew(struct qt_parse *p, qt_yypstate **ps)
{
	qt_yypstate_delete(*ps);
	*ps = qt_yypstate_new();
	if (!*ps)
		qt_oom();
	p->open.len = 0;
	p->filter = NULL;
}

/* Whether the token at AT looks like the start of an item although it is none: first on its line, not indented, behind ';' or '}'. */
static bool resembles_item(const struct qt_parse *p, uint32_t at)
{
	uint32_t begin = p->tokens.items[at].span.begin;
	enum qt_token_kind before = at ? kind_at(p, at - 1) : QT_TOK_EOF;

	return begin && p->source->text.ptr[begin - 1] == '\n' && (before == QT_TOK_SEMI || before == QT_TOK_RBRACE);
}

/* The next token, from AT on, at which an item begins or seems to begin; or the end. */
static uint32_t skip_to_item(const struct qt_parse *p, uint32_t at)
{
	enum qt_token_kind kind = kind_at(p, at);
	unsigned nested = kind == QT_TOK_LBRACE;

	if (kind != QT_TOK_EOF && (kind == QT_TOK_SPAN || kind == QT_TOK_BREAKDOWN || !starts_item(p, at)))
		at++;
	for (; kind_at(p, at) != QT_TOK_EOF && !starts_item(p, at); at++) {
		if (!nested && resembles_item(p, at))
			break;
		if (kind_at(p, at) == QT_TOK_LBRACE)
			nested++;
		else if (kind_at(p, at) == QT_TOK_RBRACE && nested)
			nested--;
	}
	return at;
}

/* The token at which a broken statement ends: its ';', the '}' around it, the last '}' of its own blocks (*OWN is set), or what cannot
 * stand inside braces at all. */
static uint32_t skip_statement(const struct qt_parse *p, uint32_t at, bool *own)
{
	unsigned nested = 0;

	for (*own = false;; at++) {
		enum qt_token_kind kind = kind_at(p, at);

		if (kind == QT_TOK_EOF || starts_item(p, at) || (!nested && (kind == QT_TOK_SEMI || kind == QT_TOK_RBRACE)))
			return at;
		nested += kind == QT_TOK_LBRACE;
		nested -= kind == QT_TOK_RBRACE;
		if (kind == QT_TOK_RBRACE && !nested && kind_at(p, at + 1) != QT_TOK_ELSE) {
			*own = true;
			return at;
		}
	}
}

static int push(struct qt_parse *p, qt_yypstate *ps, const struct qt_token *t, enum qt_token_kind kind)
{
	QT_YYSTYPE value = { .tok = t };
	struct qt_span where = t->span;

	return qt_yypush_parse(ps, (int)kind, &value, &where, p);
}

/* After a syntax error inside braces, from which the grammar recovers at ';' or '}'. Returns the next token to push. */
static uint32_t recover_inside(struct qt_parse *p, qt_yypstate *ps)
{
	const struct qt_token *t = &p->tokens.items[p->at];
	uint32_t next;
	bool own;

	brackets_to_brace(p);
	if (t->kind == QT_TOK_RBRACE)
		p->open.len--;
	if (t->kind == QT_TOK_RBRACE || t->kind == QT_TOK_SEMI)
		return p->at + 1;
	next = skip_statement(p, p->at, &own);
	if (own)
		push(p, ps, &p->tokens.items[next], QT_TOK_SEMI);
	return own ? next + 1 : next;
}

/* Reports what the grammar cannot see: brackets without partner, items that begin inside brackets. True when the token is left out. */
static bool check_brackets(struct qt_parse *p, qt_yypstate **ps)
{
	const struct qt_token *t = &p->tokens.items[p->at];

	if (p->open.len && (t->kind == QT_TOK_EOF || starts_item(p, p->at))) {
		qt_open_error(p, innermost(p));
		begin_anew(p, ps);
	}
	if (is_closing(t->kind) && !has_partner(p, t->kind)) {
		if (!t->broken)
			qt_diag_add(p->diags, QT_E0112, t->span, "this `%s` closes nothing", t->name);
		return true;
	}
	return false;
}

/* Pushes all tokens. */
static void feed(struct qt_parse *p, qt_yypstate **ps)
{
	while (p->at < p->tokens.len) {
		const struct qt_token *t = &p->tokens.items[p->at];
		int status;

		if (check_brackets(p, ps)) {
			p->at++;
			continue;
		}
		if (p->open.len >= QT_AST_DEPTH_MAX) {
			qt_depth_error(p, t->span);
			return;
		}
		p->failed = false;
		status = push(p, *ps, t, t->kind);
		if (status == YYPUSH_MORE && !p->failed) {
			brackets_update(p, t);
			p->at++;
		} else if (status == YYPUSH_MORE) {
			p->at = recover_inside(p, *ps);
		} else if (status == 0 || t->kind == QT_TOK_EOF) {
			return;
		} else {
			begin_anew(p, ps);
			p->at = skip_to_item(p, p->at);
		}
	}
}

struct qt_ast_program *qt_parse(const struct qt_source *source, struct qt_arena *arena, struct qt_interns *names, struct qt_diags *diags)
{
	struct qt_parse p = { .source = source, .arena = arena, .names = names, .diags = diags };
	struct qt_span whole = { source->file, 0, (uint32_t)source->text.len };
	qt_yypstate *ps = qt_yypstate_new();
	uint32_t depth = 0;

	if (!ps)
		qt_oom();
	p.program = QT_AST_NEW(arena, program, whole);
	p.tokens = qt_lex(source, arena, names, diags);
	feed(&p, &ps);
	qt_yypstate_delete(ps);
	for (uint32_t i = 0; i < p.program->items.len; i++)
		if (p.program->items.items[i]->depth > depth)
			depth = p.program->items.items[i]->depth;
	p.program->head.depth = depth + 1;
	return p.program;
}
