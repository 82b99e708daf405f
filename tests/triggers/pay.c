/* Payments as pairs of static probes: 16 of them, up to four open at a time, ended in another order than begun; 11 succeed (0), 5 fail (1). */
#include "tests/triggers/trigger.h"

#include <sys/sdt.h>

PROBED void start(long id)
{
	DTRACE_PROBE1(app, payment_start, id);
}

PROBED void done(long id, int result)
{
	DTRACE_PROBE2(app, payment_done, id, result);
}

int main(void)
{
	for (long batch = 0; batch < 4; batch++) {
		for (long i = 0; i < 4; i++)
			start(100 + 4 * batch + i);
		usleep(3000);
		for (long i = 3; i >= 0; i--)
			done(100 + 4 * batch + i, (4 * batch + i) % 3 == 2);
	}
	fprintf(truth_open(), "done=16\nok=11\nfailed=5\n");
	return 0;
}
