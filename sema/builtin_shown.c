/* Built-ins whose values user space shows: stacks, symbols, addresses of networks and cards, cgroups. */
#include "sema/sema_internal.h"

#define FRAMES_MAX 127u /* of a stack: what the kernel takes unless told otherwise (sysctl kernel.perf_event_max_stack) */
#define AF_INET_ 2u
#define AF_INET6_ 10u

/* ---- stacks ---- */

static const struct {
	const char *name;
	enum qt_stack_mode mode;
} modes[] = { { "bpftrace", QT_STACK_NAMES }, { "perf", QT_STACK_PERF }, { "raw", QT_STACK_RAW } };

static bool stack_mode(const struct qt_ast *node, uint64_t *mode)
{
	for (size_t i = 0; node->kind == QT_AST_ident && i < QT_COUNT(modes); i++) {
		if (strcmp(QT_AST(ident, node)->name, modes[i].name))
			continue;
		*mode = modes[i].mode;
		return true;
	}
	return false;
}

static bool stack_argument(struct qt_check *c, const struct qt_ast_call *node, const struct qt_ast *arg, uint64_t *mode, uint64_t *frames)
{
	struct qt_expr *x;
	struct qt_diag *d;

	if (stack_mode(arg, mode))
		return true;
	if (arg->kind == QT_AST_ident) {
		d = qt_diag_add(c->s->diags, QT_E0203, arg->span, "%s() has no form `%s`", node->func, QT_AST(ident, arg)->name);
		qt_diag_hint(c->s->diags, d, "forms are bpftrace (names and offsets), perf (addresses and files too) and raw (addresses)");
		return false;
	}
	x = qt_check_number(c, arg, node->func);
	if (qt_x_bad(x))
		return false;
	*frames = x->value;
	if (x->kind == QT_X_INT && x->value >= 1 && x->value <= FRAMES_MAX)
		return true;
	d = qt_diag_add(c->s->diags, QT_E0203, arg->span, "the number of frames must be a constant from 1 to %u", FRAMES_MAX);
	qt_diag_hint(c->s->diags, d, "write %s(10), or %s for all", node->func, node->func);
	return false;
}

static struct qt_expr *stack(struct qt_check *c, const struct qt_ast_call *node, uint64_t user)
{
	uint64_t mode = QT_STACK_NAMES, frames = FRAMES_MAX;
	struct qt_expr *x;

	for (uint32_t i = 0; i < node->args.len; i++) {
		if (!stack_argument(c, node, node->args.items[i], &mode, &frames))
			return qt_x_error(c->s, node->head.span);
	}
	x = qt_x_new(c->s, QT_X_STACK, QT_SHOWN_TYPE(stack), node->head.span);
	x->value = user | mode << QT_STACK_MODE_SHIFT;
	x->size = (uint32_t)frames;
	x->index = user && c->group->hook == QT_HOOK_uprobe && c->group->args != QT_ARGS_USDT && !c->group->inside;
	return x;
}

struct qt_expr *qt_check_kstack(struct qt_check *c, const struct qt_ast_call *node)
{
	return stack(c, node, 0);
}

struct qt_expr *qt_check_ustack(struct qt_check *c, const struct qt_ast_call *node)
{
	return stack(c, node, QT_STACK_USER);
}

struct qt_expr *qt_check_len(struct qt_check *c, const struct qt_ast_call *node)
{
	struct qt_expr *a = qt_check_expr(c, node->args.items[0]), *x;

	if (qt_x_bad(a))
		return a;
	if (a->type.kind != QT_TYPE_SHOWN || a->type.shown != QT_SHOWN_stack) {
		struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0204, a->span, "len() takes a stack, not %s", qt_type_words(a->type));

		qt_diag_hint(c->s->diags, d, "write len(kstack) or len(ustack)");
		return qt_x_error(c->s, node->head.span);
	}
	x = qt_x_new(c->s, QT_X_STACK_LEN, QT_U64, node->head.span);
	x->a = a;
	return x;
}

/* ---- symbols and cgroups ---- */

static struct qt_expr *as_word(struct qt_check *c, const struct qt_ast_call *node, struct qt_type type)
{
	struct qt_expr *a = qt_check_number(c, node->args.items[0], node->func), *x;

	if (qt_x_bad(a))
		return a;
	x = qt_x_new(c->s, QT_X_CAST, type, node->head.span);
	x->a = a;
	return x;
}

struct qt_expr *qt_check_ksym(struct qt_check *c, const struct qt_ast_call *node)
{
	return as_word(c, node, QT_SHOWN_TYPE(ksym));
}

struct qt_expr *qt_check_cgroup_path(struct qt_check *c, const struct qt_ast_call *node)
{
	return as_word(c, node, QT_SHOWN_TYPE(cgroup));
}

static struct qt_expr *pack(struct qt_check *c, struct qt_span span, struct qt_type type, uint32_t size)
{
	struct qt_expr *x = qt_x_new(c->s, QT_X_PACK, type, span);

	x->size = size;
	return x;
}

