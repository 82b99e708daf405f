/* Reads qtrace's JSON lines on standard input for the test scripts: checks every line (syntax, UTF-8, one object a line) and prints
 * parts of them, tab-separated, rows sorted by bytes. Exit code 1 with the place when a line is not valid JSON.
 *   jsonl check                    valid, nothing printed
 *   jsonl rows NAME COLUMN...      rows of the tag or breakdown called NAME (- for any); COLUMN may be a path, through an array
 *                                its sum (latency_ns.count)
 *   jsonl map @NAME                entries of a map or histogram: key, value
 *   jsonl get TYPE PATH            value at PATH in each object of that type (data.ring_full)
 * Strings are printed as they stand between their quotes, objects and arrays as their JSON text. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_LIMIT = 64 };

enum kind { OBJECT, ARRAY, STRING, OTHER };

struct node {
	enum kind kind;
	const char *key, *text; /* the key without its quotes; the value's own text */
	size_t key_len, text_len;
	struct node *child, *next;
};

struct parser {
	const char *begin, *at;
	const char *error;
};

static struct node *parse_value(struct parser *p, unsigned depth);

static void fail(struct parser *p, const char *what)
{
	if (!p->error)
		p->error = what;
}

static void skip_space(struct parser *p)
{
	while (*p->at == ' ' || *p->at == '\t' || *p->at == '\r')
		p->at++;
}

/* The bytes of a UTF-8 character that begins with LEAD, 0 when none does. Shortest form and surrogates are checked by the caller. */
static unsigned utf8_length(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead >= 0xc2 && lead <= 0xdf)
		return 2;
	if (lead >= 0xe0 && lead <= 0xef)
		return 3;
	return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

static bool utf8_valid(const unsigned char *s, unsigned n)
{
	for (unsigned i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return false;
	}
	return n && !(s[0] == 0xe0 && s[1] < 0xa0) && !(s[0] == 0xed && s[1] > 0x9f) && !(s[0] == 0xf0 && s[1] < 0x90) &&
	       !(s[0] == 0xf4 && s[1] > 0x8f);
}

static void parse_escape(struct parser *p)
{
	char c = *p->at;

	p->at += c != '\0';
	if (c == 'u') {
		for (int i = 0; i < 4; i++) {
			if (!isxdigit((unsigned char)*p->at))
				fail(p, "a \\u without four hexadecimal digits");
			else
				p->at++;
		}
	} else if (!c || !strchr("\"\\/bfnrt", c)) {
		fail(p, "an unknown escape");
	}
}

static void parse_string(struct parser *p, const char **text, size_t *len)
{
	if (*p->at != '"') {
		fail(p, "a string was expected");
		return;
	}
	*text = ++p->at;
	while (*p->at && *p->at != '"' && !p->error) {
		unsigned n = utf8_length((unsigned char)*p->at);

		if ((unsigned char)*p->at < 0x20)
			fail(p, "a raw control character");
		else if (!utf8_valid((const unsigned char *)p->at, n))
			fail(p, "not UTF-8");
		else if (*p->at == '\\' && p->at++)
			parse_escape(p);
		else
			p->at += n;
	}
	*len = (size_t)(p->at - *text);
	if (*p->at == '"')
		p->at++;
	else
		fail(p, "a string without its end");
}

static void parse_members(struct parser *p, struct node *n, char close, unsigned depth)
{
	struct node **tail = &n->child;
	bool comma = false;

	p->at++;
	for (skip_space(p); *p->at != close && !p->error; skip_space(p)) {
		const char *key = NULL;
		size_t key_len = 0;

		if (close == '}') {
			parse_string(p, &key, &key_len);
			skip_space(p);
			if (*p->at == ':')
				p->at++;
			else
				fail(p, "a colon was expected");
		}
		if (p->error)
			return;
		*tail = parse_value(p, depth + 1);
		(*tail)->key = key;
		(*tail)->key_len = key_len;
		tail = &(*tail)->next;
		skip_space(p);
		comma = *p->at == ',';
		if (comma)
			p->at++;
		else if (*p->at != close)
			fail(p, "a comma or the end of the list was expected");
	}
	if (!p->error && comma)
		fail(p, "a comma before the end of the list");
	if (!p->error)
		p->at++;
}

static void parse_other(struct parser *p)
{
	static const char *const words[] = { "true", "false", "null" };
	char *end;

	for (unsigned i = 0; i < 3; i++) {
		if (!strncmp(p->at, words[i], strlen(words[i]))) {
			p->at += strlen(words[i]);
			return;
		}
	}
	if (!isdigit((unsigned char)p->at[*p->at == '-']))
		fail(p, "a value was expected");
	strtod(p->at, &end);
	p->at = end;
}

static struct node *parse_value(struct parser *p, unsigned depth)
{
	struct node *n = calloc(1, sizeof(*n));

	if (!n || depth > DEPTH_LIMIT) {
		fail(p, "too deep");
		return n ? n : abort(), n;
	}
	skip_space(p);
	n->text = p->at;
	n->kind = *p->at == '{' ? OBJECT : *p->at == '[' ? ARRAY : *p->at == '"' ? STRING : OTHER;
	if (n->kind == OBJECT || n->kind == ARRAY) {
		parse_members(p, n, n->kind == OBJECT ? '}' : ']', depth);
		n->text_len = (size_t)(p->at - n->text);
	} else if (n->kind == STRING) {
		parse_string(p, &n->text, &n->text_len);
	} else {
		parse_other(p);
		n->text_len = (size_t)(p->at - n->text);
	}
	return n;
}

