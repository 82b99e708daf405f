/* C++ names: overloads, a C function of the same name, a name that begins like main. Each prints its truth. */
#include <cstdio>
#include <cstdlib>

#define PROBED __attribute__((noinline, noipa))
#define KEEP() __asm__ volatile("" ::: "memory")

namespace ns
{
struct S {
	PROBED static void go(int)
	{
		KEEP();
	}
	PROBED static void go(const char *)
	{
		KEEP();
	}
};
}

extern "C" PROBED void fun()
{
	KEEP();
}

PROBED void fun(int)
{
	KEEP();
}

PROBED bool main_test()
{
	KEEP();
	return true;
}

int main()
{
	const char *path = getenv("TRUTH");
	FILE *truth = path ? fopen(path, "w") : stdout;

	for (int i = 0; i < 3; i++)
		ns::S::go(i);
	for (int i = 0; i < 2; i++)
		ns::S::go("text");
	fun();
	fun(1);
	fun(2);
	main_test();
	fprintf(truth, "main=1 fun=1 fun_int=2 go_int=3 go_text=2\n");
	return 0;
}
