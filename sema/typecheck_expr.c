/* Expressions: one function a kind of node, through a table. Each gives a typed expression; in error, one of the type ERROR. */
#include "sema/sema_internal.h"

#include "parser/parser.h"

#include <stdlib.h>

/* ---- making expressions ---- */

struct qt_expr *qt_x_new(struct qt_sema *s, enum qt_expr_kind kind, struct qt_type type, struct qt_span span)
{
	struct qt_expr *x = QT_NEW(s->arena, struct qt_expr);

	x->kind = kind;
	x->type = type;
	x->span = span;
	return x;
}

struct qt_expr *qt_x_error(struct qt_sema *s, struct qt_span span)
{
	return qt_x_new(s, QT_X_INT, (struct qt_type){ .kind = QT_TYPE_ERROR }, span);
}

struct qt_expr *qt_x_int(struct qt_sema *s, uint64_t value, struct qt_type type, struct qt_span span)
{
	struct qt_expr *x = qt_x_new(s, QT_X_INT, type, span);

	x->value = value;
	return x;
}

struct qt_expr *qt_x_str(struct qt_sema *s, struct qt_str text, struct qt_span span)
{
	struct qt_expr *x = qt_x_new(s, QT_X_STR, (struct qt_type){ .kind = QT_TYPE_STR }, span);

	x->text = text;
	return x;
}

/* A literal takes the type that is asked for; a narrower number is one of 64 bits already. */
static struct qt_expr *convert_int(struct qt_sema *s, struct qt_expr *x, struct qt_type type)
{
	struct qt_expr *cast;

	if (x->type.size == type.size && x->type.is_signed == type.is_signed)
		return x;
	if (x->kind == QT_X_INT && type.size == 8) {
		cast = qt_x_int(s, x->value, type, x->span);
	} else {
		cast = qt_x_new(s, QT_X_CAST, type, x->span);
		cast->a = x;
	}
	cast->type.unit = x->type.literal && !x->type.unit ? type.unit : x->type.unit;
	return cast;
}

struct qt_expr *qt_x_convert(struct qt_sema *s, struct qt_expr *x, struct qt_type type)
{
	struct qt_expr *cast;

	if (qt_x_bad(x) || type.kind == QT_TYPE_ERROR || qt_type_eq(x->type, type))
		return x;
	if (x->type.kind == QT_TYPE_INT && type.kind == QT_TYPE_INT)
		return convert_int(s, x, type);
	if (x->type.kind == type.kind && type.kind != QT_TYPE_PTR)
		return x;
	cast = qt_x_new(s, QT_X_CAST, type, x->span);
	cast->a = x;
	return cast;
}

/* ---- names ---- */

static struct qt_expr *unknown_name(struct qt_check *c, const struct qt_ast_ident *node)
{
	struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0401, node->head.span, "`%s` is no built-in, and no rule sets it", node->name);
	const char *foreign = qt_foreign_hint(c->s->arena, node->name);
	const struct qt_builtin *b;
	struct qt_suggest near;

	if (foreign) {
		qt_diag_hint(c->s->diags, d, "%s", foreign);
		return qt_x_error(c->s, node->head.span);
	}
	qt_suggest_begin(&near, node->name);
	qt_vec_each (v, &c->s->program->contexts)
		qt_suggest_offer(&near, v->name);
	for (unsigned i = 0; (b = qt_builtin_at(i)); i++) {
		if (b->kind == QT_BUILTIN_VARIABLE || b->kind == QT_BUILTIN_ARGUMENT)
			qt_suggest_offer(&near, b->name);
	}
	if (!qt_suggest_hint(c->s->diags, d, &near))
		qt_diag_hint(c->s->diags, d, "a context variable is set first: on PROBE set %s = ...; a text stands in quotes: \"%s\"", node->name, node->name);
	return qt_x_error(c->s, node->head.span);
}

static struct qt_expr *not_a_value(struct qt_check *c, const struct qt_ast_ident *node, const struct qt_builtin *b)
{
	struct qt_diag *d;

