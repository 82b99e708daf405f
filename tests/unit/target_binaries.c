/* From what a script writes to binaries: bare names, links, globs, a process's own root, and what is no binary with what works instead. */
#include "target/target.h"
#include "target/target_internal.h"
#include "tests/unit/target_build.h"
#include "tests/unit/test.h"

#include <signal.h>
#include <sys/wait.h>

static enum qt_why why_of(const char *spec, const char *in_hint)
{
	struct qt_target *t = qt_target_live(NULL);
	struct qt_binaries b;
	enum qt_why why;

	QT_TRUE(!qt_target_binaries(t, spec, &b));
	QT_EQ_INT(b.count, 0);
	QT_TRUE(b.reason.text != NULL);
	why = b.reason.why;
	if (in_hint && !(b.reason.hint && strstr(b.reason.hint, in_hint)))
		QT_EQ_STR(b.reason.hint, in_hint);
	qt_target_free(t);
	return why;
}

QT_TEST(what_is_no_binary)
{
	QT_NEED(build_begin());
	build_write("s.sh", "#!/bin/bash -e\necho x\n");
	build_write("t.txt", "hello\n");
	build_write("empty", "");
	build_write("hash", "#!");
	QT_NEED(build_run("printf 'PK\\003\\004zip' > a.jar; printf '\\312\\376\\272\\276' > A.class; printf '\\177ELF' > cut; "
			  "printf '\\177ELF\\001\\001\\001' > small; head -c 100 /dev/zero >> small; mkdir dir"));
	QT_EQ_INT(why_of(build_path("nothing"), NULL), QT_WHY_NOT_FOUND);
	QT_EQ_INT(why_of(build_path("t.txt/x"), NULL), QT_WHY_NOT_FOUND);
	QT_EQ_INT(why_of(build_path("s.sh"), "/bin/bash -e"), QT_WHY_SCRIPT);
	QT_EQ_INT(why_of(build_path("hash"), NULL), QT_WHY_SCRIPT);
	QT_EQ_INT(why_of(build_path("t.txt"), NULL), QT_WHY_NOT_ELF);
	QT_EQ_INT(why_of(build_path("empty"), NULL), QT_WHY_EMPTY);
	QT_EQ_INT(why_of(build_path("a.jar"), "libjvm"), QT_WHY_JAVA);
	QT_EQ_INT(why_of(build_path("A.class"), "libjvm"), QT_WHY_JAVA);
	QT_EQ_INT(why_of(build_path("cut"), NULL), QT_WHY_DAMAGED);
	QT_EQ_INT(why_of(build_path("small"), NULL), QT_WHY_MACHINE);
	QT_EQ_INT(why_of(build_path("dir"), NULL), QT_WHY_DIRECTORY);
	QT_EQ_INT(why_of("no-such-program-here", NULL), QT_WHY_NOT_FOUND);
	QT_EQ_INT(why_of("/dev/null", NULL), QT_WHY_NOT_ELF);
}

static const char *first(struct qt_target *t, const char *spec, unsigned count)
{
	struct qt_binaries b;

	qt_target_binaries(t, spec, &b);
	QT_EQ_INT(b.count, count);
	return b.count ? b.items[0]->path : NULL;
}

QT_TEST(paths_links_and_globs)
{
	struct qt_target *t = qt_target_live(NULL);
	static const char *const odd[] = { "sp ace", "co:lon", "pl+us", "ha#sh", "\xc3\xbcn\xc3\xaf", "br[ac]k" };

	QT_NEED(build_begin());
	build_write("m.c", "int main(void) { return 0; }\n");
	QT_NEED(build_run("gcc m.c -o prog && ln -s prog link && ln -s link link2 && ln -s loop loop && cp prog prog2 && mkdir sub && cp prog sub/"));
	QT_EQ_STR(first(t, build_path("link2"), 1), build_path("prog"));
	QT_EQ_STR(first(t, "./link", 1), build_path("prog"));
	QT_EQ_STR(first(t, build_path("prog*"), 2), build_path("prog"));
	QT_EQ_STR(first(t, build_path("{link,prog}"), 1), build_path("prog"));
	QT_EQ_STR(first(t, build_path("*"), 2), build_path("prog"));
	QT_TRUE(first(t, build_path("loop"), 0) == NULL);
	for (unsigned i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		QT_NEED(build_run("mkdir '%s' && cp prog '%s/'", odd[i], odd[i]));
		QT_TRUE(first(t, qt_arena_printf(t->arena, "%s/%s/prog", build_folder, odd[i]), 1) != NULL);
	}
	qt_target_free(t);
}

QT_TEST(bare_names)
{
	struct qt_target_options o = { .path = build_folder };
	struct qt_target *t;
	const char *libc;

	QT_NEED(build_begin());
	t = qt_target_live(&o);
	build_write("m.c", "int main(void) { return 0; }\n");
	QT_NEED(build_run("gcc m.c -o libc.so.6 && gcc m.c -o mine && cp mine unset && chmod -x unset"));
	QT_EQ_STR(first(t, "mine", 1), build_path("mine"));
	QT_TRUE(first(t, "unset", 0) == NULL);
	QT_EQ_STR(first(t, "libc.so.6", 1), build_path("libc.so.6")); /* a program comes first */
	libc = first(t, "libc", 1);
	QT_TRUE(libc && strstr(libc, "/libc") != NULL && strcmp(libc, build_path("libc.so.6")));
	QT_EQ_STR(first(t, "c", 1), libc);
	QT_EQ_STR(first(t, "libc.so", 1), libc);
	QT_EQ_STR(first(t, "stdc++", 1), first(t, "libstdc++.so.6", 1));
	qt_target_free(t);
}

