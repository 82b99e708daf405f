/* Probes to points: looks up the provider, checks the shape, hands over to the provider's resolver (resolve_*.c), and groups the points of a
 * rule: those that are hooked alike and for which everything that the rule asks of the event is read alike share one group. */
#include "sema/sema_internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- what a rule asks of its event ---- */

static bool is_argument(const struct qt_ast *node)
{
	unsigned index;
	const char *name;

	if (node->kind == QT_AST_member) {
		const struct qt_ast *object = QT_AST(member, node)->object;

		return object->kind == QT_AST_ident && !strcmp(QT_AST(ident, object)->name, "args");
	}
	if (node->kind != QT_AST_ident)
		return false;
	name = QT_AST(ident, node)->name;
	return qt_arg_is_number(name, &index) || !strcmp(name, "ret") || !strcmp(name, "retval");
}

struct collect {
	struct qt_sema *s;
	struct qt_uses *uses;
};

static const char *use_name(const struct qt_ast *node)
{
	return node->kind == QT_AST_member ? QT_AST(member, node)->name : QT_AST(ident, node)->name;
}

static void collect_uses(struct qt_ast *node, void *ctx)
{
	struct collect *c = ctx;

	if (is_argument(node)) {
		qt_vec_each (it, &c->uses->nodes) {
			if ((*it)->kind == node->kind && use_name(*it) == use_name(node))
				return;
		}
		*qt_vec_push(c->s->arena, &c->uses->nodes) = node;
		return;
	}
	qt_ast_children(node, collect_uses, c);
}

/* ---- grouping ---- */

/* What the rule asks, read at G's points; at a return the entry's arguments come behind it. */
static void read_uses(struct qt_sema *s, const struct qt_rule_info *rule, struct qt_group *g)
{
	for (uint32_t i = 0; i < rule->uses.nodes.len; i++) {
		const struct qt_ast *node = rule->uses.nodes.items[i];
		struct qt_why_not why = { 0 };

		*qt_vec_push(s->arena, &g->reads) = qt_arg_read(s, g, node, &why);
		if (g->entry)
			*qt_vec_push(s->arena, &g->reads) = qt_arg_read(s, g->entry, node, &why);
	}
}

static bool same_group(const struct qt_group *a, const struct qt_group *b)
{
	if (a->provider != b->provider || a->hook != b->hook || a->args != b->args || a->inside != b->inside || !a->entry != !b->entry ||
	    a->is_return != b->is_return || (a->entry && a->entry->hook != b->entry->hook))
		return false;
	if (a->reads.len != b->reads.len)
		return false;
	for (uint32_t i = 0; i < a->reads.len; i++) {
		if (!qt_expr_same_read(a->reads.items[i], b->reads.items[i]))
			return false;
	}
	return true;
}

/* Everything that the rule asks can be read, at the point or (of a return) at its entry. */
static bool reads_all(const struct qt_group *g)
{
	uint32_t step = g->entry ? 2 : 1;

	for (uint32_t i = 0; i < g->reads.len; i += step) {
		if (!g->reads.items[i] && !(g->entry && g->reads.items[i + 1]))
			return false;
	}
	return true;
}

/* NULL when a point like this is left out. */
static struct qt_group *find_group(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_group *like)
{
	struct qt_group *g = QT_NEW(s->arena, struct qt_group);

	*g = *like;
	read_uses(s, rule, g);
	if (g->from_glob && !reads_all(g))
		return NULL;
	for (uint32_t i = rule->groups.len; i-- > 0;) {
		if (same_group(rule->groups.items[i], g))
			return rule->groups.items[i];
	}
	if (like->entry) {
		g->entry = QT_NEW(s->arena, struct qt_group);
		*g->entry = *like->entry;
	}
	*qt_vec_push(s->arena, &rule->groups) = g;
	return g;
}

