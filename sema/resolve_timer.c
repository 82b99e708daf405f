/* Points without a place: timers (interval, profile) and the two that fire once (begin, end). */
#include "base/counters.h"
#include "sema/sema_internal.h"

#include <stdlib.h>

static const struct {
	const char *name;
	uint64_t ns; /* 0: a rate */
} units[] = { { "hz", 0 }, { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 }, { "m", 60000000000 } };

static bool find_unit(const char *name, uint64_t *ns)
{
	for (size_t i = 0; i < QT_COUNT(units); i++) {
		if (!strcmp(units[i].name, name)) {
			*ns = units[i].ns;
			return true;
		}
	}
	return false;
}

static void period_error(struct qt_sema *s, const struct qt_ast_probe *probe, const struct qt_provider *p, const char *what)
{
	struct qt_diag *d = qt_diag_add(s->diags, QT_E0314, probe->head.span, "%s", what);

	qt_diag_hint(s->diags, d, "write %s; units are hz, s, ms, us", p->written);
}

/* "s" and "5", or "5s" alone (a number alone is a rate for profile). */
static bool read_period(struct qt_sema *s, const struct qt_ast_probe *probe, const struct qt_provider *p, const char **unit, uint64_t *count)
{
	const char *first = qt_probe_field(s, probe, 0), *number = first;
	char *end;

	if (!first)
		return false;
	*unit = first;
	if (probe->fields.len == 2) {
		number = qt_probe_field(s, probe, 1);
		if (!number)
			return false;
	}
	*count = strtoull(number, &end, 10);
	if (end == number || *number == '-') {
		period_error(s, probe, p, qt_arena_printf(s->arena, "`%s` is no number", number));
		return false;
	}
	if (probe->fields.len == 1)
		*unit = *end ? end : p->hook == QT_HOOK_profile ? "hz" : "";
	else if (*end)
		*unit = "";
	return true;
}

void qt_resolve_timer(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p)
{
	struct qt_group like = { .provider = p, .hook = p->hook, .args = QT_ARGS_NONE, .space = QT_SPACE_USER, .span = probe->head.span };
	struct qt_point point = { 0 };
	const char *unit;
	uint64_t count, ns;

	if (!read_period(s, probe, p, &unit, &count))
		return;
	if (!find_unit(unit, &ns)) {
		period_error(s, probe, p, qt_arena_printf(s->arena, "`%s` is no period", qt_str_dup(s, probe->text)));
		return;
	}
	if (!count || count > 1000000000 || (!ns && count > 100000)) {
		period_error(s, probe, p, !count ? "a period of 0" : "a period or rate that is too large");
		return;
	}
	point.period_ns = ns ? count * ns : 1000000000 / count;
	if (point.period_ns < (p->hook == QT_HOOK_interval ? 1000000u : 10000u)) {
		period_error(s, probe, p, p->hook == QT_HOOK_interval ? "an interval is at least 1ms" : "a profile's period is at least 10us");
		return;
	}
	point.probe = qt_arena_printf(s->arena, "%s:%s:%llu", p->name, unit, (unsigned long long)count);
	point.func = p->name;
	qt_rule_add_point(s, rule, &like, &point, NULL);
}

static void unknown_counter(struct qt_sema *s, const struct qt_ast_probe *probe, const struct qt_provider *p, const char *name)
{
	struct qt_diag *d = qt_diag_add(s->diags, QT_E0314, qt_probe_span(probe, 0), "there is no %s event `%s`", p->name, name);
	const struct qt_counter *c;
	struct qt_suggest near;

	qt_suggest_begin(&near, name);
	for (unsigned i = 0; (c = qt_counter_at(i)); i++) {
		if (!strcmp(c->type, p->name))
			qt_suggest_offer(&near, c->name);
	}
	if (!qt_suggest_hint(s->diags, d, &near))
		qt_diag_hint(s->diags, d, "software: page-faults, context-switches, cpu-clock ...; hardware: cache-misses, instructions, cpu-cycles ...");
}

/* "page-faults" and every how many of them. The event is kept as "software.page-faults". */
void qt_resolve_counter(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p)
{
	struct qt_group like = { .provider = p, .hook = p->hook, .args = QT_ARGS_NONE, .space = QT_SPACE_USER, .span = probe->head.span };
	const char *name = qt_probe_field(s, probe, 0), *every = probe->fields.len == 2 ? qt_probe_field(s, probe, 1) : "";
	const struct qt_counter *counter = name ? qt_counter_find(p->name, name) : NULL;
	struct qt_point point = { .func = p->name };
	char *end;

	if (!name || !every)
		return;
	if (!counter) {
		unknown_counter(s, probe, p, name);
		return;
	}
	point.period_ns = *every ? strtoull(every, &end, 10) : counter->period;
	if (*every && (*end || *every == '-' || !point.period_ns || point.period_ns > UINT32_MAX)) {
		qt_diag_hint(s->diags, qt_diag_add(s->diags, QT_E0314, qt_probe_span(probe, 1), "`%s` is no number of events", every), "write %s:%s:%llu", p->name,
			     name, (unsigned long long)counter->period);
		return;
	}
	point.event = qt_arena_printf(s->arena, "%s.%s", p->name, counter->name);
	point.probe = qt_arena_printf(s->arena, "%s:%s:%llu", p->name, counter->name, (unsigned long long)point.period_ns);
	qt_rule_add_point(s, rule, &like, &point, NULL);
}

void qt_resolve_once(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p)
{
	struct qt_group like = { .provider = p, .hook = p->hook, .args = QT_ARGS_NONE, .space = QT_SPACE_USER, .span = probe->head.span };
	struct qt_point point = { .probe = p->name, .func = p->name };

	qt_rule_add_point(s, rule, &like, &point, NULL);
}
