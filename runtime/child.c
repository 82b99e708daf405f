/* Starts, holds, releases and reaps the command of -c. It is held in two steps: it sleeps in a read while the probes are
 * made, then spins in user mode for the microseconds between enabling and release. So neither ptrace nor a stop signal is
 * needed, and no system call of the child but execve itself runs under the probes. No child survives qt_child_finish. */
#include "runtime/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum gate_state { GATE_SLEEPS, GATE_SPINS, GATE_OPEN };

struct qt_gate {
	_Atomic int state;
};

/* ---- in the child ---------------------------------------------------------------------------------------------------- */

static void pause_cpu(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#else
	atomic_signal_fence(memory_order_seq_cst);
#endif
}

static void default_signals(const sigset_t *mask)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGCHLD };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
}

/* The parent may die while we spin: then nobody ever opens the gate. */
static void wait_for_gate(struct qt_gate *gate, pid_t parent)
{
	for (unsigned long spins = 1; atomic_load(&gate->state) != GATE_OPEN; spins++) {
		pause_cpu();
		if (spins % (1ul << 28) == 0 && getppid() != parent)
			_exit(127);
	}
}

static _Noreturn void child_main(const struct qt_child *c, const char *path, char **words, const struct qt_child_gets *gets, pid_t parent, int hold,
				 int failed)
{
	char byte;
	int err;

	default_signals(gets->mask);
	if (gets->files->rlim_max)
		setrlimit(RLIMIT_NOFILE, gets->files);
	close(c->hold);
	close(c->failed);
	if (read(hold, &byte, 1) != 1)
		_exit(127);
	atomic_store(&c->gate->state, GATE_SPINS);
	wait_for_gate(c->gate, parent);
	execvp(path, words); /* PATH has a slash: no search, but a script without #! runs by /bin/sh */
	err = errno;
	if (write(failed, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

/* ---- in the parent --------------------------------------------------------------------------------------------------- */

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int open_gate(struct qt_child *c, int hold[2], int failed[2])
{
	c->gate = mmap(NULL, sizeof(*c->gate), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (c->gate == MAP_FAILED) {
		c->gate = NULL;
		return -errno;
	}
	if (pipe2(hold, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(failed, O_CLOEXEC) < 0) {
		close(hold[0]);
		close(hold[1]);
		return -errno;
	}
	c->hold = hold[1];
	c->failed = failed[0];
	return 0;
}

int qt_child_start(struct qt_child *c, const char *path, char **words, const struct qt_child_gets *gets)
{
	int hold[2] = { -1, -1 }, failed[2] = { -1, -1 }, err;
	pid_t parent = getpid();

	*c = (struct qt_child){ .pidfd = -1, .hold = -1, .failed = -1 };
	err = open_gate(c, hold, failed);
	if (err)
		return err;
	c->pid = fork();
	if (c->pid == 0)
		child_main(c, path, words, gets, parent, hold[0], failed[1]);
	err = c->pid < 0 ? -errno : 0;
	close(hold[0]);
	close(failed[1]);
	if (c->pid < 0)
		c->pid = 0;
	if (!err)
		c->pidfd = (int)syscall(SYS_pidfd_open, c->pid, 0);
	if (!err && c->pidfd < 0)
		err = -errno;
	return err;
}

int qt_child_ready(struct qt_child *c)
{
	char byte = 1;

	if (write(c->hold, &byte, 1) != 1)
		return -errno;
	close_fd(&c->hold);
	while (atomic_load(&c->gate->state) == GATE_SLEEPS) {
		if (qt_child_ended(c))
			return -ECHILD;
		sched_yield();
	}
	return 0;
}

int qt_child_release(struct qt_child *c)
{
	int err = 0;
	ssize_t got;

	atomic_store(&c->gate->state, GATE_OPEN);
	do
		got = read(c->failed, &err, sizeof(err));
	while (got < 0 && errno == EINTR);
	close_fd(&c->failed);
	return got == sizeof(err) ? -err : 0;
}

bool qt_child_ended(struct qt_child *c)
{
	if (c->pid && !c->reaped && waitpid(c->pid, &c->status, WNOHANG) == c->pid)
		c->reaped = true;
	return c->reaped;
}

void qt_child_terminate(struct qt_child *c)
{
	if (c->pid && !qt_child_ended(c))
		kill(c->pid, SIGTERM);
}

static void reap(struct qt_child *c, int patience_ms)
{
	struct pollfd p = { .fd = c->pidfd, .events = POLLIN };

	if (c->pidfd >= 0 && patience_ms > 0)
		poll(&p, 1, patience_ms);
	if (qt_child_ended(c))
		return;
	kill(c->pid, SIGKILL);
	while (waitpid(c->pid, &c->status, 0) < 0 && errno == EINTR)
		continue;
	c->reaped = true;
}

void qt_child_finish(struct qt_child *c, int patience_ms)
{
	if (!c->pid)
		return;
	if (!qt_child_ended(c))
		reap(c, patience_ms);
	close_fd(&c->pidfd);
	close_fd(&c->hold);
	close_fd(&c->failed);
	if (c->gate)
		munmap(c->gate, sizeof(*c->gate));
	c->gate = NULL;
	c->pid = 0;
}
