/* Points at the kernel's own events: tracepoints, raw tracepoints, and system calls through their tracepoints. */
#include "sema/sema_internal.h"

#include "base/check.h"

#include <string.h>

/* The facts are there, or this user may not read them. */
static bool is_hidden(const struct qt_reason *why)
{
	return why->why == QT_WHY_UNAVAILABLE || why->why == QT_WHY_PERMISSION;
}

/* What the event carries cannot be told. True when that does no harm: the rule does not ask, or another machine is to run it. */
static bool may_go_on(struct qt_sema *s, const struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_reason *why,
		      struct qt_group *like)
{
	struct qt_diag *d;

	if (!is_hidden(why))
		return false;
	if (!rule->uses.nodes.len)
		return true;
	if (!s->options->missing_binaries_ok)
		return false;
	like->unresolved = true;
	d = qt_diag_add(s->diags, QT_W0302, probe->head.span, "what `%s` carries is not known here: %s", qt_str_dup(s, probe->text), why->text);
	if (why->hint)
		qt_diag_hint(s->diags, d, "%s", why->hint);
	return true;
}

/* ---- tracepoints ---- */

static void tracepoint_error(struct qt_sema *s, const struct qt_ast_probe *probe, const char *category, const char *name, const struct qt_reason *why)
{
	const char *wanted = qt_arena_printf(s->arena, "%s:%s", category, name);
	struct qt_diag *d =
		qt_reason_diag(s, QT_E0308, qt_probe_span(probe, -1), why, qt_arena_printf(s->arena, "there is no tracepoint %s", wanted));
	struct qt_suggest near;

	qt_suggest_begin(&near, wanted);
	qt_target_tracepoint_offer(s->target, qt_offer_name, &near);
	qt_suggest_hint(s->diags, d, &near);
}

static void add_tracepoint(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p,
			   const char *category, const char *name, bool explicit)
{
	struct qt_reason why = { 0 };
	struct qt_group like = { .provider = p, .hook = p->hook, .args = QT_ARGS_FIELDS, .span = probe->head.span, .from_glob = !explicit };
	struct qt_point point = { .func = name };

	like.space = !strcmp(category, "syscalls") ? QT_SPACE_USER : QT_SPACE_KERNEL;
	if (explicit || rule->uses.nodes.len)
		like.record = qt_target_tracepoint(s->target, category, name, &why);
	if (explicit && !like.record && !may_go_on(s, rule, probe, &why, &like)) {
		tracepoint_error(s, probe, category, name, &why);
		return;
	}
	point.event = qt_arena_printf(s->arena, "%s/%s", category, name);
	point.probe = qt_arena_printf(s->arena, "tracepoint:%s:%s", category, name);
	qt_rule_add_point(s, rule, &like, &point, NULL);
}

void qt_resolve_tracepoint(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p)
{
	const char *category = qt_probe_field(s, probe, 0), *name = qt_probe_field(s, probe, 1);
	struct qt_names names;

	if (!category || !name)
		return;
	if (!*category || !*name) {
		qt_probe_shape_error(s, probe, p);
		return;
	}
	if (!qt_glob_is_pattern(category) && !qt_glob_is_pattern(name)) {
		add_tracepoint(s, rule, probe, p, category, name, true);
		return;
	}
	if (!qt_target_tracepoints(s->target, category, name, &names)) {
		tracepoint_error(s, probe, category, name, &names.reason);
		return;
	}
	for (unsigned i = 0; i < names.count; i++) {
		const char *colon = strchr(names.items[i], ':');

		if (colon)
			add_tracepoint(s, rule, probe, p, qt_arena_strndup(s->arena, names.items[i], (size_t)(colon - names.items[i])), colon + 1,
				       false);
	}
}

/* ---- raw tracepoints ---- */

static void raw_error(struct qt_sema *s, const struct qt_ast_probe *probe, const char *name, const struct qt_reason *why)
{
	struct qt_diag *d =
		qt_reason_diag(s, QT_E0312, qt_probe_span(probe, -1), why, qt_arena_printf(s->arena, "there is no raw tracepoint `%s`", name));
	struct qt_suggest near;

	qt_suggest_begin(&near, name);
	qt_target_raw_tracepoint_offer(s->target, qt_offer_name, &near);
	qt_suggest_hint(s->diags, d, &near);
}

static void add_raw(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p, const char *name,
		    bool explicit)
{
	struct qt_reason why = { 0 };
	struct qt_group like = {
		.provider = p, .hook = p->hook, .args = QT_ARGS_WORDS, .space = QT_SPACE_KERNEL, .span = probe->head.span, .from_glob = !explicit
	};
	struct qt_point point = { .func = name, .event = name };

	if (explicit || rule->uses.nodes.len)
		like.proto = qt_target_raw_tracepoint(s->target, name, &why);
	if (explicit && !like.proto && !may_go_on(s, rule, probe, &why, &like)) {
		raw_error(s, probe, name, &why);
		return;
	}
	point.probe = qt_arena_printf(s->arena, "rawtracepoint:%s", name);
	qt_rule_add_point(s, rule, &like, &point, NULL);
}

