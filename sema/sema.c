/* From tree to typed program. The passes stand in qt_sema, in order:
 *
 *   declare   in: the tree. Takes in settings, params and positional parameters, and declares every context variable that a rule sets,
 *             so that a rule may read one that stands further down.
 *   resolve   in: rules. Turns each probe into points, through the target, and groups the points of a rule that are hooked and read alike:
 *             each group becomes a rule of the program with a body of its own.
 *   infer     Checks all bodies, over and over, with messages thrown away, until no context, map, tag or $variable gets another type.
 *             Types only widen (qt_type_join), so this ends.
 *   check     Checks all bodies once more: this time messages count, and what is made is the program.
 *   finish    What can only be told at the end: contexts that nobody sets or reads, maps that are never written; declarations in order.
 *   tests     feed and expect, against the finished tables.
 *
 * An expression in error has the type ERROR; whoever meets one keeps quiet, so that one mistake gives one message. */
#include "sema/sema_internal.h"

#include <stdio.h>

#define ROUNDS 200

/* ---- small helpers ---- */

const char *qt_str_dup(struct qt_sema *s, struct qt_str text)
{
	return qt_arena_strndup(s->arena, text.ptr ? text.ptr : "", text.len);
}

const char *qt_ast_text(struct qt_sema *s, const struct qt_ast *node)
{
	const struct qt_source *src = s->options->sources && node->span.file ? qt_sources_get(s->options->sources, node->span.file) : NULL;
	char *out;
	size_t n = 0;

	if (!src || node->span.end > src->text.len || node->span.begin >= node->span.end)
		return qt_ast_kind_name(node->kind);
	out = qt_arena_strndup(s->arena, src->text.ptr + node->span.begin, node->span.end - node->span.begin);
	for (size_t i = 0; out[i]; i++) {
		bool blank = (unsigned char)out[i] <= ' ';

		if (!blank)
			out[n++] = out[i];
		else if (n && out[n - 1] != ' ')
			out[n++] = ' ';
	}
	while (n && out[n - 1] == ' ')
		n--;
	out[n] = 0;
	return out;
}

/* ---- declare ---- */

#define STRINGS_KEPT 16384 /* different texts, without max_strings */

struct setting {
	const char *name;
	uint64_t least, most;
	size_t place;
};

static const struct setting settings[] = {
	{ "max_strlen", 64, 16384, offsetof(struct qt_program, max_strlen) },
	{ "max_entries", 1, 1 << 24, offsetof(struct qt_program, max_entries) },
	{ "max_strings", 1, 1 << 24, offsetof(struct qt_program, max_strings) },
	{ "max_turns", 1, 1 << 22, offsetof(struct qt_program, max_turns) },
};

static void unknown_setting(struct qt_sema *s, const struct qt_ast_setting *node)
{
	struct qt_diag *d = qt_diag_add(s->diags, QT_E0212, node->head.span, "there is no setting `%s`", node->name);
	struct qt_suggest near;

	qt_suggest_begin(&near, node->name);
	for (size_t i = 0; i < QT_COUNT(settings); i++)
		qt_suggest_offer(&near, settings[i].name);
	if (!qt_suggest_hint(s->diags, d, &near))
		qt_diag_hint(s->diags, d, "settings are max_strlen (64..16384 bytes), max_entries, max_strings and max_turns");
}

static void declare_setting(struct qt_sema *s, const struct qt_ast_setting *node)
{
	uint64_t value;

	for (size_t i = 0; i < QT_COUNT(settings); i++) {
		const struct setting *it = &settings[i];

		if (strcmp(it->name, node->name))
			continue;
		if (!qt_const_int(s, node->value, &value))
			return;
		if (value < it->least || value > it->most)
			qt_diag_add(s->diags, QT_E0212, node->value->span, "%s must be from %llu to %llu", it->name, (unsigned long long)it->least,
				    (unsigned long long)it->most);
		else
			*(uint32_t *)((char *)s->program + it->place) = (uint32_t)value;
		return;
	}
	unknown_setting(s, node);
}

static void declare_param(struct qt_sema *s, const struct qt_ast_param *node)
{
	struct qt_param_info *p;

	if (qt_builtin_find(node->name)) {
		qt_diag_add(s->diags, QT_E0404, node->head.span, "`%s` is a built-in and cannot be the name of a param", node->name);
		return;
	}
	p = qt_vec_push(s->arena, &s->params);
	*p = (struct qt_param_info){ node->name, node, node->value };
}

static void declare_rule(struct qt_sema *s, const struct qt_ast_rule *node)
{
	struct qt_rule_info *rule = QT_NEW(s->arena, struct qt_rule_info);

	rule->node = node;
	rule->source = s->rules.len;
	*qt_vec_push(s->arena, &s->rules) = rule;
}

static void declare_item(struct qt_sema *s, const struct qt_ast *item)
{
	switch (item->kind) {
	case QT_AST_rule:
		declare_rule(s, QT_AST(rule, item));
		break;
	case QT_AST_param:
		declare_param(s, QT_AST(param, item));
		break;
	case QT_AST_config:
		for (uint32_t i = 0; i < QT_AST(config, item)->settings.len; i++)
			declare_setting(s, QT_AST(setting, QT_AST(config, item)->settings.items[i]));
		break;
	default:
		break;
	}
}