	if (b->kind == QT_BUILTIN_LATER) {
		d = qt_diag_add(c->s->diags, QT_E0213, node->head.span, "`%s` is not available", node->name);
		if (b->text[0])
			qt_diag_hint(c->s->diags, d, "%s", b->text);
	} else {
		d = qt_diag_add(c->s->diags, QT_E0202, node->head.span, "`%s` is a function", node->name);
		qt_diag_hint(c->s->diags, d, "call it: %s", b->written);
	}
	return qt_x_error(c->s, node->head.span);
}

/* A function that needs no arguments is a value by its name alone. */
static struct qt_expr *call_without(struct qt_check *c, const struct qt_ast_ident *id)
{
	struct qt_ast_call *call = QT_NEW(c->s->arena, struct qt_ast_call);

	call->head = (struct qt_ast){ .kind = QT_AST_call, .span = id->head.span };
	call->func = id->name;
	return qt_check_call(c, call);
}

static struct qt_expr *check_ident(struct qt_check *c, const struct qt_ast *node)
{
	const struct qt_ast_ident *id = QT_AST(ident, node);
	const struct qt_builtin *b = qt_builtin_find(id->name);
	int index = qt_context_find(c->s, id->name);

	if (index >= 0)
		return qt_check_context_read(c, index, node->span);
	qt_vec_each (p, &c->s->params) {
		if (p->name == id->name)
			return qt_check_expr(c, p->value);
	}
	if (!b)
		return unknown_name(c, id);
	if (b->kind == QT_BUILTIN_VARIABLE || b->kind == QT_BUILTIN_ARGUMENT)
		return qt_check_variable(c, b, node);
	if (b->kind == QT_BUILTIN_FUNCTION && !b->min_args)
		return call_without(c, id);
	return not_a_value(c, id, b);
}

/* ---- literals ---- */

static struct qt_expr *check_int(struct qt_check *c, const struct qt_ast *node)
{
	const struct qt_ast_int *n = QT_AST(int, node);
	struct qt_type type = QT_INT(8, n->value <= INT64_MAX);

	type.literal = n->value <= INT64_MAX;
	if (n->unit)
		type.unit = !strcmp(n->unit, "ns") ? QT_UNIT_NS : QT_UNIT_BYTES;
	return qt_x_int(c->s, n->value, type, node->span);
}

static struct qt_expr *check_bool(struct qt_check *c, const struct qt_ast *node)
{
	return qt_x_int(c->s, QT_AST(bool, node)->value, QT_BOOL, node->span);
}

static struct qt_expr *check_str(struct qt_check *c, const struct qt_ast *node)
{
	struct qt_str text = QT_AST(str, node)->value;

	if (memchr(text.ptr, 0, text.len)) {
		qt_diag_add(c->s->diags, QT_E0204, node->span, "a text cannot hold a NUL: it would end there");
		return qt_x_error(c->s, node->span);
	}
	if (text.len > c->s->program->max_strlen && !c->s->feeding) {
		struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0204, node->span, "this text is longer than any that is read (%u bytes)",
						c->s->program->max_strlen);
		qt_diag_hint(c->s->diags, d, "config = { max_strlen = N; } sets the limit");
		return qt_x_error(c->s, node->span);
	}
	return qt_x_str(c->s, text, node->span);
}

struct qt_expr *qt_positional(struct qt_sema *s, uint64_t number, bool as_text, struct qt_span span)
{
	const char *text = number && number <= (uint64_t)s->options->nparams ? s->options->params[number - 1] : NULL;
	struct qt_type literal = QT_I64;
	uint64_t value;
	char *end;

	literal.literal = true;
	if (!number)
		return qt_x_int(s, (uint64_t)s->options->nparams, literal, span);
	if (as_text)
		return qt_x_str(s, qt_str_from(text ? text : ""), span);
	if (!text)
		return qt_x_int(s, 0, literal, span);
	value = strtoull(text, &end, 0);
	if (end == text || *end || text[0] == '+')
		return qt_x_str(s, qt_str_from(text), span);
	return qt_x_int(s, value, text[0] == '-' ? QT_I64 : value > INT64_MAX ? QT_U64 : literal, span);
}

