/* Events that the kernel or the processor counts, for sampling every so many of them: one row each in counters.def. */
#ifndef QT_BASE_COUNTERS_H
#define QT_BASE_COUNTERS_H

#include <stdint.h>

struct qt_counter {
	const char *type; /* "software" or "hardware" */
	const char *name, *alias;
	uint64_t config; /* of perf_event_open */
	uint64_t period; /* unless one is given */
};

/* Row I, NULL behind the last. */
const struct qt_counter *qt_counter_at(unsigned i);
/* By name or alias; NULL when there is none. */
const struct qt_counter *qt_counter_find(const char *type, const char *name);

#endif
