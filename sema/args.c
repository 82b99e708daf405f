/* What an event carries, read by the model of its group: registers, fields of a record, words, or the operands of a USDT site. Nothing is
 * reported here: WHY says what is missing, so that the same functions tell whether two points are read alike. */
#include "sema/sema_internal.h"

/* ---- types ---- */

static const struct qt_type char_type = QT_INT(1, true);

/* False when a value of that C type is no number. */
static bool type_of(const struct qt_ctype *t, enum qt_space space, struct qt_type *out)
{
	switch (t->kind) {
	case QT_CTYPE_INT:
	case QT_CTYPE_BOOL:
	case QT_CTYPE_ENUM:
		if (t->size != 1 && t->size != 2 && t->size != 4 && t->size != 8)
			return false;
		*out = QT_INT((uint8_t)t->size, t->is_signed);
		return true;
	case QT_CTYPE_POINTER:
		*out = (struct qt_type){ .kind = QT_TYPE_PTR, .space = t->is_user ? QT_SPACE_USER : space, .to = t->is_text ? &char_type : NULL };
		return true;
	default:
		return false;
	}
}

static struct qt_expr *no(struct qt_sema *s, struct qt_why_not *why, const char *text, const char *hint)
{
	(void)s;
	why->text = text;
	why->hint = hint;
	return NULL;
}

static const char *at_text(const struct qt_group *g)
{
	return g->points.len ? g->points.items[0].probe : g->provider->name;
}

/* ---- by number ---- */

static struct qt_expr *reg_arg(struct qt_sema *s, const struct qt_group *g, unsigned i, struct qt_span span, struct qt_why_not *why)
{
	struct qt_type type = QT_U64;
	struct qt_expr *x;

	if (i >= 10)
		return no(s, why, "functions have arg0 to arg9", NULL);
	if (g->inside && i >= QT_REG_ARGS)
		return no(s, why, qt_arena_printf(s->arena, "arg%u lies on the stack and cannot be found inside of a function", i),
			  "probe its first instruction");
	if (g->proto && g->proto->typed) {
		if (i >= g->proto->nparams)
			return no(s, why,
				  qt_arena_printf(s->arena, "%s has %u argument%s", g->proto->name, g->proto->nparams,
						  g->proto->nparams == 1 ? "" : "s"),
				  NULL);
		if (!type_of(&g->proto->params[i].type, g->space, &type))
			return no(s, why,
				  qt_arena_printf(s->arena, "argument %u of %s is a %s, which is no number", i, g->proto->name,
						  g->proto->params[i].type.text),
				  NULL);
	}
	x = qt_x_new(s, QT_X_ARG, type, span);
	x->index = i;
	return x;
}

static struct qt_expr *field_expr(struct qt_sema *s, struct qt_type type, uint32_t offset, struct qt_span span)
{
	struct qt_expr *x = qt_x_new(s, QT_X_FIELD, type, span);

	x->offset = offset;
	x->size = type.kind == QT_TYPE_INT ? type.size : 8;
	return x;
}

static struct qt_expr *word_arg(struct qt_sema *s, const struct qt_group *g, unsigned i, struct qt_span span, struct qt_why_not *why)
{
	struct qt_type type = QT_U64;
	bool typed = g->proto && g->proto->typed;

	if (typed && i >= g->proto->nparams)
		return no(s, why,
			  qt_arena_printf(s->arena, "%s has %u argument%s", g->proto->name, g->proto->nparams, g->proto->nparams == 1 ? "" : "s"),
			  NULL);
	if (i >= 12)
		return no(s, why, "there are arg0 to arg11", NULL);
	if (typed && !type_of(&g->proto->params[i].type, g->space, &type))
		return no(
			s, why,
			qt_arena_printf(s->arena, "argument %u of %s is a %s, which is no number", i, g->proto->name, g->proto->params[i].type.text),
			NULL);
	return field_expr(s, type, i * 8, span);
}

static struct qt_expr *usdt_arg(struct qt_sema *s, const struct qt_group *g, unsigned i, struct qt_span span, struct qt_why_not *why)
{
	const struct qt_usdt_arg *a;
	struct qt_operand o = { .size = 8, .base = QT_REG_COUNT, .index = QT_REG_COUNT };
	struct qt_expr *x;

