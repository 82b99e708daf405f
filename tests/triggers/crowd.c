/* Many threads. `crowd all N`: N threads at once, thread i calls work(i), waits until all have, and calls getppid() 3 times. `crowd each N`: N threads one after the other,
 * every second one calls work(i) before its single getppid(): the others must not find the context of a thread that is gone. */
#include "tests/triggers/trigger.h"

static pthread_barrier_t together;

PROBED void work(long id)
{
	(void)id;
	KEEP();
}

static void *at_once(void *arg)
{
	work((long)arg);
	pthread_barrier_wait(&together);
	for (int i = 0; i < 3; i++)
		getppid();
	return NULL;
}

static void *in_turn(void *arg)
{
	if ((long)arg % 2)
		work((long)arg);
	getppid();
	return NULL;
}

static int all(long n, pthread_t *threads)
{
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	pthread_barrier_init(&together, NULL, (unsigned)n);
	for (long i = 0; i < n; i++)
		if (pthread_create(&threads[i], &small, at_once, (void *)i))
			return 1;
	for (long i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	fprintf(truth_open(), "asked=%ld\n", 3 * n);
	return 0;
}

static int each(long n, pthread_t *threads)
{
	for (long i = 0; i < n; i++) {
		pthread_create(threads, NULL, in_turn, (void *)i);
		pthread_join(*threads, NULL);
	}
	fprintf(truth_open(), "with=%ld\nwithout=%ld\n", n / 2, n - n / 2);
	return 0;
}

int main(int argc, char **argv)
{
	long n = arg_or(argc, argv, 2, 3);
	pthread_t *threads = calloc((size_t)n, sizeof(*threads));

	return argc > 1 && !strcmp(argv[1], "all") ? all(n, threads) : each(n, threads);
}
