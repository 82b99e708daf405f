/* See generate.h. A kind of expression or statement is one function and one row in its table; rows are drawn with equal chance, so a row that stands twice is
 * drawn twice as often. */
#include "tests/agree/generate.h"

#include <inttypes.h>
#include <string.h>

enum { DEPTH = 4, INTS = 4, TEXTS = 2 };

struct gen {
	uint64_t state;
	struct qt_buf *out;
	unsigned depth;
	unsigned tabs;
	bool is_return; /* the rule stands at a return: retval */
	bool is_mark; /* the rule stands at mark(): arg0 and arg1 */
};

typedef void (*production)(struct gen *g);

/* Constants of Knuth's MMIX generator; the high bits are the good ones. */
static uint64_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 32;
}

static uint64_t pick(struct gen *g, uint64_t n)
{
	return next(&g->state) % n;
}

static void put(struct gen *g, const char *text)
{
	qt_buf_adds(g->out, text);
}

static void draw(struct gen *g, const production *rows, unsigned n)
{
	rows[pick(g, n)](g);
}

#define DRAW(g, rows) draw((g), (rows), sizeof(rows) / sizeof((rows)[0]))

static void put_one_of(struct gen *g, const char *const *words, unsigned n)
{
	put(g, words[pick(g, n)]);
}

#define PUT_ONE_OF(g, ...) put_one_of((g), (const char *const[]){ __VA_ARGS__ }, sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

/* ---- numbers ---- */

static void put_int(struct gen *g);
static void put_text(struct gen *g);

static const uint64_t edges[] = { 0,
				  1,
				  2,
				  3,
				  7,
				  8,
				  31,
				  63,
				  64,
				  65,
				  127,
				  128,
				  255,
				  256,
				  32767,
				  32768,
				  65535,
				  65536,
				  2147483647,
				  2147483648,
				  4294967295,
				  4294967296,
				  1000,
				  999983,
				  999999,
				  1000000007,
				  1ull << 53,
				  1ull << 62,
				  INT64_MAX - 1,
				  INT64_MAX,
				  1ull << 63,
				  UINT64_MAX - 1,
				  UINT64_MAX };

static uint64_t edge(uint64_t *state)
{
	return edges[next(state) % (sizeof(edges) / sizeof(edges[0]))];
}

static void int_literal(struct gen *g)
{
	qt_buf_printf(g->out, pick(g, 4) ? "%" PRIu64 : "0x%" PRIx64, edge(&g->state));
}

static void int_small(struct gen *g)
{
	qt_buf_printf(g->out, "%" PRIu64, pick(g, 17));
}

static void int_argument(struct gen *g)
{
	if (g->is_mark)
		put(g, "arg0");
	else if (g->is_return && pick(g, 2))
		put(g, "retval");
	else
		PUT_ONE_OF(g, "arg0", "arg1", "arg2", "arg4", "arg5");
}

static void int_scratch(struct gen *g)
{
	qt_buf_printf(g->out, "$i%" PRIu64, pick(g, INTS));
}

static void int_unary(struct gen *g)
{
	PUT_ONE_OF(g, "-", "~", "!");
	put(g, "(");
	put_int(g);
	put(g, ")");
}

static void int_binary(struct gen *g)
{
	put(g, "(");
	put_int(g);
	PUT_ONE_OF(g, " + ", " - ", " * ", " / ", " % ", " & ", " | ", " ^ ", " << ", " >> ", " < ", " <= ", " > ", " >= ", " == ", " != ", " && ",
		   " || ");
	put_int(g);
	put(g, ")");
}

static void int_cast(struct gen *g)
{
	PUT_ONE_OF(g, "(int8)", "(int16)", "(int32)", "(int64)", "(uint8)", "(uint16)", "(uint32)", "(uint64)");
	put(g, "(");
	put_int(g);
	put(g, ")");
}

static void int_choice(struct gen *g)
{
	put(g, "(");
	put_int(g);
	put(g, " ? ");
	put_int(g);
	put(g, " : ");
	put_int(g);
	put(g, ")");
}

static void int_of_map(struct gen *g)
{
	put(g, "@m[");
	put_int(g);
	put(g, " & 15]");
}

static void int_of_context(struct gen *g)
{
	put(g, "(number ?? ");
	put_int(g);
	put(g, ")");
}

static void int_has(struct gen *g)
{
	PUT_ONE_OF(g, "has(number)", "has(name)");
}

static void int_of_texts(struct gen *g)
{
	put(g, "(");
	put_text(g);
	PUT_ONE_OF(g, " == ", " != ");
	put_text(g);
	put(g, ")");
}

static const production int_leaves[] = { int_literal, int_small, int_argument, int_argument, int_scratch, int_scratch, int_has };
static const production ints[] = { int_literal, int_argument, int_scratch, int_unary,  int_binary, int_binary,	   int_binary,
				   int_binary,	int_cast,     int_cast,	   int_choice, int_of_map, int_of_context, int_of_texts };

