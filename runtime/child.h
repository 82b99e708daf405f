/* The process of -c: started and held before its exec, so that nothing of the command runs before everything is attached. */
#ifndef QT_RUNTIME_CHILD_H
#define QT_RUNTIME_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

struct qt_gate;

struct qt_child {
	pid_t pid; /* 0: none */
	int pidfd;
	int hold; /* pipe that the child sleeps on */
	int failed; /* pipe that tells why exec failed; closed by exec */
	struct qt_gate *gate; /* shared word that the child spins on */
	bool reaped;
	int status; /* as waitpid gives it */
};

/* What the child has as the shell gave it to us, not as we changed it for ourselves. */
struct qt_child_gets {
	const sigset_t *mask; /* of signals */
	const struct rlimit *files; /* RLIMIT_NOFILE; rlim_max 0: as it is */
};

/* Forks a child that sleeps until qt_child_ready. It gets default SIGPIPE, SIGINT and so on. 0 or a negative errno. */
int qt_child_start(struct qt_child *c, const char *path, char **words, const struct qt_child_gets *gets);

/* Brings the child out of its system call: after this it waits in user mode without any, so that enabling the probes now
 * and releasing it then makes execve the first thing that they see of it. 0 or a negative errno. */
int qt_child_ready(struct qt_child *c);

/* Lets it exec. 0, or the negative errno with which exec failed (the child has ended then). */
int qt_child_release(struct qt_child *c);

/* Ended? Reaps it then and sets status. Never waits. */
bool qt_child_ended(struct qt_child *c);

/* Asks it to end (SIGTERM), when it runs. */
void qt_child_terminate(struct qt_child *c);

/* Waits for its end for at most PATIENCE_MS, then kills it; reaps it and closes all. Safe to call twice and for no child. */
void qt_child_finish(struct qt_child *c, int patience_ms);

#endif
