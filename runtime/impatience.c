/* Lets a second signal end the process by its default action although the first one is still being served. The kernel then takes off what is
 * still attached; the command of -c is killed before. */
#include "runtime/impatience.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MOMENT_MS 250

static long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void end_by(const struct qt_impatience *i, int sig)
{
	sigset_t set;

	if (i->child >= 0)
		syscall(SYS_pidfd_send_signal, i->child, SIGKILL, NULL, 0);
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
}

static void *watch(void *ctx)
{
	struct qt_impatience *i = ctx;
	struct pollfd p[2] = { { .fd = i->over, .events = POLLIN }, { .fd = i->signals, .events = POLLIN } };
	long begin = now_ms();
	struct signalfd_siginfo info;

	while (poll(p, 2, -1) >= 0 && !p[0].revents)
		if (p[1].revents && read(i->signals, &info, sizeof(info)) == sizeof(info) && now_ms() - begin > MOMENT_MS)
			end_by(i, (int)info.ssi_signo);
	return NULL;
}

void qt_impatience_begin(struct qt_impatience *i, int signals, int child)
{
	*i = (struct qt_impatience){ .signals = signals, .child = child, .over = eventfd(0, EFD_CLOEXEC) };
	i->running = i->over >= 0 && pthread_create(&i->thread, NULL, watch, i) == 0;
}

void qt_impatience_end(struct qt_impatience *i)
{
	uint64_t one = 1;

	if (i->running && write(i->over, &one, sizeof(one)) == sizeof(one))
		pthread_join(i->thread, NULL);
	if (i->over >= 0)
		close(i->over);
	i->running = false;
	i->over = -1;
}
