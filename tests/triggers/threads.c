/* Four threads called "worker" (main keeps its own name) call getppid 11 times each: 44 system calls by four threads. */
#include "tests/triggers/trigger.h"

#include <sys/syscall.h>

static void *worker(void *unused)
{
	pthread_setname_np(pthread_self(), "worker");
	for (int i = 0; i < 11; i++)
		syscall(SYS_getppid);
	return unused;
}

int main(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	fprintf(truth_open(), "calls=44\nthreads=4\n");
	return 0;
}
