/* Page faults: first touch of 1009 fresh pages (told apart from the start-up's own by touch() around them). */
#include "tests/triggers/trigger.h"

#include <sys/mman.h>

enum { PAGES = 1009 };

PROBED void touch(char *m, size_t page)
{
	for (size_t i = 0; i < PAGES; i++)
		((volatile char *)m)[i * page] = 1;
}

int main(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *m = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(m, PAGES * page, MADV_NOHUGEPAGE);
	touch(m, page);
	fprintf(truth_open(), "pages=%d\n", PAGES);
	return 0;
}
