/* Points in kernel functions: kprobe and kretprobe (a trampoline where the machine has them and the function has types, else a breakpoint),
 * fentry and fexit (a trampoline, nothing else). */
#include "sema/sema_internal.h"

struct kernel_probe {
	const struct qt_ast_probe *node;
	const struct qt_provider *provider;
	const char *name;
	uint64_t offset;
	bool has_offset;
	bool may_trampoline; /* the provider, or the lack of an offset, allows one */
	bool must_trampoline;
	struct qt_feature_state trampoline, breakpoint;
	bool is_glob;
};

/* ---- messages ---- */

static void add_alternative(struct qt_sema *s, struct qt_diag *d, const struct kernel_probe *k)
{
	struct qt_alternative alt = qt_kernel_alternative(k->name);

	if (alt.probe)
		qt_diag_hint(s->diags, d, "%s%s carries the same event%s%s", alt.probe,
			     k->provider->is_return && !strncmp(alt.probe, "syscall:", 8) ? ":return" : "", alt.note && alt.note[0] ? "; " : "",
			     alt.note ? alt.note : "");
	else
		qt_diag_hint(s->diags, d, "`qtrace list 'tracepoint:*'` and `qtrace list 'syscall:*'` show events that need neither");
}

static void feature_note(struct qt_sema *s, struct qt_diag *d, const char *what, const struct qt_feature_state *f)
{
	if (f->config)
		qt_diag_note(s->diags, d, (struct qt_span){ 0 }, "%s: %s (%s)", what, f->reason ? f->reason : "not available", f->config);
	else
		qt_diag_note(s->diags, d, (struct qt_span){ 0 }, "%s: %s", what, f->reason ? f->reason : "not available");
}

/* Neither mechanism can be had. An error, or a warning where another machine is to run it. */
static void no_mechanism(struct qt_sema *s, const struct kernel_probe *k, bool typed)
{
	struct qt_feature_state untyped = { QT_NO, "the kernel's types (BTF) do not know this function", NULL };
	struct qt_feature_state offset = { QT_NO, "a trampoline stands at the first instruction only", NULL };
	enum qt_code code = s->options->missing_binaries_ok ? QT_W0302 : QT_E0311;
	struct qt_diag *d = qt_diag_add(s->diags, code, qt_probe_span(k->node, 0), "%s cannot be probed on this machine", k->name);

	if (!k->must_trampoline)
		feature_note(s, d, "kprobe", &k->breakpoint);
	feature_note(s, d, "fentry", !k->may_trampoline ? &offset : !typed ? &untyped : &k->trampoline);
	add_alternative(s, d, k);
}

static void unknown_function(struct qt_sema *s, const struct kernel_probe *k, const struct qt_reason *why)
{
	struct qt_diag *d =
		qt_reason_diag(s, QT_E0310, qt_probe_span(k->node, 0), why, qt_arena_printf(s->arena, "there is no kernel function `%s`", k->name));
	struct qt_suggest near;

	qt_suggest_begin(&near, k->name);
	qt_target_kernel_function_offer(s->target, qt_offer_name, &near);
	qt_suggest_hint(s->diags, d, &near);
}

/* ---- points ---- */

static void add_point(struct qt_sema *s, struct qt_rule_info *rule, const struct kernel_probe *k, const struct qt_kernel_function *fn,
		      const char *name, bool trampoline)
{
	bool ret = k->provider->is_return;
	enum qt_args_model model = trampoline ? QT_ARGS_WORDS : QT_ARGS_REGS;
	const struct qt_prototype *proto = fn ? &fn->proto : NULL;
	struct qt_group entry = {
		.provider = k->provider, .hook = trampoline ? QT_HOOK_fentry : QT_HOOK_kprobe, .args = model, .space = QT_SPACE_KERNEL, .proto = proto
	};
	struct qt_group like = entry;
	struct qt_point point = { .func = name, .event = name, .offset = k->offset }, at_entry;
	const char *place = k->has_offset ? qt_arena_printf(s->arena, "%s+%llu", name, (unsigned long long)k->offset) : name;

	like.span = k->node->head.span;
	like.is_return = ret;
	like.from_glob = k->is_glob;
	like.inside = k->has_offset && k->offset;
	if (ret) {
		like.hook = trampoline ? QT_HOOK_fexit : QT_HOOK_kretprobe;
		like.entry = &entry;
	}
	point.probe = qt_arena_printf(s->arena, "%s:%s", k->provider->name, place);
	at_entry = point;
	at_entry.probe = qt_arena_printf(s->arena, "%s:%s", ret ? k->provider->entry : k->provider->name, place);
	qt_rule_add_point(s, rule, &like, &point, &at_entry);
}

