/* The BPF object inside of a plan, looked at before anybody trusts it. */
#ifndef QT_PLAN_OBJECT_H
#define QT_PLAN_OBJECT_H

#include <stddef.h>

/* Is this an object as qtrace makes them: every section, symbol, relocation, type and line where it says it is, nothing of a kind that qtrace does not
 * make, no type that contains itself? NULL, or what is wrong (static). What passes here does not lead its reader (libbpf, libelf) out of the bytes. */
const char *qt_object_check(const void *bytes, size_t size);

#endif
