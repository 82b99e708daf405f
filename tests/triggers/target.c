/* Reads by context: fn(nothing, ctx) says who the thread works for, then follow reads of 13 bytes and positioned reads of 17. Three
 * threads share the contexts; main reads without one. The context of the headline is fn's second argument. */
#include "tests/triggers/trigger.h"

enum { READ_BYTES = 13, PREAD_BYTES = 17, THREADS = 3, NOBODY = 53 };

static const struct work {
	int ctx, reads, preads;
} work[] = { { 2, 101, 31 }, { 3, 211, 0 }, { 5, 307, 41 }, { 7, 0, 401 }, { 11, 1, 0 } };

enum { WORKS = sizeof(work) / sizeof(*work) };

PROBED void fn(const char *nothing, int ctx)
{
	(void)nothing, (void)ctx;
	KEEP();
}

static int zero_fd;

static void read_some(int reads, int preads)
{
	char buf[32];

	for (int i = 0; i < reads; i++)
		if (read(zero_fd, buf, READ_BYTES) != READ_BYTES)
			abort();
	for (int i = 0; i < preads; i++)
		if (pread(zero_fd, buf, PREAD_BYTES, 0) != PREAD_BYTES)
			abort();
}

static void *worker(void *which)
{
	intptr_t first = (intptr_t)which;

	for (int i = 0; i < WORKS; i++) {
		const struct work *w = &work[(first + i) % WORKS];

		fn("", w->ctx);
		read_some(w->reads, w->preads);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	FILE *truth;

	zero_fd = open("/dev/zero", O_RDONLY);
	read_some(NOBODY, 0);
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, worker, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	truth = truth_open();
	for (int i = 0; i < WORKS; i++) {
		int reads = work[i].reads * THREADS, preads = work[i].preads * THREADS;

		fprintf(truth, "ctx=%d reads=%d preads=%d total=%d bytes=%d\n", work[i].ctx, reads, preads, reads + preads,
			reads * READ_BYTES + preads * PREAD_BYTES);
	}
	fprintf(truth, "nobody=%d\n", NOBODY);
	return 0;
}
