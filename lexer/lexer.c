/* Turns text into tokens: asks the scanner what stands at each place and decides what depends on context, that is where a probe spec
 * can stand, whether a word is a keyword, and which '/' belong to a filter. */
#include "lexer/lexer.h"

#include "base/check.h"
#include "base/vec.h"
#include "lexer/lexer_internal.h"
#include "lexer/literal.h"

#include <string.h>

enum place { PLACE_ALWAYS, PLACE_ACTION, PLACE_TOP, PLACE_ITEM, PLACE_SPAN, PLACE_TEST };

struct word {
	const char *spelling;
	enum qt_token_kind kind;
	enum place place;
};

static const struct word words[] = {
#define TOKEN(kind, number, class, spelling)
#define CHAR(kind, number, class, spelling)
#define WORD(kind, number, place, spelling) { spelling, QT_TOK_##kind, PLACE_##place },
#include "lexer/tokens.def"
#undef WORD
#undef CHAR
#undef TOKEN
};

struct lexer {
	const struct qt_source *source;
	struct qt_arena *arena;
	struct qt_interns *names;
	struct qt_diags *diags;
	void *scanner;
	uint32_t at; /* where the scanner stands */
	QT_VEC(struct qt_token) out;
	unsigned depth; /* open brackets */
	unsigned questions; /* open '?' of ?: */
	enum qt_token_kind item; /* what began the current item: ON, PROBE, SPAN, TEST ...; EOF when none did */
	uint32_t filter_close; /* where the '/' that closes the open filter is; UINT32_MAX without one */
	bool broken; /* something was reported since the last token */
};

static struct qt_str text_at(const struct lexer *lx, uint32_t at, uint32_t len)
{
	return (struct qt_str){ lx->source->text.ptr + at, len };
}

/* The byte at AT, 0 at the end. */
static char byte_at(const struct lexer *lx, uint32_t at)
{
	return at < lx->source->text.len ? lx->source->text.ptr[at] : 0;
}

static struct qt_span span_at(const struct lexer *lx, uint32_t at, uint32_t len)
{
	return (struct qt_span){ lx->source->file, at, at + len };
}

/* The kind of the Nth last token (1: the last); EOF before the first. */
static enum qt_token_kind before(const struct lexer *lx, unsigned n)
{
	return lx->out.len >= n ? lx->out.items[lx->out.len - n].kind : QT_TOK_EOF;
}

static struct qt_token *push(struct lexer *lx, enum qt_token_kind kind, uint32_t len)
{
	struct qt_token *t = qt_vec_push(lx->arena, &lx->out);

	t->kind = kind;
	t->span = span_at(lx, lx->at, len);
	t->broken = lx->broken;
	lx->broken = false;
	return t;
}

static const struct word *word_find(struct qt_str text)
{
	for (size_t i = 0; i < QT_COUNT(words); i++)
		if (qt_str_is(text, words[i].spelling))
			return &words[i];
	return NULL;
}

/* Whether an operand must come next, so that a word there is a name. */
static bool operand_comes(const struct lexer *lx)
{
	enum qt_token_kind last = before(lx, 1);

	switch (last) {
	case QT_TOK_SET:
	case QT_TOK_CLEAR:
	case QT_TOK_TAG:
	case QT_TOK_AS:
	case QT_TOK_PARAM:
	case QT_TOK_SPAN:
	case QT_TOK_IF:
	case QT_TOK_IN:
	case QT_TOK_WITH:
	case QT_TOK_EXPECT:
		return true;
	default:
		return lx->out.len && qt_token_wants_operand(last);
	}
}

/* ---- probes ---- */

static bool at_line_start(const struct lexer *lx)
{
	return !lx->at || byte_at(lx, lx->at - 1) == '\n';
}

static bool item_can_start(const struct lexer *lx)
{
	enum qt_token_kind last = before(lx, 1);

	return !lx->depth && (!lx->out.len || last == QT_TOK_RBRACE || last == QT_TOK_SEMI);
}

