/* Questions that are asked of expressions and statements before they are lowered. */
#include "ir/lower_internal.h"

static void scan(const struct qt_expr *e, qt_scan_fn fn, void *ctx, unsigned depth)
{
	if (!e || depth > QT_DEPTH_MAX)
		return;
	fn(e, ctx);
	scan(e->a, fn, ctx, depth + 1);
	scan(e->b, fn, ctx, depth + 1);
	scan(e->c, fn, ctx, depth + 1);
	qt_vec_each (arg, &e->args)
		scan(*arg, fn, ctx, depth + 1);
}

void qt_scan_expr(const struct qt_expr *e, qt_scan_fn fn, void *ctx)
{
	scan(e, fn, ctx, 0);
}

static void scan_stmts(const struct qt_stmts *s, qt_scan_fn fn, void *ctx, unsigned depth)
{
	if (depth > QT_DEPTH_MAX)
		return;
	for (uint32_t k = 0; k < s->len; k++) {
		const struct qt_stmt *one = s->items[k];

		qt_scan_expr(one->a, fn, ctx);
		qt_vec_each (key, &one->keys)
			qt_scan_expr(*key, fn, ctx);
		qt_vec_each (arg, &one->args)
			qt_scan_expr(*arg, fn, ctx);
		scan_stmts(&one->then, fn, ctx, depth + 1);
		scan_stmts(&one->otherwise, fn, ctx, depth + 1);
	}
}

void qt_scan_stmts(const struct qt_stmts *s, qt_scan_fn fn, void *ctx)
{
	scan_stmts(s, fn, ctx, 0);
}

static bool needs_text(const struct qt_expr *e, unsigned depth)
{
	if (!e || qt_lower_is_comm_eq(e))
		return false;
	if (depth > QT_DEPTH_MAX || e->kind == QT_X_STR_READ || e->kind == QT_X_FIELD_STR || e->type.kind == QT_TYPE_COMM)
		return true;
	qt_vec_each (arg, &e->args) {
		if (needs_text(*arg, depth + 1))
			return true;
	}
	return needs_text(e->a, depth + 1) || needs_text(e->b, depth + 1) || needs_text(e->c, depth + 1);
}

bool qt_scan_texts(const struct qt_expr *e)
{
	return needs_text(e, 0);
}
