/* Actions that reach beyond tracing: signals and commands change the traced system and need --unsafe; cat only reads. */
#include "sema/sema_internal.h"

#include <signal.h>

/* Whether the run may change the system; else the diagnostic. */
static bool is_allowed(struct qt_check *c, const struct qt_ast_call *node)
{
	struct qt_diag *d;

	if (c->s->options->unsafe)
		return true;
	d = qt_diag_add(c->s->diags, QT_E0221, node->head.span, "%s() changes the traced system", node->func);
	qt_diag_hint(c->s->diags, d, "allow it by the option --unsafe");
	return false;
}

/* ---- signals ---- */

static int signal_number(const char *name)
{
	if (!strncmp(name, "SIG", 3))
		name += 3;
	for (int i = 1; i < SIGRTMIN; i++) {
		const char *known = sigabbrev_np(i);

		if (known && !strcmp(known, name))
			return i;
	}
	return 0;
}

static struct qt_expr *named_signal(struct qt_check *c, const struct qt_ast *arg)
{
	const char *name = qt_str_dup(c->s, QT_AST(str, arg)->value);
	int number = signal_number(name);
	struct qt_suggest near;
	struct qt_diag *d;

	if (number)
		return qt_x_int(c->s, (uint64_t)number, QT_U64, arg->span);
	d = qt_diag_add(c->s->diags, QT_E0203, arg->span, "there is no signal `%s`", name);
	qt_suggest_begin(&near, strncmp(name, "SIG", 3) ? name : name + 3);
	for (int i = 1; i < SIGRTMIN; i++) {
		if (sigabbrev_np(i))
			qt_suggest_offer(&near, sigabbrev_np(i));
	}
	if (!qt_suggest_hint(c->s->diags, d, &near))
		qt_diag_hint(c->s->diags, d, "write signal(\"TERM\"), or its number");
	return qt_x_error(c->s, arg->span);
}

static struct qt_expr *numbered_signal(struct qt_check *c, const struct qt_ast_call *node)
{
	struct qt_expr *x = qt_check_number(c, node->args.items[0], node->func);

	if (qt_x_bad(x) || x->kind != QT_X_INT || (x->value >= 1 && x->value <= 64))
		return x;
	qt_diag_hint(c->s->diags, qt_diag_add(c->s->diags, QT_E0203, x->span, "signals are numbered from 1 to 64"), "`kill -l` lists them");
	return qt_x_error(c->s, x->span);
}

static void check_signal(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out, bool thread)
{
	const struct qt_ast *arg = node->args.items[0];
	struct qt_expr *x;
	struct qt_stmt *stmt;

	if (!is_allowed(c, node))
		return;
	x = arg->kind == QT_AST_str ? named_signal(c, arg) : numbered_signal(c, node);
	if (qt_x_bad(x))
		return;
	stmt = qt_stmt_new(c, out, QT_S_SIGNAL, node->head.span);
	stmt->a = x;
	stmt->index = thread;
}

void qt_check_signal(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out)
{
	check_signal(c, node, out, false);
}

void qt_check_signal_thread(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out)
{
	check_signal(c, node, out, true);
}

/* ---- commands and files: lines like printf's, for another reader ---- */

static void formatted(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out, enum qt_stmt_kind kind)
{
	uint32_t before = out->len;

	qt_check_printf(c, node, out);
	for (uint32_t i = before; i < out->len; i++) {
		if (out->items[i]->kind == QT_S_PRINTF)
			out->items[i]->kind = kind;
	}
}

void qt_check_system(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out)
{
	if (is_allowed(c, node))
		formatted(c, node, out, QT_S_SYSTEM);
}

void qt_check_cat(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out)
{
	formatted(c, node, out, QT_S_CAT);
}
