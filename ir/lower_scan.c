/* Questions that are asked of expressions and statements before they are lowered. */
#include "ir/lower_internal.h"

void qt_scan_expr(const struct qt_expr *e, qt_scan_fn fn, void *ctx)
{
	if (!e)
		return;
	fn(e, ctx);
	qt_scan_expr(e->a, fn, ctx);
	qt_scan_expr(e->b, fn, ctx);
	qt_scan_expr(e->c, fn, ctx);
	qt_vec_each (arg, &e->args)
		qt_scan_expr(*arg, fn, ctx);
}

void qt_scan_stmts(const struct qt_stmts *s, qt_scan_fn fn, void *ctx)
{
	for (uint32_t k = 0; k < s->len; k++) {
		const struct qt_stmt *one = s->items[k];

		qt_scan_expr(one->a, fn, ctx);
		qt_vec_each (key, &one->keys)
			qt_scan_expr(*key, fn, ctx);
		qt_vec_each (arg, &one->args)
			qt_scan_expr(*arg, fn, ctx);
		qt_scan_stmts(&one->then, fn, ctx);
		qt_scan_stmts(&one->otherwise, fn, ctx);
	}
}

bool qt_scan_texts(const struct qt_expr *e)
{
	if (!e || qt_lower_is_comm_eq(e))
		return false;
	if (e->kind == QT_X_STR_READ || e->kind == QT_X_FIELD_STR || e->type.kind == QT_TYPE_COMM || e->kind == QT_X_STACK ||
	    e->kind == QT_X_STACK_LEN || e->kind == QT_X_BYTES || e->kind == QT_X_PACK)
		return true;
	qt_vec_each (arg, &e->args) {
		if (qt_scan_texts(*arg))
			return true;
	}
	return qt_scan_texts(e->a) || qt_scan_texts(e->b) || qt_scan_texts(e->c);
}
