/* Waits for a line on standard input, once it has printed one; then N threads (7) call getppid CALLS times (101) each. */
#include "tests/triggers/trigger.h"

#include <pthread.h>
#include <sys/syscall.h>

static long calls;

static void *thread_main(void *arg)
{
	(void)arg;
	for (long i = 0; i < calls; i++)
		syscall(SYS_getppid);
	return NULL;
}

int main(int argc, char **argv)
{
	long n = arg_or(argc, argv, 1, 7);
	pthread_t t[64];
	char line[8];

	calls = arg_or(argc, argv, 2, 101);
	printf("ready\n");
	fflush(stdout);
	if (n > 64 || !fgets(line, sizeof(line), stdin))
		return 1;
	for (long i = 0; i < n; i++)
		pthread_create(&t[i], NULL, thread_main, NULL);
	for (long i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return 0;
}
