/* Values of params from the command line: --NAME VALUE. */
#include "parser/parser.h"
#include "sema/sema_internal.h"

static void unknown_param(struct qt_sema *s, const char *name)
{
	struct qt_diag *d = qt_diag_add(s->diags, QT_E0223, (struct qt_span){ 0 }, "neither qtrace nor the script has an option --%s", name);
	struct qt_suggest near;

	qt_suggest_begin(&near, name);
	qt_vec_each (p, &s->params)
		qt_suggest_offer(&near, p->name);
	if (qt_suggest_hint(s->diags, d, &near))
		return;
	qt_diag_hint(s->diags, d, "%s",
		     s->params.len ? "qtrace SCRIPT --help lists the params of a script" : "a script takes options by: param NAME = VALUE");
}

static void wrong_value(struct qt_sema *s, const struct qt_param_info *p, const char *value)
{
	struct qt_diag *d = qt_diag_add(s->diags, QT_E0223, p->node->head.span, "`%s` is no value for --%s", value, p->name);

	qt_diag_hint(s->diags, d, p->node->value->kind == QT_AST_bool ? "it is true or false" : "it is a number, like the one that the script gives");
}

static void set_one(struct qt_sema *s, const struct qt_param_value *given)
{
	qt_vec_each (p, &s->params) {
		const struct qt_ast *value;

		if (strcmp(p->name, given->name))
			continue;
		value = qt_parse_value(s->arena, s->names, p->node->value->kind, given->value);
		if (value)
			p->value = value;
		else
			wrong_value(s, p, given->value);
		return;
	}
	unknown_param(s, given->name);
}

void qt_params_set(struct qt_sema *s)
{
	for (uint32_t i = 0; i < s->options->nvalues; i++)
		set_one(s, &s->options->values[i]);
}
