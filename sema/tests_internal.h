/* Shared by tests.c and feed.c. */
#ifndef QT_SEMA_TESTS_INTERNAL_H
#define QT_SEMA_TESTS_INTERNAL_H

#include "sema/sema_internal.h"

/* Adds the event (or the two of a return whose entry is told) of NODE at G's first point to TEST; LIKE has who and when. *CLOCK: the time of
 * the last event. */
void qt_check_feed(struct qt_sema *s, const struct qt_ast_feed *node, const struct qt_group *g, struct qt_feed *like, uint64_t *clock,
		   struct qt_test *test);

#endif
