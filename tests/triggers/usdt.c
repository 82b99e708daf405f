/* Static probes: two providers with one name in common, semaphores, operands of every width and kind, one probe at two sites with
 * other operands. The program counts a guarded probe itself, so that a semaphore that was not raised shows. */
#include "tests/triggers/trigger.h"

#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>

#define SEMAPHORE(provider, name) __extension__ unsigned short provider##_##name##_semaphore __attribute__((used, section(".probes")))
SEMAPHORE(tp, idx);
SEMAPHORE(tp, site);
SEMAPHORE(tp, mem);
SEMAPHORE(tp, consts);
SEMAPHORE(tp, guarded);
SEMAPHORE(tq, guarded);
SEMAPHORE(tp, text);

static int guarded_p, guarded_q;

PROBED void idx(int *a, int i)
{
	DTRACE_PROBE1(tp, idx, a[i]);
}

static inline __attribute__((always_inline)) void site(int v)
{
	DTRACE_PROBE1(tp, site, v);
}

PROBED void site_first(int v)
{
	site(v);
}

PROBED void site_second(int p, int q, int v)
{
	site(v + p - q);
}

PROBED void mem(void)
{
	volatile int8_t a = -1;
	volatile int16_t b = -300;
	volatile int32_t c = -70000;
	volatile uint8_t d = 200;
	volatile uint16_t e = 60000;
	volatile uint32_t f = 4000000000u;

	DTRACE_PROBE6(tp, mem, a, b, c, d, e, f);
}

PROBED void guarded(int i)
{
	if (tp_guarded_semaphore) {
		guarded_p++;
		DTRACE_PROBE1(tp, guarded, i);
	}
	if (tq_guarded_semaphore && i % 2) {
		guarded_q++;
		DTRACE_PROBE1(tq, guarded, i);
	}
}

PROBED void say(const char *s, size_t len)
{
	DTRACE_PROBE2(tp, text, s, len);
}

int main(void)
{
	int a[] = { 10, -20, 30, -40 };
	FILE *truth = truth_open();

	for (int i = 0; i < 4; i++)
		idx(a, i);
	for (int i = 0; i < 7; i++)
		site_first(11);
	for (int i = 0; i < 13; i++)
		site_second(1, 2, 23);
	mem();
	DTRACE_PROBE2(tp, consts, -1, 0x123456789abcdefLL);
	for (int i = 0; i < 101; i++)
		guarded(i);
	say("SELECT 1", 8);
	say("counted, not terminated", 7);
	fprintf(truth, "idx=4\nidx_sum=-20\nsite_11=7\nsite_22=13\nmem=1\nconsts=1\ntext=2\n");
	fprintf(truth, "tp_guarded=%d\ntq_guarded=%d\n", guarded_p, guarded_q);
	return 0;
}
