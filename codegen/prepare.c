/* Makes the process ready for one compilation: LLVM's code is large and touched all over, and each page that is first touched costs a trap into the
 * kernel (a microsecond on bare metal, fifteen in a virtual machine); mapping all of them in one call costs a tenth. */
#include "codegen/codegen.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Of linux/mman.h, since Linux 5.14; older kernels refuse them, which does no harm. */
#define POPULATE_READ 22
#define POPULATE_WRITE 23

/* What a usual script takes. */
#define HEAP_BYTES (3u << 20)

/* Set by the linker. */
extern const char __executable_start[], etext[], edata[], end[];

static void populate(const void *first, const void *behind, int how)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)first & ~(page - 1), to = (uintptr_t)behind & ~(page - 1);

	if (from < to)
		madvise((void *)from, to - from, how);
}

/* LLVM's options are objects with constructors, all of which run at each start: the memory that they fill is mapped before them. */
__attribute__((constructor(101))) static void prepare_data(void)
{
	populate(edata, end, POPULATE_WRITE);
}

void qt_codegen_prepare(void)
{
	char *heap;

	populate(__executable_start, etext, POPULATE_READ);
	mallopt(M_MMAP_THRESHOLD, 2 * HEAP_BYTES);
	mallopt(M_TRIM_THRESHOLD, 16 * HEAP_BYTES);
	heap = malloc(HEAP_BYTES);
	if (heap)
		populate(heap + 4096, heap + HEAP_BYTES, POPULATE_WRITE);
	free(heap);
}
