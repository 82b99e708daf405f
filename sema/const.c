/* Values that must be known at compile time: settings, params, tests. They are checked like any expression, in no rule, and must come out as a
 * number or a text. */
#include "sema/sema_internal.h"

static struct qt_expr *evaluate(struct qt_sema *s, const struct qt_ast *node)
{
	struct qt_group none = { .provider = qt_provider_find("begin"), .hook = QT_HOOK_begin };
	struct qt_rule_info rule = { .text = "" };
	struct qt_rule out = { 0 };
	struct qt_check c = { .s = s, .rule = &rule, .group = &none, .out = &out };
	struct qt_expr *x = qt_check_expr(&c, node);

	if (qt_x_bad(x))
		return NULL;
	if (x->kind == QT_X_INT || x->kind == QT_X_STR)
		return x;
	qt_diag_add(s->diags, QT_E0217, node->span, "this must be a number or a text that is known before the program runs");
	return NULL;
}

bool qt_const_int(struct qt_sema *s, const struct qt_ast *node, uint64_t *value)
{
	struct qt_expr *x = evaluate(s, node);

	if (!x)
		return false;
	*value = x->value;
	if (x->kind == QT_X_INT)
		return true;
	qt_diag_add(s->diags, QT_E0217, node->span, "this must be a number");
	return false;
}

bool qt_const_cell(struct qt_sema *s, const struct qt_ast *node, struct qt_cell *out)
{
	struct qt_expr *x = evaluate(s, node);

	if (!x)
		return false;
	*out = (struct qt_cell){ .is_text = x->kind == QT_X_STR, .text = x->text, .value = x->value };
	return true;
}
