/* Turns "this token cannot stand here" into a message that helps: known mistakes first, else what was expected, in the words of the
 * language and not of the grammar. */
#include "parser/parser_internal.h"

#include "base/check.h"
#include "parser/parser.h"

#include <string.h>
#include <strings.h>

static const struct qt_token *current(const struct qt_parse *p)
{
	return &p->tokens.items[p->at];
}

static enum qt_token_kind kind_before(const struct qt_parse *p, unsigned n)
{
	return p->at >= n ? p->tokens.items[p->at - n].kind : QT_TOK_EOF;
}

/* How a message calls a token. */
static const char *describe(struct qt_parse *p, const struct qt_token *t)
{
	uint32_t len = t->span.end - t->span.begin;
	const char *text = p->source->text.ptr + t->span.begin;

	if (t->kind == QT_TOK_EOF)
		return "the end of the script";
	if (t->kind == QT_TOK_STRING)
		return "a string";
	if (t->kind == QT_TOK_PROBE)
		return qt_arena_printf(p->arena, "the probe `%.*s%s`", len > 40 ? 40 : (int)len, text, len > 40 ? "..." : "");
	return qt_arena_printf(p->arena, "`%.*s%s`", len > 40 ? 40 : (int)len, text, len > 40 ? "..." : "");
}

/* Where something is missing: directly behind the token before, when the next one stands on a later line. */
static struct qt_span missing_place(const struct qt_parse *p)
{
	const struct qt_token *before = qt_token_before(p, p->at), *t = current(p);

	if (before && (t->kind == QT_TOK_EOF || memchr(p->source->text.ptr + before->span.end, '\n', t->span.begin - before->span.end)))
		return (struct qt_span){ before->span.file, before->span.end, before->span.end };
	return t->span;
}

static const char *closing_text(const struct qt_token *open)
{
	return open->kind == QT_TOK_LPAREN ? ")" : open->kind == QT_TOK_LBRACKET ? "]" : open->kind == QT_TOK_LBRACE ? "}" : "/";
}

void qt_open_error(struct qt_parse *p, const struct qt_token *open)
{
	struct qt_diag *d;

	if (current(p)->broken)
		return;
	d = qt_diag_add(p->diags, QT_E0107, missing_place(p), "expected `%s`, found %s", closing_text(open), describe(p, current(p)));
	qt_diag_note(p->diags, d, open->span, "this `%s` is not closed", qt_token_spelling(open->kind));
}

void qt_depth_error(struct qt_parse *p, struct qt_span span)
{
	if (p->too_deep)
		return;
	p->too_deep = true;
	qt_diag_add(p->diags, QT_E0111, span, "this is nested too deep, more than %d levels", QT_AST_DEPTH_MAX);
}

void qt_equals_error(struct qt_parse *p, struct qt_span span, const char *op)
{
	struct qt_diag *d = qt_diag_add(p->diags, QT_E0108, span, "`%s` gives a value and cannot stand in an expression", op);

	if (!strcmp(op, "="))
		qt_diag_hint(p->diags, d, "to compare, write `==`");
}

/* ---- known mistakes: each reports and returns true when it is the one ---- */

struct unsupported {
	enum qt_token_kind kind;
	const char *what, *hint;
};

static const struct unsupported unsupported[] = {
	{ QT_TOK_SIZEOF, "`sizeof`", "write the number of bytes" },
	{ QT_TOK_CARRY, "`carry`", NULL },
	{ QT_TOK_ADOPT, "`adopt`", NULL },
	{ QT_TOK_EMIT, "`emit`", "printf in a block prints one line an event" },
	{ QT_TOK_IN, "the modifier `in`", "set a context variable where the span begins, clear it where it ends, and read it here" },
	{ QT_TOK_WITH, "the modifier `with`", NULL },
	{ QT_TOK_SPAN, "`span`", "set a context variable where it begins and clear it where it ends" },
	{ QT_TOK_BREAKDOWN, "`breakdown`", NULL },
	{ QT_TOK_TYPE, "a C declaration", "kernel types are known from BTF: cast with (struct name *)value" },
};

