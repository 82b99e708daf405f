/* Hooks: one row each in hooks.def. */
#ifndef QT_BASE_HOOK_H
#define QT_BASE_HOOK_H

#include <stdbool.h>

enum qt_hook {
#define HOOK(name, section, type, context, exclusive, ret) QT_HOOK_##name,
#include "base/hooks.def"
#undef HOOK
	QT_HOOK_COUNT
};

enum qt_hook_context { QT_CONTEXT_REGS, QT_CONTEXT_FIELDS, QT_CONTEXT_WORDS, QT_CONTEXT_NOTHING };

struct qt_hook_info {
	const char *name, *section;
	enum qt_hook_context context;
	bool exclusive, is_return;
};

/* The row of a hook; static, never NULL for h < QT_HOOK_COUNT. */
const struct qt_hook_info *qt_hook_info(enum qt_hook h);

#endif