static void put_int(struct gen *g)
{
	g->depth++;
	if (g->depth > DEPTH)
		DRAW(g, int_leaves);
	else
		DRAW(g, ints);
	g->depth--;
}

/* ---- texts ---- */

static const char *text_argument(const struct gen *g)
{
	return g->is_mark ? "arg1" : "arg3";
}

static void text_read(struct gen *g)
{
	qt_buf_printf(g->out, "str(%s)", text_argument(g));
}

static void text_read_part(struct gen *g)
{
	qt_buf_printf(g->out, "str(%s, ", text_argument(g));
	put_int(g);
	put(g, pick(g, 2) ? " & 31)" : ")");
}

static void text_literal(struct gen *g)
{
	PUT_ONE_OF(g, "\"\"", "\"GET\"", "\"a longer text, of more than sixteen bytes\"", "\"\\xff\\x01\"", "\"caf\xc3\xa9\"");
}

static void text_scratch(struct gen *g)
{
	qt_buf_printf(g->out, "$t%" PRIu64, pick(g, TEXTS));
}

static void text_context(struct gen *g)
{
	put(g, "(name ?? \"(none)\")");
}

static void text_of_event(struct gen *g)
{
	put(g, "comm");
}

static const production texts[] = { text_read,	  text_read,	text_read_part, text_literal, text_literal,
				    text_scratch, text_scratch, text_context,	text_of_event };

static void put_text(struct gen *g)
{
	DRAW(g, texts);
}

/* ---- statements ---- */

static void put_statement(struct gen *g);

static void indent(struct gen *g)
{
	for (unsigned i = 0; i < g->tabs; i++)
		put(g, "\t");
}

static void put_block(struct gen *g, unsigned statements)
{
	put(g, "{\n");
	g->tabs++;
	for (unsigned i = 0; i < statements; i++) {
		indent(g);
		put_statement(g);
		put(g, "\n");
	}
	g->tabs--;
	indent(g);
	put(g, "}");
}

static void put_key(struct gen *g)
{
	put_int(g);
	if (pick(g, 4))
		put(g, " & 31");
}

static void assign_int(struct gen *g)
{
	int_scratch(g);
	put(g, " = ");
	put_int(g);
	put(g, ";");
}

static void assign_text(struct gen *g)
{
	text_scratch(g);
	put(g, " = ");
	put_text(g);
	put(g, ";");
}

static void assign_map(struct gen *g)
{
	put(g, "@m[");
	put_key(g);
	PUT_ONE_OF(g, "] = ", "] = ", "] += ");
	put_int(g);
	put(g, ";");
}

static void count_up(struct gen *g)
{
	put(g, "@up[");
	put_text(g);
	put(g, "]++;");
}

static void assign_text_map(struct gen *g)
{
	put(g, "@text[");
	put_key(g);
	put(g, ", comm] = ");
	put_text(g);
	put(g, ";");
}

static void aggregate(struct gen *g)
{
	static const char *const metrics[] = { "sum", "min", "max", "avg", "hist" };
	const char *metric = metrics[pick(g, sizeof(metrics) / sizeof(metrics[0]))];

	qt_buf_printf(g->out, "@%s[", metric);
	put_key(g);
	qt_buf_printf(g->out, "] = %s((int64)(", metric);
	put_int(g);
	put(g, "));");
}

static void count_events(struct gen *g)
{
	put(g, "@count[");
	put_text(g);
	put(g, ", ");
	put_key(g);
	put(g, "] = count();");
}

static void remove_entry(struct gen *g)
{
	put(g, "delete(@m[");
	put_key(g);
	put(g, "]);");
}

static void print_line(struct gen *g)
{
	PUT_ONE_OF(g, "printf(\"%d %s|\\n\", ", "printf(\"%-12x %.3s|\\n\", ", "printf(\"%5u %20s|\\n\", ", "printf(\"%c%s|\\n\", 65 + 0 * ");
	put_int(g);
	put(g, ", ");
	put_text(g);
	put(g, ");");
}

static void branch(struct gen *g)
{
	put(g, "if (");
	put_int(g);
	put(g, ") ");
	g->depth++;
	put_block(g, 1 + (unsigned)pick(g, 3));
	if (pick(g, 2)) {
		put(g, " else ");
		put_block(g, 1 + (unsigned)pick(g, 2));
	}
	g->depth--;
}

static void set_number(struct gen *g)
{
	put(g, "set number = ");
	put_int(g);
	put(g, ";");
}

static void set_name(struct gen *g)
{
	put(g, "set name = ");
	put_text(g);
	put(g, ";");
}

static void clear_context(struct gen *g)
{
	PUT_ONE_OF(g, "clear number;", "clear name;");
}

static const production statements[] = { assign_int,	  assign_int, assign_text, assign_map,	 assign_map,   count_up,
					 assign_text_map, aggregate,  aggregate,   count_events, remove_entry, print_line,
					 branch,	  branch,     set_number,  set_name,	 clear_context };

static void put_statement(struct gen *g)
{
	if (g->depth > 2)
		assign_int(g);
	else
		DRAW(g, statements);
}