static bool is_unsupported(struct qt_parse *p, const bool *expected)
{
	const struct qt_token *t = current(p);

	for (size_t i = 0; i < QT_COUNT(unsupported); i++) {
		struct qt_diag *d;

		if (unsupported[i].kind != t->kind || (t->kind == QT_TOK_TYPE && !expected[QT_TOK_ON]))
			continue;
		d = qt_diag_add(p->diags, QT_E0110, t->span, "%s cannot be compiled by this version of qtrace", unsupported[i].what);
		if (unsupported[i].hint)
			qt_diag_hint(p->diags, d, "%s", unsupported[i].hint);
		return true;
	}
	return false;
}

static bool begins_statement(enum qt_token_kind before)
{
	return before == QT_TOK_LBRACE || before == QT_TOK_RBRACE || before == QT_TOK_SEMI || before == QT_TOK_EOF;
}

static bool is_assignment(enum qt_token_kind kind)
{
	return kind == QT_TOK_ASSIGN || (kind >= QT_TOK_ADD_SET && kind <= QT_TOK_SHR_SET);
}

/* name = value as a statement, and = inside an expression. */
static bool is_wrong_assignment(struct qt_parse *p, const bool *expected)
{
	const struct qt_token *t = current(p), *before = qt_token_before(p, p->at);
	struct qt_diag *d;

	if (!is_assignment(t->kind) || !expected[QT_TOK_EQ] || !before)
		return false;
	if (before->kind == QT_TOK_NAME && begins_statement(kind_before(p, 2))) {
		d = qt_diag_add(p->diags, QT_E0113, qt_span_join(before->span, t->span), "the bare name `%s` cannot be assigned to", before->name);
		qt_diag_hint(p->diags, d, "write `set %s = ...` for a context variable of the thread, `$%s %s ...` for a variable of this block",
			     before->name, before->name, t->name);
		return true;
	}
	if (expected[QT_TOK_SEMI] && expected[QT_TOK_RBRACE]) {
		d = qt_diag_add(p->diags, QT_E0113, t->span, "what stands before this `%s` cannot be assigned to", t->name);
		qt_diag_hint(p->diags, d, "values are kept in $name, @name and @name[key]");
		return true;
	}
	qt_equals_error(p, t->span, t->name);
	return true;
}

/* Whether a ']' for the innermost bracket still comes in this statement. */
static bool bracket_comes(const struct qt_parse *p)
{
	unsigned nested = 0;

	for (uint32_t i = p->at; i < p->tokens.len; i++) {
		enum qt_token_kind kind = p->tokens.items[i].kind;

		if (kind == QT_TOK_SEMI || kind == QT_TOK_LBRACE || kind == QT_TOK_RBRACE)
			return false;
		if (kind == QT_TOK_RBRACKET && !nested)
			return true;
		nested += kind == QT_TOK_LBRACKET;
		nested -= kind == QT_TOK_RBRACKET;
	}
	return false;
}

/* @map[key = value. */
static bool is_unclosed_key(struct qt_parse *p, const bool *expected)
{
	const struct qt_token *open = p->open.len ? p->open.items[p->open.len - 1] : NULL;

	if (!open || open->kind != QT_TOK_LBRACKET || !is_assignment(current(p)->kind) || !expected[QT_TOK_RBRACKET] || bracket_comes(p))
		return false;
	qt_open_error(p, open);
	return true;
}

/* A round or square bracket, or a filter, that should have been closed before this token. */
static bool is_unclosed(struct qt_parse *p, const bool *expected)
{
	const struct qt_token *open = p->open.len ? p->open.items[p->open.len - 1] : NULL;
	enum qt_token_kind kind = current(p)->kind;
	bool ends = kind == QT_TOK_SEMI || kind == QT_TOK_LBRACE || kind == QT_TOK_RBRACE || kind == QT_TOK_EOF || kind == QT_TOK_PROBE ||
		    kind == QT_TOK_RPAREN || kind == QT_TOK_RBRACKET || qt_token_is_word(kind);

	if (open && open->kind != QT_TOK_LBRACE && ends && expected[open->kind == QT_TOK_LPAREN ? QT_TOK_RPAREN : QT_TOK_RBRACKET]) {
		qt_open_error(p, open);
		return true;
	}
	if (p->filter && expected[QT_TOK_FILTER_CLOSE] && (!open || open->kind == QT_TOK_LBRACE)) {
		qt_open_error(p, p->filter);
		return true;
	}
	return false;
}

