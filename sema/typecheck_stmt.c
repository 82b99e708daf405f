/* Statements: one function a kind of node, through a table; each adds to a list and says whether what follows it is ever reached. */
#include "sema/sema_internal.h"

struct qt_stmt *qt_stmt_new(struct qt_check *c, struct qt_stmts *out, enum qt_stmt_kind kind, struct qt_span span)
{
	struct qt_stmt *stmt = QT_NEW(c->s->arena, struct qt_stmt);

	stmt->kind = kind;
	stmt->span = span;
	*qt_vec_push(c->s->arena, out) = stmt;
	return stmt;
}

static bool check_set(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out)
{
	qt_check_set(c, node, out);
	return true;
}

static bool check_clear(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out)
{
	qt_check_clear(c, node, out);
	return true;
}

static bool check_tag(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out)
{
	qt_check_tag(c, node, out);
	return true;
}

static bool check_block(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out)
{
	const struct qt_ast_block *b = QT_AST(block, node);
	bool goes_on = true;

	for (uint32_t i = 0; i < b->stmts.len; i++)
		goes_on &= qt_check_stmt(c, b->stmts.items[i], out);
	return goes_on;
}

static bool check_incdec(struct qt_check *c, const struct qt_ast_incdec *i, struct qt_stmts *out)
{
	struct qt_expr *x;

	if (i->place->kind == QT_AST_map) {
		qt_check_map_incdec(c, i, out);
		return true;
	}
	x = qt_check_scratch_incdec(c, i);
	if (!qt_x_bad(x))
		qt_stmt_new(c, out, QT_S_EXPR, i->head.span)->a = x;
	return true;
}

static bool no_effect(struct qt_check *c, const struct qt_ast *node)
{
	const struct qt_ast_binary *b = node->kind == QT_AST_binary ? QT_AST(binary, node) : NULL;
	struct qt_diag *d;

	if (qt_x_bad(qt_check_expr(c, node)))
		return true;
	d = qt_diag_add(c->s->diags, QT_W0205, node->span, "this value is not used");
	if (b && !strcmp(b->op, "=="))
		qt_diag_hint(c->s->diags, d, "a single = assigns");
	return true;
}

static bool check_expr_stmt(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out)
{
	const struct qt_ast *value = QT_AST(expr_stmt, node)->value;

	if (value->kind == QT_AST_incdec)
		return check_incdec(c, QT_AST(incdec, value), out);
	if (value->kind == QT_AST_call) {
		qt_check_call_stmt(c, QT_AST(call, value), out);
		return true;
	}
	return no_effect(c, value);
}

static bool check_assign(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out)
{
	const struct qt_ast_assign *a = QT_AST(assign, node);

	if (a->place->kind == QT_AST_map)
		qt_check_map_assign(c, a, out);
	else
		qt_check_scratch_assign(c, a, out);
	return true;
}

/* Both branches see what the condition tells; behind them holds what holds at the end of every branch that goes on. */
static bool check_if(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out)
{
	const struct qt_ast_if *n = QT_AST(if, node);
	struct qt_expr *cond = qt_check_condition(c, n->cond);
	uint64_t known = c->known, cleared = c->cleared, then_known, then_cleared;
	struct qt_stmts then = { 0 }, otherwise = { 0 };
	struct qt_stmt *stmt = qt_stmt_new(c, out, QT_S_IF, node->span);
	bool then_goes_on, else_goes_on = true;

	c->known = known | qt_context_facts(c->s, n->cond, true);
	then_goes_on = qt_check_stmt(c, n->then, &then);
	then_known = then_goes_on ? c->known : ~0ull;
	then_cleared = then_goes_on ? c->cleared : 0;
	c->known = known | qt_context_facts(c->s, n->cond, false);
	c->cleared = cleared;
	if (n->otherwise)
		else_goes_on = qt_check_stmt(c, n->otherwise, &otherwise);
	c->known = else_goes_on ? c->known & then_known : then_known;
	c->cleared = (else_goes_on ? c->cleared : 0) | then_cleared;
	stmt->a = cond;
	stmt->then = then;
	stmt->otherwise = otherwise;
	return then_goes_on || else_goes_on;
}

static bool check_return(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out)
{
	if (QT_AST(return, node)->value)
		qt_diag_add(c->s->diags, QT_E0204, QT_AST(return, node)->value->span, "a rule returns no value");
	qt_stmt_new(c, out, QT_S_RETURN, node->span);
	return false;
}

typedef bool (*stmt_fn)(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out);

static const stmt_fn checks[QT_AST_COUNT] = {
	[QT_AST_set] = check_set,	 [QT_AST_clear] = check_clear,		[QT_AST_tag] = check_tag,
	[QT_AST_block] = check_block,	 [QT_AST_expr_stmt] = check_expr_stmt,	[QT_AST_assign] = check_assign,
	[QT_AST_while] = qt_check_while, [QT_AST_for] = qt_check_for,		[QT_AST_unroll] = qt_check_unroll,
	[QT_AST_break] = qt_check_break, [QT_AST_continue] = qt_check_continue, [QT_AST_if] = check_if,
	[QT_AST_return] = check_return,
};

bool qt_check_stmt(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out)
{
	stmt_fn fn = checks[node->kind];

	if (!fn)
		QT_BUG("no statement: %s", qt_ast_kind_name(node->kind));
	return fn(c, node, out);
}
