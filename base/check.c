/* The end of a run whose invariants are broken: says where, then aborts so that a core shows why. */
#include "base/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void qt_bug(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "qtrace: a bug in qtrace itself (%s:%d): ", file, line);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	abort();
}