/* A process in a root of its own sees its own files. */
QT_TEST(another_root)
{
	struct qt_target_options o = { 0 };
	struct qt_target *t;
	struct qt_binaries b;
	pid_t pid;

	if (geteuid())
		QT_SKIP("needs root");
	QT_NEED(build_begin());
	build_write("m.c", "#include <unistd.h>\nint here(void) { return 1; } int main(void) { pause(); return here(); }\n");
	QT_NEED(build_run(
		"mkdir -p r/opt r/usr && gcc -static m.c -o r/opt/prog && ln -s /opt/prog r/usr/link && ln -s ../../../../opt/prog r/usr/up"));
	pid = fork();
	if (pid == 0) {
		if (chroot("r") || chdir("/"))
			_exit(1);
		execl("/opt/prog", "prog", NULL);
		_exit(1);
	}
	usleep(50000);
	o.pid = pid;
	o.path = "/usr:/opt";
	t = qt_target_live(&o);
	QT_TRUE(qt_target_binaries(t, "/usr/link", &b));
	QT_EQ_STR(b.items[0]->name, "/opt/prog");
	QT_EQ_STR(b.items[0]->path, qt_arena_printf(t->arena, "/proc/%d/root/opt/prog", (int)pid));
	QT_TRUE(qt_target_binaries(t, "/usr/up", &b) && b.count == 1);
	QT_TRUE(qt_target_binaries(t, "prog", &b) && b.count == 1);
	QT_TRUE(!qt_target_binaries(t, "/bin/sh", &b));
	qt_target_free(t);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* ---- the dynamic linker's cache, byte by byte ---- */

struct cache {
	uint8_t bytes[512];
	size_t size;
};

static void put32(struct cache *c, uint32_t v)
{
	memcpy(c->bytes + c->size, &v, 4);
	c->size += 4;
}

/* N libraries liba.so.I in /x/liba.so.I; with the older format in front. */
static struct cache make_cache(unsigned n, bool old, int32_t flags)
{
	struct cache c = { .size = 0 };
	uint32_t strings;
	size_t start;

	if (old) {
		memcpy(c.bytes, "ld.so-1.7.0", 12);
		c.size = 12;
		put32(&c, 1);
		c.size += 12;
		c.size = (c.size + 7) & ~7u;
	}
	start = c.size;
	memcpy(c.bytes + c.size, "glibc-ld.so.cache1.1", 20);
	c.size += 20;
	put32(&c, n);
	c.size += 24;
	strings = 48 + n * 24;
	for (unsigned i = 0; i < n; i++) {
		put32(&c, (uint32_t)flags);
		put32(&c, strings + i * 16 + 3);
		put32(&c, strings + i * 16);
		c.size += 12;
	}
	for (unsigned i = 0; i < n; i++)
		snprintf((char *)c.bytes + start + strings + i * 16, 16, "/x/liba.so.%u", (n - i) % 10);
	c.size = start + strings + n * 16;
	return c;
}

struct libs {
	unsigned count;
	char first[64];
};

static bool see(void *ctx, const char *soname, const char *path)
{
	struct libs *l = ctx;

	if (!l->count++)
		snprintf(l->first, sizeof(l->first), "%s %s", soname, path);
	return true;
}

QT_TEST(linker_cache)
{
	for (unsigned old = 0; old < 2; old++) {
		struct cache c = make_cache(3, old, 0x0303);
		struct libs l = { 0 };

		QT_TRUE(qt_ldcache_parse(c.bytes, c.size, see, &l));
		QT_EQ_INT(l.count, 3);
		QT_EQ_STR(l.first, "liba.so.3 /x/liba.so.3");
		for (size_t cut = 0; cut < c.size; cut++) {
			uint8_t *copy = malloc(cut ? cut : 1); /* so that the sanitizer sees a step too far */

			memcpy(copy, c.bytes, cut);
			qt_ldcache_parse(copy, cut, see, &l);
			free(copy);
		}
	}
}

QT_TEST(linker_cache_of_another_machine)
{
	struct cache c = make_cache(3, false, 0x0003);
	struct libs l = { 0 };

	QT_TRUE(qt_ldcache_parse(c.bytes, c.size, see, &l));
	QT_EQ_INT(l.count, 0);
	QT_TRUE(!qt_ldcache_parse((const uint8_t *)"nonsense", 8, see, &l));
	QT_TRUE(!qt_ldcache_parse(NULL, 0, see, &l));
}

QT_TEST(library_names)
{
	QT_TRUE(qt_soname_matches("libssl.so.3", "libssl"));
	QT_TRUE(qt_soname_matches("libssl.so.3", "ssl"));
	QT_TRUE(qt_soname_matches("libssl.so.3", "libssl.so"));
	QT_TRUE(qt_soname_matches("libssl.so.3", "libssl.so.3"));
	QT_TRUE(qt_soname_matches("libpython3.11.so.1.0", "libpython3.11"));
	QT_TRUE(qt_soname_matches("libpython3.11.so.1.0", "libpython3.11.so.1"));
	QT_TRUE(!qt_soname_matches("libssl.so.3", "libss"));
	QT_TRUE(!qt_soname_matches("libssl3.so", "libssl"));
	QT_TRUE(!qt_soname_matches("libc_malloc_debug.so.0", "libc"));
	QT_TRUE(!qt_soname_matches("libc.so.6", "libc.so.60"));
}
