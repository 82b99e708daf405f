/* Paths of cgroups (version 2) by their ids, which are the inode numbers of their folders. */
#ifndef QT_RUNTIME_CGROUPS_H
#define QT_RUNTIME_CGROUPS_H

#include <stdint.h>

struct qt_cgroups;
struct qt_cgroups *qt_cgroups_new(void);
void qt_cgroups_free(struct qt_cgroups *c);

/* The path below the mount point ("/" for the root); NULL when there is no such cgroup any more. */
const char *qt_cgroup_path(struct qt_cgroups *c, uint64_t id);

#endif