void qt_rule_add_point(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_group *like, const struct qt_point *point,
		       const struct qt_point *entry)
{
	const char *place = qt_arena_printf(s->arena, "%s@%llx", point->probe, (unsigned long long)point->offset);
	struct qt_group *g;

	if (qt_map_put(s->arena, &rule->seen, QT_KEY(qt_intern(s->names, place)), rule))
		return;
	g = find_group(s, rule, like);
	if (!g) {
		rule->left_out_first = rule->left_out++ ? rule->left_out_first : point->probe;
		return;
	}
	*qt_vec_push(s->arena, &g->points) = *point;
	if (g->entry && entry)
		*qt_vec_push(s->arena, &g->entry->points) = *entry;
}

/* ---- the text of a probe ---- */

static const char *param_text(struct qt_sema *s, const struct qt_ast_probe *probe, const char *name, size_t len)
{
	qt_name wanted = qt_intern_n(s->names, name, len);
	struct qt_cell cell;
	char *end;
	long number = strtol(wanted, &end, 10);

	if (*wanted && !*end) {
		if (number > 0 && number <= s->options->nparams)
			return s->options->params[number - 1];
		struct qt_diag *d = qt_diag_add(s->diags, QT_E0218, probe->head.span, "the probe needs $%ld, which is not given", number);
		qt_diag_hint(s->diags, d, "give it behind the script: qtrace SCRIPT VALUE ...");
		return NULL;
	}
	qt_vec_each (p, &s->params) {
		if (p->name == wanted && qt_const_cell(s, p->value, &cell))
			return cell.is_text ? qt_str_dup(s, cell.text) : qt_arena_printf(s->arena, "%llu", (unsigned long long)cell.value);
	}
	qt_diag_add(s->diags, QT_E0218, probe->head.span, "the probe needs ${%s}, but there is no such param", wanted);
	return NULL;
}

/* Puts in $1 and ${name}; NULL after a diagnostic. */
static const char *substitute(struct qt_sema *s, const struct qt_ast_probe *probe, const char *text)
{
	struct qt_buf b = { 0 };
	const char *out = NULL;

	while (*text) {
		size_t len = 0, skip = 1;

		if (text[0] == '$' && text[1] >= '1' && text[1] <= '9')
			len = strspn(text + 1, "0123456789"), skip = 1;
		else if (text[0] == '$' && text[1] == '{' && strchr(text, '}'))
			len = (size_t)(strchr(text, '}') - text) - 2, skip = 2;
		if (!len) {
			qt_buf_addc(&b, *text++);
			continue;
		}
		const char *value = param_text(s, probe, text + skip, len);

		if (!value)
			goto done;
		qt_buf_adds(&b, value);
		text += skip + len + (skip == 2);
	}
	out = qt_arena_strndup(s->arena, b.ptr ? b.ptr : "", b.len);
done:
	qt_buf_free(&b);
	return out;
}

const char *qt_probe_field(struct qt_sema *s, const struct qt_ast_probe *probe, uint32_t i)
{
	const char *text;

	if (i >= probe->fields.len)
		return "";
	text = qt_str_dup(s, QT_AST(probe_field, probe->fields.items[i])->text);
	return strchr(text, '$') ? substitute(s, probe, text) : text;
}

struct qt_span qt_probe_span(const struct qt_ast_probe *probe, int i)
{
	uint32_t at = i < 0 ? probe->fields.len + (uint32_t)i : (uint32_t)i;

	return at < probe->fields.len ? probe->fields.items[at]->span : probe->head.span;
}

static bool is_quoted(const struct qt_ast_probe *probe, uint32_t i)
{
	return QT_AST(probe_field, probe->fields.items[i])->quoted;
}

