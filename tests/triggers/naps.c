/* Known durations: nap(ms) sleeps; 11 naps of 2 ms, 7 of 20 ms, 3 of 60 ms, each told with the time that it really took at least. */
#include "tests/triggers/trigger.h"

#include <time.h>

PROBED long nap(long ms)
{
	struct timespec t = { .tv_nsec = ms * 1000000 };

	nanosleep(&t, NULL);
	return ms;
}

int main(void)
{
	static const struct {
		long ms, count;
	} rows[] = { { 2, 11 }, { 20, 7 }, { 60, 3 } };
	FILE *truth = truth_open();

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		for (long n = 0; n < rows[i].count; n++)
			nap(rows[i].ms);
		fprintf(truth, "ms=%ld count=%ld\n", rows[i].ms, rows[i].count);
	}
	return 0;
}
