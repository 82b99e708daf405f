/* The command of -c: found, held, released, ended, and never left behind. */
#include "runtime/child.h"

#include "runtime/command.h"
#include "tests/unit/test.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static int start(struct qt_child *c, const char *path, char **words)
{
	sigset_t mask;

	sigprocmask(SIG_BLOCK, NULL, &mask);
	return qt_child_start(c, path, words, &(struct qt_child_gets){ &mask, &(struct rlimit){ 0 } });
}

static bool wait_end(struct qt_child *c)
{
	struct pollfd p = { .fd = c->pidfd, .events = POLLIN };

	return poll(&p, 1, 5000) == 1 && qt_child_ended(c);
}

static bool is_gone(pid_t pid)
{
	return kill(pid, 0) < 0 && errno == ESRCH;
}

QT_TEST(nothing_runs_before_the_release)
{
	int out[2];
	char text[8] = "";
	struct pollfd p;
	struct qt_child c;

	QT_NEED(pipe(out) == 0);
	QT_NEED(dup2(out[1], 9) == 9);
	QT_NEED(start(&c, "/bin/sh", (char *[]){ "sh", "-c", "echo ran >&9; exit 7", NULL }) == 0);
	p = (struct pollfd){ .fd = out[0], .events = POLLIN };
	QT_EQ_INT(poll(&p, 1, 30), 0);
	QT_NEED(qt_child_ready(&c) == 0);
	QT_EQ_INT(poll(&p, 1, 30), 0);
	QT_TRUE(!qt_child_ended(&c));
	QT_NEED(qt_child_release(&c) == 0);
	QT_EQ_INT(read(out[0], text, 4), 4);
	QT_EQ_STR(text, "ran\n");
	QT_NEED(wait_end(&c));
	QT_TRUE(WIFEXITED(c.status) && WEXITSTATUS(c.status) == 7);
	qt_child_finish(&c, 0);
}

/* While it waits between ready and release it is in no system call. */
QT_TEST(ready_means_out_of_the_kernel)
{
	char path[64], state[64] = "";
	struct qt_child c;
	int fd;

	QT_NEED(start(&c, "/bin/true", (char *[]){ "true", NULL }) == 0);
	QT_NEED(qt_child_ready(&c) == 0);
	snprintf(path, sizeof(path), "/proc/%d/syscall", c.pid);
	fd = open(path, O_RDONLY);
	if (fd < 0 || read(fd, state, sizeof(state) - 1) < 0) {
		qt_child_finish(&c, 0);
		QT_SKIP("/proc/PID/syscall is not readable");
	}
	QT_TRUE(strncmp(state, "running", 7) == 0 || strncmp(state, "-1", 2) == 0);
	close(fd);
	qt_child_finish(&c, 0);
}

QT_TEST(a_failed_exec_is_told)
{
	char path[] = "/tmp/qt-child-XXXXXX";
	int fd = mkstemp(path);
	struct qt_child c;

	QT_NEED(fd >= 0 && write(fd, "#!/no/such/interpreter\n", 23) == 23);
	fchmod(fd, 0755);
	close(fd);
	QT_NEED(start(&c, path, (char *[]){ "x", NULL }) == 0);
	QT_NEED(qt_child_ready(&c) == 0);
	QT_EQ_INT(qt_child_release(&c), -ENOENT);
	QT_NEED(wait_end(&c));
	qt_child_finish(&c, 0);
	unlink(path);
}

QT_TEST(a_script_without_an_interpreter_runs)
{
	char path[] = "/tmp/qt-child-XXXXXX";
	int fd = mkstemp(path);
	struct qt_child c;

	QT_NEED(fd >= 0 && write(fd, "exit 5\n", 7) == 7);
	fchmod(fd, 0755);
	close(fd);
	QT_NEED(start(&c, path, (char *[]){ "x", NULL }) == 0);
	QT_NEED(qt_child_ready(&c) == 0);
	QT_EQ_INT(qt_child_release(&c), 0);
	QT_NEED(wait_end(&c));
	QT_EQ_INT(WEXITSTATUS(c.status), 5);
	qt_child_finish(&c, 0);
	unlink(path);
}

QT_TEST(a_held_child_goes_with_us)
{
	struct qt_child c;
	pid_t pid;

	QT_NEED(start(&c, "/bin/true", (char *[]){ "true", NULL }) == 0);
	pid = c.pid;
	qt_child_finish(&c, 0);
	QT_TRUE(is_gone(pid));
	QT_NEED(start(&c, "/bin/true", (char *[]){ "true", NULL }) == 0);
	pid = c.pid;
	QT_NEED(qt_child_ready(&c) == 0);
	qt_child_finish(&c, 0);
	QT_TRUE(is_gone(pid));
	qt_child_finish(&c, 0);
}

/* The parent's end of the pipe closes when it dies: the child must not wait for ever. */
QT_TEST(a_held_child_ends_when_its_holder_dies)
{
	struct qt_child c;

	QT_NEED(start(&c, "/bin/true", (char *[]){ "true", NULL }) == 0);
	close(c.hold);
	c.hold = -1;
	QT_NEED(wait_end(&c));
	QT_EQ_INT(WEXITSTATUS(c.status), 127);
	qt_child_finish(&c, 0);
}

QT_TEST(a_stubborn_child_is_killed)
{
	struct qt_child c;
	long begin;
	pid_t pid;

	QT_NEED(start(&c, "/bin/sh", (char *[]){ "sh", "-c", "trap '' TERM; while :; do sleep 0.05; done", NULL }) == 0);
	QT_NEED(qt_child_ready(&c) == 0 && qt_child_release(&c) == 0);
	usleep(50000);
	pid = c.pid;
	qt_child_terminate(&c);
	begin = ms();
	qt_child_finish(&c, 100);
	QT_TRUE(ms() - begin >= 90 && ms() - begin < 3000);
	QT_TRUE(is_gone(pid));
}

QT_TEST(the_status_of_a_signal)
{
	struct qt_child c;

	QT_NEED(start(&c, "/bin/sh", (char *[]){ "sh", "-c", "kill -9 $$", NULL }) == 0);
	QT_NEED(qt_child_ready(&c) == 0 && qt_child_release(&c) == 0);
	QT_NEED(wait_end(&c));
	QT_TRUE(WIFSIGNALED(c.status) && WTERMSIG(c.status) == 9);
	qt_child_finish(&c, 0);
}

static int why_not(const char *name)
{
	char *path = qt_command_find(name);

	if (!path)
		return errno;
	free(path);
	return 0;
}

QT_TEST(commands_are_found_by_path)
{
	char dir[] = "/tmp/qt-path-XXXXXX", file[64], *path;
	int fd;

	QT_NEED(mkdtemp(dir));
	snprintf(file, sizeof(file), "%s/thing", dir);
	fd = open(file, O_CREAT | O_WRONLY, 0644);
	close(fd);
	setenv("PATH", dir, 1);
	QT_EQ_INT(why_not("thing"), EACCES);
	QT_EQ_INT(why_not("nothing"), ENOENT);
	chmod(file, 0755);
	path = qt_command_find("thing");
	QT_EQ_STR(path, file);
	free(path);
	QT_EQ_INT(why_not(dir), EISDIR);
	QT_EQ_INT(why_not("/no/such/file"), ENOENT);
	QT_EQ_INT(why_not(""), ENOENT);
	unlink(file);
	rmdir(dir);
}
