/* Lets a second signal end the process by its default action although the first one is still being served, or waits for a slow reader. The kernel then takes off what is
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

static void serve(struct qt_impatience *i, int sig)
{
	uint64_t one = 1;
	long since = atomic_load(&i->since_ms);

	if (since && now_ms() - since > MOMENT_MS)
		end_by(i, sig);
	qt_impatience_ending(i);
	if (write(i->asked, &one, sizeof(one)) != sizeof(one))
		end_by(i, sig);
}

static void *watch(void *ctx)
{
	struct qt_impatience *i = ctx;
	struct pollfd p[2] = { { .fd = i->over, .events = POLLIN }, { .fd = i->signals, .events = POLLIN } };
	struct signalfd_siginfo info;

	while (poll(p, 2, -1) >= 0 && !p[0].revents)
		if (p[1].revents && read(i->signals, &info, sizeof(info)) == sizeof(info))
			serve(i, (int)info.ssi_signo);
	return NULL;
}

bool qt_impatience_begin(struct qt_impatience *i, int signals, int child)
{
	i->signals = signals;
	i->child = child;
	i->asked = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	i->over = eventfd(0, EFD_CLOEXEC);
	i->running = i->asked >= 0 && i->over >= 0 && pthread_create(&i->thread, NULL, watch, i) == 0;
	if (!i->running) {
		close(i->asked);
		close(i->over);
	}
	return i->running;
}

void qt_impatience_ending(struct qt_impatience *i)
{
	long never = 0;

	atomic_compare_exchange_strong(&i->since_ms, &never, now_ms());
}

void qt_impatience_end(struct qt_impatience *i)
{
	uint64_t one = 1;

	if (!i->running)
		return;
	if (write(i->over, &one, sizeof(one)) == sizeof(one))
		pthread_join(i->thread, NULL);
	close(i->asked);
	close(i->over);
	i->running = false;
}
