/* Functions of binaries that the test builds: PIE and fixed, stripped, versions, aliases, C++, imports, debug files, raw addresses. */
#include "target/target.h"
#include "tests/unit/target_build.h"
#include "tests/unit/test.h"

static struct qt_target *target;

static const struct qt_binary *open_binary(const char *spec)
{
	struct qt_binaries b;

	if (!target)
		target = qt_target_live(NULL);
	if (!qt_target_binaries(target, spec, &b))
		QT_EQ_STR(b.reason.text, "found");
	return b.count ? b.items[0] : NULL;
}

static struct qt_functions ask(const struct qt_binary *b, const char *pattern)
{
	struct qt_functions f;

	qt_binary_functions(target, b, pattern, 0, &f);
	return f;
}

static const char plain[] = "#include <stdio.h>\n"
			    "__attribute__((noinline)) int f(int x) { __asm__ volatile(\"\"); return x + 1; }\n"
			    "int g(int x) __attribute__((alias(\"f\")));\n"
			    "static __attribute__((noinline)) int hidden(int x) { __asm__ volatile(\"\"); return x + 2; }\n"
			    "int data = 3;\n"
			    "__asm__(\".text\\n.globl bare\\n.type bare, @function\\nbare: ret\\n.globl plain\\nplain: ret\\n\");\n"
			    "int main(void) { puts(\"x\"); return f(1) + hidden(data); }\n";

/* The file offset of a function must hold the bytes that its virtual address has. */
static void check_place(const char *file, const char *name)
{
	const struct qt_binary *b = open_binary(build_path(file));
	struct qt_functions f;
	unsigned long offset = 0;
	char line[256];
	FILE *p;

	QT_NEED(b != NULL);
	f = ask(b, name);
	QT_NEED(f.count == 1);
	QT_EQ_INT(f.items[0].address, build_nm(file, name));
	snprintf(line, sizeof(line), "readelf -lW %s | awk '$1 == \"LOAD\" && $7 ~ /R/ && $8 ~ /E/ { print $2, $3; exit }'", file);
	p = popen(line, "r");
	if (p) {
		unsigned long at = 0, vaddr = 0;

		QT_EQ_INT(fscanf(p, "%lx %lx", &at, &vaddr), 2);
		offset = f.items[0].address - vaddr + at;
		pclose(p);
	}
	QT_EQ_INT(f.items[0].file_offset, offset);
}

QT_TEST(offsets_of_pie_and_fixed_programs)
{
	QT_NEED(build_begin());
	build_write("a.c", plain);
	QT_NEED(build_run("gcc -O1 -pie -fPIE a.c -o pie && gcc -O1 -no-pie -fno-pie a.c -o fixed && gcc -static -no-pie a.c -o static"));
	check_place("pie", "f");
	check_place("fixed", "f");
	check_place("static", "f");
	check_place("fixed", "main");
	QT_TRUE(open_binary(build_path("pie"))->position_independent);
	QT_TRUE(!open_binary(build_path("fixed"))->position_independent);
	QT_TRUE(open_binary(build_path("fixed"))->executable);
}

QT_TEST(aliases_static_and_sizeless_functions)
{
	const struct qt_binary *b;
	struct qt_functions f;

	QT_NEED(build_begin());
	build_write("a.c", plain);
	QT_NEED(build_run("gcc -O1 a.c -o a"));
	b = open_binary(build_path("a"));
	QT_NEED(b != NULL);
	QT_EQ_INT(ask(b, "g").items[0].address, ask(b, "f").items[0].address);
	QT_EQ_STR(ask(b, "g").items[0].name, "g");
	QT_EQ_INT(ask(b, "[fg]").count, 1);
	QT_EQ_INT(ask(b, "hidden").count, 1);
	f = ask(b, "bare");
	QT_EQ_INT(f.count, 1);
	QT_EQ_INT(f.items[0].size, 0);
	QT_EQ_INT(ask(b, "plain").count, 1); /* assembly that forgot .type */
	f = ask(b, "data");
	QT_EQ_INT(f.count, 0);
	QT_EQ_INT(f.reason.why, QT_WHY_NOT_FOUND);
}

