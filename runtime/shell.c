/* The shell gets traced texts as its parameters, never as parts of the command: it expands them and does not read them again, so no text can become a command. */
#include "runtime/shell.h"

#include "base/arena.h"
#include "base/check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char **arguments(const char *command, const struct qt_buf *params, unsigned nparams)
{
	char **argv = qt_xcalloc(nparams + 5, sizeof(*argv)), *at = params->ptr;

	argv[0] = (char *)"sh";
	argv[1] = (char *)"-c";
	argv[2] = (char *)command;
	argv[3] = (char *)"sh";
	for (unsigned i = 0; i < nparams; i++, at += strlen(at) + 1)
		argv[4 + i] = at;
	return argv;
}

/* The tracer blocks signals for itself; its children shall have them. */
static int spawn(pid_t *pid, char **argv, int to)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none;
	int err;

	sigemptyset(&none);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, to, STDOUT_FILENO);
	err = posix_spawn(pid, "/bin/sh", &files, &attr, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return -err;
}

static void read_all(int fd, void (*fn)(void *ctx, struct qt_str piece), void *ctx)
{
	char chunk[16384];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			fn(ctx, (struct qt_str){ chunk, (size_t)n });
}

int qt_shell_run(const char *command, const struct qt_buf *params, unsigned nparams, void (*fn)(void *ctx, struct qt_str piece), void *ctx)
{
	char **argv = arguments(command, params, nparams);
	int ends[2], err;
	pid_t pid = 0;

	if (pipe2(ends, O_CLOEXEC) < 0) {
		free(argv);
		return -errno;
	}
	err = spawn(&pid, argv, ends[1]);
	close(ends[1]);
	if (!err)
		read_all(ends[0], fn, ctx);
	close(ends[0]);
	while (!err && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	free(argv);
	return err;
}