/* Whether only a probe can stand here: behind `on`, a comma in a probe list, and the like. */
static bool probe_must_come(const struct lexer *lx)
{
	switch (before(lx, 1)) {
	case QT_TOK_ON:
	case QT_TOK_FEED:
	case QT_TOK_OVER:
	case QT_TOK_FROM:
	case QT_TOK_TO:
		return true;
	case QT_TOK_COMMA:
		return before(lx, 2) == QT_TOK_PROBE;
	default:
		return false;
	}
}

/* A probe where nothing else can stand: anything but punctuation and keywords. */
static bool looks_like_spec(const struct lexer *lx, uint32_t len)
{
	char c = byte_at(lx, lx->at);

	if (!len)
		return (c & 0x80) || (c && !strchr("{};,/=()[]|&<>#\"", c));
	return byte_at(lx, lx->at + len) == ':' || !word_find(text_at(lx, lx->at, len));
}

/* `begin` and `end` as probes inside an item that has no ';' behind it: only directly before a block. */
static bool begin_block(const struct lexer *lx, struct qt_str word)
{
	return qt_probe_is_begin_or_end(word) && byte_at(lx, qt_blank_skip(lx->source->text, lx->at + (uint32_t)word.len)) == '{';
}

/* A known provider with its colon, or begin or end with its block, behind an item without ';'. */
static bool looks_like_next_item(const struct lexer *lx, struct qt_str word)
{
	enum qt_token_kind last = before(lx, 1);

	if (!word.len || lx->questions || last == QT_TOK_DOT || last == QT_TOK_ARROW || last == QT_TOK_PARAM)
		return false;
	if (byte_at(lx, lx->at + (uint32_t)word.len) == ':')
		return qt_probe_is_provider(word);
	return !operand_comes(lx) && begin_block(lx, word);
}

static bool probe_here(struct lexer *lx)
{
	uint32_t len = qt_word_length(lx->source->text, lx->at);
	struct qt_str word = text_at(lx, lx->at, len);

	if (qt_blank_skip(lx->source->text, lx->at) != lx->at)
		return false;
	if (probe_must_come(lx))
		return looks_like_spec(lx, len);
	if (item_can_start(lx) && len && (byte_at(lx, lx->at + len) == ':' || qt_probe_is_begin_or_end(word)))
		return true;
	if (!lx->depth)
		return looks_like_next_item(lx, word);
	return at_line_start(lx) && !operand_comes(lx) && looks_like_next_item(lx, word);
}

static void item_begin(struct lexer *lx, enum qt_token_kind kind)
{
	lx->item = kind;
	lx->depth = 0;
	lx->questions = 0;
}

static void take_probe(struct lexer *lx)
{
	enum qt_token_kind last = before(lx, 1);
	uint32_t open_quote, end = qt_probe_end(lx->source->text, lx->at, last == QT_TOK_FEED, &open_quote);
	bool whole = probe_must_come(lx);
	struct qt_token *t = push(lx, QT_TOK_PROBE, end - lx->at);

	t->text = text_at(lx, lx->at, end - lx->at);
	if (!whole)
		item_begin(lx, QT_TOK_PROBE);
	if (open_quote != UINT32_MAX) {
		qt_diag_add(lx->diags, QT_E0102, span_at(lx, open_quote, 1), "this quote is not closed on its line");
		t->broken = lx->broken = true;
	}
	qt_scan_skip(lx->scanner, end - lx->at);
	lx->at = end;
}

/* ---- words ---- */

/* A keyword directly before '(' is the name of a function, but for those that have parentheses themselves. */
static bool is_call(const struct lexer *lx, enum qt_token_kind kind, uint32_t len)
{
	if (byte_at(lx, lx->at + len) != '(')
		return false;
	return kind != QT_TOK_IF && kind != QT_TOK_WHILE && kind != QT_TOK_FOR && kind != QT_TOK_UNROLL && kind != QT_TOK_RETURN &&
	       kind != QT_TOK_SIZEOF;
}

