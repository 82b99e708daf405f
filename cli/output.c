/* The place of the results. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER ((size_t)256 << 10)
#define WIDTH_MIN 40

static void note_failure(struct qt_output *o, int error)
{
	if (error == EPIPE)
		o->closed = true;
	else if (!o->error)
		o->error = error ? error : EIO;
}

static ssize_t write_all(void *cookie, const char *bytes, size_t size)
{
	struct qt_output *o = cookie;
	size_t done = 0;

	while (done < size && !o->closed && !o->error) {
		ssize_t n = write(o->fd, bytes + done, size - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			note_failure(o, errno);
	}
	return done == size ? (ssize_t)size : 0;
}

bool qt_output_open(struct qt_cli *cli, struct qt_output *o, const char *path)
{
	*o = (struct qt_output){ .name = path ? path : "standard output" };
	o->fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : STDOUT_FILENO;
	if (o->fd < 0) {
		qt_cli_error(cli, QT_E0706, NULL, "%s cannot be written: %s", o->name, strerror(errno));
		return false;
	}
	o->file = fopencookie(o, "w", (cookie_io_functions_t){ .write = write_all });
	if (!o->file)
		qt_oom();
	o->terminal = isatty(o->fd);
	setvbuf(o->file, NULL, o->terminal ? _IOLBF : _IOFBF, o->terminal ? 0 : BUFFER);
	return true;
}

bool qt_output_flush(struct qt_output *o)
{
	fflush(o->file);
	return !o->closed && !o->error;
}

bool qt_output_is_closed(struct qt_output *o)
{
	struct pollfd p = { .fd = o->fd };

	/* The writing end of a pipe without a reader, and a terminal that hung up, report an error. */
	if (!o->closed && poll(&p, 1, 0) == 1 && p.revents & (POLLERR | POLLHUP | POLLNVAL))
		o->closed = true;
	return o->closed || o->error;
}

bool qt_output_close(struct qt_cli *cli, struct qt_output *o)
{
	if (!o->file)
		return !o->error;
	fclose(o->file);
	o->file = NULL;
	/* Network file systems and quotas may refuse only now. */
	if (close(o->fd) && !o->closed)
		note_failure(o, errno);
	if (o->error)
		qt_cli_error(cli, QT_E0706, NULL, "%s could not be written: %s; the results in it are not complete", o->name, strerror(o->error));
	return !o->error;
}

unsigned qt_output_width(const struct qt_output *o)
{
	struct winsize w;

	if (!o->terminal)
		return 0;
	if (ioctl(o->fd, TIOCGWINSZ, &w) || !w.ws_col)
		return 80;
	return w.ws_col < WIDTH_MIN ? WIDTH_MIN : w.ws_col;
}
