/* Built-ins about the machine that a program runs on, its registers and the current task. What only that machine knows is asked of it when the program is loaded. */
#include "sema/sema_internal.h"

#include <arpa/inet.h>

/* ---- registers ---- */

/* The names that a call may use besides those of struct pt_regs. */
static const struct {
	const char *name;
	enum qt_reg reg;
} registers[] = {
	{ "ip", QT_REG_rip },	   { "pc", QT_REG_rip }, { "sp", QT_REG_rsp }, { "bp", QT_REG_rbp }, { "ax", QT_REG_rax }, { "bx", QT_REG_rbx },
	{ "cx", QT_REG_rcx },	   { "dx", QT_REG_rdx }, { "si", QT_REG_rsi }, { "di", QT_REG_rdi }, { "orig_ax", QT_REG_orig_rax },
	{ "flags", QT_REG_eflags },
};

static enum qt_reg find_register(const char *name)
{
	for (size_t i = 0; i < QT_COUNT(registers); i++) {
		if (!strcmp(registers[i].name, name))
			return registers[i].reg;
	}
	return qt_reg_find(name);
}

static struct qt_expr *no_registers(struct qt_check *c, struct qt_span span)
{
	struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0214, span, "%s does not carry the registers", c->rule->text);

	qt_diag_hint(c->s->diags, d, "uprobe, usdt, kprobe, their returns and profile do");
	return qt_x_error(c->s, span);
}

static struct qt_expr *read_register(struct qt_check *c, struct qt_span span, enum qt_reg reg)
{
	struct qt_expr *x = qt_x_new(c->s, QT_X_REG, QT_U64, span);

	if (c->group->broken)
		return qt_x_error(c->s, span);
	if (qt_hook_info(c->group->hook)->context != QT_CONTEXT_REGS)
		return no_registers(c, span);
	x->index = reg;
	return x;
}

/* The argument as a text literal, else a diagnostic. */
static const char *literal(struct qt_check *c, const struct qt_ast_call *node, const char *what)
{
	const struct qt_ast *arg = node->args.items[0];
	struct qt_diag *d;

	if (arg->kind == QT_AST_str)
		return qt_str_dup(c->s, QT_AST(str, arg)->value);
	d = qt_diag_add(c->s->diags, QT_E0203, arg->span, "%s() takes %s in quotes", node->func, what);
	qt_diag_hint(c->s->diags, d, "write %s", qt_builtin_find(node->func)->written);
	return NULL;
}

struct qt_expr *qt_check_reg(struct qt_check *c, const struct qt_ast_call *node)
{
	const char *name = literal(c, node, "the name of a register");
	enum qt_reg reg = name ? find_register(name) : QT_REG_COUNT;
	struct qt_suggest near;
	struct qt_diag *d;

	if (reg != QT_REG_COUNT)
		return read_register(c, node->head.span, reg);
	if (!name)
		return qt_x_error(c->s, node->head.span);
	d = qt_diag_add(c->s->diags, QT_E0203, node->args.items[0]->span, "there is no register `%s`", name);
	qt_suggest_begin(&near, name);
	for (size_t i = 0; i < QT_COUNT(registers); i++)
		qt_suggest_offer(&near, registers[i].name);
	for (int i = 0; i < QT_REG_COUNT; i++)
		qt_suggest_offer(&near, qt_reg_name((enum qt_reg)i));
	if (!qt_suggest_hint(c->s->diags, d, &near))
		qt_diag_hint(c->s->diags, d, "registers are ip sp bp ax bx cx dx si di r8..r15 flags cs ss orig_ax");
	return qt_x_error(c->s, node->head.span);
}

/* The lowest two bits of the code segment are the privilege level: 3 in a process. */
struct qt_expr *qt_check_usermode(struct qt_check *c, struct qt_span span)
{
	struct qt_expr *cs = read_register(c, span, QT_REG_cs), *level, *x;

