/* What is measured runs here: N times fn(nothing, context), then a positioned read of 13 bytes, eight contexts in turn.
 * `workload N`; with N 0 it only writes the time of its first instruction to the file that $STAMP names. */
#include <fcntl.h>
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

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0;
	int fd = open("/dev/zero", O_RDONLY);
	char buf[16];

	stamp();
	for (long i = 0; i < n; i++) {
		fn("", 1 + (int)(i & 7));
		if (pread(fd, buf, 13, 0) != 13)
			return 1;
	}
	return 0;
}
