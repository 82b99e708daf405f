/* What the rows of builtins.def mean: variables become expressions, functions values, actions statements. */
#include "sema/sema_internal.h"

#include "parser/parser.h"

/* ---- variables ---- */

static const struct {
	const char *name;
	struct qt_expr *(*check)(struct qt_check *c, struct qt_span span);
} arguments[] = {
	{ "latency", qt_check_latency },     { "ppid", qt_check_ppid },		{ "pcomm", qt_check_pcomm },
	{ "probetype", qt_check_probetype }, { "usermode", qt_check_usermode },
};

struct qt_expr *qt_check_variable(struct qt_check *c, const struct qt_builtin *b, const struct qt_ast *node)
{
	struct qt_diag *d;
	struct qt_expr *x;

	if (b->kind == QT_BUILTIN_VARIABLE) {
		x = qt_x_new(c->s, QT_X_ENV, b->type, node->span);
		x->env = b->env;
		return x;
	}
	for (size_t i = 0; i < QT_COUNT(arguments); i++) {
		if (!strcmp(b->name, arguments[i].name))
			return arguments[i].check(c, node->span);
	}
	if (strcmp(b->name, "args"))
		return qt_check_arg(c, node);
	d = qt_diag_add(c->s->diags, QT_E0214, node->span, "`args` alone is no value");
	qt_diag_hint(c->s->diags, d, "write args.NAME; `qtrace list -v '%s'` shows the names", c->rule->text);
	return qt_x_error(c->s, node->span);
}

/* ---- calls ---- */

bool qt_check_arity(struct qt_check *c, const struct qt_builtin *b, const struct qt_ast_call *node)
{
	uint32_t n = node->args.len;
	struct qt_diag *d;

	if (n >= b->min_args && n <= b->max_args)
		return true;
	if (n < b->min_args)
		d = qt_diag_add(c->s->diags, QT_E0203, node->head.span, "%s() needs %u argument%s, not %u", b->name, b->min_args,
				b->min_args == 1 ? "" : "s", n);
	else
		d = qt_diag_add(c->s->diags, QT_E0203, node->head.span, "%s() takes %s%u argument%s, not %u", b->name,
				b->min_args == b->max_args ? "" : "at most ", b->max_args, b->max_args == 1 ? "" : "s", n);
	qt_diag_hint(c->s->diags, d, "write %s", b->written);
	return false;
}

static struct qt_expr *unknown_call(struct qt_check *c, const struct qt_ast_call *node)
{
	struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0202, node->head.span, "there is no function `%s`", node->func);
	const char *foreign = qt_foreign_hint(c->s->arena, node->func);
	const struct qt_builtin *b;
	struct qt_suggest near;

	if (foreign) {
		qt_diag_hint(c->s->diags, d, "%s", foreign);
		return qt_x_error(c->s, node->head.span);
	}
	qt_suggest_begin(&near, node->func);
	for (unsigned i = 0; (b = qt_builtin_at(i)); i++) {
		if (b->kind >= QT_BUILTIN_FUNCTION && b->kind <= QT_BUILTIN_METRIC)
			qt_suggest_offer(&near, b->name);
	}
	qt_suggest_hint(c->s->diags, d, &near);
	return qt_x_error(c->s, node->head.span);
}

/* B is no function that gives a value here. */
static struct qt_expr *wrong_call(struct qt_check *c, const struct qt_builtin *b, const struct qt_ast_call *node)
{
	struct qt_diag *d;

	if (b->kind == QT_BUILTIN_LATER) {
		d = qt_diag_add(c->s->diags, QT_E0213, node->head.span, "%s() is not available", node->func);
		if (b->text[0])
			qt_diag_hint(c->s->diags, d, "%s", b->text);
	} else if (b->kind == QT_BUILTIN_METRIC) {
		d = qt_diag_add(c->s->diags, QT_E0211, node->head.span, "%s() aggregates, and gives no value here", b->name);
		qt_diag_hint(c->s->diags, d, "write `tag KEY %s`, or `@m[KEY] = %s`", b->written, b->written);
	} else if (b->kind == QT_BUILTIN_ACTION) {
		d = qt_diag_add(c->s->diags, QT_E0202, node->head.span, "%s() gives no value", b->name);
		qt_diag_hint(c->s->diags, d, "it stands alone, as an action: %s", b->written);
	} else {
		d = qt_diag_add(c->s->diags, QT_E0202, node->head.span, "`%s` is no function", node->func);
		qt_diag_hint(c->s->diags, d, "write it without parentheses");
	}
	return qt_x_error(c->s, node->head.span);
}

/* ---- functions ---- */

