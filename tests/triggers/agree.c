/* Calls step() and mark() as the lines of a file say, for programs whose results are compared with the interpreter's. A line:
 *   step A0 A1 A2 A4 A5 TEXT      mark A0 TEXT          (numbers decimal; step() returns A5; TEXT in hexadecimal, "-" for the null pointer) */
#include "tests/triggers/trigger.h"

#include <inttypes.h>

PROBED int64_t step(int64_t a0, int64_t a1, int64_t a2, const char *text, int64_t a4, int64_t a5)
{
	(void)a0, (void)a1, (void)a2, (void)text, (void)a4;
	KEEP();
	return a5;
}

PROBED void mark(int64_t a0, const char *text)
{
	(void)a0, (void)text;
	KEEP();
}

/* Hexadecimal to bytes with a NUL behind; NULL for "-". */
static const char *unhex(const char *hex, char *out, size_t size)
{
	size_t n = 0;
	unsigned byte;

	if (*hex == '-')
		return NULL;
	while (n + 1 < size && sscanf(hex + 2 * n, "%2x", &byte) == 1)
		out[n++] = (char)byte;
	out[n] = 0;
	return out;
}

int main(int argc, char **argv)
{
	static char line[8192], hex[8192], bytes[4096];
	FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
	int64_t a0, a1, a2, a4, a5;

	if (!f)
		return 1;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "step %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %8191s", &a0, &a1, &a2, &a4, &a5, hex) == 6)
			step(a0, a1, a2, unhex(hex, bytes, sizeof(bytes)), a4, a5);
		else if (sscanf(line, "mark %" SCNd64 " %8191s", &a0, hex) == 2)
			mark(a0, unhex(hex, bytes, sizeof(bytes)));
	}
	return 0;
}