/* Unknown counts as there: compiling needs no privileges, and the machine that runs the plan tells. */
static bool can(const struct qt_feature_state *f)
{
	return f->state != QT_NO;
}

static bool choose(struct qt_sema *s, const struct kernel_probe *k, bool typed, bool *trampoline)
{
	bool first = k->may_trampoline && typed && can(&k->trampoline), second = !k->must_trampoline && can(&k->breakpoint);

	*trampoline = first && !(k->is_glob && second && !k->must_trampoline && k->breakpoint.state == QT_YES);
	if (first || second)
		return true;
	no_mechanism(s, k, typed);
	*trampoline = k->may_trampoline && typed && (!k->is_glob || k->must_trampoline);
	return s->options->missing_binaries_ok && (*trampoline || !k->must_trampoline);
}

static void add_one(struct qt_sema *s, struct qt_rule_info *rule, const struct kernel_probe *k)
{
	struct qt_reason why = { 0 };
	const struct qt_kernel_function *fn = qt_target_kernel_function(s->target, k->name, &why);
	bool trampoline;

	if (!fn && why.why != QT_WHY_UNAVAILABLE && why.why != QT_WHY_PERMISSION) {
		unknown_function(s, k, &why);
		return;
	}
	if (choose(s, k, fn && fn->proto.typed, &trampoline))
		add_point(s, rule, k, fn, k->name, trampoline);
}

static void add_glob(struct qt_sema *s, struct qt_rule_info *rule, const struct kernel_probe *k)
{
	struct qt_names names;
	struct qt_reason why = { 0 };
	bool trampoline, any = false;

	if (!qt_target_kernel_functions(s->target, k->name, &names)) {
		unknown_function(s, k, &names.reason);
		return;
	}
	if (!choose(s, k, true, &trampoline))
		return;
	for (unsigned i = 0; i < names.count; i++) {
		const struct qt_kernel_function *fn = qt_target_kernel_function(s->target, names.items[i], &why);

		if (trampoline && !(fn && fn->proto.typed))
			continue;
		any = true;
		add_point(s, rule, k, fn, names.items[i], trampoline);
	}
	if (!any)
		no_mechanism(s, k, false);
}

void qt_resolve_kernel(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p)
{
	struct kernel_probe k = { .node = probe, .provider = p };

	if (!qt_probe_offset(s, probe, 0, &k.name, &k.offset, &k.has_offset))
		return;
	if (!*k.name) {
		qt_probe_shape_error(s, probe, p);
		return;
	}
	k.must_trampoline = p->hook == QT_HOOK_fentry || p->hook == QT_HOOK_fexit;
	if (k.has_offset && (k.must_trampoline || p->is_return)) {
		qt_diag_add(s->diags, QT_E0315, probe->head.span, "%s takes no offset", p->name);
		return;
	}
	k.may_trampoline = !k.has_offset;
	k.is_glob = qt_glob_is_pattern(k.name);
	k.trampoline = qt_target_feature(s->target, QT_FEATURE_FENTRY);
	k.breakpoint = qt_target_feature(s->target, QT_FEATURE_KPROBE);
	if (k.is_glob)
		add_glob(s, rule, &k);
	else
		add_one(s, rule, &k);
}
