/* The texts of values that user space shows (base/shown.def), made from this machine's files when they are printed. */
#ifndef QT_RUNTIME_SHOW_H
#define QT_RUNTIME_SHOW_H

#include "base/shown.h"
#include "base/str.h"

struct qt_spaces;
struct qt_target;

struct qt_shower;
struct qt_shower *qt_shower_new(struct qt_target *target);
void qt_shower_free(struct qt_shower *s);
struct qt_spaces *qt_shower_spaces(struct qt_shower *s);

/* Adds the text to OUT; false (and nothing added) when there is nothing better than the plain form. */
bool qt_shower_show(struct qt_shower *s, enum qt_shown shown, const void *bytes, uint32_t len, struct qt_buf *out);

#endif
