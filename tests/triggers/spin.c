/* Runs for as many milliseconds as its argument says (or until it is killed), calling turn() every millisecond: for tests of
 * -p, -d, intervals, sampling and Ctrl-C. Exit code: the second argument. */
#include "tests/triggers/trigger.h"

#include <time.h>

PROBED void turn(long n)
{
	(void)n;
	KEEP();
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	double begin = now_ms(), length = (double)arg_or(argc, argv, 1, 1000);
	long turns = 0;

	while (now_ms() - begin < length) {
		double next = now_ms() + 1;

		turn(turns++);
		while (now_ms() < next)
			KEEP();
	}
	fprintf(truth_open(), "turns=%ld\n", turns);
	return (int)arg_or(argc, argv, 2, 0);
}
