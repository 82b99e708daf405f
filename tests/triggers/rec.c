/* Recursion: three calls of rec(4), so 15 entries and 15 returns, of which each depth returns its own argument three times. Each level
 * sleeps 1 ms before it goes deeper: rec(n) takes at least n + 1 ms. `rec DEPTH` makes one call of that depth instead.
 * Exit code 7, to be told apart from the tracer's own. */
#include "tests/triggers/trigger.h"

static useconds_t nap = 1000;

PROBED long rec(long n)
{
	KEEP();
	if (nap)
		usleep(nap);
	return n ? 1 + rec(n - 1) : 0;
}

int main(int argc, char **argv)
{
	FILE *truth = truth_open();

	if (argc > 1) {
		nap = 0;
		fprintf(truth, "returned=%ld\n", rec(atol(argv[1])));
		return 7;
	}
	for (int i = 0; i < 3; i++)
		rec(4);
	fprintf(truth, "entries=15\nreturns=15\n");
	return 7;
}