/* The category, which other tracers write before the name, is not needed. */
void qt_resolve_raw(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p)
{
	const char *name = qt_probe_field(s, probe, probe->fields.len - 1);
	struct qt_names names;

	if (!name)
		return;
	if (!*name) {
		qt_probe_shape_error(s, probe, p);
		return;
	}
	if (!qt_glob_is_pattern(name)) {
		add_raw(s, rule, probe, p, name, true);
		return;
	}
	if (!qt_target_raw_tracepoints(s->target, name, &names)) {
		raw_error(s, probe, name, &names.reason);
		return;
	}
	for (unsigned i = 0; i < names.count; i++)
		add_raw(s, rule, probe, p, names.items[i], false);
}

/* ---- system calls ---- */

/* The kernel's own names of system calls, as tracepoints and functions have them, without what is not the call's. */
static const char *without_prefix(const char *name)
{
	static const char *const prefixes[] = { "sys_enter_", "sys_exit_", "__x64_sys_", "__se_sys_", "do_sys_", "ksys_", "sys_" };

	for (size_t i = 0; i < QT_COUNT(prefixes); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return name + strlen(prefixes[i]);
	return name;
}

static void syscall_error(struct qt_sema *s, const struct qt_ast_probe *probe, const char *name, const struct qt_reason *why)
{
	struct qt_diag *d =
		qt_reason_diag(s, QT_E0309, qt_probe_span(probe, 0), why, qt_arena_printf(s->arena, "there is no system call `%s`", name));
	struct qt_suggest near;

	if (strchr(name, '.')) {
		qt_diag_hint(s->diags, d, "the parts of a probe are joined by colons: syscall:NAME, syscall:NAME:return");
		return;
	}
	qt_suggest_begin(&near, without_prefix(name));
	qt_target_syscall_offer(s->target, qt_offer_name, &near);
	qt_suggest_hint(s->diags, d, &near);
}

static void add_syscall(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p,
			const struct qt_syscall *call, const char *name, bool ret, bool unresolved)
{
	struct qt_group entry = { .provider = p,
				  .hook = p->hook,
				  .args = QT_ARGS_FIELDS,
				  .space = QT_SPACE_USER,
				  .syscall = call,
				  .unresolved = unresolved,
				  .record = call ? call->enter : NULL };
	struct qt_group like = entry;
	struct qt_point at_entry = { .func = name }, point;

	at_entry.event = qt_arena_printf(s->arena, "syscalls/sys_enter_%s", name);
	at_entry.probe = qt_arena_printf(s->arena, "syscall:%s", name);
	point = at_entry;
	if (ret) {
		like.is_return = true;
		like.entry = &entry;
		like.record = call ? call->exit : NULL;
		point.event = qt_arena_printf(s->arena, "syscalls/sys_exit_%s", name);
		point.probe = qt_arena_printf(s->arena, "syscall:%s:return", name);
	}
	like.span = probe->head.span;
	like.from_glob = qt_glob_is_pattern(qt_probe_field(s, probe, 0));
	qt_rule_add_point(s, rule, &like, &point, &at_entry);
}

/* The second part: "return" (or "entry", which says nothing new). */
static bool read_side(struct qt_sema *s, const struct qt_ast_probe *probe, bool *ret)
{
	const char *side = qt_probe_field(s, probe, 1);
	struct qt_suggest near;
	struct qt_diag *d;

	if (!side)
		return false;
	*ret = !strcmp(side, "return");
	if (!*side || *ret || !strcmp(side, "entry") || !strcmp(side, "enter"))
		return true;
	if (!strcmp(side, "exit") || !strcmp(side, "ret"))
		return *ret = true;
	d = qt_diag_add(s->diags, QT_E0302, qt_probe_span(probe, 1), "a system call has no `%s`", side);
	qt_suggest_begin(&near, side);
	qt_suggest_offer(&near, "return");
	if (!qt_suggest_hint(s->diags, d, &near))
		qt_diag_hint(s->diags, d, "write syscall:NAME, or syscall:NAME:return");
	return false;
}

void qt_resolve_syscall(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p)
{
	const char *name = qt_probe_field(s, probe, 0);
	const struct qt_syscall *call;
	struct qt_reason why = { 0 };
	struct qt_group like = { 0 };
	struct qt_names names;
	bool ret;

	if (!name || !read_side(s, probe, &ret))
		return;
	if (!qt_glob_is_pattern(name)) {
		call = qt_target_syscall(s->target, name, &why);
		if (!call && !may_go_on(s, rule, probe, &why, &like))
			syscall_error(s, probe, name, &why);
		else
			add_syscall(s, rule, probe, p, call, call ? call->name : name, ret, like.unresolved);
		return;
	}
	if (!qt_target_syscalls(s->target, name, &names)) {
		syscall_error(s, probe, name, &names.reason);
		return;
	}
	for (unsigned i = 0; i < names.count; i++) {
		call = rule->uses.nodes.len ? qt_target_syscall(s->target, names.items[i], &why) : NULL;
		add_syscall(s, rule, probe, p, call, call ? call->name : names.items[i], ret, false);
	}
}
