/* The name table: equal names are equal pointers. */
#ifndef QT_BASE_INTERN_H
#define QT_BASE_INTERN_H

#include "base/arena.h"

/* NUL-terminated, owned by the table's arena, compared by pointer. */
typedef const char *qt_name;

struct qt_interns;
struct qt_interns *qt_interns_new(struct qt_arena *a);
qt_name qt_intern(struct qt_interns *t, const char *s);
qt_name qt_intern_n(struct qt_interns *t, const char *s, size_t len);

#endif