static struct qt_expr *check_positional(struct qt_check *c, const struct qt_ast *node)
{
	return qt_positional(c->s, QT_AST(positional, node)->number, false, node->span);
}

/* ---- operators ---- */

static struct qt_expr *logic(struct qt_check *c, const struct qt_ast_binary *b, bool both)
{
	uint64_t known = c->known;
	struct qt_expr *x = qt_x_new(c->s, both ? QT_X_AND : QT_X_OR, QT_BOOL, b->head.span);

	x->a = qt_check_condition(c, b->left);
	c->known |= qt_context_facts(c->s, b->left, both);
	x->b = qt_check_condition(c, b->right);
	c->known = known;
	return qt_x_bad(x->a) || qt_x_bad(x->b) ? qt_x_error(c->s, b->head.span) : x;
}

static struct qt_expr *check_binary(struct qt_check *c, const struct qt_ast *node)
{
	const struct qt_ast_binary *b = QT_AST(binary, node);
	struct qt_expr *left, *right;

	if (!strcmp(b->op, "&&") || !strcmp(b->op, "||"))
		return logic(c, b, b->op[0] == '&');
	left = qt_check_expr(c, b->left);
	right = qt_check_expr(c, b->right);
	if (qt_x_bad(left) || qt_x_bad(right))
		return qt_x_error(c->s, node->span);
	return qt_check_binary(c, node, b->op, left, right);
}

static struct qt_expr *check_unary(struct qt_check *c, const struct qt_ast *node)
{
	const struct qt_ast_unary *u = QT_AST(unary, node);
	struct qt_expr *value = qt_check_expr(c, u->value);

	return qt_x_bad(value) ? value : qt_check_unary(c, node, u->op, value);
}

static struct qt_expr *check_ternary(struct qt_check *c, const struct qt_ast *node)
{
	const struct qt_ast_ternary *t = QT_AST(ternary, node);
	struct qt_expr *x = qt_x_new(c->s, QT_X_TERNARY, QT_I64, node->span);
	uint64_t known = c->known;

	x->a = qt_check_condition(c, t->cond);
	c->known = known | qt_context_facts(c->s, t->cond, true);
	x->b = qt_check_expr(c, t->then);
	c->known = known | qt_context_facts(c->s, t->cond, false);
	x->c = qt_check_expr(c, t->otherwise);
	c->known = known;
	if (qt_x_bad(x->a) || qt_x_bad(x->b) || qt_x_bad(x->c))
		return qt_x_error(c->s, node->span);
	if (x->b->type.kind == QT_TYPE_VOID || !qt_type_join(x->b->type, x->c->type, &x->type)) {
		qt_diag_add(c->s->diags, QT_E0204, node->span, "the two sides of `?:` are %s and %s", qt_type_words(x->b->type),
			    qt_type_words(x->c->type));
		return qt_x_error(c->s, node->span);
	}
	x->type = qt_type_stored(x->type);
	x->b = qt_x_fit(c, x->b, x->type);
	x->c = qt_x_fit(c, x->c, x->type);
	return qt_x_bad(x->b) || qt_x_bad(x->c) ? qt_x_error(c->s, node->span) : x;
}

/* ---- casts and memory ---- */

