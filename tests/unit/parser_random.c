/* Any bytes end in a sound tree or messages: mutated scripts by the thousand, from a fixed seed. */
#include "tests/unit/parser_script.h"
#include "tests/unit/test.h"

static const char *const seeds[] = {
	"on uprobe:./target:fn set ctx=arg1; on kprobe:vfs_read tag ctx",
	"kprobe:a,kprobe:b /pid / 2 == (1 / 2)/ { @[comm, 1]++; $x = (1, \"a\\x41\"); if ($x.0 > 10ms) { return; } else if (1) { exit() } }",
	"on u:\"/a b\":f{a,b}* if has(x) set a = 1 inherit tag a, b ?? \"(none)\" as foo count(), sum(ret) as bytes { print(@x); }",
	"config = { a = 1; b = 2 } param p: bytes = 4k \"doc\"; import \"lib/x\" BEGIN { @a = *(uint64 *)arg0 ? -1 : ~2; }",
	"test \"t\" { feed k:f (1, n = 2) as tid 3, comm \"x\" at 5us; expect @m { 1, 2: 3; } expect n untagged 7 { \"a\": 1, 2; } }",
	"span q from usdt:a:b if arg0 to usdt:a:c key arg0 /* c */ # d\n// e\nkprobe:f { \xe2\x80\x9cq\xe2\x80\x9d @x += 1; @y <<= $1 + $#; }",
};

static uint64_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* One to eight changes: a byte, a cut, a doubled piece, a piece of another seed. */
static void mutate(struct qt_buf *b, uint64_t *r)
{
	static const char interesting[] = "{}()[];,:/\"\\$@#?=+-*&|<>\n\r\t \0\x80\xff\xe2.0x_aon";

	for (uint64_t n = next(r) % 8 + 1; n--;) {
		size_t at = b->len ? next(r) % b->len : 0, len = b->len - at > 1 ? next(r) % (b->len - at) % 24 : 0;
		const char *other = seeds[next(r) % (sizeof(seeds) / sizeof(*seeds))];

		switch (next(r) % 4) {
		case 0:
			if (b->len)
				b->ptr[at] = interesting[next(r) % sizeof(interesting)];
			break;
		case 1:
			memmove(b->ptr + at, b->ptr + at + len, b->len - at - len);
			b->len -= len;
			break;
		case 2:
			qt_buf_add(b, other + next(r) % (strlen(other) - 3), 1 + next(r) % 3);
			break;
		default:
			if (len) {
				char piece[24];

				memcpy(piece, b->ptr + at, len);
				qt_buf_add(b, piece, len);
			}
		}
	}
}

static bool survives(const struct qt_buf *b, FILE *sink)
{
	struct script s = script_begin(b->ptr, b->len);
	struct qt_ast_program *p = qt_parse(s.source, s.arena, s.names, s.diags);
	bool sound = QT_TRUE(!qt_ast_check(s.arena, &p->head));

	qt_ast_dump(&p->head, sink);
	qt_diags_render_text(s.diags, s.sources, sink, true);
	script_end(&s);
	return sound;
}

QT_TEST(mutated_scripts_end_soundly)
{
	FILE *sink = fopen("/dev/null", "w");
	struct qt_buf b = { 0 };
	uint64_t r = 20240229;

	QT_NEED(sink);
	for (int i = 0; i < 6007; i++) {
		qt_buf_clear(&b);
		qt_buf_adds(&b, seeds[(size_t)i % (sizeof(seeds) / sizeof(*seeds))]);
		mutate(&b, &r);
		if (!survives(&b, sink)) {
			fprintf(stderr, "input %d: %.*s\n", i, (int)b.len, b.ptr);
			break;
		}
	}
	qt_buf_free(&b);
	fclose(sink);
}

QT_TEST(random_bytes_end_soundly)
{
	FILE *sink = fopen("/dev/null", "w");
	struct qt_buf b = { 0 };
	uint64_t r = 7;

	QT_NEED(sink);
	for (int i = 0; i < 1009; i++) {
		qt_buf_clear(&b);
		for (uint64_t n = next(&r) % 200; n--;)
			qt_buf_addc(&b, (char)next(&r));
		qt_buf_addc(&b, 0);
		QT_NEED(survives(&b, sink));
	}
	qt_buf_free(&b);
	fclose(sink);
}

QT_TEST(every_prefix_of_a_script_ends_soundly)
{
	FILE *sink = fopen("/dev/null", "w");

	QT_NEED(sink);
	for (size_t i = 0; i < sizeof(seeds) / sizeof(*seeds); i++)
		for (size_t len = 0; len <= strlen(seeds[i]); len++) {
			struct qt_buf b = { (char *)seeds[i], len, 0 };

			QT_NEED(survives(&b, sink));
		}
	fclose(sink);
}
