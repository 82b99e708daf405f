/* Shared by program_dump.c and program_dump_expr.c. */
#ifndef QT_SEMA_DUMP_INTERNAL_H
#define QT_SEMA_DUMP_INTERNAL_H

#include "sema/program.h"

#include <stdio.h>

struct qt_dump {
	const struct qt_program *p;
	FILE *out;
};

/* In quotes, with what does not print escaped. */
void qt_dump_text(FILE *out, struct qt_str s);
void qt_dump_expr(struct qt_dump *d, const struct qt_expr *x);
/* With its type behind it. */
void qt_dump_typed(struct qt_dump *d, const struct qt_expr *x);
void qt_dump_list(struct qt_dump *d, struct qt_expr *const *items, uint32_t n);
/* The name of context variable I. */
const char *qt_dump_context(struct qt_dump *d, uint32_t i);

#endif