/* `on` at the very start of a line inside brackets: a bracket was forgotten, and the next rule begins here. */
static bool on_restarts(const struct lexer *lx, uint32_t len)
{
	uint32_t next = qt_blank_skip(lx->source->text, lx->at + len), word = qt_word_length(lx->source->text, next);

	return at_line_start(lx) && !operand_comes(lx) && (byte_at(lx, next + word) == ':' || qt_probe_is_begin_or_end(text_at(lx, next, word)));
}

static bool stands_right(const struct lexer *lx, const struct word *w, uint32_t len)
{
	switch (w->place) {
	case PLACE_ALWAYS:
		return true;
	case PLACE_ACTION:
		return !operand_comes(lx);
	case PLACE_TOP:
		return !lx->depth || on_restarts(lx, len);
	case PLACE_ITEM:
		return !lx->depth && !operand_comes(lx);
	case PLACE_SPAN:
		return !lx->depth && lx->item == QT_TOK_SPAN && !operand_comes(lx);
	case PLACE_TEST:
		return lx->depth == 1 && lx->item == QT_TOK_TEST && !operand_comes(lx);
	}
	return false;
}

static bool begins_item(enum qt_token_kind kind)
{
	switch (kind) {
	case QT_TOK_ON:
	case QT_TOK_PARAM:
	case QT_TOK_IMPORT:
	case QT_TOK_CONFIG:
	case QT_TOK_SPAN:
	case QT_TOK_BREAKDOWN:
	case QT_TOK_TEST:
		return true;
	default:
		return false;
	}
}

static bool behind_member(const struct lexer *lx)
{
	enum qt_token_kind last = before(lx, 1);

	return last == QT_TOK_DOT || last == QT_TOK_ARROW;
}

static void take_word(struct lexer *lx, uint32_t len)
{
	struct qt_str text = text_at(lx, lx->at, len);
	const struct word *w = behind_member(lx) ? NULL : word_find(text);
	enum qt_token_kind kind = w && !is_call(lx, w->kind, len) && stands_right(lx, w, len) ? w->kind : QT_TOK_NAME;

	if (begins_item(kind))
		item_begin(lx, kind);
	push(lx, kind, len)->name = qt_intern_n(lx->names, text.ptr, text.len);
}

/* The words of a type, one space between them. */
static void take_type(struct lexer *lx, uint32_t len)
{
	bool name = behind_member(lx) || byte_at(lx, lx->at + len) == '(';
	struct qt_token *t = push(lx, name ? QT_TOK_NAME : QT_TOK_TYPE, len);
	struct qt_buf b = { 0 };

	for (uint32_t i = 0; i < len; i++) {
		char c = byte_at(lx, lx->at + i);

		if (c == ' ' || (c >= '\t' && c <= '\r')) {
			if (b.ptr[b.len - 1] != ' ')
				qt_buf_addc(&b, ' ');
		} else {
			qt_buf_addc(&b, c);
		}
	}
	t->name = qt_intern_n(lx->names, b.ptr, b.len);
	qt_buf_free(&b);
}

/* ---- literals ---- */

/* Digits behind a point directly after a number: fractions are not part of the language. Returns their length. */
static uint32_t fraction_length(const struct lexer *lx, uint32_t len)
{
	uint32_t at = lx->at + len, n = 1;
	char c = byte_at(lx, at + 1);

	if (behind_member(lx) || byte_at(lx, at) != '.' || c < '0' || c > '9')
		return 0;
	while ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
		c = byte_at(lx, at + ++n);
	return n;
}

static void report_number(struct lexer *lx, struct qt_str text, const struct qt_literal_error *e)
{
	struct qt_span span = span_at(lx, lx->at + (uint32_t)e->begin, (uint32_t)(e->end - e->begin));
	struct qt_diag *d = qt_diag_add(lx->diags, QT_E0103, span, "the number `%.*s` %s", QT_STR_ARG(text), e->problem);

	if (e->hint)
		qt_diag_hint(lx->diags, d, "%s", e->hint);
}