static void hint_or(struct qt_parse *p, struct qt_diag *d, const char *word, const char *const *candidates, size_t n, const char *otherwise)
{
	const char *foreign = qt_foreign_hint(p->arena, word);
	struct qt_suggest s;

	if (foreign) {
		qt_diag_hint(p->diags, d, "%s", foreign);
		return;
	}
	qt_suggest_begin(&s, word);
	for (size_t i = 0; i < n; i++)
		qt_suggest_offer(&s, candidates[i]);
	if (!qt_suggest_hint(p->diags, d, &s) && otherwise)
		qt_diag_hint(p->diags, d, "%s", otherwise);
}

static const char *const item_words[] = { "on", "param", "import", "config", "test" };
static const char *const action_words[] = { "set", "clear", "tag", "if" };
static const char *const statement_words[] = { "set", "clear", "tag", "if", "return" };

/* The kind of probe that WORD names, whatever the case of its letters; NULL: none. */
static const char *provider_named(const char *word)
{
	for (unsigned i = 0; qt_provider_at(i); i++)
		if (!strcasecmp(qt_provider_at(i), word))
			return qt_provider_at(i);
	return NULL;
}

/* `kprobe vfs_read`: the probe before the current word lacks its colon. */
static bool lacks_colon(const struct qt_parse *p)
{
	const struct qt_token *before = qt_token_before(p, p->at);

	return before && before->kind == QT_TOK_PROBE && !memchr(before->text.ptr, ':', before->text.len) && before->text.len > 5;
}

static bool is_unit(const char *word)
{
	static const char *const units[] = { "ns", "us", "ms", "s", "m", "h", "k", "K", "M", "G", "T", "msec", "usec", "nsec", "sec", "seconds" };

	for (size_t i = 0; i < QT_COUNT(units); i++)
		if (!strcmp(word, units[i]))
			return true;
	return false;
}

/* Whether the sentence has a `tag` among its last tokens: what follows may be meant as a metric. */
static bool is_behind_metric(const struct qt_parse *p)
{
	return kind_before(p, 1) == QT_TOK_RPAREN || kind_before(p, 2) == QT_TOK_AS;
}

/* A word that is no action: what it is instead. */
static void action_hint(struct qt_parse *p, struct qt_diag *d, const struct qt_token *t)
{
	const struct qt_token *before = qt_token_before(p, p->at);

	if (is_assignment(t[1].kind))
		qt_diag_hint(p->diags, d, "write `set %s = ...` for a context variable of the thread", t->name);
	else if (before && before->kind == QT_TOK_NOT)
		qt_diag_hint(p->diags, d, "%s", qt_foreign_hint(p->arena, "not"));
	else if (kind_before(p, 1) == QT_TOK_NAME && !strcmp(before->name, "not"))
		qt_diag_hint(p->diags, d, "%s", qt_foreign_hint(p->arena, "not"));
	else if (kind_before(p, 1) == QT_TOK_NUMBER && is_unit(t->name))
		qt_diag_hint(p->diags, d, "a number and its unit are written together, as in 10ms");
	else if (kind_before(p, 1) == QT_TOK_PROBE && is_unit(t->name))
		qt_diag_hint(p->diags, d, "a number and its unit are written together, as in profile:10ms");
	else if (lacks_colon(p))
		qt_diag_hint(p->diags, d, "the parts of a probe are joined by colons: %.*s:%s", (int)before->text.len, before->text.ptr, t->name);
	else if (t[1].kind == QT_TOK_LPAREN && is_behind_metric(p))
		qt_diag_hint(p->diags, d, "metrics are separated by commas: write `, %s(...)`", t->name);
	else
		hint_or(p, d, t->name, action_words, QT_COUNT(action_words), "the actions of a rule are set, clear, tag and a block { ... }");
}

