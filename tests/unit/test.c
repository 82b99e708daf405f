/* The unit test runner: `unit [PATTERN]...` runs the cases whose FILE/NAME contains one of the patterns (all without), each in a
 * process of its own. It speaks the line protocol of tests/run: details indented, then "ok NAME", "FAIL NAME" or
 * "SKIP NAME: reason", and "end N" when all N cases were run. Exit code 1 when any failed. */
#include "tests/unit/test.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT_SECONDS = 10 };

/* What a case tells its runner; shared memory, so that it survives a crash. */
struct verdict {
	unsigned failed;
	bool skipped;
	char reason[256];
};

static struct verdict *verdict;

/* Begin and end of the section that QT_TEST fills; the linker defines both. */
extern const struct qt_unit_case *const __start_qt_tests[];
extern const struct qt_unit_case *const __stop_qt_tests[];

bool qt_test_true(const char *file, int line, const char *text, bool holds)
{
	if (!holds) {
		verdict->failed++;
		printf("  %s:%d: does not hold: %s\n", file, line, text);
	}
	return holds;
}

bool qt_test_eq_int(const char *file, int line, const char *text, int64_t got, int64_t want)
{
	if (got == want)
		return true;
	verdict->failed++;
	printf("  %s:%d: %s is %" PRId64 " (0x%" PRIx64 "), want %" PRId64 " (0x%" PRIx64 ")\n", file, line, text, got, got, want, want);
	return false;
}

static void print_quoted(const char *label, const char *s)
{
	printf("    %s ", label);
	if (!s) {
		puts("NULL");
		return;
	}
	putchar('"');
	for (; *s; s++) {
		if (*s == '\n')
			fputs(s[1] ? "\\n\n          " : "\\n", stdout);
		else
			putchar(*s);
	}
	puts("\"");
}

bool qt_test_eq_str(const char *file, int line, const char *text, const char *got, const char *want)
{
	if (got == want || (got && want && !strcmp(got, want)))
		return true;
	verdict->failed++;
	printf("  %s:%d: %s differs\n", file, line, text);
	print_quoted("got ", got);
	print_quoted("want", want);
	return false;
}

void qt_test_skip(const char *reason)
{
	verdict->skipped = true;
	snprintf(verdict->reason, sizeof(verdict->reason), "%s", reason);
	fflush(stdout);
	_exit(0);
}

/* "base_str/glob_braces" of tests/unit/base_str.c. */
static void full_name(const struct qt_unit_case *t, char *out, size_t size)
{
	const char *base = strrchr(t->file, '/');

	base = base ? base + 1 : t->file;
	snprintf(out, size, "%.*s/%s", (int)strcspn(base, "."), base, t->name);
}

static bool wanted(const char *name, char **patterns)
{
	if (!*patterns)
		return true;
	for (; *patterns; patterns++) {
		if (strstr(name, *patterns))
			return true;
	}
	return false;
}

static void tell_end(int status)
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		printf("  did not end within %d s\n", LIMIT_SECONDS);
	else if (WIFSIGNALED(status))
		printf("  killed by signal %d (%s)\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status))
		printf("  exit code %d\n", WEXITSTATUS(status));
}

/* The child ends by exit() so that a leak sanitizer has its say. */
static bool run_case(const struct qt_unit_case *t, const char *name)
{
	int status = 0;
	pid_t child;

	memset(verdict, 0, sizeof(*verdict));
	fflush(stdout);
	child = fork();
	if (child == 0) {
		alarm(LIMIT_SECONDS);
		t->run();
		exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		verdict->failed++;
	tell_end(status);
	if (verdict->failed || status) {
		printf("FAIL %s\n", name);
		return false;
	}
	if (verdict->skipped)
		printf("SKIP %s: %s\n", name, verdict->reason);
	else
		printf("ok %s\n", name);
	return true;
}

int main(int argc, char **argv)
{
	unsigned run = 0, failed = 0;
	char name[256];

	(void)argc;
	verdict = mmap(NULL, sizeof(*verdict), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (verdict == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	for (const struct qt_unit_case *const *t = __start_qt_tests; t < __stop_qt_tests; t++) {
		full_name(*t, name, sizeof(name));
		if (!wanted(name, argv + 1))
			continue;
		run++;
		failed += !run_case(*t, name);
	}
	printf("end %u\n", run);
	return failed != 0;
}
