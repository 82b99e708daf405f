/* system(): a command run by the shell, its output read. */
#ifndef QT_RUNTIME_SHELL_H
#define QT_RUNTIME_SHELL_H

#include "base/str.h"

/* Runs COMMAND by /bin/sh with PARAMS (NPARAMS texts, a NUL behind each) as "$1", "$2" ...; waits for its end. What it writes to standard output is given to FN piece by piece.
 * 0 or a negative errno when no shell could be started. */
int qt_shell_run(const char *command, const struct qt_buf *params, unsigned nparams, void (*fn)(void *ctx, struct qt_str piece), void *ctx);

#endif
