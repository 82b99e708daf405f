/* USDT probes of programs that the test builds with sys/sdt.h: widths and signs, arrays, several sites, semaphores, providers. */
#include "target/target.h"
#include "target/target_internal.h"
#include "tests/unit/target_build.h"
#include "tests/unit/test.h"

static struct qt_target *target;

static const struct qt_binary *open_binary(const char *name)
{
	struct qt_binaries b;

	if (!target)
		target = qt_target_live(NULL);
	return qt_target_binaries(target, build_path(name), &b) ? b.items[0] : NULL;
}

static const char source[] =
	"#define _SDT_HAS_SEMAPHORES 1\n"
	"#include <sys/sdt.h>\n"
	"#include <stdint.h>\n"
	"#define SEM(n) unsigned short n __attribute__((section(\".probes\"), visibility(\"hidden\")));\n"
	"SEM(tp_mem_semaphore) SEM(tp_idx_semaphore) SEM(tp_site_semaphore) SEM(tp_consts_semaphore) SEM(tp_none_semaphore) SEM(tp_glob_semaphore)\n"
	"#define NI __attribute__((noinline))\n"
	"int counter = 5;\n"
	"NI void idx(int *a, int i) { DTRACE_PROBE1(tp, idx, a[i]); }\n"
	"static inline __attribute__((always_inline)) void site(int v) { DTRACE_PROBE1(tp, site, v); }\n"
	"NI void s1(int v) { site(v); }\n"
	"NI void s2(int p, int q, int v) { site(v + p - q); }\n"
	"NI void mem(void) { volatile int8_t a = -1; volatile int16_t b = -300; volatile int32_t c = -70000; volatile uint8_t d = 200;\n"
	"  volatile uint16_t e = 60000; volatile uint32_t f = 4000000000u; DTRACE_PROBE6(tp, mem, a, b, c, d, e, f); }\n"
	"NI void consts(void) { DTRACE_PROBE2(tp, consts, -1, 0x123456789abcdefLL); }\n"
	"NI void none(void) { DTRACE_PROBE(tp, none); }\n"
	"NI void glob(void) { DTRACE_PROBE1(tp, glob, counter); }\n"
	"int main(void) { int a[4] = { 10, -20, 30, -40 }; for (int i = 0; i < 4; i++) idx(a, i); s1(11); s2(1, 2, 23); mem(); consts(); none(); "
	"glob();"
	" return 0; }\n";

static const struct qt_usdt_site *only(const char *bin, const char *name, unsigned count)
{
	struct qt_usdt u;
	const struct qt_binary *b = open_binary(bin);

	if (!b)
		return NULL;
	qt_binary_usdt(target, b, "tp", name, &u);
	QT_EQ_INT(u.count, count);
	return u.count ? u.sites : NULL;
}

static void check(const char *bin)
{
	static const struct {
		unsigned size;
		bool is_signed;
	} mem[] = { { 1, true }, { 2, true }, { 4, true }, { 1, false }, { 2, false }, { 4, false } };
	const struct qt_usdt_site *s = only(bin, "mem", 1);

	QT_NEED(s && s->nargs == 6);
	for (unsigned i = 0; i < 6; i++) {
		QT_EQ_INT(s->args[i].size, mem[i].size);
		QT_EQ_INT(s->args[i].is_signed, mem[i].is_signed);
	}
	s = only(bin, "idx", 1);
	QT_NEED(s && s->nargs == 1);
	QT_EQ_INT(s->args[0].kind, QT_USDT_MEMORY);
	QT_EQ_INT(s->args[0].base, QT_REG_rdi);
	QT_TRUE(s->args[0].index != QT_REG_COUNT);
	QT_EQ_INT(s->args[0].scale, 4);
	s = only(bin, "site", 2);
	QT_NEED(s != NULL);
	QT_TRUE(s[0].address < s[1].address);
	QT_TRUE(strcmp(s[0].args[0].text, s[1].args[0].text) != 0);
	s = only(bin, "consts", 1);
	QT_NEED(s && s->nargs == 2);
	QT_EQ_INT(s->args[0].value, -1);
	QT_EQ_INT(s->args[0].size, 4);
	QT_EQ_INT(s->args[1].value, 0x123456789abcdef);
	s = only(bin, "none", 1);
	QT_NEED(s != NULL);
	QT_EQ_INT(s->nargs, 0);
}

QT_TEST(every_width_and_site)
{
	QT_NEED(build_begin());
	build_write("u.c", source);
	QT_NEED(build_run("gcc -O2 -fPIE -pie u.c -o pie && gcc -O2 -no-pie -fno-pie u.c -o fixed && cp pie s && strip s"));
	check("pie");
	check("fixed");
	check("s");
}