	if (g->site) {
		if (i >= g->site->nargs)
			return no(s, why, qt_arena_printf(s->arena, "this probe has %u argument%s", g->site->nargs, g->site->nargs == 1 ? "" : "s"),
				  NULL);
		a = &g->site->args[i];
		if (a->kind == QT_USDT_UNSUPPORTED || a->is_float)
			return no(s, why, qt_arena_printf(s->arena, "argument %u is passed as `%s`, which cannot be read here", i, a->text), NULL);
		o = (struct qt_operand){ .kind = a->kind == QT_USDT_CONST ? QT_OPERAND_CONST
						 : a->kind == QT_USDT_REG ? QT_OPERAND_REG
									  : QT_OPERAND_MEM,
					 .size = a->size,
					 .is_signed = a->is_signed,
					 .shift = a->shift,
					 .base = a->base,
					 .index = a->index,
					 .scale = a->scale,
					 .disp = a->value };
	}
	x = qt_x_new(s, QT_X_USDT, QT_INT(o.size, o.is_signed), span);
	x->index = i;
	x->operand = o;
	return x;
}

/* ---- fields of records ---- */

static struct qt_expr *text_field(struct qt_sema *s, const struct qt_record_field *f, struct qt_span span)
{
	struct qt_expr *x = qt_x_new(s, QT_X_FIELD_STR, (struct qt_type){ .kind = QT_TYPE_STR }, span);

	x->offset = f->offset;
	x->size = f->size;
	x->index = f->data_loc ? 1 : f->rel_loc ? 2 : 0;
	return x;
}

static struct qt_expr *read_field(struct qt_sema *s, const struct qt_group *g, const struct qt_record_field *f, struct qt_span span,
				  struct qt_why_not *why)
{
	struct qt_type type;
	bool located = f->data_loc || f->rel_loc;

	if (f->common)
		return no(s, why, qt_arena_printf(s->arena, "the kernel keeps %s from BPF programs", f->name), "pid, tid and nsecs tell the same");
	if (f->type.kind == QT_CTYPE_ARRAY && f->type.is_text)
		return text_field(s, f, span);
	if (located || !type_of(&f->type, g->space, &type))
		return no(s, why, qt_arena_printf(s->arena, "%s is a %s, which is neither a number nor a text", f->name, f->type.text), NULL);
	return field_expr(s, type, f->offset, span);
}

static struct qt_expr *syscall_arg(struct qt_sema *s, const struct qt_group *g, unsigned i, struct qt_span span, struct qt_why_not *why)
{
	const struct qt_record_field *f;

	if (!g->syscall || i >= g->syscall->nargs)
		return no(s, why,
			  qt_arena_printf(s->arena, "%s has %u argument%s", at_text(g), g->syscall ? g->syscall->nargs : 0,
					  g->syscall && g->syscall->nargs == 1 ? "" : "s"),
			  NULL);
	f = g->record ? qt_tracepoint_field(g->record, g->syscall->args[i].name) : NULL;
	return f ? read_field(s, g, f, span, why) : no(s, why, "its record does not tell where the argument lies", NULL);
}

struct qt_expr *qt_arg_by_index(struct qt_sema *s, const struct qt_group *g, unsigned index, struct qt_span span, struct qt_why_not *why)
{
	if (g->unresolved && g->args != QT_ARGS_USDT)
		return field_expr(s, QT_U64, 8, span);
	switch (g->args) {
	case QT_ARGS_REGS:
		return reg_arg(s, g, index, span, why);
	case QT_ARGS_WORDS:
		return word_arg(s, g, index, span, why);
	case QT_ARGS_USDT:
		return usdt_arg(s, g, index, span, why);
	case QT_ARGS_FIELDS:
		if (g->provider->shape == QT_SHAPE_SYSCALL)
			return syscall_arg(s, g, index, span, why);
		why->fields = g->record;
		return no(s, why, "a tracepoint has fields, not numbered arguments", NULL);
	case QT_ARGS_NONE:
		return no(s, why, "this event carries no arguments", NULL);
	}
	return NULL;
}

/* ---- by name ---- */

struct qt_expr *qt_arg_by_name(struct qt_sema *s, const struct qt_group *g, const char *name, struct qt_span span, struct qt_why_not *why)
{
	const struct qt_record_field *f;