static const struct node *member(const struct node *n, const char *name, size_t len)
{
	const struct node *c = n ? n->child : NULL;

	while (c && !(c->key && c->key_len == len && !memcmp(c->key, name, len)))
		c = c->next;
	return c;
}

/* A member by its whole name, or else by a path of names joined by dots. */
static const struct node *at_path(const struct node *n, const char *path)
{
	const struct node *whole = member(n, path, strlen(path));
	size_t len = strcspn(path, ".");

	if (whole || !n || !path[len])
		return whole;
	return at_path(member(n, path, len), path + len + 1);
}

static bool text_is(const struct node *n, const char *s)
{
	return n && n->text_len == strlen(s) && !memcmp(n->text, s, n->text_len);
}

struct lines {
	char **text;
	size_t count;
};

static void add_line(struct lines *l, char *text)
{
	l->text = realloc(l->text, (l->count + 1) * sizeof(*l->text));
	if (!l->text)
		abort();
	l->text[l->count++] = text;
}

/* Prints the value at PATH; where the path leads through an array (a histogram's buckets), the sum over its elements. */
static void print_value(FILE *f, const struct node *n, const char *path)
{
	size_t len = strcspn(path, ".");
	const struct node *v = at_path(n, path), *list = member(n, path, len);
	long long sum = 0;

	if (!v && path[len] && list && list->kind == ARRAY) {
		for (const struct node *c = list->child; c; c = c->next) {
			const struct node *number = at_path(c, path + len + 1);

			sum += number ? strtoll(number->text, NULL, 10) : 0;
		}
		fprintf(f, "%lld", sum);
	} else {
		fprintf(f, "%.*s", v ? (int)v->text_len : 1, v ? v->text : "-");
	}
}

/* One output line: the values at PATHS (or, with none, the key and the text of N). */
static void add_row(struct lines *l, const struct node *n, char **paths)
{
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		abort();
	if (!*paths)
		fprintf(f, "%.*s\t%.*s", (int)n->key_len, n->key, (int)n->text_len, n->text);
	for (char **p = paths; *p; p++) {
		fputs(p == paths ? "" : "\t", f);
		print_value(f, n, *p);
	}
	fclose(f);
	add_line(l, text);
}

static void collect_rows(struct lines *l, const struct node *object, char **args)
{
	const struct node *rows = at_path(object, "rows");

	if (!rows || !(!strcmp(args[0], "-") || text_is(at_path(object, "name"), args[0]) || text_is(at_path(object, "span"), args[0])))
		return;
	for (const struct node *r = rows->child; r; r = r->next)
		add_row(l, r, args + 1);
}

static void collect_map(struct lines *l, const struct node *object, char **args)
{
	static char *none[] = { NULL };
	const struct node *data = at_path(object, "data"), *map = data ? member(data, args[0], strlen(args[0])) : NULL;

	if (map && map->kind == OBJECT) {
		for (const struct node *c = map->child; c; c = c->next)
			add_row(l, c, none);
	} else if (map) {
		add_row(l, map, none);
	}
}

static void collect_get(struct lines *l, const struct node *object, char **args)
{
	if (text_is(at_path(object, "type"), args[0]) && at_path(object, args[1]))
		add_row(l, object, args + 1);
}

static void collect_nothing(struct lines *l, const struct node *object, char **args)
{
	(void)l, (void)object, (void)args;
}

static const struct command {
	const char *name;
	int min_args;
	bool sorted;
	void (*collect)(struct lines *l, const struct node *object, char **args);
} commands[] = {
	{ "check", 0, false, collect_nothing },
	{ "rows", 2, true, collect_rows },
	{ "map", 1, true, collect_map },
	{ "get", 2, false, collect_get },
};

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int run(const struct command *c, char **args)
{
	struct lines out = { 0 };
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;

	for (unsigned number = 1; (len = getline(&line, &cap, stdin)) > 0; number++) {
		struct parser p;
		struct node *n;

		line[strcspn(line, "\n")] = '\0';
		p = (struct parser){ .begin = strdup(line) };
		p.at = p.begin;
		n = parse_value(&p, 0);
		skip_space(&p);
		if (!p.error && n->kind != OBJECT)
			fail(&p, "not an object");
		if (!p.error && p.at != p.begin + strlen(p.begin))
			fail(&p, "text after the object");
		if (p.error) {
			fprintf(stderr, "line %u, byte %ld: %s: %.200s\n", number, (long)(p.at - p.begin), p.error, p.begin);
			return 1;
		}
		c->collect(&out, n, args);
	}
	if (c->sorted && out.count)
		qsort(out.text, out.count, sizeof(*out.text), by_bytes);
	for (size_t i = 0; i < out.count; i++)
		puts(out.text[i]);
	return 0;
}

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands) && argc > 1; i++) {
		if (!strcmp(argv[1], commands[i].name) && argc - 2 >= commands[i].min_args)
			return run(&commands[i], argv + 2);
	}
	fputs("usage: jsonl check | rows NAME COLUMN... | map @NAME | get TYPE PATH\n", stderr);
	return 2;
}
