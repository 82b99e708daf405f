/* Reads that a signal interrupts: 5 that return EINTR, then 3 that the kernel restarts by itself and that then read a byte. */
#include "tests/triggers/trigger.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

static void on_alarm(int sig)
{
	(void)sig;
}

/* A signal in 20 ms, handled with FLAGS. */
static void arm(int flags)
{
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = flags };
	struct itimerval soon = { .it_value.tv_usec = 20000 };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
}

static void write_later(int fd)
{
	if (fork())
		return;
	usleep(60000);
	_exit(write(fd, "x", 1) != 1);
}

int main(void)
{
	FILE *truth = truth_open();
	int ends[2], interrupted = 0, bytes = 0;
	char byte;

	if (pipe(ends))
		return 1;
	for (int i = 0; i < 5; i++) {
		arm(0);
		interrupted += read(ends[0], &byte, 1) < 0 && errno == EINTR;
	}
	for (int i = 0; i < 3; i++) {
		arm(SA_RESTART);
		write_later(ends[1]);
		bytes += (int)read(ends[0], &byte, 1);
		wait(NULL);
	}
	fprintf(truth, "interrupted=%d\nbytes=%d\n", interrupted, bytes);
	return 0;
}
