/* The table behind builtins.h. */
#include "sema/builtins.h"

#include "base/check.h"

#include <string.h>

#define WITH_UNIT(t, u) .type = t, .type.unit = QT_UNIT_##u

static const struct qt_builtin builtins[] = {
#define VARIABLE(name_, type_, unit_, where_, text_) \
	{ .name = #name_,                            \
	  .kind = QT_BUILTIN_VARIABLE,               \
	  .env = QT_ENV_##name_,                     \
	  WITH_UNIT(type_, unit_),                   \
	  .written = #name_,                         \
	  .where = where_,                           \
	  .text = text_ },
#define ARGUMENT(name_, where_, text_) { .name = #name_, .kind = QT_BUILTIN_ARGUMENT, .written = #name_, .where = where_, .text = text_ },
#define FUNCTION(name_, least, most, written_, text_) \
	{ .name = #name_,                             \
	  .kind = QT_BUILTIN_FUNCTION,                \
	  .min_args = least,                          \
	  .max_args = most,                           \
	  .written = written_,                        \
	  .where = "everywhere",                      \
	  .text = text_ },
#define ACTION(name_, least, most, written_, text_) \
	{ .name = #name_, .kind = QT_BUILTIN_ACTION, .min_args = least, .max_args = most, .written = written_, .where = "everywhere", .text = text_ },
#define LATER(name_, hint) { .name = #name_, .kind = QT_BUILTIN_LATER, .max_args = 64, .written = #name_, .where = "", .text = hint },
#include "sema/builtins.def"
#undef VARIABLE
#undef ARGUMENT
#undef FUNCTION
#undef ACTION
#undef LATER
#define METRIC(name_, words, arg, text_)                   \
	{ .name = #name_,                                  \
	  .kind = QT_BUILTIN_METRIC,                       \
	  .metric = QT_METRIC_##name_,                     \
	  .min_args = arg,                                 \
	  .max_args = arg,                                 \
	  .written = arg ? #name_ "(value)" : #name_ "()", \
	  .where = "tag, and maps: @m[key] = ",            \
	  .text = text_ },
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

static void doc_variables(FILE *out)
{
	fprintf(out, "| variable | type | where | what it is |\n| --- | --- | --- | --- |\n");
	for (size_t i = 0; i < QT_COUNT(builtins); i++) {
		const struct qt_builtin *x = &builtins[i];
		const char *type = x->kind != QT_BUILTIN_VARIABLE ? "by the event" : x->type.kind == QT_TYPE_INT ? qt_type_text(x->type) : "text";

		if (x->kind == QT_BUILTIN_VARIABLE || x->kind == QT_BUILTIN_ARGUMENT)
			fprintf(out, "| `%s` | %s | %s | %s |\n", x->written, type, x->where, x->text);
	}
}

static void doc_calls(FILE *out, const char *title, enum qt_builtin_kind kind)
{
	fprintf(out, "\n| %s | what it is |\n| --- | --- |\n", title);
	for (size_t i = 0; i < QT_COUNT(builtins); i++) {
		if (builtins[i].kind == kind)
			fprintf(out, "| `%s` | %s |\n", builtins[i].written, builtins[i].text);
	}
}

void qt_builtins_doc(FILE *out)
{
	doc_variables(out);
	doc_calls(out, "function", QT_BUILTIN_FUNCTION);
	doc_calls(out, "action", QT_BUILTIN_ACTION);
}

/* ---- for those who come from bpftrace ---- */

static const char *peer_way(const struct qt_builtin *b)
{
	return b->kind == QT_BUILTIN_LATER ? "not there" : b->kind == QT_BUILTIN_METRIC ? "aggregation" : b->kind == QT_BUILTIN_ACTION ? "action" : "value";
}

void qt_builtins_peer_doc(FILE *out)
{
	fprintf(out, "| name | here | written, or what to write instead |\n| --- | --- | --- |\n");
	for (size_t i = 0; i < QT_COUNT(builtins); i++) {
		const struct qt_builtin *b = &builtins[i];

		if (b->kind == QT_BUILTIN_LATER)
			fprintf(out, "| `%s` | %s | %s |\n", b->name, peer_way(b), b->text);
		else
			fprintf(out, "| `%s` | %s | `%s` |\n", b->name, peer_way(b), b->written);
	}
}
