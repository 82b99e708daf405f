/* Operators: which type the operands are brought to, which unit the result has, what can be computed here. Arithmetic is done in 64 bits:
 * signed, unless an operand is an unsigned number of 64 bits or an address. Comparisons are by value. */
#include "sema/sema_internal.h"

struct op_row {
	const char *text;
	enum qt_op op;
	enum { ARITHMETIC, SHIFT, BITS, COMPARE } class;
};

static const struct op_row ops[] = {
	{ "+", QT_OP_ADD, ARITHMETIC }, { "-", QT_OP_SUB, ARITHMETIC }, { "*", QT_OP_MUL, ARITHMETIC }, { "/", QT_OP_DIV, ARITHMETIC },
	{ "%", QT_OP_MOD, ARITHMETIC }, { "&", QT_OP_AND, BITS },	{ "|", QT_OP_OR, BITS },	{ "^", QT_OP_XOR, BITS },
	{ "<<", QT_OP_SHL, SHIFT },	{ ">>", QT_OP_SHR, SHIFT },	{ "==", QT_OP_EQ, COMPARE },	{ "!=", QT_OP_NE, COMPARE },
	{ "<", QT_OP_LT, COMPARE },	{ "<=", QT_OP_LE, COMPARE },	{ ">", QT_OP_GT, COMPARE },	{ ">=", QT_OP_GE, COMPARE },
};

static const struct op_row *find_op(const char *text)
{
	for (size_t i = 0; i < QT_COUNT(ops); i++) {
		if (!strcmp(ops[i].text, text))
			return &ops[i];
	}
	QT_BUG("no operator %s", text);
}

/* ---- types of operands ---- */

static bool is_unsigned64(struct qt_type t)
{
	return t.kind == QT_TYPE_PTR || (t.size == 8 && !t.is_signed && !t.literal);
}

static struct qt_type common_type(struct qt_type a, struct qt_type b)
{
	struct qt_type t = is_unsigned64(a) || is_unsigned64(b) ? QT_U64 : QT_I64;

	t.literal = a.literal && b.literal;
	return t;
}

static enum qt_unit unit_of(struct qt_type t)
{
	return t.kind == QT_TYPE_INT ? t.unit : QT_UNIT_NONE;
}

/* A time divided by 1000, or bytes by 1024, is a plain number of microseconds or KiB. */
static bool converts_unit(enum qt_unit unit, const struct qt_expr *by)
{
	if (by->kind != QT_X_INT || !by->value)
		return false;
	return unit == QT_UNIT_NS ? by->value % 1000 == 0 : unit == QT_UNIT_BYTES && by->value % 512 == 0;
}

static enum qt_unit product_unit(enum qt_unit a, enum qt_unit b)
{
	return a && b ? QT_UNIT_NONE : a ? a : b;
}

static enum qt_unit quotient_unit(enum qt_unit a, enum qt_unit b, const struct qt_expr *by)
{
	return b || converts_unit(a, by) ? QT_UNIT_NONE : a;
}

static enum qt_unit result_unit(struct qt_check *c, struct qt_span span, const struct op_row *op, struct qt_expr *a, struct qt_expr *b)
{
	enum qt_unit ua = unit_of(a->type), ub = unit_of(b->type);

	switch (op->op) {
	case QT_OP_MUL:
		return product_unit(ua, ub);
	case QT_OP_DIV:
		return quotient_unit(ua, ub, b);
	case QT_OP_ADD:
	case QT_OP_SUB:
		if (ua && ub && ua != ub) {
			qt_diag_add(c->s->diags, QT_W0203, span, "a time and a size are mixed: the result has no unit");
			return QT_UNIT_NONE;
		}
		return ua ? ua : ub;
	case QT_OP_MOD:
		return ua;
	default:
		return QT_UNIT_NONE;
	}
}

/* ---- constants ---- */

static uint64_t divide(uint64_t a, uint64_t b, bool is_signed, bool rest)
{
	if (!b)
		return 0;
	if (!is_signed)
		return rest ? a % b : a / b;
	if ((int64_t)b == -1)
		return rest ? 0 : 0 - a;
	return rest ? (uint64_t)((int64_t)a % (int64_t)b) : (uint64_t)((int64_t)a / (int64_t)b);
}

static bool order(enum qt_op op, uint64_t a, uint64_t b, bool is_signed)
{
	bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;

	switch (op) {
	case QT_OP_EQ:
		return a == b;
	case QT_OP_NE:
		return a != b;
	case QT_OP_LT:
		return less;
	case QT_OP_LE:
		return less || a == b;
	case QT_OP_GT:
		return !less && a != b;
	default:
		return !less;
	}
}