static uint32_t take_number(struct lexer *lx, uint32_t len)
{
	struct qt_str text = text_at(lx, lx->at, len);
	uint32_t fraction = fraction_length(lx, len);
	struct qt_token *t = push(lx, QT_TOK_NUMBER, len + fraction);
	struct qt_literal_error e;
	struct qt_number n;
	struct qt_diag *d;

	e = qt_number_decode(text, &n);
	t->value = n.value;
	t->unit = n.unit ? qt_intern(lx->names, n.unit) : NULL;
	t->name = qt_intern_n(lx->names, text.ptr, text.len);
	if (fraction) {
		d = qt_diag_add(lx->diags, QT_E0103, t->span, "`%.*s` is not a whole number", (int)(len + fraction), text.ptr);
		qt_diag_hint(lx->diags, d, "write it in a smaller unit: 1500us is 1.5ms");
	} else if (e.problem) {
		report_number(lx, text, &e);
	} else if (n.looks_octal) {
		d = qt_diag_add(lx->diags, QT_W0101, t->span, "`%.*s` is decimal, a leading zero does not make it octal", QT_STR_ARG(text));
		qt_diag_hint(lx->diags, d, "leave out the zero, or write hexadecimal with 0x");
	}
	return len + fraction;
}

static void take_positional(struct lexer *lx, uint32_t len)
{
	struct qt_str digits = text_at(lx, lx->at + 1, len - 1);
	struct qt_token *t = push(lx, QT_TOK_POSITIONAL, len);
	struct qt_number n = { 0 };

	if (digits.ptr[0] == '#')
		return;
	if (qt_number_decode(digits, &n).problem || !n.value || n.value > 1000) {
		struct qt_diag *d = qt_diag_add(lx->diags, QT_E0103, t->span, "positional parameters are numbered from $1 to $1000");

		qt_diag_hint(lx->diags, d, "$# is their count");
		return;
	}
	t->value = n.value;
}

/* The text of T from TEXT, whose bytes stand at offset AT. */
static void decode_string(struct lexer *lx, struct qt_token *t, struct qt_str text, uint32_t at)
{
	char *out = qt_arena_alloc(lx->arena, text.len + 1);
	size_t len;
	struct qt_literal_error e = qt_string_decode(text, out, &len);
	struct qt_diag *d;

	t->text = (struct qt_str){ out, len };
	if (!e.problem)
		return;
	d = qt_diag_add(lx->diags, QT_E0105, span_at(lx, at + (uint32_t)e.begin, (uint32_t)(e.end - e.begin)), "%s `%.*s`", e.problem,
			(int)(e.end - e.begin), text.ptr + e.begin);
	if (e.hint)
		qt_diag_hint(lx->diags, d, "%s", e.hint);
}

static void take_string(struct lexer *lx, uint32_t len)
{
	decode_string(lx, push(lx, QT_TOK_STRING, len), text_at(lx, lx->at + 1, len - 2), lx->at + 1);
}

static void take_open_string(struct lexer *lx, uint32_t len)
{
	struct qt_token *t = push(lx, QT_TOK_STRING, len);
	struct qt_diag *d = qt_diag_add(lx->diags, QT_E0102, span_at(lx, lx->at, 1), "this string has no closing quote on its line");

	qt_diag_hint(lx->diags, d, "end it with \", and write a line end inside a string as \\n");
	t->text = text_at(lx, lx->at + 1, len - 1);
	t->broken = lx->broken = true;
}

/* A character that belongs to nothing; text in typographic or single quotes still becomes a string, so that the error stays one. */
static uint32_t take_stray(struct lexer *lx)
{
	struct qt_str quoted;
	uint32_t len = qt_stray_report(lx->source, lx->at, lx->diags, &quoted);

	if (quoted.ptr)
		decode_string(lx, push(lx, QT_TOK_STRING, len), quoted, (uint32_t)(quoted.ptr - lx->source->text.ptr));
	lx->broken = true;
	return len;
}

