/* Points in user programs: functions (uprobe, uretprobe) and USDT sites. Binaries are paths, globs or bare names; the target finds them. */
#include "sema/sema_internal.h"

/* ---- binaries ---- */

static enum qt_code binary_code(enum qt_why why)
{
	switch (why) {
	case QT_WHY_NONE:
	case QT_WHY_NOT_FOUND:
	case QT_WHY_NOT_RECORDED:
		return QT_E0303;
	default:
		return QT_E0304;
	}
}

static const char *last_part(const char *path)
{
	return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

/* Of paths only the last part counts, so that a long folder does not make everything in it near. */
static void offer_last_part(void *ctx, const char *candidate)
{
	qt_suggest_offer(ctx, last_part(candidate));
}

static void binary_error(struct qt_sema *s, const struct qt_ast_probe *probe, const char *spec, const struct qt_reason *why)
{
	enum qt_code code = binary_code(why->why);
	struct qt_diag *d = qt_reason_diag(s, code, qt_probe_span(probe, 0), why, qt_arena_printf(s->arena, "there is no file `%s`", spec));
	struct qt_suggest near;

	if (code != QT_E0303)
		return;
	qt_suggest_begin(&near, last_part(spec));
	qt_target_binary_offer(s->target, spec, offer_last_part, &near);
	qt_suggest_hint(s->diags, d, &near);
}

static bool may_be_missing(enum qt_why why)
{
	return binary_code(why) == QT_E0303 || why == QT_WHY_DIRECTORY;
}

/* The binaries of SPEC. False when there is none, told as an error, or as a warning where that is asked for: then *MISSING. */
static bool find_binaries(struct qt_sema *s, const struct qt_ast_probe *probe, const char *spec, struct qt_binaries *out, bool *missing)
{
	*missing = false;
	if (qt_target_binaries(s->target, spec, out))
		return true;
	if (binary_code(out->reason.why) == QT_E0303)
		qt_target_file_kind(s->target, spec, &out->reason);
	if (s->options->missing_binaries_ok && may_be_missing(out->reason.why)) {
		if (!qt_map_put(s->arena, &s->missing, QT_KEY(qt_intern(s->names, spec)), s))
			qt_diag_add(s->diags, QT_W0301, qt_probe_span(probe, 0), "`%s` is not on this machine: what depends on it is not checked",
				    spec);
		*missing = true;
		return false;
	}
	binary_error(s, probe, spec, &out->reason);
	return false;
}

/* ---- functions ---- */

struct function_probe {
	const struct qt_ast_probe *node;
	const struct qt_provider *provider;
	const char *binary, *name;
	uint64_t offset;
	bool has_offset;
};

static void add_function(struct qt_sema *s, struct qt_rule_info *rule, const struct function_probe *f, const struct qt_binary *b,
			 const char *func, uint64_t offset)
{
	struct qt_group entry = { .provider = qt_provider_find("uprobe"), .hook = QT_HOOK_uprobe, .args = QT_ARGS_REGS, .space = QT_SPACE_USER };
	struct qt_group like = { .provider = f->provider,
				 .hook = f->provider->hook,
				 .args = QT_ARGS_REGS,
				 .space = QT_SPACE_USER,
				 .is_return = f->provider->is_return,
				 .inside = f->has_offset,
				 .span = f->node->head.span };
	const char *place = qt_arena_printf(s->arena, "%s:%s", qt_probe_quote(s, b->name), qt_probe_quote(s, func));
	struct qt_point point = { .func = func, .path = b->path, .build_id = b->build_id, .offset = offset }, at_entry;

	if (f->has_offset)
		place = qt_arena_printf(s->arena, "%s+%llu", place, (unsigned long long)f->offset);
	point.probe = qt_arena_printf(s->arena, "%s:%s", f->provider->name, place);
	at_entry = point;
	at_entry.probe = qt_arena_printf(s->arena, "uprobe:%s", place);
	if (f->provider->is_return)
		like.entry = &entry;
	qt_rule_add_point(s, rule, &like, &point, &at_entry);
}

static void ifunc_warning(struct qt_sema *s, const struct function_probe *f, const struct qt_function *fn)
{
	struct qt_diag *d = qt_diag_add(s->diags, QT_W0303, qt_probe_span(f->node, 1),
					"%s chooses its code when the program is loaded: this probe fires then, not at calls", fn->name);

	qt_diag_hint(s->diags, d, "probe one of the functions that it chooses from: `qtrace list 'uprobe:%s:*%s*'`", f->binary, fn->name);
}

static const char *function_name(struct qt_sema *s, const struct qt_function *fn)
{
	if (fn->version && !fn->default_version)
		return qt_arena_printf(s->arena, "%s@%s", fn->name, fn->version);
	return fn->name;
}

static void function_error(struct qt_sema *s, const struct function_probe *f, const struct qt_binaries *b, const struct qt_reason *why)
{
	struct qt_diag *d;
	struct qt_suggest near;

	d = qt_reason_diag(s, why->why == QT_WHY_NOT_CODE ? QT_E0315 : QT_E0305, qt_probe_span(f->node, 1), why,
			   qt_arena_printf(s->arena, "there is no function `%s` in %s", f->name, b->items[0]->name));
	if (why->why != QT_WHY_NOT_FOUND && why->why != QT_WHY_NONE && why->why != QT_WHY_NOT_RECORDED)
		return;
	qt_suggest_begin(&near, f->name);
	for (unsigned i = 0; i < b->count; i++)
		qt_binary_function_offer(s->target, b->items[i], f->name, qt_offer_name, &near);
	qt_suggest_hint(s->diags, d, &near);
}

static bool refuse_go(struct qt_sema *s, const struct function_probe *f, const struct qt_binary *b)
{
	struct qt_diag *d;

	if (!f->provider->is_return || !b->go)
		return false;
	d = qt_diag_add(s->diags, QT_E0313, f->node->head.span, "%s is a Go program: a return probe would crash it, since Go moves its stacks",
			b->name);
	qt_diag_hint(s->diags, d, "uprobe:%s:%s, the entry, is safe", qt_probe_quote(s, f->binary), qt_probe_quote(s, f->name));
	return true;
}

void qt_resolve_function(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p)
{
	struct function_probe f = { .node = probe, .provider = p, .binary = qt_probe_field(s, probe, 0) };
	struct qt_binaries b = { 0 };
	struct qt_functions fns;
	struct qt_reason why = { 0 };
	bool missing, found = false;

	if (!f.binary || !qt_probe_offset(s, probe, 1, &f.name, &f.offset, &f.has_offset))
		return;
	if (!*f.binary || !*f.name) {
		qt_probe_shape_error(s, probe, p);
		return;
	}
	if (p->is_return && f.has_offset) {
		qt_diag_add(s->diags, QT_E0315, probe->head.span, "a return probe has no offset");
		return;
	}
	if (!find_binaries(s, probe, f.binary, &b, &missing)) {
		if (missing)
			add_function(s, rule, &f, &(struct qt_binary){ .path = f.binary, .name = f.binary, .build_id = "" }, f.name, 0);
		return;
	}
	for (unsigned i = 0; i < b.count; i++) {
		if (refuse_go(s, &f, b.items[i]))
			return;
		if (!qt_binary_functions(s->target, b.items[i], f.name, f.offset, &fns)) {
			why = fns.reason;
			continue;
		}
		found = true;
		for (unsigned k = 0; k < fns.count; k++) {
			if (fns.items[k].ifunc && !qt_glob_is_pattern(f.name))
				ifunc_warning(s, &f, &fns.items[k]);
			add_function(s, rule, &f, b.items[i], function_name(s, &fns.items[k]), fns.items[k].file_offset);
		}
	}
	if (!found)
		function_error(s, &f, &b, &why);
}

/* ---- USDT ---- */

static void add_site(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p,
		     const struct qt_binary *b, const struct qt_usdt_site *site)
{
	struct qt_group like = {
		.provider = p, .hook = p->hook, .args = QT_ARGS_USDT, .space = QT_SPACE_USER, .site = site, .span = probe->head.span
	};
	struct qt_point point = { .func = site->name, .path = b->path, .build_id = b->build_id, .offset = site->file_offset, .ref_ctr = site->semaphore_offset };

	point.probe = qt_arena_printf(s->arena, "usdt:%s:%s:%s", qt_probe_quote(s, b->name), qt_probe_quote(s, site->provider),
				      qt_probe_quote(s, site->name));
	qt_rule_add_point(s, rule, &like, &point, NULL);
}

static void missing_site(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p,
			 const char *binary, const char *provider, const char *name)
{
	struct qt_group like = {
		.provider = p, .hook = p->hook, .args = QT_ARGS_USDT, .space = QT_SPACE_USER, .unresolved = true, .span = probe->head.span
	};
	struct qt_point point = { .func = name, .path = binary };

	point.probe = qt_arena_printf(s->arena, "usdt:%s:%s:%s", qt_probe_quote(s, binary), provider ? qt_probe_quote(s, provider) : "*",
				      qt_probe_quote(s, name));
	qt_rule_add_point(s, rule, &like, &point, NULL);
}

static void usdt_error(struct qt_sema *s, const struct qt_ast_probe *probe, const struct qt_binaries *b, const char *name,
		       const struct qt_reason *why)
{
	enum qt_code code = why->why == QT_WHY_AMBIGUOUS ? QT_E0307 : QT_E0306;
	struct qt_diag *d = qt_reason_diag(s, code, qt_probe_span(probe, -1), why,
					   qt_arena_printf(s->arena, "there is no USDT probe `%s` in %s", name, b->items[0]->name));
	struct qt_suggest near;

	if (code == QT_E0307) {
		if (!why->hint)
			qt_diag_hint(s->diags, d, "name the provider, or write usdt:BINARY:*:%s for all of them", name);
		return;
	}
	qt_suggest_begin(&near, name);
	for (unsigned i = 0; i < b->count; i++)
		qt_binary_usdt_offer(s->target, b->items[i], qt_offer_name, &near);
	qt_suggest_hint(s->diags, d, &near);
}

void qt_resolve_usdt(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p)
{
	const char *binary = qt_probe_field(s, probe, 0), *provider = NULL, *name = qt_probe_field(s, probe, probe->fields.len - 1);
	struct qt_binaries b = { 0 };
	struct qt_usdt sites;
	struct qt_reason why = { 0 };
	bool missing, found = false;

	if (probe->fields.len == 3)
		provider = qt_probe_field(s, probe, 1);
	if (!binary || !name || (probe->fields.len == 3 && !provider))
		return;
	if (!*binary || !*name) {
		qt_probe_shape_error(s, probe, p);
		return;
	}
	if (!find_binaries(s, probe, binary, &b, &missing)) {
		if (missing)
			missing_site(s, rule, probe, p, binary, provider, name);
		return;
	}
	for (unsigned i = 0; i < b.count; i++) {
		if (!qt_binary_usdt(s->target, b.items[i], provider && *provider ? provider : NULL, name, &sites)) {
			why = sites.reason;
			continue;
		}
		found = true;
		for (unsigned k = 0; k < sites.count; k++)
			add_site(s, rule, probe, p, b.items[i], &sites.sites[k]);
	}
	if (!found)
		usdt_error(s, probe, &b, name, &why);
}