QT_TEST(offsets_inside_a_function)
{
	const struct qt_binary *b;
	struct qt_functions f;
	unsigned long at, size;

	QT_NEED(build_begin());
	build_write("a.c", plain);
	QT_NEED(build_run("gcc -O1 a.c -o a"));
	b = open_binary(build_path("a"));
	at = ask(b, "f").items[0].address;
	size = ask(b, "f").items[0].size;
	QT_TRUE(qt_binary_functions(target, b, "f", size - 1, &f));
	QT_EQ_INT(f.items[0].address, at + size - 1);
	QT_TRUE(!qt_binary_functions(target, b, "f", size, &f));
	QT_EQ_INT(f.reason.why, QT_WHY_NOT_CODE);
	QT_EQ_INT(f.count, 0);
}

QT_TEST(raw_addresses)
{
	const struct qt_binary *b;
	struct qt_functions f;
	char text[32];

	QT_NEED(build_begin());
	build_write("a.c", plain);
	QT_NEED(build_run("gcc -O1 -static -no-pie a.c -o a && gcc -O1 -fPIE -pie a.c -o p && cp a a.s && cp p p.s && strip a.s p.s"));
	for (unsigned i = 0; i < 2; i++) {
		const char *full = i ? "p" : "a", *stripped = i ? "p.s" : "a.s";

		b = open_binary(build_path(stripped));
		snprintf(text, sizeof(text), "0x%lx", build_nm(full, "f"));
		f = ask(b, text);
		QT_EQ_INT(f.count, 1);
		QT_EQ_INT(f.items[0].file_offset, ask(open_binary(build_path(full)), "f").items[0].file_offset);
		f = ask(b, "0x7");
		QT_EQ_INT(f.reason.why, QT_WHY_NOT_CODE);
	}
	QT_EQ_INT(ask(b, "f").reason.why, QT_WHY_NOT_FOUND);
	QT_TRUE(strstr(ask(b, "f").reason.hint, "stripped") != NULL);
}

QT_TEST(versions)
{
	const struct qt_binary *b;

	QT_NEED(build_begin());
	build_write("v.c", "int f_old(void) { return 1; } int f_new(void) { return 2; } int only_old(void) { return 3; }\n"
			   "__asm__(\".symver f_old,f@V1\\n.symver f_new,f@@V2\\n.symver only_old,o@V1\");\n");
	build_write("v.map", "V1 { global: f; o; local: *; };\nV2 { global: f; } V1;\n");
	QT_NEED(build_run("gcc -shared -fPIC -Wl,--version-script=v.map v.c -o libv.so && cp libv.so s.so && strip s.so"));
	for (unsigned i = 0; i < 2; i++) {
		b = open_binary(build_path(i ? "s.so" : "libv.so"));
		QT_NEED(b != NULL);
		QT_EQ_INT(ask(b, "f").items[0].address, build_nm("libv.so", "f_new"));
		QT_EQ_STR(ask(b, "f").items[0].version, "V2");
		QT_EQ_INT(ask(b, "f@V1").items[0].address, build_nm("libv.so", "f_old"));
		QT_EQ_INT(ask(b, "f@V2").count, 1);
		QT_EQ_INT(ask(b, "f@@V2").count, 1);
		QT_EQ_INT(ask(b, "f@@V1").count, 0);
		QT_EQ_INT(ask(b, "f@V3").count, 0);
		QT_EQ_INT(ask(b, "o").reason.why, QT_WHY_VERSION);
		QT_EQ_STR(ask(b, "o").reason.hint, "write o@V1");
		QT_EQ_INT(ask(b, "f*@V1").count, 1);
	}
	QT_EQ_INT(ask(b, "[f]").count, 1);
	QT_EQ_INT(ask(b, "[f]").skipped, 1);
	QT_TRUE(!open_binary(build_path("libv.so"))->executable);
}

