/* Names that the language brings along: one row each in builtins.def (metrics in base/metrics.def). */
#ifndef QT_SEMA_BUILTINS_H
#define QT_SEMA_BUILTINS_H

#include "base/metric.h"
#include "sema/program.h"

#include <stdio.h>

enum qt_builtin_kind {
	QT_BUILTIN_VARIABLE, /* env, type */
	QT_BUILTIN_ARGUMENT,
	QT_BUILTIN_FUNCTION, /* value */
	QT_BUILTIN_ACTION, /* statement */
	QT_BUILTIN_METRIC, /* metric */
	QT_BUILTIN_LATER,
};

struct qt_builtin {
	const char *name;
	enum qt_builtin_kind kind;
	enum qt_env env;
	struct qt_type type;
	enum qt_metric metric;
	unsigned min_args, max_args;
	const char *written; /* "str(address[, length])" */
	const char *where;
	const char *text; /* what it is; LATER: what to write instead, or "" */
};

/* By name ("arg3" is found as "argN"); NULL when there is none. A name may be both a variable and a call (clear is only an action, a
 * metric name only a metric), so one row answers. */
const struct qt_builtin *qt_builtin_find(const char *name);
/* Row I of the table, NULL behind the last. */
const struct qt_builtin *qt_builtin_at(unsigned i);
/* The tables of variables, functions and actions for the documentation (Markdown). */
void qt_builtins_doc(FILE *out);
/* One table of all names, those that are not to be had among them, for docs/coming-from-bpftrace.md. */
void qt_builtins_peer_doc(FILE *out);

#endif
