/* The second Ctrl-C: ends the process at once while results are being collected. */
#ifndef QT_RUNTIME_IMPATIENCE_H
#define QT_RUNTIME_IMPATIENCE_H

#include <pthread.h>
#include <stdbool.h>

struct qt_impatience {
	pthread_t thread;
	bool running;
	int signals; /* signalfd of blocked signals */
	int over; /* eventfd: the wait is over */
	int child; /* pidfd of the command or -1 */
};

/* Watches SIGNALS from another thread: one that comes later than a moment after this call (a shell's timeout sends the first one twice) kills
 * the command and then this process, by that signal. */
void qt_impatience_begin(struct qt_impatience *i, int signals, int child);
void qt_impatience_end(struct qt_impatience *i);

#endif