QT_TEST(names_of_libc)
{
	const struct qt_binary *b = open_binary("libc");
	static const char *const twice[] = { "pthread_cond_signal", "realpath", "regexec", "memcpy", "posix_spawn" };

	QT_NEED(b != NULL);
	for (unsigned i = 0; i < sizeof(twice) / sizeof(twice[0]); i++) {
		struct qt_functions f = ask(b, twice[i]);
		char old[64];

		QT_EQ_INT(f.count, 1);
		QT_TRUE(f.items[0].default_version);
		snprintf(old, sizeof(old), "%s@GLIBC_2.2.5", twice[i]);
		QT_TRUE(ask(b, old).count == 1 && ask(b, old).items[0].address != f.items[0].address);
	}
	QT_TRUE(ask(b, "strlen").items[0].ifunc);
	QT_TRUE(!ask(b, "malloc").items[0].ifunc);
	QT_EQ_INT(ask(b, "write").items[0].address, ask(b, "__write").items[0].address);
}

static const char cxx[] = "extern \"C\" __attribute__((noinline)) int fun() { __asm__ volatile(\"\"); return 1; }\n"
			  "__attribute__((noinline)) int fun(int x) { __asm__ volatile(\"\"); return x; }\n"
			  "bool main_test() { return true; }\n"
			  "namespace ns { struct S { int go(int); int go(const char *); S(); bool operator()(int) const; }; }\n"
			  "int ns::S::go(int x) { return x + 1; }\n"
			  "int ns::S::go(const char *) { return 2; }\n"
			  "ns::S::S() {}\n"
			  "bool ns::S::operator()(int) const { return true; }\n"
			  "template <class T> __attribute__((noinline)) T twice(T x) { return x + x; }\n"
			  "template int twice<int>(int);\n"
			  "int lonely(int x, unsigned long y) { return x + y; }\n"
			  "int main() { ns::S s; return fun() + fun(1) + s.go(1) + s.go(\"\") + twice(2); }\n";

QT_TEST(cxx_names)
{
	const struct qt_binary *b;
	static const struct {
		const char *pattern, *symbol;
		unsigned count;
	} rows[] = {
		{ "main", "main", 1 },
		{ "fun", "fun", 1 },
		{ "fun(int)", "_Z3funi", 1 },
		{ "fun( int )", "_Z3funi", 1 },
		{ "_Z3funi", "_Z3funi", 1 },
		{ "ns::S::go(int)", "_ZN2ns1S2goEi", 1 },
		{ "ns::S::go(char const*)", "_ZN2ns1S2goEPKc", 1 },
		{ "ns::S::go", "_ZN2ns1S2goEPKc", 2 },
		{ "ns::S::operator()", "_ZNK2ns1SclEi", 1 },
		{ "ns::S::S()", "_ZN2ns1SC1Ev", 1 },
		{ "twice<int>(int)", "_Z5twiceIiET_S0_", 1 },
		{ "int twice<int>", "_Z5twiceIiET_S0_", 1 },
		{ "lonely", "_Z6lonelyim", 1 },
		{ "lonely(int,unsigned long)", "_Z6lonelyim", 1 },
		{ "*go*", "_ZN2ns1S2goEPKc", 2 },
		{ "ns::S::go(*)", "_ZN2ns1S2goEPKc", 2 },
		{ "main_test", "_Z9main_testv", 1 },
		{ "go(int)", NULL, 0 },
		{ "S::go", NULL, 0 },
		{ "fun(char)", NULL, 0 },
	};

	QT_NEED(build_begin());
	build_write("c.cc", cxx);
	QT_NEED(build_run("g++ -O1 c.cc -o c"));
	b = open_binary(build_path("c"));
	QT_NEED(b != NULL);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct qt_functions f = ask(b, rows[i].pattern);

		if (f.count != rows[i].count || (f.count && strcmp(f.items[0].name, rows[i].symbol)))
			QT_EQ_STR(f.count ? f.items[0].name : "none", rows[i].pattern);
	}
	QT_EQ_STR(ask(b, "_Z3funi").items[0].demangled, "fun(int)");
}

