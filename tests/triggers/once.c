/* once() is called by a constructor, before main(), and by main(): two calls. */
#include "tests/triggers/trigger.h"

PROBED void once(long n)
{
	(void)n;
	KEEP();
}

__attribute__((constructor)) static void before_main(void)
{
	once(1);
}

int main(int argc, char **argv)
{
	once(2);
	for (int i = 1; i < argc; i++)
		printf("[%s]", argv[i]);
	fprintf(truth_open(), "once=2\n");
	return 0;
}