/* A bare word at the start of an item. */
static bool is_unknown_item(struct qt_parse *p, const bool *expected)
{
	const struct qt_token *t = current(p);
	struct qt_diag *d;

	if (!expected[QT_TOK_ON] || expected[QT_TOK_SET])
		return false;
	if (t->kind == QT_TOK_SET || t->kind == QT_TOK_CLEAR || t->kind == QT_TOK_TAG || t->kind == QT_TOK_IF || t->kind == QT_TOK_LBRACE) {
		d = qt_diag_add(p->diags, QT_E0109, t->span, "%s stands without a probe before it", describe(p, t));
		if (kind_before(p, 1) == QT_TOK_SEMI)
			qt_diag_hint(p->diags, d, "a semicolon ends the rule: leave it out between the actions of one sentence");
		else
			qt_diag_hint(p->diags, d, "say when it happens: on PROBE %s ...", qt_token_spelling(t->kind));
		return true;
	}
	if (t->kind != QT_TOK_NAME)
		return false;
	if (provider_named(t->name)) {
		bool same = !strcmp(provider_named(t->name), t->name);

		d = qt_diag_add(p->diags, QT_E0109, t->span, same ? "the probe `%s` lacks its target" : "no rule begins with `%s`", t->name);
		qt_diag_hint(p->diags, d,
			     same ? "the parts of a probe are joined by colons, as in kprobe:vfs_read or uprobe:libc:malloc" : "write %s",
			     provider_named(t->name));
		return true;
	}
	d = qt_diag_add(p->diags, QT_E0109, t->span, "no rule begins with `%s`", t->name);
	hint_or(p, d, t->name, item_words, QT_COUNT(item_words),
		"a rule begins with a probe: `on PROBE ACTION`, or `PROBE { ... }` with statements in braces");
	return true;
}

/* A bare word where an action must stand, or behind a key of a tag. */
static bool is_unknown_action(struct qt_parse *p, const bool *expected)
{
	const struct qt_token *t = current(p), *before = qt_token_before(p, p->at);
	struct qt_diag *d;

	if (t->kind == QT_TOK_NAME && expected[QT_TOK_SET] && !expected[QT_TOK_NAME]) {
		d = qt_diag_add(p->diags, QT_E0109, t->span, "unknown action `%s`", t->name);
		action_hint(p, d, t);
		return true;
	}
	if (before && before->kind == QT_TOK_NAME && expected[QT_TOK_LPAREN] && !expected[QT_TOK_PLUS] && !expected[QT_TOK_NAME] &&
	    !expected[QT_TOK_ASSIGN]) {
		d = qt_diag_add(p->diags, QT_E0109, before->span, "`%s` is neither an action nor a metric", before->name);
		hint_or(p, d, before->name, action_words, QT_COUNT(action_words),
			"a metric has parentheses, as in count(); keys are separated by commas");
		return true;
	}
	return false;
}

/* `foo bar` as a statement. */
static bool is_unknown_statement(struct qt_parse *p, const bool *expected)
{
	const struct qt_token *t = current(p), *before = qt_token_before(p, p->at);
	bool operand =
		t->kind == QT_TOK_NAME || t->kind == QT_TOK_STRING || t->kind == QT_TOK_NUMBER || t->kind == QT_TOK_MAP || t->kind == QT_TOK_SCRATCH;
	struct qt_diag *d;

	if (!before || before->kind != QT_TOK_NAME || !operand || !expected[QT_TOK_SEMI] || !begins_statement(kind_before(p, 2)))
		return false;
	d = qt_diag_add(p->diags, QT_E0109, before->span, "unknown statement `%s`", before->name);
	if (t->kind == QT_TOK_STRING && !qt_foreign_hint(p->arena, before->name)) {
		qt_diag_hint(p->diags, d, "what is called has parentheses: %s(\"...\");", before->name);
		return true;
	}
	hint_or(p, d, before->name, statement_words, QT_COUNT(statement_words),
		"statements are assignments, calls with parentheses, if, return, set, clear and tag");
	return true;
}

/* ---- what was expected ---- */

struct wording {
	const char *list[6];
	unsigned count;
};

static void word_add(struct wording *w, const char *text)
{
	if (w->count < QT_COUNT(w->list))
		w->list[w->count++] = text;
}

/* Takes KINDS out of EXPECTED; true when the first of them was in it. */
static bool take(bool *expected, const enum qt_token_kind *kinds, size_t n)
{
	bool had = expected[kinds[0]];

	for (size_t i = 0; i < n; i++)
		expected[kinds[i]] = false;
	return had;
}

