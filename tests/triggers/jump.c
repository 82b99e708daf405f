/* Returns that never come: of 13 calls of leave(), 5 leave their frame by longjmp; then 8 calls of plain() that all return. */
#include "tests/triggers/trigger.h"

#include <setjmp.h>

static jmp_buf back;

PROBED int leave(int jump)
{
	KEEP();
	if (jump)
		longjmp(back, 1);
	return jump;
}

PROBED int plain(int i)
{
	KEEP();
	return i;
}

int main(void)
{
	for (volatile int i = 0; i < 13; i++) {
		if (!setjmp(back))
			leave(i < 5);
	}
	for (int i = 0; i < 8; i++)
		plain(i);
	fprintf(truth_open(), "entries=13\nreturns=8\njumped=5\nplain=8\n");
	return 0;
}