static struct qt_expr *to_pointer(struct qt_check *c, struct qt_expr *x, enum qt_space space, const struct qt_type *to)
{
	struct qt_type type = { .kind = QT_TYPE_PTR, .space = space, .to = to };
	struct qt_expr *cast = qt_x_new(c->s, QT_X_CAST, type, x->span);

	cast->a = x;
	return cast;
}

static struct qt_expr *str_read(struct qt_check *c, struct qt_span span, struct qt_expr *address, struct qt_expr *length)
{
	struct qt_expr *x = qt_x_new(c->s, QT_X_STR_READ, (struct qt_type){ .kind = QT_TYPE_STR }, span);

	x->a = address;
	x->b = length;
	return x;
}

/* The kernel's functions take addresses of both kinds, and its types do not tell which. The upper half of the address space is the
 * kernel's, so the sign bit does. */
static struct qt_expr *str_of_either(struct qt_check *c, struct qt_span span, struct qt_expr *address, struct qt_expr *length)
{
	struct qt_expr *x = qt_x_new(c->s, QT_X_TERNARY, (struct qt_type){ .kind = QT_TYPE_STR }, span);

	x->a = qt_x_new(c->s, QT_X_BINARY, QT_BOOL, span);
	x->a->op = QT_OP_LT;
	x->a->a = qt_x_convert(c->s, address, QT_I64);
	x->a->b = qt_x_int(c->s, 0, QT_I64, span);
	x->b = str_read(c, span, address, length);
	x->c = str_read(c, span, to_pointer(c, address, QT_SPACE_USER, address->type.to), length);
	return x;
}

static bool names_space(const struct qt_ast *arg)
{
	return arg->kind == QT_AST_call && (!strcmp(QT_AST(call, arg)->func, "uptr") || !strcmp(QT_AST(call, arg)->func, "kptr"));
}

static struct qt_expr *check_str(struct qt_check *c, const struct qt_ast_call *node)
{
	const struct qt_ast *arg = node->args.items[0];
	struct qt_expr *address, *length = NULL;

	if (arg->kind == QT_AST_positional)
		return qt_positional(c->s, QT_AST(positional, arg)->number, true, node->head.span);
	address = qt_check_expr(c, arg);
	if (node->args.len == 2)
		length = qt_check_number(c, node->args.items[1], "str");
	if (qt_x_bad(address) || (length && qt_x_bad(length)))
		return qt_x_error(c->s, node->head.span);
	if (qt_is_text(address->type) && !length)
		return address;
	if (!qt_is_number(address->type)) {
		qt_diag_add(c->s->diags, QT_E0204, arg->span, "str() takes an address, not %s", qt_type_words(address->type));
		return qt_x_error(c->s, node->head.span);
	}
	if (address->type.kind != QT_TYPE_PTR)
		address = to_pointer(c, address, c->group->space, NULL);
	if (length)
		length = qt_x_convert(c->s, length, length->type.is_signed ? QT_I64 : QT_U64);
	if (address->type.space == QT_SPACE_KERNEL && !names_space(arg) && qt_x_is_cheap(address) && (!length || qt_x_is_cheap(length)))
		return str_of_either(c, node->head.span, address, length);
	return str_read(c, node->head.span, address, length);
}

static struct qt_expr *in_space(struct qt_check *c, const struct qt_ast_call *node, enum qt_space space)
{
	struct qt_expr *x = qt_check_number(c, node->args.items[0], node->func);

	return qt_x_bad(x) ? x : to_pointer(c, x, space, x->type.kind == QT_TYPE_PTR ? x->type.to : NULL);
}

static struct qt_expr *check_uptr(struct qt_check *c, const struct qt_ast_call *node)
{
	return in_space(c, node, QT_SPACE_USER);
}

static struct qt_expr *check_kptr(struct qt_check *c, const struct qt_ast_call *node)
{
	return in_space(c, node, QT_SPACE_KERNEL);
}

static const struct {
	const char *name;
	struct qt_expr *(*check)(struct qt_check *c, const struct qt_ast_call *node);
} functions[] = { { "str", check_str },
		  { "has", qt_check_has },
		  { "uptr", check_uptr },
		  { "kptr", check_kptr },
		  { "kstack", qt_check_kstack },
		  { "ustack", qt_check_ustack },
		  { "len", qt_check_len },
		  { "ksym", qt_check_ksym },
		  { "usym", qt_check_usym },
		  { "cgroup_path", qt_check_cgroup_path },
		  { "ntop", qt_check_ntop },
		  { "macaddr", qt_check_macaddr },
		  { "bswap", qt_check_bswap },
		  { "kaddr", qt_check_kaddr },
		  { "uaddr", qt_check_uaddr },
		  { "reg", qt_check_reg },
		  { "cgroupid", qt_check_cgroupid },
		  { "pton", qt_check_pton } };

