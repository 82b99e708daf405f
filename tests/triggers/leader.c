/* A child whose first thread ends before its second: work() 3 times in the first, 13 times in the second, when the first is gone. With an argument: the
 * child puts itself into the background as a daemon does (setsid, a second fork) and writes its truth last. */
#include "tests/triggers/trigger.h"

#include <pthread.h>
#include <sys/wait.h>

PROBED int work(int i)
{
	KEEP();
	return i;
}

static void repeat(int n)
{
	for (int i = 0; i < n; i++)
		work(i);
}

static bool is_zombie(void)
{
	char path[64], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", getpid());
	f = fopen(path, "r");
	if (f && fscanf(f, "%*d %*s %c", &state) != 1)
		state = 0;
	if (f)
		fclose(f);
	return state == 'Z';
}

static void *second(void *arg)
{
	(void)arg;
	while (!is_zombie())
		usleep(1000);
	usleep(50000); /* longer than what is told of an end may take */
	repeat(13);
	_exit(0);
}

static void child(void)
{
	pthread_t thread;

	repeat(3);
	pthread_create(&thread, NULL, second, NULL);
	pthread_exit(NULL);
}

static void daemonise(void)
{
	setsid();
	if (fork() == 0) {
		repeat(17);
		_exit(0);
	}
	wait(NULL);
	_exit(0);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (fork() == 0)
		argc > 1 ? daemonise() : child();
	while (wait(NULL) > 0)
		;
	fprintf(truth_open(), "work=16\n");
	return 0;
}
