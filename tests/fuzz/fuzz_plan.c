/* Hostile bytes as a plan: loading refuses them or gives a sound plan, whose dump and second form are well defined. */
#include "plan/plan.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static FILE *sink(void)
{
	static FILE *f;

	return f ? f : (f = fopen("/dev/null", "w"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct qt_buf error = { 0 }, again = { 0 };
	struct qt_plan *p = qt_plan_load(data, size, &error);

	if (!p != (error.len > 0))
		abort();
	if (p) {
		qt_plan_dump(p, sink());
		qt_plan_save(p, &again);
		if (again.len != size || memcmp(again.ptr, data, size))
			abort();
	}
	qt_plan_free(p);
	qt_buf_free(&error);
	qt_buf_free(&again);
	return 0;
}
