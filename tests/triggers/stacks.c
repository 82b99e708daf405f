/* Stacks: leaf is called 31 times through left and 13 times through right, without a frame of its own; another process of this program, mapped elsewhere and gone at once, calls it 7 times. What stands at the names'
 * offsets depends on the compiler; the names do not. With "jit" code that no file has is run, and told of in /tmp/perf-PID.map. */
#include "tests/triggers/trigger.h"

#include <sys/mman.h>
#include <sys/wait.h>

#define FRAMED __attribute__((noinline, noipa, optimize("no-omit-frame-pointer")))

PROBED void leaf(void)
{
	KEEP();
}

FRAMED void left(void)
{
	leaf();
	KEEP();
}

FRAMED void right(void)
{
	leaf();
	KEEP();
}

/* push %rbp; mov %rsp, %rbp; call *%rdi; pop %rbp; ret */
static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3 };

FRAMED void run_jit(void)
{
	unsigned char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*fn)(void (*)(void));
	char path[64];
	FILE *f;

	memcpy(p, code, sizeof(code));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	f = fopen(path, "w");
	if (!f)
		abort();
	fprintf(f, "%lx %zx made at run time\n", (unsigned long)p, sizeof(code));
	fclose(f);
	memcpy(&fn, &p, sizeof(fn));
	for (int i = 0; i < 11; i++)
		fn(leaf);
	KEEP();
}

FRAMED void many(int n, void (*fn)(void))
{
	for (int i = 0; i < n; i++)
		fn();
	KEEP();
}

FRAMED int main(int argc, char **argv)
{
	FILE *truth;
	pid_t child;

	if (argc > 1 && !strcmp(argv[1], "child")) {
		many(7, left);
		return 0;
	}
	many(31, left);
	many(13, right);
	if (argc > 1 && !strcmp(argv[1], "jit"))
		run_jit();
	child = fork();
	if (!child)
		execl("/proc/self/exe", "stacks", "child", NULL);
	waitpid(child, NULL, 0);
	truth = truth_open();
	fprintf(truth, "left=31 right=13 child=7 pid=%d\n", (int)getpid());
	return 0;
}
