/* Expressions of the typed program as text. Operators that depend on the sign of their operands carry it: /s /u <s <u. */
#include "sema/dump_internal.h"

#include <inttypes.h>
#include <string.h>

static const char *const op_text[] = {
	[QT_OP_ADD] = "+", [QT_OP_SUB] = "-",  [QT_OP_MUL] = "*",  [QT_OP_DIV] = "/", [QT_OP_MOD] = "%",   [QT_OP_AND] = "&", [QT_OP_OR] = "|",
	[QT_OP_XOR] = "^", [QT_OP_SHL] = "<<", [QT_OP_SHR] = ">>", [QT_OP_EQ] = "==", [QT_OP_NE] = "!=",   [QT_OP_LT] = "<",  [QT_OP_LE] = "<=",
	[QT_OP_GT] = ">",  [QT_OP_GE] = ">=",  [QT_OP_NEG] = "-",  [QT_OP_NOT] = "!", [QT_OP_COMPL] = "~",
};

static const char *const env_text[] = {
#define ENV(name, text) #name,
#include "sema/env.def"
#undef ENV
};

/* ---- text ---- */

void qt_dump_text(FILE *out, struct qt_str s)
{
	fputc('"', out);
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.ptr[i];

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c == '\n')
			fputs("\\n", out);
		else if (c < ' ' || c == 127)
			fprintf(out, "\\x%02x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

/* ---- expressions ---- */

void qt_dump_list(struct qt_dump *d, struct qt_expr *const *items, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			fputs(", ", d->out);
		qt_dump_expr(d, items[i]);
	}
}

static void dump_int(struct qt_dump *d, const struct qt_expr *x)
{
	if (x->type.is_signed)
		fprintf(d->out, "%" PRId64, (int64_t)x->value);
	else
		fprintf(d->out, "%" PRIu64, x->value);
}

static void dump_str(struct qt_dump *d, const struct qt_expr *x)
{
	qt_dump_text(d->out, x->text);
}

static void dump_env(struct qt_dump *d, const struct qt_expr *x)
{
	fputs(env_text[x->env], d->out);
}

static void dump_arg(struct qt_dump *d, const struct qt_expr *x)
{
	fprintf(d->out, "arg%u", x->index);
}

static void dump_field(struct qt_dump *d, const struct qt_expr *x)
{
	static const char *const forms[] = { "text", "data_loc", "rel_loc" };

	if (x->kind == QT_X_FIELD)
		fprintf(d->out, "field(%u)", x->offset);
	else
		fprintf(d->out, "%s(%u, %u)", forms[x->index], x->offset, x->size);
}

static const char *reg_text(enum qt_reg r)
{
	return r == QT_REG_COUNT ? "" : qt_reg_name(r);
}

static void dump_usdt(struct qt_dump *d, const struct qt_expr *x)
{
	const struct qt_operand *o = &x->operand;

	if (o->kind == QT_OPERAND_CONST)
		fprintf(d->out, "usdt%u($%" PRId64 ")", x->index, o->disp);
	else if (o->kind == QT_OPERAND_REG)
		fprintf(d->out, o->shift ? "usdt%u(%s >> %u)" : "usdt%u(%s)", x->index, reg_text(o->base), o->shift);
	else if (o->index != QT_REG_COUNT)
		fprintf(d->out, "usdt%u(%" PRId64 "(%s, %s, %u))", x->index, o->disp, reg_text(o->base), reg_text(o->index), o->scale);
	else
		fprintf(d->out, "usdt%u(%" PRId64 "(%s))", x->index, o->disp, reg_text(o->base));
}

static void dump_word(struct qt_dump *d, const struct qt_expr *x)
{
	fputs(x->kind == QT_X_RETVAL ? "retval" : "latency", d->out);
}

static void dump_entry(struct qt_dump *d, const struct qt_expr *x)
{
	fprintf(d->out, "entry[%u]", x->index);
}

const char *qt_dump_context(struct qt_dump *d, uint32_t i)
{
	return d->p->contexts.items[i].name;
}

static void dump_context(struct qt_dump *d, const struct qt_expr *x)
{
	fprintf(d->out, x->kind == QT_X_HAS ? "has(%s)" : "%s", qt_dump_context(d, x->index));
}

static void dump_coalesce(struct qt_dump *d, const struct qt_expr *x)
{
	fputc('(', d->out);
	qt_dump_expr(d, x->a);
	fputs(" ?? ", d->out);
	qt_dump_expr(d, x->b);
	fputc(')', d->out);
}

static void dump_scratch(struct qt_dump *d, const struct qt_expr *x)
{
	fprintf(d->out, "$%u", x->index);
}

static void dump_map(struct qt_dump *d, const struct qt_expr *x)
{
	fprintf(d->out, "@%s", d->p->maps.items[x->index].name);
	if (!x->args.len)
		return;
	fputc('[', d->out);
	qt_dump_list(d, x->args.items, x->args.len);
	fputc(']', d->out);
}

static void dump_unary(struct qt_dump *d, const struct qt_expr *x)
{
	fputs(op_text[x->op], d->out);
	qt_dump_expr(d, x->a);
}

