/* What processes have mapped for execution, kept beyond their end: so an address that was seen in a process can be named when it is printed.
 * Processes that run already are read from /proc; all others tell by themselves, through perf events of their forks, execs and mmaps. */
#ifndef QT_RUNTIME_SPACES_H
#define QT_RUNTIME_SPACES_H

#include <stdbool.h>
#include <stdint.h>

struct qt_mapping {
	uint64_t start, end; /* addresses */
	uint64_t offset; /* in the file, of start */
	uint64_t inode; /* 0: none, or not known */
	const char *path; /* "" when it is no file; "[vdso]" */
};

struct qt_spaces;
struct qt_spaces *qt_spaces_new(void);
void qt_spaces_free(struct qt_spaces *s);

/* From now on notes what all processes map. 0 or a negative errno; what was noted until then stays. */
int qt_spaces_watch(struct qt_spaces *s);
/* Takes up what happened since the last call. */
void qt_spaces_read(struct qt_spaces *s);
/* Adds what /proc says of PID now; false when it is gone. */
bool qt_spaces_snapshot(struct qt_spaces *s, uint32_t pid);
/* Does so for every process. */
void qt_spaces_snapshot_all(struct qt_spaces *s);

/* The youngest mapping of PID that holds ADDRESS, read from /proc when PID is not known yet; NULL: none. */
const struct qt_mapping *qt_spaces_find(struct qt_spaces *s, uint32_t pid, uint64_t address);

#endif
