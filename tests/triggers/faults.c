/* Page faults: touch(.., call) writes to fresh pages: none in call 1 (there the probes' own pages come in), 1009 in call 2. */
#include "tests/triggers/trigger.h"

#include <sys/mman.h>

enum { PAGES = 1009 };

PROBED void touch(char *m, size_t page, int call)
{
	for (size_t i = 0; call == 2 && i < PAGES; i++)
		((volatile char *)m)[i * page] = 1;
}

int main(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *m = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(m, PAGES * page, MADV_NOHUGEPAGE);
	touch(m, page, 1);
	touch(m, page, 2);
	fprintf(truth_open(), "pages=%d\n", PAGES);
	return 0;
}