static void dump_binary(struct qt_dump *d, const struct qt_expr *x)
{
	const char *op = x->kind == QT_X_AND ? "&&" : x->kind == QT_X_OR ? "||" : op_text[x->op];
	bool by_sign = x->kind == QT_X_BINARY && strchr("/%<>", op[0]) && x->op != QT_OP_SHL;

	fputc('(', d->out);
	qt_dump_expr(d, x->a);
	fprintf(d->out, " %s%s ", op, by_sign && x->a->type.kind == QT_TYPE_INT && x->a->type.is_signed ? "s" : by_sign ? "u" : "");
	qt_dump_expr(d, x->b);
	fputc(')', d->out);
}

static void dump_ternary(struct qt_dump *d, const struct qt_expr *x)
{
	fputc('(', d->out);
	qt_dump_expr(d, x->a);
	fputs(" ? ", d->out);
	qt_dump_expr(d, x->b);
	fputs(" : ", d->out);
	qt_dump_expr(d, x->c);
	fputc(')', d->out);
}

static void dump_cast(struct qt_dump *d, const struct qt_expr *x)
{
	fprintf(d->out, "(%s)", qt_type_text(x->type));
	qt_dump_expr(d, x->a);
}

static const char *space_text(const struct qt_expr *address)
{
	return address->type.space == QT_SPACE_USER ? "user" : "kernel";
}

static void dump_memory(struct qt_dump *d, const struct qt_expr *x)
{
	if (x->kind == QT_X_DEREF)
		fprintf(d->out, "%s.%s(", space_text(x->a), qt_type_text(x->type));
	else
		fprintf(d->out, "%s.str(", space_text(x->a));
	qt_dump_expr(d, x->a);
	if (x->b) {
		fputs(", ", d->out);
		qt_dump_expr(d, x->b);
	}
	fputc(')', d->out);
}

static void dump_shown(struct qt_dump *d, const struct qt_expr *x)
{
	switch (x->kind) {
	case QT_X_STACK:
		fprintf(d->out, "%s(%u, %u)", x->value & QT_STACK_USER ? "ustack" : "kstack", (unsigned)QT_STACK_MODE(x->value), x->size);
		return;
	case QT_X_BYTES:
		fprintf(d->out, "%s.%u(", space_text(x->a), x->size);
		break;
	case QT_X_PACK:
		fprintf(d->out, "pack.%u(", x->size);
		break;
	default:
		fputs(x->kind == QT_X_BSWAP ? "bswap(" : "len(", d->out);
	}
	if (x->kind == QT_X_PACK)
		qt_dump_list(d, x->args.items, x->args.len);
	else
		qt_dump_expr(d, x->a);
	fputc(')', d->out);
}

static void dump_reg(struct qt_dump *d, const struct qt_expr *x)
{
	fprintf(d->out, "reg(%s)", qt_reg_name((enum qt_reg)x->index));
}

static void dump_ask(struct qt_dump *d, const struct qt_expr *x)
{
	fputs(x->index == QT_ASK_cgroup ? "cgroupid(" : "kaddr(", d->out);
	qt_dump_text(d->out, x->text);
	fputc(')', d->out);
}

static void dump_incdec(struct qt_dump *d, const struct qt_expr *x)
{
	const char *op = (int64_t)x->value > 0 ? "++" : "--";

	if (x->index)
		fputs(op, d->out);
	qt_dump_expr(d, x->a);
	if (!x->index)
		fputs(op, d->out);
}

static void (*const exprs[])(struct qt_dump *d, const struct qt_expr *x) = {
	[QT_X_INT] = dump_int,	       [QT_X_STR] = dump_str,		[QT_X_ENV] = dump_env,	       [QT_X_ARG] = dump_arg,
	[QT_X_SYSARG] = dump_arg,      [QT_X_FIELD] = dump_field,	[QT_X_FIELD_STR] = dump_field, [QT_X_USDT] = dump_usdt,
	[QT_X_RETVAL] = dump_word,     [QT_X_LATENCY] = dump_word,	[QT_X_ENTRY] = dump_entry,     [QT_X_CONTEXT] = dump_context,
	[QT_X_HAS] = dump_context,     [QT_X_COALESCE] = dump_coalesce, [QT_X_SCRATCH] = dump_scratch, [QT_X_MAP] = dump_map,
	[QT_X_UNARY] = dump_unary,     [QT_X_BINARY] = dump_binary,	[QT_X_AND] = dump_binary,      [QT_X_OR] = dump_binary,
	[QT_X_TERNARY] = dump_ternary, [QT_X_CAST] = dump_cast,		[QT_X_DEREF] = dump_memory,    [QT_X_STR_READ] = dump_memory,
	[QT_X_STR_EQ] = dump_binary,   [QT_X_INCDEC] = dump_incdec,	[QT_X_STACK] = dump_shown,     [QT_X_STACK_LEN] = dump_shown,
	[QT_X_BYTES] = dump_shown,     [QT_X_PACK] = dump_shown,	[QT_X_BSWAP] = dump_shown,	[QT_X_REG] = dump_reg,		[QT_X_ASK] = dump_ask,
};

void qt_dump_expr(struct qt_dump *d, const struct qt_expr *x)
{
	exprs[x->kind](d, x);
}

void qt_dump_typed(struct qt_dump *d, const struct qt_expr *x)
{
	qt_dump_expr(d, x);
	fprintf(d->out, ": %s", qt_type_text(x->type));
}
