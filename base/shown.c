/* The table behind shown.h. */
#include "base/shown.h"

#include "base/check.h"

static const struct qt_shown_info infos[] = {
#define SHOWN(name, words, bytes, text) { #name, words, bytes, text },
#include "base/shown.def"
#undef SHOWN
};

const struct qt_shown_info *qt_shown_info(enum qt_shown s)
{
	QT_ASSERT(s < QT_SHOWN_COUNT);
	return &infos[s];
}
