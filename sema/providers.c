/* The table behind providers.h. */
#include "sema/providers.h"

#include "base/check.h"

#include <string.h>

static const struct qt_provider providers[] = {
#define PROVIDER(name, aliases, shape, hook, entry, ret, least, most, written, gives, text) \
	{ #name, aliases, QT_SHAPE_##shape, QT_HOOK_##hook, entry, ret, least, most, written, gives, text },
#include "sema/providers.def"
#undef PROVIDER
};

static bool has_alias(const struct qt_provider *p, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = strstr(p->aliases, name); at && len; at = strstr(at + 1, name)) {
		if (at > p->aliases && at[-1] == ' ' && at[len] == ' ')
			return true;
	}
	return false;
}

const struct qt_provider *qt_provider_find(const char *name)
{
	for (size_t i = 0; i < QT_COUNT(providers); i++) {
		if (!strcmp(providers[i].name, name) || has_alias(&providers[i], name))
			return &providers[i];
	}
	return NULL;
}

const struct qt_provider *qt_provider_row(unsigned i)
{
	return i < QT_COUNT(providers) ? &providers[i] : NULL;
}

void qt_providers_doc(FILE *out)
{
	fprintf(out, "| probe | short | fires at | gives |\n| --- | --- | --- | --- |\n");
	for (size_t i = 0; i < QT_COUNT(providers); i++) {
		const struct qt_provider *p = &providers[i];

		if (p->shape != QT_SHAPE_LATER)
			fprintf(out, "| `%s` |%s| %s | %s |\n", p->written, p->aliases, p->text, p->gives);
	}
}