static uint64_t compute(enum qt_op op, uint64_t a, uint64_t b, bool is_signed)
{
	switch (op) {
	case QT_OP_ADD:
		return a + b;
	case QT_OP_SUB:
		return a - b;
	case QT_OP_MUL:
		return a * b;
	case QT_OP_DIV:
		return divide(a, b, is_signed, false);
	case QT_OP_MOD:
		return divide(a, b, is_signed, true);
	case QT_OP_AND:
		return a & b;
	case QT_OP_OR:
		return a | b;
	case QT_OP_XOR:
		return a ^ b;
	case QT_OP_SHL:
		return a << (b & 63);
	case QT_OP_SHR:
		return is_signed ? (uint64_t)((int64_t)a >> (b & 63)) : a >> (b & 63);
	default:
		return order(op, a, b, is_signed);
	}
}

/* OP on A and B, which have one type already: a constant where both are. */
static struct qt_expr *make_binary(struct qt_check *c, struct qt_span span, enum qt_op op, struct qt_type type, struct qt_expr *a, struct qt_expr *b)
{
	struct qt_expr *x;

	if (a->kind == QT_X_INT && b->kind == QT_X_INT) {
		x = qt_x_int(c->s, compute(op, a->value, b->value, a->type.is_signed), type, span);
		x->type.literal = type.literal && (int64_t)x->value >= 0;
		return x;
	}
	x = qt_x_new(c->s, QT_X_BINARY, type, span);
	x->type.literal = false;
	x->op = op;
	x->a = a;
	x->b = b;
	return x;
}

/* ---- texts ---- */

static void long_comm(struct qt_check *c, const struct qt_expr *a, const struct qt_expr *b)
{
	struct qt_diag *d;

	if (a->type.kind != QT_TYPE_COMM || b->kind != QT_X_STR || b->text.len <= 15)
		return;
	d = qt_diag_add(c->s->diags, QT_W0202, b->span, "comm is never equal to this: the kernel keeps 15 bytes of a name");
	qt_diag_hint(c->s->diags, d, "compare it with \"%.15s\"", b->text.ptr);
}

static struct qt_expr *compare_texts(struct qt_check *c, struct qt_span span, const struct op_row *op, struct qt_expr *a, struct qt_expr *b)
{
	struct qt_expr *x;

	if (op->op != QT_OP_EQ && op->op != QT_OP_NE) {
		struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0204, span, "texts cannot be used with `%s`", op->text);

		qt_diag_hint(c->s->diags, d, "texts are compared with == and !=");
		return qt_x_error(c->s, span);
	}
	a = qt_x_probe_text(c, a);
	b = qt_x_probe_text(c, b);
	if (qt_x_bad(a) || qt_x_bad(b))
		return qt_x_error(c->s, span);
	if (a->kind == QT_X_STR && b->kind == QT_X_STR)
		return qt_x_int(c->s, qt_str_eq(a->text, b->text) == (op->op == QT_OP_EQ), QT_BOOL, span);
	long_comm(c, a, b);
	long_comm(c, b, a);
	x = qt_x_new(c->s, QT_X_STR_EQ, QT_BOOL, span);
	x->op = op->op;
	x->a = a;
	x->b = b;
	return x;
}

struct qt_expr *qt_x_probe_text(struct qt_check *c, struct qt_expr *x)
{
	const struct qt_point *p = c->group->points.items;
	const char *first;

	if (x->type.kind != QT_TYPE_PROBE)
		return x;
	first = p && x->type.func ? p->func : p ? p->probe : "";
	for (uint32_t i = 1; i < c->group->points.len; i++) {
		if (!strcmp(x->type.func ? p[i].func : p[i].probe, first))
			continue;
		struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0204, x->span,
						"the %s of a rule with several points cannot be compared or mixed with other texts",
						x->type.func ? "func" : "probe");
		qt_diag_hint(c->s->diags, d, "use it alone as a key, or write a rule for each point");
		return qt_x_error(c->s, x->span);
	}
	return qt_x_str(c->s, qt_str_from(first), x->span);
}

struct qt_expr *qt_x_fit(struct qt_check *c, struct qt_expr *x, struct qt_type type)
{
	return qt_x_convert(c->s, type.kind == QT_TYPE_STR ? qt_x_probe_text(c, x) : x, type);
}

/* ---- comparison of numbers ---- */

static bool is_never_negative(struct qt_type t)
{
	return t.kind == QT_TYPE_PTR || !t.is_signed || t.literal;
}

bool qt_x_is_cheap(const struct qt_expr *x)
{
	switch (x->kind) {
	case QT_X_INT:
	case QT_X_ARG:
	case QT_X_FIELD:
	case QT_X_USDT:
	case QT_X_RETVAL:
	case QT_X_ENTRY:
	case QT_X_CONTEXT:
	case QT_X_SCRATCH:
		return true;
	case QT_X_CAST:
		return qt_x_is_cheap(x->a);
	default:
		return false;
	}
}