QT_TEST(imports_name_their_library)
{
	struct qt_functions f;
	const struct qt_binary *b;

	QT_NEED(build_begin());
	build_write("l.c", "int lib_call(void) { return 7; }\n");
	build_write("m.c", "int lib_call(void); int main(void) { return lib_call(); }\n");
	QT_NEED(build_run("gcc -shared -fPIC l.c -o libl.so && gcc m.c -o m -L. -ll -Wl,-rpath,'$ORIGIN' && strip m"));
	b = open_binary(build_path("m"));
	f = ask(b, "lib_call");
	QT_EQ_INT(f.reason.why, QT_WHY_IMPORTED);
	QT_NEED(f.count == 1);
	QT_TRUE(f.items[0].imported);
	QT_EQ_STR(f.items[0].library, build_path("libl.so"));
}

static const char rec[] = "#include <unistd.h>\n"
			  "static __attribute__((noinline)) long rec(long n) { usleep(1); return n ? 1 + rec(n - 1) : 0; }\n"
			  "int main(void) { return rec(4); }\n";

static bool build_debug(void)
{
	build_write("r.c", rec);
	return build_run("gcc -O1 -fno-optimize-sibling-calls -g r.c -o r && cp r full && objcopy --only-keep-debug r r.debug && strip -s r && "
			 "objcopy --add-gnu-debuglink=r.debug r");
}

QT_TEST(debug_file_by_link)
{
	const struct qt_binary *b;
	struct qt_functions f;

	QT_NEED(build_begin() && build_debug());
	b = open_binary(build_path("r"));
	f = ask(b, "rec");
	QT_NEED(f.count == 1);
	QT_EQ_INT(f.items[0].address, build_nm("full", "rec"));
	QT_EQ_INT(f.items[0].file_offset, ask(open_binary(build_path("full")), "rec").items[0].file_offset);
}

QT_TEST(debug_file_that_does_not_fit)
{
	struct qt_functions f;

	QT_NEED(build_begin() && build_debug() && build_run("printf x >> r.debug"));
	f = ask(open_binary(build_path("r")), "rec");
	QT_EQ_INT(f.count, 0);
	QT_TRUE(f.reason.hint && strstr(f.reason.hint, "CRC") != NULL);
}

QT_TEST(debug_file_as_target)
{
	struct qt_binaries b;

	QT_NEED(build_begin() && build_debug());
	target = qt_target_live(NULL);
	QT_TRUE(!qt_target_binaries(target, build_path("r.debug"), &b));
	QT_EQ_INT(b.reason.why, QT_WHY_DEBUG_FILE);
}

QT_TEST(small_symbol_table_inside)
{
	struct qt_functions f;

	QT_NEED(build_begin() && build_debug());
	QT_NEED(build_run("rm r.debug; cp full mini && strip -g mini && xz -k mini && strip -s r && "
			  "objcopy --remove-section .gnu_debuglink --add-section .gnu_debugdata=mini.xz r"));
	f = ask(open_binary(build_path("r")), "rec");
	QT_NEED(f.count == 1);
	QT_EQ_INT(f.items[0].address, build_nm("full", "rec"));
}

QT_TEST(go_binaries_are_told)
{
	QT_NEED(build_begin() && build_debug() && build_run("printf x > note && objcopy --add-section .note.go.buildid=note r go"));
	QT_TRUE(open_binary(build_path("go"))->go);
	QT_TRUE(!open_binary(build_path("r"))->go);
}

QT_TEST(function_at_an_address)
{
	const struct qt_binary *b;
	const struct qt_function *f;

	QT_NEED(build_begin() && build_debug());
	b = open_binary(build_path("r"));
	f = qt_binary_function_at(target, b, build_nm("full", "rec") + 3);
	QT_NEED(f != NULL);
	QT_EQ_STR(f->name, "rec");
	QT_TRUE(qt_binary_function_at(target, b, 3) == NULL);
}

static void count_offer(void *ctx, const char *name)
{
	if (strcmp(name, "fun(int)") == 0 || strcmp(name, "fun") == 0)
		(*(unsigned *)ctx)++;
}

QT_TEST(near_names_are_readable)
{
	unsigned n = 0;

	QT_NEED(build_begin());
	build_write("c.cc", cxx);
	QT_NEED(build_run("g++ -O1 c.cc -o c"));
	qt_binary_function_offer(target, open_binary(build_path("c")), "fum", count_offer, &n);
	QT_EQ_INT(n, 2);
}