static void declare(struct qt_sema *s)
{
	s->program->max_strlen = 1024;
	s->program->max_entries = 16384;
	s->program->max_strings = 0;
	s->program->max_turns = 131072;
	s->program->ring_bytes = 1 << 20;
	for (uint32_t i = 0; i < s->tree->items.len; i++)
		declare_item(s, s->tree->items.items[i]);
	qt_params_set(s);
	s->program->nsource_rules = s->rules.len;
	qt_contexts_declare(s);
}

/* ---- resolve ---- */

static void resolve(struct qt_sema *s)
{
	qt_vec_each (rule, &s->rules)
		qt_resolve_rule(s, *rule);
}

/* ---- infer and check ---- */

static void mask_to_list(struct qt_sema *s, uint64_t mask, uint32_t **items, uint32_t *len)
{
	uint32_t n = 0;

	*items = QT_NEW_ARRAY(s->arena, uint32_t, QT_MAX_CONTEXTS);
	for (uint32_t i = 0; i < QT_MAX_CONTEXTS; i++) {
		if (mask >> i & 1)
			(*items)[n++] = i;
	}
	*len = n;
}

static void check_cond(struct qt_check *c, const struct qt_ast *cond)
{
	struct qt_rule *out = c->out;

	if (!cond)
		return;
	out->cond = qt_check_condition(c, cond);
	mask_to_list(c->s, c->needs, &out->cond_requires.items, &out->cond_requires.len);
	c->known = c->needs | qt_context_facts(c->s, cond, true);
	c->needs = 0;
}

static void emit_rule(struct qt_check *c)
{
	struct qt_rule *out = c->out;

	qt_vec_each (tag, &c->s->program->tags) {
		if (tag->rule == out->source)
		tag->has_context |= out->
					    requires
			.len > 0;
	}
	for (uint32_t i = 0; i < c->group->scratch.len; i++)
		*qt_vec_push(c->s->arena, &out->scratch) = c->group->scratch.items[i].type;
	*qt_vec_push(c->s->arena, &c->s->program->rules) = *out;
}

static void check_group(struct qt_sema *s, struct qt_rule_info *rule, struct qt_group *group)
{
	struct qt_rule out = { .source = rule->source, .span = rule->node->head.span, .text = rule->text, .hook = group->hook };
	struct qt_check c = { .s = s, .rule = rule, .group = group, .out = &out };

	out.points.items = group->points.items;
	out.points.len = group->points.len;
	check_cond(&c, rule->node->cond);
	for (uint32_t i = 0; i < rule->node->actions.len; i++)
		qt_check_stmt(&c, rule->node->actions.items[i], &out.body);
	mask_to_list(s, c.needs, &out.requires.items, &out.requires.len);
	if (s->final)
		emit_rule(&c);
}

static void check_round(struct qt_sema *s)
{
	s->changed = false;
	qt_vec_each (rule, &s->rules) {
		for (uint32_t i = 0; i < (*rule)->groups.len; i++)
			check_group(s, *rule, (*rule)->groups.items[i]);
	}
}

static void infer(struct qt_sema *s)
{
	s->diags = s->diags_muted;
	for (unsigned i = 0; i < ROUNDS; i++) {
		check_round(s);
		if (!s->changed && !qt_maps_default(s))
			break;
	}
	s->diags = s->diags_real;
}

static void check(struct qt_sema *s)
{
	s->final = true;
	check_round(s);
}

static uint32_t field_offset(struct qt_sema *s, const char *event, const char *field)
{
	const struct qt_tracepoint *tp = qt_target_tracepoint(s->target, "sched", event, NULL);
	const struct qt_record_field *f = tp ? qt_tracepoint_field(tp, field) : NULL;

	return f ? f->offset : 0;
}

/* Where the record of a fork names the child; without it (no tracefs) the children of a command are not followed. What tells the end of a process. */
static void find_process_fields(struct qt_sema *s)
{
	s->program->fork_child_pid_offset = field_offset(s, "sched_process_fork", "child_pid");
	s->program->exit_last_offset = field_offset(s, "sched_process_exit", "group_dead");
	s->program->free_pid_offset = field_offset(s, "sched_process_free", "pid");
}

static void finish(struct qt_sema *s)
{
	struct qt_program *p = s->program;

	if (!p->max_strings)
		p->max_strings = p->max_entries > STRINGS_KEPT ? p->max_entries : STRINGS_KEPT;
	qt_contexts_finish(s);
	qt_maps_finish(s);
	find_process_fields(s);
}

struct qt_program *qt_sema(const struct qt_ast_program *tree, struct qt_target *target, const struct qt_sema_options *options, struct qt_arena *arena,
			   struct qt_interns *names, struct qt_diags *diags)
{
	struct qt_sema s = { .arena = arena,
			     .names = names,
			     .diags = diags,
			     .diags_real = diags,
			     .diags_muted = qt_diags_new(arena),
			     .target = target,
			     .options = options,
			     .tree = tree,
			     .program = QT_NEW(arena, struct qt_program) };

	declare(&s);
	resolve(&s);
	infer(&s);
	check(&s);
	finish(&s);
	qt_check_tests(&s);
	return qt_diags_errors(diags) ? NULL : s.program;
}