/* An address means something in its process only. */
struct qt_expr *qt_check_usym(struct qt_check *c, const struct qt_ast_call *node)
{
	struct qt_expr *address = qt_check_number(c, node->args.items[0], node->func), *x, *pid;

	if (qt_x_bad(address))
		return address;
	pid = qt_x_new(c->s, QT_X_ENV, QT_U64, node->head.span);
	pid->env = QT_ENV_pid;
	x = pack(c, node->head.span, QT_SHOWN_TYPE(usym), 16);
	*qt_vec_push(c->s->arena, &x->args) = pid;
	*qt_vec_push(c->s->arena, &x->args) = address;
	return x;
}

/* ---- networks ---- */

static struct qt_expr *bytes_at(struct qt_check *c, struct qt_span span, struct qt_type type, struct qt_expr *address, uint32_t size)
{
	struct qt_expr *x = qt_x_new(c->s, QT_X_BYTES, type, span);

	x->a = address;
	x->size = size;
	return x;
}

static struct qt_expr *inet_of_number(struct qt_check *c, struct qt_span span, struct qt_expr *number)
{
	struct qt_expr *x = pack(c, span, QT_SHOWN_TYPE(inet), 4);

	*qt_vec_push(c->s->arena, &x->args) = number;
	return x;
}

/* Of which family the bytes at ADDRESS are is known only when it runs. */
static struct qt_expr *inet_of_either(struct qt_check *c, struct qt_span span, struct qt_expr *family, struct qt_expr *address)
{
	struct qt_expr *x = qt_x_new(c->s, QT_X_TERNARY, QT_SHOWN_TYPE(inet), span);

	x->a = qt_x_new(c->s, QT_X_BINARY, QT_BOOL, span);
	x->a->op = QT_OP_EQ;
	x->a->a = qt_x_convert(c->s, family, QT_U64);
	x->a->b = qt_x_int(c->s, AF_INET6_, QT_U64, span);
	x->b = bytes_at(c, span, x->type, address, 16);
	x->c = bytes_at(c, span, x->type, address, 4);
	return x;
}

static struct qt_expr *family_error(struct qt_check *c, const struct qt_expr *family)
{
	struct qt_diag *d = qt_diag_add(c->s->diags, QT_E0203, family->span, "%llu is no family of addresses", (unsigned long long)family->value);

	qt_diag_hint(c->s->diags, d, "AF_INET is %u, AF_INET6 is %u", AF_INET_, AF_INET6_);
	return qt_x_error(c->s, family->span);
}

/* The address stands at X. */
static struct qt_expr *inet_at(struct qt_check *c, const struct qt_ast_call *node, struct qt_expr *family, struct qt_expr *x)
{
	struct qt_diag *d;

	if (family && family->kind != QT_X_INT)
		return inet_of_either(c, node->head.span, family, x);
	if (family)
		return family->value == AF_INET_ || family->value == AF_INET6_
			       ? bytes_at(c, node->head.span, QT_SHOWN_TYPE(inet), x, family->value == AF_INET_ ? 4 : 16)
			       : family_error(c, family);
	d = qt_diag_add(c->s->diags, QT_E0203, x->span, "ntop() cannot tell which kind of address stands there");
	qt_diag_hint(c->s->diags, d, "say the family: ntop(%u, ADDRESS) for IPv4, ntop(%u, ADDRESS) for IPv6", AF_INET_, AF_INET6_);
	return qt_x_error(c->s, node->head.span);
}

struct qt_expr *qt_check_ntop(struct qt_check *c, const struct qt_ast_call *node)
{
	struct qt_expr *family = node->args.len == 2 ? qt_check_number(c, node->args.items[0], node->func) : NULL;
	struct qt_expr *x = qt_check_number(c, node->args.items[node->args.len - 1], node->func);
	bool six = family && family->kind == QT_X_INT && family->value == AF_INET6_;

	if (qt_x_bad(x) || (family && qt_x_bad(family)))
		return qt_x_error(c->s, node->head.span);
	if (x->type.kind == QT_TYPE_INT && x->type.size <= 4 && !six)
		return inet_of_number(c, node->head.span, x);
	return x->type.kind == QT_TYPE_INT && !family ? inet_of_number(c, node->head.span, x) : inet_at(c, node, family, x);
}

struct qt_expr *qt_check_macaddr(struct qt_check *c, const struct qt_ast_call *node)
{
	struct qt_expr *x = qt_check_number(c, node->args.items[0], node->func);

	return qt_x_bad(x) ? x : bytes_at(c, node->head.span, QT_SHOWN_TYPE(mac), x, 6);
}

/* ---- bytes turned round ---- */

struct qt_expr *qt_check_bswap(struct qt_check *c, const struct qt_ast_call *node)
{
	struct qt_expr *a = qt_check_number(c, node->args.items[0], node->func), *x;

	if (qt_x_bad(a))
		return a;
	x = qt_x_new(c->s, QT_X_BSWAP, QT_INT(a->type.kind == QT_TYPE_INT ? a->type.size : 8, false), node->head.span);
	x->a = a;
	return x;
}