bool qt_probe_offset(struct qt_sema *s, const struct qt_ast_probe *probe, uint32_t i, const char **name, uint64_t *offset, bool *given)
{
	const char *text = qt_probe_field(s, probe, i), *plus = text && !is_quoted(probe, i) ? strrchr(text, '+') : NULL;
	char *end;

	*name = text;
	*offset = 0;
	*given = false;
	if (!text)
		return false;
	if (!plus || plus == text)
		return true;
	*offset = strtoull(plus + 1, &end, 0);
	if (!plus[1] || *end || plus[1] == '-') {
		struct qt_diag *d = qt_diag_add(s->diags, QT_E0315, qt_probe_span(probe, (int)i), "`%s` is no offset", plus);

		qt_diag_hint(s->diags, d, "an offset is a number of bytes: FUNCTION+0x10; a name that holds a plus stands in quotes");
		return false;
	}
	*name = qt_arena_strndup(s->arena, text, (size_t)(plus - text));
	*given = true;
	return true;
}

const char *qt_probe_quote(struct qt_sema *s, const char *part)
{
	return strpbrk(part, ":, \t\"'{}()<>;") ? qt_arena_printf(s->arena, "\"%s\"", part) : part;
}

/* ---- messages ---- */

void qt_offer_name(void *ctx, const char *candidate)
{
	qt_suggest_offer(ctx, candidate);
}

void qt_probe_shape_error(struct qt_sema *s, const struct qt_ast_probe *probe, const struct qt_provider *p)
{
	struct qt_diag *d = qt_diag_add(s->diags, QT_E0302, probe->head.span, "`%s` has %u part%s", qt_str_dup(s, probe->text), probe->fields.len + 1,
					probe->fields.len ? "s" : "");

	qt_diag_hint(s->diags, d, "it is written %s", p->written);
}

struct qt_diag *qt_reason_diag(struct qt_sema *s, enum qt_code code, struct qt_span span, const struct qt_reason *why, const char *fallback)
{
	bool unknown = why->why == QT_WHY_NOT_RECORDED;
	struct qt_diag *d = qt_diag_add(s->diags, code, span, "%s", why->text && !unknown ? why->text : fallback);

	if (unknown && why->text)
		qt_diag_note(s->diags, d, (struct qt_span){ 0 }, "%s", why->text);
	if (why->hint)
		qt_diag_hint(s->diags, d, "%s", why->hint);
	return d;
}

static void unknown_provider(struct qt_sema *s, const struct qt_ast_probe *probe)
{
	struct qt_diag *d = qt_diag_add(s->diags, QT_E0301, probe->head.span, "there is no kind of probe `%s`", probe->provider);
	const struct qt_provider *p;
	struct qt_suggest near;

	if (!*probe->provider) {
		qt_diag_hint(s->diags, d, "a probe begins with its kind, as in kprobe:vfs_read or uprobe:libc:malloc");
		return;
	}
	for (unsigned i = 0; (p = qt_provider_row(i)); i++) {
		if (strcasecmp(p->name, probe->provider) != 0)
			continue;
		qt_diag_hint(s->diags, d, "write %s", p->name);
		return;
	}
	qt_suggest_begin(&near, probe->provider);
	for (unsigned i = 0; (p = qt_provider_row(i)); i++) {
		if (p->shape != QT_SHAPE_LATER)
			qt_suggest_offer(&near, p->name);
	}
	if (!qt_suggest_hint(s->diags, d, &near))
		qt_diag_hint(s->diags, d,
			     "probes are uprobe, uretprobe, usdt, kprobe, kretprobe, fentry, fexit, syscall, tracepoint, rawtracepoint, profile, "
			     "interval, begin, end");
}

static void not_available(struct qt_sema *s, const struct qt_ast_probe *probe, const struct qt_provider *p)
{
	static const char *const instead[][2] = {
		{ "watchpoint", "a uprobe on the function that writes there sees each call: uprobe:BINARY:FUNCTION" },
		{ "iter", "rules run at events: tracepoint:sched:sched_switch sees each process as it runs" },
		{ "span", "set a context variable where it begins, and clear it where it ends" },
	};
	struct qt_diag *d = qt_diag_add(s->diags, QT_E0317, probe->head.span, "%s probes are not available", p->name);

	for (size_t i = 0; i < QT_COUNT(instead); i++)
		if (!strcmp(instead[i][0], p->name))
			qt_diag_hint(s->diags, d, "%s", instead[i][1]);
}