	if (g->unresolved && g->args != QT_ARGS_USDT)
		return field_expr(s, QT_U64, 8, span);
	if (g->args == QT_ARGS_FIELDS && g->record) {
		f = qt_tracepoint_field(g->record, name);
		if (f)
			return read_field(s, g, f, span, why);
		why->fields = g->record;
		return no(s, why, qt_arena_printf(s->arena, "%s has no field `%s`", at_text(g), name), NULL);
	}
	if ((g->args != QT_ARGS_REGS && g->args != QT_ARGS_WORDS) || !g->proto || !g->proto->typed)
		return no(s, why, "the names of the arguments are not known here", g->args == QT_ARGS_NONE ? NULL : "use arg0, arg1, ...");
	for (unsigned i = 0; i < g->proto->nparams; i++) {
		if (!strcmp(g->proto->params[i].name, name))
			return qt_arg_by_index(s, g, i, span, why);
	}
	why->params = g->proto->params;
	why->nparams = g->proto->nparams;
	return no(s, why, qt_arena_printf(s->arena, "%s has no argument `%s`", g->proto->name, name), NULL);
}

/* ---- return values ---- */

static struct qt_expr *typed_retval(struct qt_sema *s, const struct qt_group *g, struct qt_span span, struct qt_why_not *why)
{
	struct qt_type type = QT_I64;
	struct qt_expr *x;

	if (g->proto && g->proto->typed) {
		if (g->proto->ret.kind == QT_CTYPE_VOID)
			return no(s, why, qt_arena_printf(s->arena, "%s returns nothing", g->proto->name), NULL);
		if (!type_of(&g->proto->ret, g->space, &type))
			return no(s, why, qt_arena_printf(s->arena, "%s returns a %s, which is no number", g->proto->name, g->proto->ret.text), NULL);
	}
	if (g->args == QT_ARGS_WORDS)
		return field_expr(s, type, g->proto ? g->proto->nparams * 8 : 0, span);
	x = qt_x_new(s, QT_X_RETVAL, type, span);
	return x;
}

struct qt_expr *qt_arg_retval(struct qt_sema *s, const struct qt_group *g, struct qt_span span, struct qt_why_not *why)
{
	const struct qt_record_field *f;

	if (g->unresolved && g->args != QT_ARGS_USDT)
		return field_expr(s, QT_I64, 8, span);
	if (g->args == QT_ARGS_FIELDS) {
		f = g->record ? qt_tracepoint_field(g->record, "ret") : NULL;
		if (!f)
			return no(s, why, "nothing has been returned yet at this event", NULL);
		return g->provider->shape == QT_SHAPE_SYSCALL ? field_expr(s, QT_I64, f->offset, span) : read_field(s, g, f, span, why);
	}
	if (!g->is_return)
		return no(s, why, "nothing has been returned yet at this event", NULL);
	return typed_retval(s, g, span, why);
}

/* ---- all three ---- */

bool qt_arg_is_number(const char *name, unsigned *index)
{
	if (strncmp(name, "arg", 3) || !name[3] || strspn(name + 3, "0123456789") != strlen(name + 3) || strlen(name) > 5)
		return false;
	*index = (unsigned)(name[3] - '0');
	if (name[4])
		*index = *index * 10 + (unsigned)(name[4] - '0');
	return true;
}

struct qt_expr *qt_arg_read(struct qt_sema *s, const struct qt_group *g, const struct qt_ast *node, struct qt_why_not *why)
{
	unsigned index;

	if (node->kind == QT_AST_member)
		return qt_arg_by_name(s, g, QT_AST(member, node)->name, node->span, why);
	if (qt_arg_is_number(QT_AST(ident, node)->name, &index))
		return qt_arg_by_index(s, g, index, node->span, why);
	return qt_arg_retval(s, g, node->span, why);
}

static bool same_operand(const struct qt_operand *a, const struct qt_operand *b)
{
	return a->kind == b->kind && a->size == b->size && a->is_signed == b->is_signed && a->shift == b->shift && a->base == b->base &&
	       a->index == b->index && a->scale == b->scale && a->disp == b->disp;
}

bool qt_expr_same_read(const struct qt_expr *a, const struct qt_expr *b)
{
	if (!a || !b)
		return a == b;
	return a->kind == b->kind && qt_type_eq(a->type, b->type) && a->index == b->index && a->offset == b->offset && a->size == b->size &&
	       same_operand(&a->operand, &b->operand);
}
