/* Four threads call hit(i) 100003 times each (or `hits N [THREADS]`): what a counter must not lose under contention. */
#include "tests/triggers/trigger.h"

static long calls = 100003;

PROBED void hit(long i)
{
	(void)i;
	KEEP();
}

static void *worker(void *unused)
{
	for (long i = 0; i < calls; i++)
		hit(i);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[64];
	long count;

	calls = arg_or(argc, argv, 1, calls);
	count = arg_or(argc, argv, 2, 4);
	for (long i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	fprintf(truth_open(), "hits=%ld\nsum=%ld\n", calls * count, count * (calls * (calls - 1) / 2));
	return 0;
}