/* ---- punctuation ---- */

static enum qt_token_kind slash_kind(struct lexer *lx)
{
	if (before(lx, 1) == QT_TOK_PROBE && !lx->depth) {
		lx->filter_close = qt_filter_end(lx->source->text, lx->at);
		return QT_TOK_FILTER_OPEN;
	}
	return lx->at == lx->filter_close ? QT_TOK_FILTER_CLOSE : QT_TOK_SLASH;
}

static void take_punctuation(struct lexer *lx, enum qt_token_kind kind, uint32_t len)
{
	if (kind == QT_TOK_SLASH)
		kind = slash_kind(lx);
	if (kind == QT_TOK_LPAREN || kind == QT_TOK_LBRACKET || kind == QT_TOK_LBRACE)
		lx->depth++;
	else if ((kind == QT_TOK_RPAREN || kind == QT_TOK_RBRACKET || kind == QT_TOK_RBRACE) && lx->depth)
		lx->depth--;
	if (kind == QT_TOK_QUESTION)
		lx->questions++;
	else if (kind == QT_TOK_COLON && lx->questions)
		lx->questions--;
	else if (kind == QT_TOK_SEMI || kind == QT_TOK_LBRACE || kind == QT_TOK_RBRACE)
		lx->questions = 0;
	push(lx, kind, len)->name = qt_intern(lx->names, qt_token_spelling(kind));
}

static void take_variable(struct lexer *lx, enum qt_token_kind kind, uint32_t len)
{
	push(lx, kind, len)->name = qt_intern_n(lx->names, lx->source->text.ptr + lx->at + 1, len - 1);
}

/* ---- all together ---- */

/* Takes what the scanner found; the number of bytes that are done, which may be more than it found. */
static uint32_t take(struct lexer *lx, int kind, uint32_t len)
{
	switch (kind) {
	case QT_SCAN_BLANK:
		break;
	case QT_SCAN_WORD:
		take_word(lx, len);
		break;
	case QT_SCAN_TYPE:
		take_type(lx, len);
		break;
	case QT_SCAN_OPEN_STRING:
		take_open_string(lx, len);
		break;
	case QT_SCAN_OPEN_COMMENT:
		qt_diag_add(lx->diags, QT_E0106, span_at(lx, lx->at, 2), "this comment has no end");
		lx->broken = true;
		break;
	case QT_SCAN_STRAY:
		return take_stray(lx);
	case QT_TOK_NUMBER:
		return take_number(lx, len);
	case QT_TOK_STRING:
		take_string(lx, len);
		break;
	case QT_TOK_POSITIONAL:
		take_positional(lx, len);
		break;
	case QT_TOK_SCRATCH:
	case QT_TOK_MAP:
		take_variable(lx, (enum qt_token_kind)kind, len);
		break;
	default:
		take_punctuation(lx, (enum qt_token_kind)kind, len);
	}
	return len;
}

static void run(struct lexer *lx)
{
	uint32_t len, done;
	int kind;

	for (;;) {
		if (probe_here(lx)) {
			take_probe(lx);
			continue;
		}
		kind = qt_scan_next(lx->scanner, &len);
		if (kind == QT_SCAN_END)
			break;
		done = take(lx, kind, len);
		qt_scan_skip(lx->scanner, done - len);
		lx->at += done;
	}
	push(lx, QT_TOK_EOF, 0);
}

struct qt_tokens qt_lex(const struct qt_source *source, struct qt_arena *arena, struct qt_interns *names, struct qt_diags *diags)
{
	struct lexer lx = { source, arena, names, diags, .item = QT_TOK_EOF, .filter_close = UINT32_MAX };

	lx.scanner = qt_scan_open(source->text);
	run(&lx);
	qt_scan_close(lx.scanner);
	return (struct qt_tokens){ lx.out.items, lx.out.len };
}