QT_TEST(semaphores_and_symbols)
{
	const struct qt_usdt_site *s;

	QT_NEED(build_begin());
	build_write("u.c", source);
	QT_NEED(build_run("gcc -O2 -fPIE -pie u.c -o u"));
	s = only("u", "glob", 1);
	QT_NEED(s && s->nargs == 1);
	QT_EQ_INT(s->semaphore, build_nm("u", "tp_glob_semaphore"));
	QT_TRUE(s->semaphore_offset && s->semaphore_offset < s->semaphore);
	QT_EQ_INT(s->args[0].kind, QT_USDT_MEMORY);
	QT_EQ_INT(s->args[0].base, QT_REG_rip);
	QT_EQ_INT(s->address + (uint64_t)s->args[0].value, build_nm("u", "counter"));
}

static const char two[] = "#include <sys/sdt.h>\n"
			  "int main(void) { for (int i = 0; i < 3; i++) DTRACE_PROBE(foo, q); for (int i = 0; i < 5; i++) DTRACE_PROBE(bar, q);\n"
			  "  DTRACE_PROBE(bar, other); return 0; }\n";

QT_TEST(two_providers)
{
	const struct qt_binary *b;
	struct qt_usdt u;

	QT_NEED(build_begin());
	build_write("t.c", two);
	QT_NEED(build_run("gcc -O1 t.c -o t"));
	b = open_binary("t");
	QT_NEED(b != NULL);
	QT_TRUE(qt_binary_usdt(target, b, "foo", "q", &u) && u.count == 1);
	QT_TRUE(qt_binary_usdt(target, b, "*", "q", &u) && u.count == 2);
	QT_EQ_STR(u.sites[0].provider, "bar");
	QT_TRUE(!qt_binary_usdt(target, b, NULL, "q", &u));
	QT_EQ_INT(u.reason.why, QT_WHY_AMBIGUOUS);
	QT_EQ_STR(u.reason.hint, "write bar:q or foo:q, or *:q for all of them");
	QT_TRUE(qt_binary_usdt(target, b, NULL, "other", &u) && u.count == 1);
	QT_TRUE(qt_binary_usdt(target, b, "bar", "*", &u) && u.count == 2);
	QT_TRUE(!qt_binary_usdt(target, b, "bar", "nothing", &u));
	QT_EQ_INT(u.reason.why, QT_WHY_NOT_FOUND);
}

/* A note by hand: base moved by 0x100, as prelink does. */
struct seen {
	unsigned count;
	uint64_t pc, semaphore;
	char text[64];
};

static void see(void *ctx, const char *provider, const char *name, const char *args, uint64_t pc, uint64_t semaphore)
{
	struct seen *s = ctx;

	s->count++;
	s->pc = pc;
	s->semaphore = semaphore;
	snprintf(s->text, sizeof(s->text), "%s:%s(%s)", provider, name, args);
}

static size_t make_note(uint8_t *out, uint64_t pc, uint64_t base, uint64_t semaphore, const char *strings, uint32_t len)
{
	uint32_t head[3] = { 8, 24 + len, 3 };
	uint64_t at[3] = { pc, base, semaphore };

	memcpy(out, head, 12);
	memcpy(out + 12, "stapsdt", 8);
	memcpy(out + 20, at, 24);
	memcpy(out + 44, strings, len);
	return (44 + len + 3) & ~3u;
}

QT_TEST(moved_base_and_broken_notes)
{
	uint8_t bytes[256] = { 0 };
	struct qt_section s = { .name = "", .data = bytes };
	struct seen seen = { 0 };

	s.size = make_note(bytes, 0x1000, 0x5000, 0x9000, "p\0n\0-4@%eax\0", 12);
	QT_EQ_INT(qt_usdt_notes(&s, 0x5100, see, &seen), 0);
	QT_EQ_INT(seen.pc, 0x1100);
	QT_EQ_INT(seen.semaphore, 0x9100);
	QT_EQ_STR(seen.text, "p:n(-4@%eax)");
	s.size = make_note(bytes, 0x1000, 0x5000, 0, "p\0n\0-4@%eax", 10); /* no NUL at the end */
	QT_EQ_INT(qt_usdt_notes(&s, 0, see, &seen), 1);
	s.size = make_note(bytes, 0x1000, 0x5000, 0, "\0n\0\0", 4); /* no provider */
	QT_EQ_INT(qt_usdt_notes(&s, 0, see, &seen), 1);
	QT_EQ_INT(seen.count, 1);
	s.size = 50; /* cut in the middle */
	QT_EQ_INT(qt_usdt_notes(&s, 0, see, &seen), 1);
}