static const char *const fixed_text[] = { "never true", "always true" };

static void always(struct qt_check *c, struct qt_span span, const struct qt_expr *what, bool truth, const char *why)
{
	struct qt_diag *d = qt_diag_add(c->s->diags, QT_W0201, span, "this is %s: %s is %s", fixed_text[truth], qt_type_words(what->type), why);

	if (what->type.kind == QT_TYPE_INT && what->type.size == 8)
		qt_diag_hint(c->s->diags, d, "if the number has a sign, say so: (int64)VALUE, or (int32)VALUE for a C int");
}

/* U (never negative) OP S (signed): right by value where S is cheap to look at twice. */
static struct qt_expr *compare_mixed(struct qt_check *c, struct qt_span span, enum qt_op op, struct qt_expr *u, struct qt_expr *s)
{
	bool less = op == QT_OP_LT || op == QT_OP_LE;
	struct qt_expr *x, *sign, *zero;

	if (s->kind == QT_X_INT) {
		always(c, span, u, !less, "never negative");
		return qt_x_int(c->s, !less, QT_BOOL, span);
	}
	x = make_binary(c, span, op, QT_BOOL, qt_x_convert(c->s, u, QT_U64), qt_x_convert(c->s, s, QT_U64));
	if (!qt_x_is_cheap(s)) {
		struct qt_diag *d = qt_diag_add(c->s->diags, QT_W0201, span, "a signed number is compared with an unsigned one, as unsigned");

		qt_diag_hint(c->s->diags, d, "cast one of them: (int64)VALUE or (uint64)VALUE");
		return x;
	}
	zero = qt_x_int(c->s, 0, QT_I64, span);
	sign = make_binary(c, span, less ? QT_OP_GE : QT_OP_LT, QT_BOOL, qt_x_convert(c->s, s, QT_I64), zero);
	zero = qt_x_new(c->s, less ? QT_X_AND : QT_X_OR, QT_BOOL, span);
	zero->a = sign;
	zero->b = x;
	return zero;
}

static enum qt_op mirrored(enum qt_op op)
{
	switch (op) {
	case QT_OP_LT:
		return QT_OP_GT;
	case QT_OP_LE:
		return QT_OP_GE;
	case QT_OP_GT:
		return QT_OP_LT;
	case QT_OP_GE:
		return QT_OP_LE;
	default:
		return op;
	}
}

/* `unsigned < 0` and `unsigned >= 0`. */
static void compare_with_zero(struct qt_check *c, struct qt_span span, enum qt_op op, const struct qt_expr *a, const struct qt_expr *b)
{
	if (b->kind != QT_X_INT || b->value || a->kind == QT_X_INT || !is_never_negative(a->type))
		return;
	if (op == QT_OP_LT || op == QT_OP_GE)
		always(c, span, a, op == QT_OP_GE, "never negative");
}

static struct qt_expr *compare(struct qt_check *c, struct qt_span span, enum qt_op op, struct qt_expr *a, struct qt_expr *b)
{
	bool ordered = op != QT_OP_EQ && op != QT_OP_NE;
	struct qt_type type;

	if (unit_of(a->type) && unit_of(b->type) && unit_of(a->type) != unit_of(b->type))
		qt_diag_add(c->s->diags, QT_W0203, span, "a time is compared with a size");
	compare_with_zero(c, span, op, a, b);
	compare_with_zero(c, span, mirrored(op), b, a);
	if (ordered && is_unsigned64(a->type) && !is_never_negative(b->type))
		return compare_mixed(c, span, op, a, b);
	if (ordered && is_unsigned64(b->type) && !is_never_negative(a->type))
		return compare_mixed(c, span, mirrored(op), b, a);
	type = common_type(a->type, b->type);
	return make_binary(c, span, op, QT_BOOL, qt_x_convert(c->s, a, type), qt_x_convert(c->s, b, type));
}

/* ---- arithmetic ---- */

static struct qt_expr *scaled(struct qt_check *c, struct qt_expr *n, const struct qt_type *to)
{
	unsigned size = !to ? 1 : to->kind == QT_TYPE_PTR ? 8 : to->size;
	struct qt_expr *a = qt_x_convert(c->s, n, QT_U64);

	return size <= 1 ? a : make_binary(c, n->span, QT_OP_MUL, QT_U64, a, qt_x_int(c->s, size, QT_U64, n->span));
}

/* An address plus or minus a number of elements, as in C. */
static struct qt_expr *move_pointer(struct qt_check *c, struct qt_span span, enum qt_op op, struct qt_expr *p, struct qt_expr *n)
{
	struct qt_expr *x = make_binary(c, span, op, QT_U64, qt_x_convert(c->s, p, QT_U64), scaled(c, n, p->type.to));