static bool cast_type(struct qt_check *c, const struct qt_ast_type_name *t, enum qt_space space, struct qt_type *out)
{
	struct qt_diag *d;
	struct qt_suggest near;
	bool is_struct = !strncmp(t->name, "struct ", 7) || !strncmp(t->name, "union ", 6);

	*out = (struct qt_type){ .kind = QT_TYPE_VOID };
	if ((qt_type_find(t->name, out) && (out->kind != QT_TYPE_VOID || t->stars)) || (is_struct && t->stars)) {
		for (uint64_t i = 0; i < t->stars; i++) {
			struct qt_type *to = QT_NEW(c->s->arena, struct qt_type);

			*to = *out;
			*out = (struct qt_type){ .kind = QT_TYPE_PTR, .space = space, .to = to->kind == QT_TYPE_VOID ? NULL : to };
		}
		return true;
	}
	d = qt_diag_add(c->s->diags, QT_E0209, t->head.span,
			is_struct || !strcmp(t->name, "void") ? "nothing can be cast to `%s`" : "there is no type `%s`", t->name);
	qt_suggest_begin(&near, t->name);
	qt_type_each_name(qt_offer_name, &near);
	if (is_struct || !qt_suggest_hint(c->s->diags, d, &near))
		qt_diag_hint(c->s->diags, d, "types are int8..int64, uint8..uint64, the integer types of C, and pointers to them");
	return false;
}

/* A constant is cut and extended here: (uint8)300 is 44. */
static struct qt_expr *fold_cast(struct qt_sema *s, struct qt_expr *x, struct qt_type type)
{
	unsigned shift = 64 - type.size * 8u;
	uint64_t v = x->value << shift;

	return qt_x_int(s, type.is_signed ? (uint64_t)((int64_t)v >> shift) : v >> shift, type, x->span);
}

static struct qt_expr *check_cast(struct qt_check *c, const struct qt_ast *node)
{
	const struct qt_ast_cast *cast = QT_AST(cast, node);
	struct qt_expr *value = qt_check_expr(c, cast->value), *x;
	enum qt_space space = value->type.kind == QT_TYPE_PTR ? value->type.space : c->group->space;
	struct qt_type type;

	if (!cast_type(c, QT_AST(type_name, cast->type), space, &type) || qt_x_bad(value))
		return qt_x_error(c->s, node->span);
	if (!qt_is_number(value->type)) {
		qt_diag_add(c->s->diags, QT_E0204, cast->value->span, "%s cannot be cast to a number", qt_type_words(value->type));
		return qt_x_error(c->s, node->span);
	}
	if (type.kind == QT_TYPE_INT && value->type.kind == QT_TYPE_INT)
		type.unit = value->type.unit;
	if (value->kind == QT_X_INT && type.kind == QT_TYPE_INT)
		return fold_cast(c->s, value, type);
	x = qt_x_new(c->s, QT_X_CAST, type, node->span);
	x->a = value;
	return x;
}

struct qt_expr *qt_check_deref(struct qt_check *c, struct qt_span span, struct qt_expr *address)
{
	struct qt_diag *d;
	struct qt_expr *x;

	if (address->type.kind != QT_TYPE_PTR || !address->type.to ||
	    (address->type.to->kind != QT_TYPE_INT && address->type.to->kind != QT_TYPE_PTR)) {
		d = qt_diag_add(c->s->diags, QT_E0204, span, "%s does not tell how much to read there", qt_type_words(address->type));
		qt_diag_hint(c->s->diags, d, "say it with a cast: *(uint64 *)ADDRESS");
		return qt_x_error(c->s, span);
	}
	x = qt_x_new(c->s, QT_X_DEREF, *address->type.to, span);
	x->a = address;
	return x;
}

static struct qt_expr *check_index(struct qt_check *c, const struct qt_ast *node)
{
	const struct qt_ast_index *i = QT_AST(index, node);
	struct qt_expr *object = qt_check_expr(c, i->object), *at = qt_check_expr(c, i->at);

	if (qt_x_bad(object) || qt_x_bad(at))
		return qt_x_error(c->s, node->span);
	if (object->type.kind == QT_TYPE_PTR && object->type.to)
		object = qt_check_binary(c, node, "+", object, at);
	return qt_x_bad(object) ? object : qt_check_deref(c, node->span, object);
}

static struct qt_expr *check_member(struct qt_check *c, const struct qt_ast *node)
{
	const struct qt_ast_member *m = QT_AST(member, node);
	struct qt_expr *part;
	struct qt_diag *d;