	if (qt_x_bad(cs))
		return cs;
	level = qt_x_new(c->s, QT_X_BINARY, QT_U64, span);
	level->op = QT_OP_AND;
	level->a = cs;
	level->b = qt_x_int(c->s, 3, QT_U64, span);
	x = qt_x_new(c->s, QT_X_BINARY, QT_BOOL, span);
	x->op = QT_OP_NE;
	x->a = level;
	x->b = qt_x_int(c->s, 0, QT_U64, span);
	return x;
}

/* ---- what is asked when the program is loaded ---- */

static struct qt_expr *ask(struct qt_check *c, const struct qt_ast_call *node, enum qt_ask kind, const char *text, struct qt_type type)
{
	struct qt_expr *x;

	if (!text)
		return qt_x_error(c->s, node->head.span);
	x = qt_x_new(c->s, QT_X_ASK, type, node->head.span);
	x->index = kind;
	x->text = qt_str_from(text);
	return x;
}

struct qt_expr *qt_check_kaddr(struct qt_check *c, const struct qt_ast_call *node)
{
	struct qt_type type = { .kind = QT_TYPE_PTR, .space = QT_SPACE_KERNEL };

	return ask(c, node, QT_ASK_kernel_symbol, literal(c, node, "the name of a kernel symbol"), type);
}

struct qt_expr *qt_check_cgroupid(struct qt_check *c, const struct qt_ast_call *node)
{
	return ask(c, node, QT_ASK_cgroup, literal(c, node, "the path of a cgroup's folder"), QT_U64);
}

/* ---- symbols of the traced program ---- */

static struct qt_expr *cannot_find(struct qt_check *c, const struct qt_ast_call *node, const char *what, const char *hint)
{
	qt_diag_hint(c->s->diags, qt_diag_add(c->s->diags, QT_E0214, node->head.span, "%s", what), "%s", hint);
	return qt_x_error(c->s, node->head.span);
}

/* How much of a symbol is read through its address, by its size. */
static const struct qt_type *type_of_size(struct qt_check *c, uint64_t size)
{
	struct qt_type *t;

	if (size != 1 && size != 2 && size != 4 && size != 8)
		return NULL;
	t = QT_NEW(c->s->arena, struct qt_type);
	*t = QT_INT((uint8_t)size, false);
	return t;
}

/* Wherever the binary was mapped, its parts lie as far from each other as in the file: the address is that of the probed instruction and a distance. */
struct qt_expr *qt_check_uaddr(struct qt_check *c, const struct qt_ast_call *node)
{
	const struct qt_point *point = c->group->points.items;
	struct qt_type type = { .kind = QT_TYPE_PTR, .space = QT_SPACE_USER };
	const char *name = literal(c, node, "the name of a symbol");
	struct qt_expr *sum, *x;
	uint64_t address, size, here;

	if (!name || c->group->broken || c->group->unresolved)
		return qt_x_error(c->s, node->head.span);
	if (c->group->hook != QT_HOOK_uprobe || !c->group->points.len)
		return cannot_find(c, node, "uaddr() needs a uprobe or usdt probe, in whose binary it looks", "use it where a uprobe fires, and keep the address in a map");
	if (c->group->points.len > 1)
		return cannot_find(c, node, "uaddr() in a rule with several points", "write a rule for one function");
	if (!qt_target_symbol(c->s->target, point->path, name, &address, &size))
		return cannot_find(c, node, qt_arena_printf(c->s->arena, "%s has no symbol `%s`", point->path, name), "`nm` and `nm -D` list the symbols of a binary");
	if (!qt_target_file_address(c->s->target, point->path, point->offset, &here))
		return cannot_find(c, node, "the probe's place in its binary is not known", "trace a binary that is there");
	type.to = type_of_size(c, size);
	sum = qt_x_new(c->s, QT_X_BINARY, QT_U64, node->head.span);
	sum->op = QT_OP_ADD;
	sum->a = read_register(c, node->head.span, QT_REG_rip);
	sum->b = qt_x_int(c->s, address - here, QT_U64, node->head.span);
	if (qt_x_bad(sum->a))
		return sum->a;
	x = qt_x_new(c->s, QT_X_CAST, type, node->head.span);
	x->a = sum;
	return x;
}

