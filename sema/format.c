/* printf: the format cut into pieces, each conversion matched with its argument. Lengths (l, ll, h, z ...) are read and ignored: the type of
 * the argument decides how wide a number is and whether it has a sign. */
#include "sema/sema_internal.h"

#include <ctype.h>

struct conversion {
	char letter;
	enum qt_format_kind kind;
	enum { NUMBER, TEXT } takes;
};

static const struct conversion conversions[] = {
	{ 'd', QT_FMT_INT, NUMBER },  { 'i', QT_FMT_INT, NUMBER },	 { 'u', QT_FMT_UINT, NUMBER },
	{ 'x', QT_FMT_HEX, NUMBER },  { 'X', QT_FMT_HEX_UPPER, NUMBER }, { 'o', QT_FMT_OCTAL, NUMBER },
	{ 'c', QT_FMT_CHAR, NUMBER }, { 'p', QT_FMT_PTR, NUMBER },	 { 's', QT_FMT_STR, TEXT },
};

struct format_parse {
	struct qt_check *c;
	const struct qt_ast *node; /* the format literal */
	const char *at, *end;
	struct qt_format *format;
	QT_VEC(struct conversion) taken; /* in the order of the arguments */
};

static void add_text(struct format_parse *p, const char *from, const char *to)
{
	struct qt_format_piece *piece;

	if (from == to)
		return;
	piece = qt_vec_push(p->c->s->arena, &p->format->pieces);
	*piece = (struct qt_format_piece){ .kind = QT_FMT_TEXT, .text = { from, (size_t)(to - from) }, .width = -1, .precision = -1 };
}

static void read_flags(struct format_parse *p, struct qt_format_piece *piece)
{
	for (; p->at < p->end; p->at++) {
		switch (*p->at) {
		case '-':
			piece->left = true;
			break;
		case '0':
			piece->zero = true;
			break;
		case '+':
			piece->plus = true;
			break;
		case ' ':
			piece->space = true;
			break;
		case '#':
			piece->alternate = true;
			break;
		case '\'':
			break;
		default:
			return;
		}
	}
}

static int read_number(struct format_parse *p)
{
	int n = 0;

	while (p->at < p->end && isdigit((unsigned char)*p->at)) {
		n = n < 100000 ? n * 10 + (*p->at - '0') : n;
		p->at++;
	}
	return n;
}

static bool format_error(struct format_parse *p, const char *what, const char *hint)
{
	struct qt_diag *d = qt_diag_add(p->c->s->diags, QT_E0207, p->node->span, "%s", what);

	qt_diag_hint(p->c->s->diags, d, "%s", hint);
	return false;
}

static const struct conversion *find_conversion(char letter)
{
	for (size_t i = 0; i < QT_COUNT(conversions); i++) {
		if (conversions[i].letter == letter)
			return &conversions[i];
	}
	return NULL;
}

static bool read_conversion(struct format_parse *p)
{
	struct qt_format_piece piece = { .width = -1, .precision = -1 };
	const struct conversion *conv;

	read_flags(p, &piece);
	if (p->at < p->end && isdigit((unsigned char)*p->at))
		piece.width = read_number(p);
	if (p->at < p->end && *p->at == '.') {
		p->at++;
		piece.precision = read_number(p);
	}
	if (p->at < p->end && *p->at == '*')
		return format_error(p, "a width in printf must be a number", "write it out: %20s");
	if (piece.width > 4096 || piece.precision > 4096)
		return format_error(p, "a width in printf is at most 4096", "write a smaller one");
	while (p->at < p->end && strchr("hljztqL", *p->at))
		p->at++;
	if (p->at == p->end)
		return format_error(p, "the format ends inside a conversion", "a percent sign is written %%");
	conv = find_conversion(*p->at);
	if (!conv && !isalpha((unsigned char)*p->at))
		return format_error(p, "a percent sign that begins no conversion", "a percent sign is written %%");
	if (!conv)
		return format_error(p, qt_arena_printf(p->c->s->arena, "printf has no conversion `%%%c`", *p->at),
				    "numbers: %d %u %x %X %o %c %p; texts: %s; a percent sign: %%");
	p->at++;
	piece.kind = conv->kind;
	*qt_vec_push(p->c->s->arena, &p->format->pieces) = piece;
	*qt_vec_push(p->c->s->arena, &p->taken) = *conv;
	return true;
}

static bool read_format(struct format_parse *p)
{
	while (p->at < p->end) {
		const char *percent = memchr(p->at, '%', (size_t)(p->end - p->at));

		if (!percent)
			percent = p->end;
		add_text(p, p->at, percent);
		if (percent == p->end)
			break;
		p->at = percent + 1;
		if (p->at < p->end && *p->at == '%') {
			add_text(p, p->at, p->at + 1);
			p->at++;
		} else if (!read_conversion(p)) {
			return false;
		}
	}
	return true;
}

/* ---- arguments ---- */

static bool is_unsigned_form(char letter)
{
	return strchr("uxXop", letter) != NULL;
}

static struct qt_expr *fit_number(struct qt_check *c, const struct conversion *conv, struct qt_expr *x)
{
	struct qt_type t = x->type;