static const enum qt_token_kind binary[] = {
	QT_TOK_EQ,   QT_TOK_NE,	    QT_TOK_LE,	     QT_TOK_GE,	      QT_TOK_LT,  QT_TOK_GT,	QT_TOK_SHL, QT_TOK_SHR,
	QT_TOK_PLUS, QT_TOK_MINUS,  QT_TOK_STAR,     QT_TOK_SLASH,    QT_TOK_MOD, QT_TOK_AND,	QT_TOK_OR,  QT_TOK_XOR,
	QT_TOK_OROR, QT_TOK_ANDAND, QT_TOK_COALESCE, QT_TOK_QUESTION, QT_TOK_DOT, QT_TOK_ARROW, QT_TOK_INC, QT_TOK_DEC,
};
static const enum qt_token_kind suffixes[] = { QT_TOK_LPAREN, QT_TOK_LBRACKET };
static const enum qt_token_kind operands[] = {
	QT_TOK_NUMBER, QT_TOK_STRING, QT_TOK_NAME,  QT_TOK_SCRATCH, QT_TOK_MAP,	 QT_TOK_POSITIONAL, QT_TOK_LPAREN, QT_TOK_TRUE,
	QT_TOK_FALSE,  QT_TOK_NOT,    QT_TOK_TILDE, QT_TOK_MINUS,   QT_TOK_STAR, QT_TOK_AND,	    QT_TOK_INC,	   QT_TOK_DEC,
};
static const enum qt_token_kind items[] = {
	QT_TOK_ON, QT_TOK_PROBE, QT_TOK_PARAM, QT_TOK_IMPORT, QT_TOK_CONFIG, QT_TOK_TEST, QT_TOK_EOF,
};
static const enum qt_token_kind statements[] = { QT_TOK_RETURN,	  QT_TOK_IF,  QT_TOK_WHILE, QT_TOK_FOR, QT_TOK_UNROLL, QT_TOK_BREAK,
						 QT_TOK_CONTINUE, QT_TOK_SET, QT_TOK_CLEAR, QT_TOK_TAG, QT_TOK_LBRACE };
static const enum qt_token_kind actions[] = { QT_TOK_SET, QT_TOK_CLEAR, QT_TOK_TAG, QT_TOK_LBRACE };
static const enum qt_token_kind modifiers[] = { QT_TOK_IF, QT_TOK_FILTER_OPEN, QT_TOK_COMMA, QT_TOK_AS };
static const enum qt_token_kind assignments[] = {
	QT_TOK_ADD_SET, QT_TOK_SUB_SET, QT_TOK_MUL_SET, QT_TOK_DIV_SET, QT_TOK_MOD_SET,
	QT_TOK_AND_SET, QT_TOK_OR_SET,	QT_TOK_XOR_SET, QT_TOK_SHL_SET, QT_TOK_SHR_SET,
};

#define TAKE(expected, kinds) take((expected), (kinds), QT_COUNT(kinds))

/* Groups what was expected into words; operators that could continue an expression are left out, they are never the point. */
static void expected_words(struct qt_parse *p, bool *expected, struct wording *w)
{
	bool operators = expected[QT_TOK_EQ];

	TAKE(expected, assignments);
	if (operators) {
		TAKE(expected, binary);
		TAKE(expected, suffixes);
	}
	if (expected[QT_TOK_NUMBER] && expected[QT_TOK_STRING] && TAKE(expected, operands))
		word_add(w, expected[QT_TOK_RETURN] ? "a statement" : "an expression");
	if (expected[QT_TOK_RETURN])
		TAKE(expected, statements);
	if (expected[QT_TOK_ON] && TAKE(expected, items))
		word_add(w, "a rule");
	if (expected[QT_TOK_SET] && TAKE(expected, actions)) {
		word_add(w, "an action (set, clear, tag or a block)");
		TAKE(expected, modifiers);
	}
#define TOKEN(kind, number, class, spelling) \
	if (expected[number])                \
		word_add(w, qt_token_is_fixed(number) ? qt_arena_printf(p->arena, "`%s`", spelling) : spelling);
#include "lexer/tokens.def"
#undef TOKEN
	if (!w->count && operators)
		word_add(w, "an operator");
}

static const char *join(struct qt_parse *p, const struct wording *w)
{
	const char *text = w->count ? w->list[0] : "something else";

	for (unsigned i = 1; i < w->count; i++)
		text = qt_arena_printf(p->arena, "%s%s%s", text, i + 1 == w->count ? " or " : ", ", w->list[i]);
	return text;
}

