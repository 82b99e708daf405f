/* The table behind counters.h. */
#include "base/counters.h"

#include "base/check.h"

#include <string.h>

static const struct qt_counter counters[] = {
#define COUNTER(type, name, alias, config, period) { #type, name, alias, config, period },
#include "base/counters.def"
#undef COUNTER
};

const struct qt_counter *qt_counter_at(unsigned i)
{
	return i < QT_COUNT(counters) ? &counters[i] : NULL;
}

const struct qt_counter *qt_counter_find(const char *type, const char *name)
{
	for (size_t i = 0; i < QT_COUNT(counters); i++) {
		if (!strcmp(counters[i].type, type) && (!strcmp(counters[i].name, name) || !strcmp(counters[i].alias, name)))
			return &counters[i];
	}
	return NULL;
}
