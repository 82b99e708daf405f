/* The result model: what a run yields, free of bytes and layouts. The runtime and the interpreter's users fill it through plan/decode.h; the writers of report/ show it. */
#ifndef QT_PLAN_RESULTS_H
#define QT_PLAN_RESULTS_H

#include "plan/plan.h"

enum qt_value_kind { QT_VALUE_INT, QT_VALUE_UINT, QT_VALUE_TEXT, QT_VALUE_HIST, QT_VALUE_NONE };

struct qt_value {
	enum qt_value_kind kind;
	enum qt_unit unit;
	union {
		int64_t i;
		uint64_t u;
		struct {
			const char *ptr; /* any bytes; not NUL-terminated */
			uint32_t len;
			uint32_t flags; /* QT_TEXT_TRUNCATED, QT_TEXT_UNREADABLE */
		} text;
		const uint64_t *hist; /* QT_HIST_BUCKETS counts */
	};
};

struct qt_result_row {
	struct qt_value *keys; /* as many as the table's keys */
	struct qt_value *values; /* as many as the table's columns */
};

/* A tag table or a map at one moment. Rows with equal keys on different CPUs are merged. */
struct qt_result_table {
	const struct qt_plan_table *table;
	QT_VEC(struct qt_result_row) rows; /* tags: largest first by the first column; maps: smallest first, as bpftrace prints them */
	uint64_t untagged;
};

struct qt_result_loss {
	enum qt_loss cause;
	const char *subject; /* NULL: none */
	uint64_t count;
};

struct qt_result_losses {
	uint64_t total[QT_LOSS_COUNT];
	QT_VEC(struct qt_result_loss) items; /* those above 0, in the order of the plan */
};

#endif
