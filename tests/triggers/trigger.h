/* Common words of the target programs: small programs whose true numbers are known; each prints its own truth as key=value lines on
 * standard output (or into the file that $TRUTH names, so that it does not mix with a report). Counts are primes. */
#ifndef QT_TESTS_TRIGGER_H
#define QT_TESTS_TRIGGER_H

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* A function that a probe can stand on: never inlined, never specialised, its call never optimised away (with KEEP in it). */
#define PROBED __attribute__((noinline, noipa))
#define KEEP() __asm__ volatile("" ::: "memory")

static inline FILE *truth_open(void)
{
	const char *path = getenv("TRUTH");
	FILE *f = path ? fopen(path, "w") : stdout;

	if (!f) {
		perror(path);
		exit(1);
	}
	return f;
}

static inline long arg_or(int argc, char **argv, int i, long otherwise)
{
	return argc > i ? atol(argv[i]) : otherwise;
}

#endif