	return qt_x_convert(c->s, x, p->type);
}

static struct qt_expr *arithmetic(struct qt_check *c, struct qt_span span, const struct op_row *op, struct qt_expr *a, struct qt_expr *b)
{
	struct qt_type type = common_type(a->type, b->type);

	if (a->type.kind == QT_TYPE_PTR && b->type.kind == QT_TYPE_INT && (op->op == QT_OP_ADD || op->op == QT_OP_SUB))
		return move_pointer(c, span, op->op, a, b);
	if (b->type.kind == QT_TYPE_PTR && a->type.kind == QT_TYPE_INT && op->op == QT_OP_ADD)
		return move_pointer(c, span, op->op, b, a);
	if ((op->op == QT_OP_DIV || op->op == QT_OP_MOD) && b->kind == QT_X_INT && !b->value)
		qt_diag_add(c->s->diags, QT_W0204, b->span, "a division by zero gives 0");
	type.unit = result_unit(c, span, op, a, b);
	a = qt_x_convert(c->s, a, type);
	b = qt_x_convert(c->s, b, type);
	return make_binary(c, span, op->op, type, a, b);
}

static struct qt_expr *shift(struct qt_check *c, struct qt_span span, const struct op_row *op, struct qt_expr *a, struct qt_expr *b)
{
	struct qt_type type = common_type(a->type, a->type);

	return make_binary(c, span, op->op, type, qt_x_convert(c->s, a, type), qt_x_convert(c->s, b, QT_U64));
}

static struct qt_expr *mixed_error(struct qt_check *c, struct qt_span span, const struct op_row *op, struct qt_expr *a, struct qt_expr *b)
{
	struct qt_diag *d =
		qt_diag_add(c->s->diags, QT_E0204, span, "`%s` cannot take %s and %s", op->text, qt_type_words(a->type), qt_type_words(b->type));
	struct qt_expr *number = qt_is_number(a->type) ? a : b;

	if (number->kind != QT_X_INT && (qt_is_text(a->type) || qt_is_text(b->type)))
		qt_diag_hint(c->s->diags, d, "str(ADDRESS) reads the text at an address");
	return qt_x_error(c->s, span);
}

struct qt_expr *qt_check_binary(struct qt_check *c, const struct qt_ast *node, const char *text, struct qt_expr *a, struct qt_expr *b)
{
	const struct op_row *op = find_op(text);

	if (qt_is_text(a->type) && qt_is_text(b->type))
		return compare_texts(c, node->span, op, a, b);
	if (!qt_is_number(a->type) || !qt_is_number(b->type))
		return mixed_error(c, node->span, op, a, b);
	if (op->class == COMPARE)
		return compare(c, node->span, op->op, a, b);
	if (op->class == SHIFT)
		return shift(c, node->span, op, a, b);
	return arithmetic(c, node->span, op, a, b);
}

/* ---- one operand ---- */

static struct qt_expr *make_unary(struct qt_check *c, struct qt_span span, enum qt_op op, struct qt_type type, struct qt_expr *a)
{
	struct qt_expr *x;

	type.literal = false;
	if (a->kind == QT_X_INT) {
		uint64_t v = op == QT_OP_NEG ? 0 - a->value : op == QT_OP_COMPL ? ~a->value : !a->value;

		return qt_x_int(c->s, v, type, span);
	}
	x = qt_x_new(c->s, QT_X_UNARY, type, span);
	x->op = op;
	x->a = a;
	return x;
}

struct qt_expr *qt_check_unary(struct qt_check *c, const struct qt_ast *node, const char *op, struct qt_expr *a)
{
	struct qt_type type = a->type;

	if (!qt_is_number(a->type)) {
		qt_diag_add(c->s->diags, QT_E0204, node->span, "`%s` cannot take %s", op, qt_type_words(a->type));
		return qt_x_error(c->s, node->span);
	}
	if (!strcmp(op, "*"))
		return qt_check_deref(c, node->span, a);
	if (!strcmp(op, "!"))
		return make_unary(c, node->span, QT_OP_NOT, QT_BOOL, a);
	if (!strcmp(op, "&")) {
		qt_diag_add(c->s->diags, QT_E0213, node->span, "the address of a value cannot be taken");
		return qt_x_error(c->s, node->span);
	}
	type = !strcmp(op, "~") ? common_type(type, type) : QT_I64;
	type.unit = !strcmp(op, "-") ? unit_of(a->type) : QT_UNIT_NONE;
	return make_unary(c, node->span, !strcmp(op, "~") ? QT_OP_COMPL : QT_OP_NEG, type, qt_x_convert(c->s, a, type));
}