	if (t.kind == QT_TYPE_INT && t.is_signed && is_unsigned_form(conv->letter)) {
		t.is_signed = t.literal = false;
		return qt_x_convert(c->s, x, t);
	}
	return x;
}

/* %s shows what has a unit: 1.25ms, 16KiB. */
static bool is_shown_as_text(const struct conversion *conv, struct qt_type t)
{
	return conv->letter == 's' && t.kind == QT_TYPE_INT && t.unit;
}

static struct qt_expr *fit_argument(struct qt_check *c, const struct conversion *conv, struct qt_expr *x)
{
	struct qt_diag *d;

	if (qt_x_bad(x))
		return x;
	if (is_shown_as_text(conv, x->type))
		return x;
	if (conv->takes == NUMBER ? qt_is_number(x->type) : qt_is_text(x->type) || x->type.kind == QT_TYPE_SHOWN)
		return conv->takes == NUMBER ? fit_number(c, conv, x) : x;
	d = qt_diag_add(c->s->diags, QT_E0207, x->span, "%%%c takes a %s, not %s", conv->letter, conv->takes == NUMBER ? "number" : "text",
			qt_type_words(x->type));
	if (qt_is_number(x->type))
		qt_diag_hint(c->s->diags, d, "a number is printed by %%d; the text at an address is read by str(ADDRESS)");
	else if (qt_is_text(x->type) || x->type.kind == QT_TYPE_SHOWN)
		qt_diag_hint(c->s->diags, d, "a text is printed by %%s");
	return qt_x_error(c->s, x->span);
}

static void argument_count(struct format_parse *p, const struct qt_ast_call *node, uint32_t given)
{
	struct qt_diag *d = qt_diag_add(p->c->s->diags, QT_E0207, node->head.span, "the format takes %u value%s, and %u %s given", p->taken.len,
					p->taken.len == 1 ? "" : "s", given, given == 1 ? "is" : "are");

	qt_diag_hint(p->c->s->diags, d,
		     given > p->taken.len ? "each value has its conversion in the format, as in \"%%s %%d\\n\""
					  : "each conversion takes a value; a percent sign is written %%%%");
}

static void emit_format(struct qt_check *c, struct qt_format *format, struct qt_stmt *stmt)
{
	for (uint32_t i = 0, arg = 0; i < format->pieces.len; i++) {
		struct qt_format_piece *piece = &format->pieces.items[i];
		struct qt_type type;

		if (piece->kind == QT_FMT_TEXT)
			continue;
		type = stmt->args.items[arg++]->type;
		if (piece->kind == QT_FMT_INT && (type.kind == QT_TYPE_PTR || !type.is_signed))
			piece->kind = QT_FMT_UINT;
		type.literal = false;
		*qt_vec_push(c->s->arena, &format->args) = type;
	}
	stmt->index = c->s->program->formats.len;
	if (c->s->final)
		*qt_vec_push(c->s->arena, &c->s->program->formats) = *format;
}

void qt_check_printf(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out)
{
	const struct qt_ast *first = node->args.items[0];
	struct qt_format *format = QT_NEW(c->s->arena, struct qt_format);
	struct format_parse p = { .c = c, .node = first, .format = format };
	struct qt_stmt *stmt;

	format->span = node->head.span;
	if (first->kind != QT_AST_str) {
		struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0207, first->span, "the format of %s must be a text in quotes", node->func);

		qt_diag_hint(c->s->diags, d, "write %s(\"%%s%s\", VALUE)", node->func, strcmp(node->func, "printf") ? "" : "\\n");
		return;
	}
	p.at = QT_AST(str, first)->value.ptr;
	p.end = p.at + QT_AST(str, first)->value.len;
	stmt = qt_stmt_new(c, out, QT_S_PRINTF, node->head.span);
	for (uint32_t i = 1; i < node->args.len; i++)
		*qt_vec_push(c->s->arena, &stmt->args) = qt_check_expr(c, node->args.items[i]);
	if (!read_format(&p))
		return;
	if (p.taken.len != stmt->args.len) {
		argument_count(&p, node, stmt->args.len);
		return;
	}
	for (uint32_t i = 0; i < stmt->args.len; i++)
		stmt->args.items[i] = fit_argument(c, &p.taken.items[i], stmt->args.items[i]);
	emit_format(c, format, stmt);
}

void qt_check_print_value(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out)
{
	struct qt_format *format = QT_NEW(c->s->arena, struct qt_format);
	const struct qt_tree *tuple = qt_tuple_of(c, node->args.items[0]);
	struct qt_tree single = { .leaf = tuple ? NULL : qt_check_expr(c, node->args.items[0]) };
	struct qt_stmt *stmt;

	if (!tuple && qt_x_bad(single.leaf))
		return;
	format->span = node->head.span;
	stmt = qt_stmt_new(c, out, QT_S_PRINTF, node->head.span);
	qt_tuple_format(c, tuple ? tuple : &single, format, stmt);
	*qt_vec_push(c->s->arena, &format->pieces) =
		(struct qt_format_piece){ .kind = QT_FMT_TEXT, .text = QT_STR("\n"), .width = -1, .precision = -1 };
	qt_vec_each (x, &stmt->args) {
		if (qt_x_bad(*x))
			return;
	}
	emit_format(c, format, stmt);
}
