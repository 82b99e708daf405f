/* The table behind hook.h. */
#include "base/hook.h"

static const struct qt_hook_info hooks[] = {
#define HOOK(name, section, type, context, exclusive, ret) { #name, section, QT_CONTEXT_##context, exclusive, ret },
#include "base/hooks.def"
#undef HOOK
};

const struct qt_hook_info *qt_hook_info(enum qt_hook h)
{
	return &hooks[h];
}
