/* Arguments, return values and latency as rules ask for them. At a return the entry's arguments are captured when it is entered: the rule gets
 * a pair, whose program at the entry keeps what is read here by index. */
#include "sema/sema_internal.h"

static struct qt_pair *need_pair(struct qt_check *c)
{
	const struct qt_group *entry = c->group->entry;
	struct qt_pair *p = c->out->pair;

	if (p)
		return p;
	p = c->out->pair = QT_NEW(c->s->arena, struct qt_pair);
	p->hook = entry->hook;
	p->points.items = entry->points.items;
	p->points.len = entry->points.len;
	return p;
}

struct qt_expr *qt_pair_capture(struct qt_check *c, struct qt_expr *read)
{
	struct qt_pair *p = need_pair(c);
	struct qt_expr *x = qt_x_new(c->s, QT_X_ENTRY, read->type, read->span);

	for (x->index = 0; x->index < p->captures.len; x->index++) {
		if (qt_expr_same_read(p->captures.items[x->index], read))
			return x;
	}
	*qt_vec_push(c->s->arena, &p->captures) = read;
	return x;
}

/* The probe as the script has it, where it has only one. */
static const char *written_probe(const struct qt_check *c)
{
	if (c->rule->node->probes.len == 1)
		return c->rule->text;
	return c->group->points.len ? c->group->points.items[0].probe : "";
}

/* "write uretprobe:libssl:SSL_read", or NULL where the event has no return. */
static const char *return_hint(struct qt_check *c)
{
	const char *probe = written_probe(c), *rest = strchr(probe, ':'), *ret = NULL;

	if (c->group->provider->shape == QT_SHAPE_SYSCALL)
		return qt_arena_printf(c->s->arena, "write %s:return", probe);
	if (!strcmp(c->group->provider->name, "uprobe"))
		ret = "uretprobe";
	else if (c->group->provider->shape == QT_SHAPE_KERNEL)
		ret = c->group->provider->hook == QT_HOOK_fentry ? "fexit" : "kretprobe";
	return ret && rest ? qt_arena_printf(c->s->arena, "write %s%s", ret, rest) : NULL;
}

struct qt_expr *qt_check_latency(struct qt_check *c, struct qt_span span)
{
	struct qt_type type = QT_U64;
	const char *hint;
	struct qt_diag *d;

	type.unit = QT_UNIT_NS;
	if (c->group->broken)
		return qt_x_error(c->s, span);
	if (c->group->entry) {
		need_pair(c);
		return qt_x_new(c->s, QT_X_LATENCY, type, span);
	}
	d = qt_diag_add(c->s->diags, QT_E0214, span, "%s has no latency: it is no return",
			c->group->points.len ? c->group->points.items[0].probe : c->rule->text);
	hint = return_hint(c);
	qt_diag_hint(c->s->diags, d, "%s", hint ? hint : "uretprobe, kretprobe, fexit and syscall:NAME:return have one");
	return qt_x_error(c->s, span);
}

/* ---- messages ---- */

static void offer_fields(struct qt_suggest *near, const struct qt_why_not *why)
{
	for (unsigned i = 0; why->fields && i < why->fields->nfields; i++) {
		if (!why->fields->fields[i].common)
			qt_suggest_offer(near, why->fields->fields[i].name);
	}
	for (unsigned i = 0; i < why->nparams; i++)
		qt_suggest_offer(near, why->params[i].name);
}

/* "fields: dev, sector, nr_sector" */
static void list_fields(struct qt_check *c, struct qt_diag *d, const struct qt_why_not *why)
{
	struct qt_buf b = { 0 };
	unsigned n = 0, total = why->fields ? why->fields->nfields : why->nparams;

	for (unsigned i = 0; i < total && n < 8; i++) {
		if (why->fields && why->fields->fields[i].common)
			continue;
		qt_buf_printf(&b, "%sargs.%s", n++ ? ", " : "", why->fields ? why->fields->fields[i].name : why->params[i].name);
	}
	if (n)
		qt_diag_hint(c->s->diags, d, "it has %s%s", b.ptr, n == 8 ? " ..." : "");
	qt_buf_free(&b);
}

static struct qt_expr *report(struct qt_check *c, const struct qt_ast *node, const struct qt_why_not *why)
{
	bool is_ret = node->kind == QT_AST_ident && !strncmp(QT_AST(ident, node)->name, "ret", 3);
	const char *what =
		node->kind == QT_AST_member ? qt_arena_printf(c->s->arena, "args.%s", QT_AST(member, node)->name) : QT_AST(ident, node)->name;
	const char *at = c->group->points.len ? c->group->points.items[0].probe : c->rule->text;
	bool unknown_field = node->kind == QT_AST_member && (why->fields || why->params);
	struct qt_diag *d = qt_diag_add(c->s->diags, unknown_field ? QT_E0215 : QT_E0214, node->span, "`%s` cannot be read at %s: %s", what, at,
					why->text ? why->text : "it is not there");
	const char *hint = is_ret && !c->group->is_return ? return_hint(c) : why->hint;
	struct qt_suggest near;

	if (hint)
		qt_diag_hint(c->s->diags, d, "%s", hint);
	if (!unknown_field && !why->fields)
		return qt_x_error(c->s, node->span);
	qt_suggest_begin(&near, unknown_field ? QT_AST(member, node)->name : "");
	offer_fields(&near, why);
	if (!unknown_field || !qt_suggest_hint(c->s->diags, d, &near))
		list_fields(c, d, why);
	return qt_x_error(c->s, node->span);
}

/* ---- arguments ---- */

static bool reads_entry(const struct qt_check *c, const struct qt_ast *node)
{
	if (!c->group->entry || c->group->args == QT_ARGS_WORDS)
		return false;
	return node->kind == QT_AST_member ? strcmp(QT_AST(member, node)->name, "ret") != 0 : strncmp(QT_AST(ident, node)->name, "ret", 3) != 0;
}

struct qt_expr *qt_check_arg(struct qt_check *c, const struct qt_ast *node)
{
	struct qt_why_not why = { 0 };
	bool entry = reads_entry(c, node);
	struct qt_expr *x = qt_arg_read(c->s, entry ? c->group->entry : c->group, node, &why);

	if (c->group->broken)
		return qt_x_error(c->s, node->span);
	if (!x)
		return report(c, node, &why);
	return entry ? qt_pair_capture(c, x) : x;
}
