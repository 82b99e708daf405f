/* What is measured runs here: N times fn(nothing, context), then a positioned read of 13 bytes, eight contexts in turn.
 * `workload N [THREADS]`; with N 0 it only writes the time of its first instruction to the file that $STAMP names. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline, noipa)) void fn(const char *nothing, int ctx)
{
	(void)nothing, (void)ctx;
	__asm__ volatile("" ::: "memory");
}

static void stamp(void)
{
	const char *path = getenv("STAMP");
	FILE *f = path ? fopen(path, "w") : NULL;
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	if (f) {
		fprintf(f, "%lld\n", (long long)t.tv_sec * 1000000000 + t.tv_nsec);
		fclose(f);
	}
}

static long calls; /* of each thread */

static void *work(void *unused)
{
	int fd = open("/dev/zero", O_RDONLY);
	char buf[16];

	for (long i = 0; i < calls; i++) {
		fn("", 1 + (int)(i & 7));
		if (pread(fd, buf, 13, 0) != 13)
			abort();
	}
	return unused;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0, threads = argc > 2 ? atol(argv[2]) : 1;
	pthread_t thread[64];

	stamp();
	if (n == 0)
		return 0;
	calls = n / threads + 1;
	for (long i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, work, NULL);
	for (long i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
