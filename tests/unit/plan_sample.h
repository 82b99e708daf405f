/* A plan made by hand, with one of each thing, and a store of two CPUs that holds what a test puts into it. */
#ifndef QT_TESTS_UNIT_PLAN_SAMPLE_H
#define QT_TESTS_UNIT_PLAN_SAMPLE_H

#include "plan/decode.h"
#include "plan/plan.h"

#include <stdbool.h>

#define SAMPLE_CPUS 2

/* Tables of the sample: a tag over (text, comm) with count, sum, avg, min, max and hist; a map over func with a count; a plain map over a number. */
enum { SAMPLE_TAG, SAMPLE_FUNCS, SAMPLE_PLAIN, SAMPLE_TABLES };
enum { SAMPLE_TAG_WORDS = 1 + 1 + 2 + 2 + 2 + QT_HIST_BUCKETS };

/* Counters of the sample. */
enum { SAMPLE_UNTAGGED, SAMPLE_MAP_FULL, SAMPLE_TRUNCATED, SAMPLE_COUNTERS };

struct qt_plan *sample_plan(void);
struct qt_field sample_metric(const char *name, enum qt_metric m, bool is_signed, enum qt_unit unit, uint32_t offset);

struct sample_entry {
	uint32_t map;
	uint64_t key[4];
	uint64_t values[SAMPLE_CPUS][SAMPLE_TAG_WORDS];
};

struct sample_text {
	uint64_t id;
	const char *text;
	uint32_t flags;
};

struct sample_store {
	struct qt_store store;
	const struct qt_plan *plan;
	struct sample_entry entries[8];
	unsigned nentries;
	struct sample_text texts[8];
	unsigned ntexts;
	uint64_t counters[SAMPLE_COUNTERS];
};

void sample_store_init(struct sample_store *s, const struct qt_plan *p);
/* A new entry of MAP under KEY, all zero. */
struct sample_entry *sample_put(struct sample_store *s, uint32_t map, uint64_t k0, uint64_t k1, uint64_t k2);
void sample_text(struct sample_store *s, uint64_t id, const char *text, uint32_t flags);

#endif
