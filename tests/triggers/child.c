/* A thread gets a context by work(7) and calls getppid() 3 times; so do, without one of their own, a forked child (11 times) and a new thread (5 times). */
#include "tests/triggers/trigger.h"

#include <sys/wait.h>

PROBED void work(long id)
{
	(void)id;
	KEEP();
}

static void ask(int times)
{
	for (int i = 0; i < times; i++)
		getppid();
}

static void *in_thread(void *arg)
{
	(void)arg;
	ask(5);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	work(7);
	ask(3);
	if (!fork()) {
		ask(11);
		_exit(0);
	}
	wait(NULL);
	pthread_create(&thread, NULL, in_thread, NULL);
	pthread_join(thread, NULL);
	fprintf(truth_open(), "own=3\nothers=16\n");
	return 0;
}
