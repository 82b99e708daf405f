/* Signs and widths: neg(k) returns k - 10 as an int (-10 ... -6 in five calls); early() is called once by a constructor, before main;
 * wide() takes one value of each width. */
#include "tests/triggers/trigger.h"

PROBED int neg(int k)
{
	KEEP();
	return k - 10;
}

PROBED void early(int n)
{
	(void)n;
	KEEP();
}

PROBED uint64_t wide(int8_t a, int16_t b, int32_t c, int64_t d, uint8_t e, uint64_t f, int64_t on_stack)
{
	(void)a, (void)b, (void)c, (void)d, (void)e, (void)on_stack;
	KEEP();
	return f;
}

__attribute__((constructor)) static void before_main(void)
{
	early(1);
}

int main(void)
{
	long sum = 0;

	for (int i = 0; i < 5; i++)
		sum += neg(i);
	wide(-1, -300, -70000, INT64_MIN, 200, UINT64_MAX, -7);
	fprintf(truth_open(), "calls=5\nsum=%ld\nearly=1\n", sum);
	return 0;
}
