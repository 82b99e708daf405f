/* Many distinct keys: key(k, text) for k below N (20011 unless given), each with its own text, the whole round three times. */
#include "tests/triggers/trigger.h"

PROBED void key(long k, const char *text)
{
	(void)k, (void)text;
	KEEP();
}

int main(int argc, char **argv)
{
	long n = arg_or(argc, argv, 1, 20011);
	char text[64];

	for (int round = 0; round < 3; round++) {
		for (long k = 0; k < n; k++) {
			snprintf(text, sizeof(text), "SELECT %ld", k);
			key(k, text);
		}
	}
	fprintf(truth_open(), "keys=%ld\ncalls=%ld\n", n, 3 * n);
	return 0;
}
