/* The kinds of probes: one row each in providers.def. */
#ifndef QT_SEMA_PROVIDERS_H
#define QT_SEMA_PROVIDERS_H

#include "base/hook.h"

#include <stdbool.h>
#include <stdio.h>

enum qt_shape {
	QT_SHAPE_FUNCTION,
	QT_SHAPE_USDT,
	QT_SHAPE_KERNEL,
	QT_SHAPE_TRACEPOINT,
	QT_SHAPE_RAW,
	QT_SHAPE_SYSCALL,
	QT_SHAPE_TIMER,
	QT_SHAPE_COUNTER,
	QT_SHAPE_ONCE,
	QT_SHAPE_LATER,
	QT_SHAPE_COUNT
};

struct qt_provider {
	const char *name;
	const char *aliases; /* each between blanks */
	enum qt_shape shape;
	enum qt_hook hook;
	const char *entry; /* "" when it is no return */
	bool is_return;
	unsigned min_fields, max_fields;
	const char *written, *gives, *text;
};

/* By name or alias; NULL when there is none. */
const struct qt_provider *qt_provider_find(const char *name);
/* Row I of the table, NULL behind the last. */
const struct qt_provider *qt_provider_row(unsigned i);
/* The table of probes for the documentation (Markdown). */
void qt_providers_doc(FILE *out);

#endif
