/* For tests of target/: a folder of its own with small programs that are built in it. */
#ifndef QT_TESTS_UNIT_TARGET_BUILD_H
#define QT_TESTS_UNIT_TARGET_BUILD_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Each case runs in a process of its own: the working directory is the case's folder, gone when the process ends. */
static char build_folder[64];
static pid_t build_owner;

static inline void build_remove(void)
{
	char command[128];

	if (getpid() != build_owner)
		return;
	snprintf(command, sizeof(command), "rm -rf %s", build_folder);
	if (system(command))
		fprintf(stderr, "%s stays behind\n", build_folder);
}

static inline bool build_begin(void)
{
	strcpy(build_folder, "/tmp/qtrace-test-XXXXXX");
	build_owner = getpid();
	if (!mkdtemp(build_folder) || chdir(build_folder))
		return false;
	atexit(build_remove);
	return true;
}

static inline void build_write(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

/* A shell command; true when it succeeds. */
static inline bool build_run(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static inline bool build_run(const char *fmt, ...)
{
	char command[2048];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	return system(command) == 0;
}

/* The address that nm prints for a symbol, or 0. */
static inline unsigned long build_nm(const char *file, const char *symbol)
{
	char command[512];
	unsigned long address = 0;
	FILE *p;

	snprintf(command, sizeof(command), "nm %s | awk '$3 == \"%s\" { print \"0x\" $1; exit }'", file, symbol);
	p = popen(command, "r");
	if (p && fscanf(p, "%lx", &address) != 1)
		address = 0;
	if (p)
		pclose(p);
	return address;
}

/* The full path of a file in the case's folder. */
static inline const char *build_path(const char *name)
{
	static char path[4][512];
	static unsigned next;
	char *p = path[next++ % 4];

	snprintf(p, sizeof(path[0]), "%s/%s", build_folder, name);
	return p;
}

#endif
