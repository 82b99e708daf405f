/* Signals that end a run: the first one asks for it, the second Ctrl-C ends the process at once, even while it is blocked in a write. */
#ifndef QT_RUNTIME_IMPATIENCE_H
#define QT_RUNTIME_IMPATIENCE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct qt_impatience {
	pthread_t thread;
	bool running;
	int signals; /* signalfd of blocked signals */
	int asked; /* eventfd: the first signal came */
	int over; /* eventfd: the wait is over */
	int child; /* pidfd of the command or -1 */
	_Atomic long since_ms; /* when ending began, 0: not yet */
};

/* Takes over SIGNALS from another thread. The first one makes `asked` readable; one that comes later than a moment after it (a shell's timeout
 * sends the first one twice) kills the command and then this process, by that signal. False: no thread could be made, SIGNALS are the caller's. */
bool qt_impatience_begin(struct qt_impatience *i, int signals, int child);
/* The run ends for another reason: from now on every signal counts as a second one. */
void qt_impatience_ending(struct qt_impatience *i);
/* Does nothing for one that never began (all zero). */
void qt_impatience_end(struct qt_impatience *i);

#endif
