/* The text of -c as something that can be started: its words, its file, and what is wrong with it. */
#ifndef QT_RUNTIME_COMMAND_H
#define QT_RUNTIME_COMMAND_H

#include "runtime/words.h"

struct qt_run;

/* Where the command NAME lies: NAME itself when it has a slash, else by PATH. The path is malloc'd. NULL with errno set:
 * ENOENT not found, EACCES found but not executable, EISDIR. */
char *qt_command_find(const char *name);

/* Splits the command of RUN and finds its file (malloc'd into *PATH). Without a command: true, and *PATH stays NULL. False with a diagnostic. */
bool qt_command_prepare(const struct qt_run *run, struct qt_words *words, char **path);

/* Says why NAME, which was found, could not be executed: a negative errno of execve. */
void qt_command_report(const struct qt_run *run, const char *name, int err);

#endif
