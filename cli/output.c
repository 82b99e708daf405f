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

bool qt_output_open(struct qt_cli *cli, struct qt_output *o, const char *path)
{
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : STDOUT_FILENO;

	*o = (struct qt_output){ .name = path ? path : "standard output" };
	if (fd >= 0)
		o->file = path ? fdopen(fd, "w") : stdout;
	if (!o->file) {
		qt_cli_error(cli, QT_E0706, NULL, "%s cannot be written: %s", o->name, strerror(errno));
		return false;
	}
	o->terminal = isatty(fd);
	if (!o->terminal)
		setvbuf(o->file, NULL, _IOFBF, BUFFER);
	return true;
}

static bool note_failure(struct qt_output *o, int error)
{
	if (error == EPIPE)
		o->closed = true;
	else if (!o->error)
		o->error = error ? error : EIO;
	return false;
}

bool qt_output_flush(struct qt_output *o)
{
	if (o->closed || o->error)
		return false;
	errno = 0;
	if (fflush(o->file) || ferror(o->file))
		return note_failure(o, errno);
	return true;
}

bool qt_output_is_closed(struct qt_output *o)
{
	struct pollfd p = { .fd = fileno(o->file) };

	/* The writing end of a pipe without a reader, and a terminal that hung up, report an error. */
	if (!o->closed && poll(&p, 1, 0) == 1 && p.revents & (POLLERR | POLLHUP | POLLNVAL))
		o->closed = true;
	return o->closed || o->error;
}

bool qt_output_close(struct qt_cli *cli, struct qt_output *o)
{
	if (!o->file)
		return true;
	qt_output_flush(o);
	errno = 0;
	/* Network file systems and quotas may refuse only now. */
	if (fclose(o->file) && !o->closed && !o->error)
		note_failure(o, errno);
	o->file = NULL;
	if (o->error)
		qt_cli_error(cli, QT_E0706, NULL, "%s could not be written: %s; the results in it are not complete", o->name, strerror(o->error));
	return !o->error;
}

unsigned qt_output_width(const struct qt_output *o)
{
	struct winsize w;

	if (!o->terminal)
		return 0;
	if (ioctl(fileno(o->file), TIOCGWINSZ, &w) || !w.ws_col)
		return 80;
	return w.ws_col < WIDTH_MIN ? WIDTH_MIN : w.ws_col;
}