/* ---- the current task ---- */

static struct qt_expr *env(struct qt_check *c, struct qt_span span, enum qt_env which, struct qt_type type)
{
	struct qt_expr *x = qt_x_new(c->s, QT_X_ENV, type, span);

	x->env = which;
	return x;
}

static struct qt_expr *at_offset(struct qt_check *c, struct qt_expr *base, uint64_t offset)
{
	struct qt_type type = { .kind = QT_TYPE_PTR, .space = QT_SPACE_KERNEL };
	struct qt_expr *sum = qt_x_new(c->s, QT_X_BINARY, QT_U64, base->span), *x;

	sum->op = QT_OP_ADD;
	sum->a = base;
	sum->b = qt_x_int(c->s, offset, QT_U64, base->span);
	x = qt_x_new(c->s, QT_X_CAST, type, base->span);
	x->a = sum;
	return x;
}

static struct qt_expr *read_at(struct qt_check *c, struct qt_expr *base, uint64_t offset, struct qt_type type)
{
	struct qt_expr *x = qt_x_new(c->s, QT_X_DEREF, type, base->span);

	x->a = at_offset(c, base, offset);
	return x;
}

/* Where FIELD of struct task_struct lies; a diagnostic where nobody tells. */
static bool task_field(struct qt_check *c, struct qt_span span, const char *field, uint64_t *offset)
{
	struct qt_struct_field f;
	struct qt_reason why = { 0 };

	if (qt_target_struct_field(c->s->target, "struct task_struct", field, &f, &why)) {
		*offset = f.offset;
		return true;
	}
	qt_reason_diag(c->s, QT_E0214, span, &why, "the kernel's types are not known");
	return false;
}

static struct qt_expr *parent(struct qt_check *c, struct qt_span span)
{
	uint64_t offset;

	if (!task_field(c, span, "real_parent", &offset))
		return qt_x_error(c->s, span);
	return read_at(c, env(c, span, QT_ENV_curtask, QT_U64), offset, QT_U64);
}

struct qt_expr *qt_check_ppid(struct qt_check *c, struct qt_span span)
{
	struct qt_expr *task = parent(c, span);
	uint64_t offset;

	if (qt_x_bad(task) || !task_field(c, span, "tgid", &offset))
		return qt_x_error(c->s, span);
	return read_at(c, task, offset, QT_INT(4, false));
}

struct qt_expr *qt_check_pcomm(struct qt_check *c, struct qt_span span)
{
	struct qt_expr *task = parent(c, span), *x;
	uint64_t offset;

	if (qt_x_bad(task) || !task_field(c, span, "comm", &offset))
		return qt_x_error(c->s, span);
	x = qt_x_new(c->s, QT_X_STR_READ, (struct qt_type){ .kind = QT_TYPE_STR }, span);
	x->a = at_offset(c, task, offset);
	x->b = qt_x_int(c->s, 16, QT_U64, span);
	return x;
}

struct qt_expr *qt_check_probetype(struct qt_check *c, struct qt_span span)
{
	return qt_x_str(c->s, qt_str_from(c->group->provider ? c->group->provider->name : ""), span);
}

/* ---- addresses of networks, written out ---- */

/* Of IPv4, as a number in network order, as it lies in memory. */
struct qt_expr *qt_check_pton(struct qt_check *c, const struct qt_ast_call *node)
{
	const char *text = literal(c, node, "an address");
	struct qt_diag *d;
	struct in_addr four;

	if (!text)
		return qt_x_error(c->s, node->head.span);
	if (inet_pton(AF_INET, text, &four) == 1)
		return qt_x_int(c->s, four.s_addr, QT_INT(4, false), node->head.span);
	d = qt_diag_add(c->s->diags, QT_E0203, node->args.items[0]->span, "`%s` is no IPv4 address", text);
	qt_diag_hint(c->s->diags, d, strchr(text, ':') ? "IPv6 addresses are compared as two words: *(uint64 *)ADDRESS" : "write pton(\"127.0.0.1\")");
	return qt_x_error(c->s, node->head.span);
}
