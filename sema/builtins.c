/* The table behind builtins.h. */
#include "sema/builtins.h"

#include "base/check.h"

#include <string.h>

#define WITH_UNIT(t, u) .type = t, .type.unit = QT_UNIT_##u

static const struct qt_builtin builtins[] = {
#define VARIABLE(name_, type_, unit_, where_, text_) \
	{ .name = #name_, .kind = QT_BUILTIN_VARIABLE, .env = QT_ENV_##name_, WITH_UNIT(type_, unit_), .written = #name_, .where = where_, .text = text_ },
#define ARGUMENT(name_, where_, text_) { .name = #name_, .kind = QT_BUILTIN_ARGUMENT, .written = #name_, .where = where_, .text = text_ },
#define FUNCTION(name_, least, most, written_, text_) \
	{ .name = #name_, .kind = QT_BUILTIN_FUNCTION, .min_args = least, .max_args = most, .written = written_, .where = "everywhere", .text = text_ },
#define ACTION(name_, least, most, written_, text_) \
	{ .name = #name_, .kind = QT_BUILTIN_ACTION, .min_args = least, .max_args = most, .written = written_, .where = "everywhere", .text = text_ },
#define LATER(name_, hint) { .name = #name_, .kind = QT_BUILTIN_LATER, .max_args = 64, .written = #name_, .where = "", .text = hint },
#include "sema/builtins.def"
#undef VARIABLE
#undef ARGUMENT
#undef FUNCTION
#undef ACTION
#undef LATER
#define METRIC(name_, words, arg, text_)                                                                                         \
	{ .name = #name_, .kind = QT_BUILTIN_METRIC, .metric = QT_METRIC_##name_, .min_args = arg, .max_args = arg,                   \
	  .written = arg ? #name_ "(value)" : #name_ "()", .where = "tag, and maps: @m[key] = ", .text = text_ },
#include "base/metrics.def"
#undef METRIC
};

static bool is_numbered(const char *name)
{
	size_t digits = strspn(name + 3, "0123456789");

	return digits && digits <= 2 && !name[3 + digits];
}

const struct qt_builtin *qt_builtin_find(const char *name)
{
	if (!strncmp(name, "arg", 3) && is_numbered(name))
		name = "argN";
	for (size_t i = 0; i < QT_COUNT(builtins); i++) {
		if (!strcmp(builtins[i].name, name))
			return &builtins[i];
	}
	return NULL;
}

const struct qt_builtin *qt_builtin_at(unsigned i)
{
	return i < QT_COUNT(builtins) ? &builtins[i] : NULL;
}

static void doc_table(FILE *out, const char *title, enum qt_builtin_kind a, enum qt_builtin_kind b, bool with_type)
{
	fprintf(out, "| %s |%s where | what it is |\n| --- |%s --- | --- |\n", title, with_type ? " type |" : "", with_type ? " --- |" : "");
	for (size_t i = 0; i < QT_COUNT(builtins); i++) {
		const struct qt_builtin *x = &builtins[i];

		if (x->kind != a && x->kind != b)
			continue;
		fprintf(out, "| `%s` |", x->written);
		if (with_type)
			fprintf(out, " %s |", x->kind == QT_BUILTIN_VARIABLE ? qt_type_text(x->type) : "by the event");
		fprintf(out, " %s | %s |\n", x->where, x->text);
	}
	fputc('\n', out);
}

void qt_builtins_doc(FILE *out)
{
	doc_table(out, "variable", QT_BUILTIN_VARIABLE, QT_BUILTIN_ARGUMENT, true);
	doc_table(out, "function", QT_BUILTIN_FUNCTION, QT_BUILTIN_FUNCTION, false);
	doc_table(out, "action", QT_BUILTIN_ACTION, QT_BUILTIN_ACTION, false);
	doc_table(out, "metric", QT_BUILTIN_METRIC, QT_BUILTIN_METRIC, false);
}