	if (m->object->kind == QT_AST_ident && !strcmp(QT_AST(ident, m->object)->name, "args"))
		return qt_check_arg(c, node);
	part = qt_check_part(c, m);
	if (part)
		return part;
	if (qt_x_bad(qt_check_expr(c, m->object)))
		return qt_x_error(c->s, node->span);
	d = qt_diag_add(c->s->diags, QT_E0213, node->span, "fields of structures are not available");
	qt_diag_hint(c->s->diags, d, "*(uint64 *)(ADDRESS + OFFSET) reads memory; args.NAME reads an argument by its name");
	return qt_x_error(c->s, node->span);
}

/* ---- the rest ---- */

static struct qt_expr *check_scratch(struct qt_check *c, const struct qt_ast *node)
{
	return qt_check_scratch_read(c, QT_AST(scratch, node));
}

static struct qt_expr *check_map(struct qt_check *c, const struct qt_ast *node)
{
	return qt_check_map_read(c, QT_AST(map, node));
}

static struct qt_expr *check_call(struct qt_check *c, const struct qt_ast *node)
{
	return qt_check_call(c, QT_AST(call, node));
}

static struct qt_expr *check_incdec(struct qt_check *c, const struct qt_ast *node)
{
	const struct qt_ast_incdec *i = QT_AST(incdec, node);

	if (i->place->kind == QT_AST_map)
		return qt_check_map_incdec(c, i, NULL);
	return qt_check_scratch_incdec(c, i);
}

static struct qt_expr *check_tuple(struct qt_check *c, const struct qt_ast *node)
{
	return qt_tuple_error(c, node->span);
}

typedef struct qt_expr *(*check_fn)(struct qt_check *c, const struct qt_ast *node);

static const check_fn checks[QT_AST_COUNT] = {
	[QT_AST_int] = check_int,
	[QT_AST_bool] = check_bool,
	[QT_AST_str] = check_str,
	[QT_AST_ident] = check_ident,
	[QT_AST_scratch] = check_scratch,
	[QT_AST_map] = check_map,
	[QT_AST_call] = check_call,
	[QT_AST_positional] = check_positional,
	[QT_AST_member] = check_member,
	[QT_AST_index] = check_index,
	[QT_AST_unary] = check_unary,
	[QT_AST_binary] = check_binary,
	[QT_AST_coalesce] = qt_check_coalesce,
	[QT_AST_ternary] = check_ternary,
	[QT_AST_cast] = check_cast,
	[QT_AST_incdec] = check_incdec,
	[QT_AST_tuple] = check_tuple,
	[QT_AST_record] = check_tuple,
};

struct qt_expr *qt_check_expr(struct qt_check *c, const struct qt_ast *node)
{
	check_fn fn = checks[node->kind];

	if (!fn)
		QT_BUG("no expression: %s", qt_ast_kind_name(node->kind));
	return fn(c, node);
}

struct qt_expr *qt_check_condition(struct qt_check *c, const struct qt_ast *node)
{
	struct qt_expr *x = qt_check_expr(c, node);
	struct qt_diag *d;

	if (qt_x_bad(x) || qt_is_number(x->type))
		return x;
	d = qt_diag_add(c->s->diags, QT_E0204, node->span, "%s is neither true nor false", qt_type_words(x->type));
	if (qt_is_text(x->type))
		qt_diag_hint(c->s->diags, d, "compare it: != \"\"");
	return qt_x_error(c->s, node->span);
}

struct qt_expr *qt_check_number(struct qt_check *c, const struct qt_ast *node, const char *what)
{
	struct qt_expr *x = qt_check_expr(c, node);

	if (qt_x_bad(x) || qt_is_number(x->type))
		return x;
	qt_diag_add(c->s->diags, QT_E0204, node->span, "%s() takes a number, not %s", what, qt_type_words(x->type));
	return qt_x_error(c->s, node->span);
}