/* ---- rules ---- */

/* Every $variable has a value before anything reads it. */
static void put_first_values(struct gen *g)
{
	for (unsigned i = 0; i < INTS; i++)
		qt_buf_printf(g->out, "\t$i%u = %s;\n", i, (const char *const[]){ "arg0", "(int64)arg0", "(uint32)arg0 + 1", "(int8)arg0" }[i]);
	for (unsigned i = 0; i < TEXTS; i++)
		qt_buf_printf(g->out, "\t$t%u = str(%s);\n", i, text_argument(g));
}

static void put_rule(struct gen *g, const char *binary, const char *provider, const char *function, unsigned length)
{
	qt_buf_printf(g->out, "%s:%s:%s {\n", provider, binary, function);
	put_first_values(g);
	g->tabs = 1;
	for (unsigned i = 0; i < length; i++) {
		put(g, "\t");
		put_statement(g);
		put(g, "\n");
	}
	g->tabs = 0;
	put(g, "}\n\n");
}

/* Conditions and keys without $variables: sentences have none. */
static void put_tag(struct gen *g, const char *binary)
{
	static const char *const conditions[] = { "", "if arg0 > arg1 ", "if (int64)arg1 < 0 ", "if number ", "if str(arg3) != \"GET\" " };
	static const char *const keys[] = { "name",	  "number",    "number, name", "name ?? \"(none)\"", "str(arg3), number ?? 7",
					    "(int8)arg1", "comm, name" };
	static const char *const metrics[] = { "", "count(), sum((int64)arg1) as s", "min((int32)arg0), max((int32)arg0)", "avg((int64)arg2)",
					       "hist((int64)arg1), count()" };

	qt_buf_printf(g->out, "on uprobe:%s:step ", binary);
	put_one_of(g, conditions, sizeof(conditions) / sizeof(conditions[0]));
	put(g, "tag ");
	put_one_of(g, keys, sizeof(keys) / sizeof(keys[0]));
	qt_buf_printf(g->out, " as t%" PRIu64 " ", g->state >> 48);
	put_one_of(g, metrics, sizeof(metrics) / sizeof(metrics[0]));
	put(g, "\n\n");
}

/* Every map, table and context has its type whatever was drawn: this rule names them all, and no event comes to it. */
static void put_frame(struct gen *g, const char *binary)
{
	qt_buf_printf(g->out, "uprobe:%s:main /arg0 == 999983/ {\n\t@m[0] = (int64)1;\n\tset number = (int64)1;\n\tset name = str(arg1);\n}\n\n",
		      binary);
}

void agree_program(uint64_t seed, const char *binary, struct qt_buf *out)
{
	struct gen g = { .state = seed * 2862933555777941757u + 3037000493u, .out = out };

	next(&g.state);
	qt_buf_printf(out, "config = { max_strlen = %d; }\n\n", pick(&g, 2) ? 64 : 128);
	put_frame(&g, binary);
	g.is_mark = true;
	put_rule(&g, binary, "uprobe", "mark", 1 + (unsigned)pick(&g, 3));
	g.is_mark = false;
	put_rule(&g, binary, "uprobe", "step", 2 + (unsigned)pick(&g, 6));
	put_tag(&g, binary);
	put_tag(&g, binary);
	g.is_return = true;
	put_rule(&g, binary, "uretprobe", "step", 1 + (unsigned)pick(&g, 4));
}

/* ---- calls ---- */

static uint64_t any_number(uint64_t *state)
{
	switch (next(state) % 4) {
	case 0:
		return next(state) % 16;
	case 1:
		return -(next(state) % 1000);
	case 2:
		return edge(state);
	default:
		return next(state) << 32 | next(state);
	}
}

static void any_text(uint64_t *state, struct agree_call *c)
{
	static const char *const often[] = { "", "GET", "PUT", "SELECT * FROM orders WHERE id = 7", "a longer text, of more than sixteen bytes" };

	c->null_text = next(state) % 13 == 0;
	if (next(state) % 3) {
		const char *text = often[next(state) % (sizeof(often) / sizeof(often[0]))];

		c->text_len = (uint32_t)strlen(text);
		memcpy(c->text, text, c->text_len);
		return;
	}
	c->text_len = (uint32_t)(next(state) % AGREE_TEXT_MAX);
	for (uint32_t i = 0; i < c->text_len; i++)
		c->text[i] = (char)(next(state) % 5 ? 'a' + next(state) % 26 : 1 + next(state) % 255);
}

void agree_calls(uint64_t seed, struct agree_call *calls, unsigned count)
{
	uint64_t state = seed * 3935559000370003845u + 2691343689449507681u;

	memset(calls, 0, count * sizeof(calls[0]));
	for (unsigned i = 0; i < count; i++) {
		calls[i].is_mark = next(&state) % 5 == 0;
		for (unsigned a = 0; a < 6; a++)
			calls[i].args[a] = any_number(&state);
		any_text(&state, &calls[i]);
	}
}