/* What a word must be followed by, and what else is often tried: told with "expected ..., found ...". */
struct shape {
	enum qt_token_kind before, found; /* found: QT_TOKENS_END for any */
	const char *hint;
};

static const struct shape shapes[] = {
	{ QT_TOK_TAG, QT_TOKENS_END, "a tag has at least one key: tag KEY [, KEY] [METRIC [, METRIC]], as in tag comm count()" },
	{ QT_TOK_SET, QT_TOK_MAP, "set is for context variables of the thread; maps are assigned in a block: { @name = ...; }" },
	{ QT_TOK_SET, QT_TOK_SCRATCH, "set is for context variables of the thread; $variables are assigned in a block: { $name = ...; }" },
	{ QT_TOK_SET, QT_TOKENS_END, "write set NAME = VALUE" },
	{ QT_TOK_CLEAR, QT_TOKENS_END, "write clear NAME" },
	{ QT_TOK_AS, QT_TOKENS_END, "a name follows: tag KEY as TABLE, or count() as COLUMN" },
	{ QT_TOK_PROBE, QT_TOK_RETURN, "the return of a system call is written syscall:NAME:return" },
	{ QT_TOK_SCRATCH, QT_TOK_COLON, "to assign, write =" },
	{ QT_TOKENS_END, QT_TOK_TILDE, "there are no patterns for texts: they are compared whole, with == and !=" },
	{ QT_TOKENS_END, QT_TOK_ON, "several probes of one rule are separated by commas: on PROBE, PROBE ACTION" },
	{ QT_TOKENS_END, QT_TOK_WHILE, "statements stand in a block behind a probe: PROBE { ... }" },
	{ QT_TOKENS_END, QT_TOK_FOR, "statements stand in a block behind a probe: PROBE { ... }" },
	{ QT_TOK_FOR, QT_TOKENS_END, "loops count over a range: for ($i : 0..5) { ... }, or over a map: for ($kv : @map) { ... }" },
};

static const char *shape_hint(const struct qt_parse *p, const bool *expected)
{
	enum qt_token_kind before = kind_before(p, 1), found = current(p)->kind;

	if (kind_before(p, 2) == QT_TOK_SET && expected[QT_TOK_ASSIGN])
		return "write set NAME = VALUE";
	if (kind_before(p, 2) == QT_TOK_FOR)
		before = QT_TOK_FOR;
	if (found == QT_TOK_IF && expected[QT_TOK_SET])
		return "the condition stands before the actions: on PROBE if EXPR ACTION";
	for (size_t i = 0; i < QT_COUNT(shapes); i++)
		if ((shapes[i].before == before || shapes[i].before == QT_TOKENS_END) &&
		    (shapes[i].found == found || shapes[i].found == QT_TOKENS_END))
			return shapes[i].hint;
	return NULL;
}

static void report_expected(struct qt_parse *p, const bool *expected)
{
	bool rest[QT_TOKENS_END];
	struct wording w = { 0 };
	struct qt_diag *d;

	memcpy(rest, expected, sizeof(rest));
	expected_words(p, rest, &w);
	d = qt_diag_add(p->diags, QT_E0104, missing_place(p), "expected %s, found %s", join(p, &w), describe(p, current(p)));
	if (shape_hint(p, expected))
		qt_diag_hint(p->diags, d, "%s", shape_hint(p, expected));
	else if (expected[QT_TOK_LBRACE] && !expected[QT_TOK_SET] && (expected[QT_TOK_EQ] || kind_before(p, 1) == QT_TOK_ELSE))
		qt_diag_hint(p->diags, d, "the branches of an if stand in braces: if (...) { ... }");
}

void qt_syntax_error(struct qt_parse *p, const bool expected[QT_TOKENS_END])
{
	const struct qt_token *before = qt_token_before(p, p->at);

	if (p->failed)
		return;
	p->failed = true;
	if (current(p)->broken || (before && before->broken))
		return;
	if (is_unsupported(p, expected) || is_unclosed_key(p, expected) || is_wrong_assignment(p, expected) || is_unclosed(p, expected) ||
	    is_unknown_item(p, expected) || is_unknown_action(p, expected) || is_unknown_statement(p, expected))
		return;
	report_expected(p, expected);
}
