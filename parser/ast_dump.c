/* The tree as an S-expression: one node a line with its byte range and its plain fields, children indented under it. */
#include "parser/parser_internal.h"

#include <inttypes.h>

struct dump {
	FILE *out;
	unsigned indent;
};

static void dump_node(struct dump *d, const char *field, const struct qt_ast *node);

static void put_quoted(FILE *out, struct qt_str s)
{
	fputc('"', out);
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.ptr[i];

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			fprintf(out, "\\x%02x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

static void put_name(void *ctx, const char *field, qt_name name)
{
	const struct dump *d = ctx;

	if (name)
		fprintf(d->out, " %s=%s", field, name);
}

static void put_text(void *ctx, const char *field, struct qt_str text)
{
	const struct dump *d = ctx;

	if (!text.ptr)
		return;
	fprintf(d->out, " %s=", field);
	put_quoted(d->out, text);
}

static void put_num(void *ctx, const char *field, uint64_t num)
{
	const struct dump *d = ctx;

	fprintf(d->out, " %s=%" PRIu64, field, num);
}

static void put_flag(void *ctx, const char *field, bool flag)
{
	const struct dump *d = ctx;

	if (flag)
		fprintf(d->out, " %s", field);
}

static void put_child(void *ctx, const char *field, const char *class, struct qt_ast *child, bool maybe)
{
	(void)class, (void)maybe;
	if (child)
		dump_node(ctx, field, child);
}

static void put_list(void *ctx, const char *field, const char *class, const struct qt_ast_list *list)
{
	(void)class;
	for (uint32_t i = 0; i < list->len; i++)
		dump_node(ctx, field, list->items[i]);
}

static void dump_node(struct dump *d, const char *field, const struct qt_ast *node)
{
	static const struct qt_ast_fields plain = { .name = put_name, .text = put_text, .num = put_num, .flag = put_flag };
	static const struct qt_ast_fields nested = { .child = put_child, .list = put_list };

	if (field)
		fprintf(d->out, "\n%*s%s: ", (int)d->indent * 2, "", field);
	fprintf(d->out, "(%s %u-%u", qt_ast_kind_name(node->kind), node->span.begin, node->span.end);
	qt_ast_walk_fields(node, &plain, d);
	d->indent++;
	qt_ast_walk_fields(node, &nested, d);
	d->indent--;
	fputc(')', d->out);
}

void qt_ast_dump(const struct qt_ast *tree, FILE *out)
{
	struct dump d = { out, 0 };

	dump_node(&d, NULL, tree);
	fputc('\n', out);
}
