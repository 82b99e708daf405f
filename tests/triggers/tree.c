/* A tree of processes: the first calls work() once, each of three forked children twice, and an exec of this file 11 times. */
#include "tests/triggers/trigger.h"

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

int main(int argc, char **argv)
{
	if (argc > 1) {
		repeat(11);
		return 0;
	}
	repeat(1);
	for (int i = 0; i < 3; i++) {
		if (fork() == 0) {
			repeat(2);
			_exit(0);
		}
	}
	if (fork() == 0) {
		execl(argv[0], argv[0], "executed", (char *)NULL);
		_exit(1);
	}
	while (wait(NULL) > 0)
		;
	fprintf(truth_open(), "first=1\nforked=6\nexecuted=11\ntree=18\n");
	return 0;
}