struct qt_expr *qt_check_call(struct qt_check *c, const struct qt_ast_call *node)
{
	const struct qt_builtin *b = qt_builtin_find(node->func);

	if (!b)
		return unknown_call(c, node);
	if (b->kind == QT_BUILTIN_VARIABLE && !node->args.len)
		return qt_check_variable(c, b, &node->head);
	for (size_t i = 0; i < QT_COUNT(functions); i++) {
		if (!strcmp(functions[i].name, b->name))
			return qt_check_arity(c, b, node) ? functions[i].check(c, node) : qt_x_error(c->s, node->head.span);
	}
	return wrong_call(c, b, node);
}

/* ---- actions ---- */

/* The argument must be a whole map. */
static struct qt_map_info *whole_map(struct qt_check *c, const struct qt_ast_call *node)
{
	const struct qt_ast *arg = node->args.items[0];
	struct qt_diag *d;

	if (arg->kind == QT_AST_map && !QT_AST(map, arg)->keys.len)
		return qt_map_named(c, arg);
	d = qt_diag_add(c->s->diags, QT_E0204, arg->span, "%s() takes a map", node->func);
	qt_diag_hint(c->s->diags, d, "write %s(@NAME)", node->func);
	return NULL;
}

static void check_print(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out)
{
	const struct qt_ast *arg = node->args.items[0];
	struct qt_map_info *m;

	if (arg->kind != QT_AST_map || QT_AST(map, arg)->keys.len) {
		qt_check_print_value(c, node, out);
		return;
	}
	m = whole_map(c, node);
	if (m)
		qt_stmt_new(c, out, QT_S_PRINT, node->head.span)->index = qt_map_number(c->s, m);
}

static void check_clear(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out)
{
	const struct qt_ast *arg = node->args.items[0];
	struct qt_map_info *m;

	if (arg->kind == QT_AST_ident && qt_context_find(c->s, QT_AST(ident, arg)->name) >= 0) {
		struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0204, node->head.span, "clear() with parentheses empties a map");

		qt_diag_hint(c->s->diags, d, "a context variable is cleared by: clear %s", QT_AST(ident, arg)->name);
		return;
	}
	m = whole_map(c, node);
	if (m)
		qt_stmt_new(c, out, QT_S_CLEAR_MAP, node->head.span)->index = qt_map_number(c->s, m);
}

static void check_delete(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out)
{
	const struct qt_ast *arg = node->args.items[0];
	struct qt_expr **keys;
	struct qt_map_info *m;
	struct qt_stmt *stmt;
	uint32_t nkeys;

	if (arg->kind != QT_AST_map) {
		struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0204, arg->span, "delete() takes an entry of a map");

		qt_diag_hint(c->s->diags, d, "write delete(@NAME[KEY])");
		return;
	}
	m = qt_map_named(c, arg);
	if (!m)
		return;
	if (node->args.len > 1) {
		if (!qt_map_keys(c, m, node->args.items + 1, node->args.len - 1, node->head.span, &keys, &nkeys))
			return;
	} else if (!qt_map_use(c, QT_AST(map, arg), &keys, &nkeys)) {
		return;
	}
	stmt = qt_stmt_new(c, out, QT_S_MAP_DELETE, node->head.span);
	stmt->index = qt_map_number(c->s, qt_map_named(c, arg));
	stmt->keys.items = keys;
	stmt->keys.len = nkeys;
}

static void check_exit(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out)
{
	struct qt_stmt *stmt = qt_stmt_new(c, out, QT_S_EXIT, node->head.span);

	if (node->args.len)
		stmt->a = qt_check_number(c, node->args.items[0], "exit");
}

static const struct {
	const char *name;
	void (*check)(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out);
} actions[] = {
	{ "printf", qt_check_printf },
	{ "print", check_print },
	{ "clear", check_clear },
	{ "delete", check_delete },
	{ "exit", check_exit },
	{ "signal", qt_check_signal },
	{ "signal_thread", qt_check_signal_thread },
	{ "system", qt_check_system },
	{ "cat", qt_check_cat },
};

void qt_check_call_stmt(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out)
{
	const struct qt_builtin *b = qt_builtin_find(node->func);

	for (size_t i = 0; b && i < QT_COUNT(actions); i++) {
		if (strcmp(actions[i].name, b->name))
			continue;
		if (qt_check_arity(c, b, node))
			actions[i].check(c, node, out);
		return;
	}
	if (!qt_x_bad(qt_check_call(c, node)))
		qt_diag_add(c->s->diags, QT_W0205, node->head.span, "this value is not used");
}