/* ---- rules ---- */

const qt_resolve_fn qt_resolvers[QT_SHAPE_COUNT] = {
	[QT_SHAPE_COUNTER] = qt_resolve_counter,	       [QT_SHAPE_FUNCTION] = qt_resolve_function,     [QT_SHAPE_USDT] = qt_resolve_usdt, [QT_SHAPE_KERNEL] = qt_resolve_kernel,
	[QT_SHAPE_TRACEPOINT] = qt_resolve_tracepoint, [QT_SHAPE_RAW] = qt_resolve_raw,	  [QT_SHAPE_SYSCALL] = qt_resolve_syscall,
	[QT_SHAPE_TIMER] = qt_resolve_timer,	       [QT_SHAPE_ONCE] = qt_resolve_once, [QT_SHAPE_LATER] = NULL,
};

static uint32_t count_points(const struct qt_rule_info *rule)
{
	uint32_t n = 0;

	qt_vec_each (g, &rule->groups)
		n += (*g)->points.len;
	return n;
}

static void tell_left_out(struct qt_sema *s, const struct qt_rule_info *rule, const struct qt_ast_probe *probe, uint32_t kept)
{
	struct qt_diag *d = qt_diag_add(s->diags, kept ? QT_W0304 : QT_E0214, probe->head.span,
					kept ? "%u of the %u matches lack an argument that the rule reads, and are left out"
					     : "none of its %u matches has the arguments that the rule reads",
					rule->left_out, rule->left_out + kept);

	qt_diag_note(s->diags, d, (struct qt_span){ 0 }, "the first is %s", rule->left_out_first);
}

static void resolve_with(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p)
{
	uint32_t before = count_points(rule);

	rule->left_out = 0;
	qt_resolvers[p->shape](s, rule, probe, p);
	if (rule->left_out)
		tell_left_out(s, rule, probe, count_points(rule) - before);
}

void qt_resolve_probe(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe)
{
	const struct qt_provider *p = qt_provider_find(probe->provider);

	if (!p)
		unknown_provider(s, probe);
	else if (!qt_resolvers[p->shape])
		not_available(s, probe, p);
	else if (probe->fields.len < p->min_fields || probe->fields.len > p->max_fields)
		qt_probe_shape_error(s, probe, p);
	else
		resolve_with(s, rule, probe, p);
}

static const char *rule_text(struct qt_sema *s, const struct qt_ast_rule *node)
{
	struct qt_buf b = { 0 };
	const char *out;

	for (uint32_t i = 0; i < node->probes.len; i++) {
		if (i)
			qt_buf_adds(&b, ", ");
		qt_buf_add(&b, QT_AST(probe, node->probes.items[i])->text.ptr, QT_AST(probe, node->probes.items[i])->text.len);
	}
	out = qt_arena_strndup(s->arena, b.ptr ? b.ptr : "", b.len);
	qt_buf_free(&b);
	return out;
}

/* So that names which only this rule sets are not unknown elsewhere. */
static void add_broken_group(struct qt_sema *s, struct qt_rule_info *rule)
{
	struct qt_group *g = QT_NEW(s->arena, struct qt_group);

	g->provider = qt_provider_find("uprobe");
	g->hook = g->provider->hook;
	g->broken = true;
	*qt_vec_push(s->arena, &rule->groups) = g;
}

void qt_resolve_rule(struct qt_sema *s, struct qt_rule_info *rule)
{
	struct collect c = { s, &rule->uses };

	rule->text = rule_text(s, rule->node);
	qt_ast_children(&rule->node->head, collect_uses, &c);
	for (uint32_t i = 0; i < rule->node->probes.len; i++)
		qt_resolve_probe(s, rule, QT_AST(probe, rule->node->probes.items[i]));
	if (!rule->groups.len)
		add_broken_group(s, rule);
}
