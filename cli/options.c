/* Parsing of the command line and of QTRACE_OPTIONS, and the help texts, all from options.def and commands.def. Own options may stand anywhere before `--`;
 * what begins with a minus and a digit is a parameter, so that `qtrace FILE -5` means what it says. */
#include "cli/options.h"

#include "base/check.h"
#include "report/report.h"
#include "target/target.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 1000000000ULL
#define RUN (1u << QT_COMMAND_run)
#define CHECK (1u << QT_COMMAND_check)
#define TEST (1u << QT_COMMAND_test)
#define BUILD (1u << QT_COMMAND_build)
#define LIST (1u << QT_COMMAND_list)
#define DOCTOR (1u << QT_COMMAND_doctor)
#define EVERY (~0u)

struct parse {
	struct qt_options *o;
	struct qt_arena *arena;
	struct qt_diags *diags;
	uint64_t given; /* bits of options on the command line */
	bool only_options; /* from the environment */
	bool failed;
};

struct option {
	const char *name;
	char letter;
	const char *argument;
	unsigned commands;
	const char *text, *preset;
	void (*read)(struct parse *p, const struct option *opt, void *field, const char *value);
	size_t offset;
};

static const struct qt_span nowhere;

/* A value that cannot be what OPT wants: told with what it wants instead. */
static void bad_value(struct parse *p, const struct option *opt, const char *value, const char *wants)
{
	struct qt_diag *d = qt_diag_add(p->diags, QT_E0702, nowhere, "--%s cannot be \"%s\"", opt->name, value);

	qt_diag_hint(p->diags, d, "%s", wants);
	p->failed = true;
}

static void read_flag(struct parse *p, const struct option *opt, void *field, const char *value)
{
	(void)p, (void)opt, (void)value;
	*(bool *)field = true;
}

static void read_count(struct parse *p, const struct option *opt, void *field, const char *value)
{
	(void)p, (void)opt, (void)value;
	++*(int *)field;
}

static void read_text(struct parse *p, const struct option *opt, void *field, const char *value)
{
	(void)p, (void)opt;
	*(const char **)field = value;
}

static bool read_u64(const char *s, uint64_t *out, const char **end)
{
	char *e;

	if (!isdigit((unsigned char)*s))
		return false;
	errno = 0;
	*out = strtoull(s, &e, 10);
	*end = e;
	return !errno;
}

static void read_number(struct parse *p, const struct option *opt, void *field, const char *value)
{
	const char *end;
	uint64_t n;

	if (!read_u64(value, &n, &end) || *end || !n || n > UINT32_MAX)
		bad_value(p, opt, value, "it takes a number from 1 on");
	else
		*(unsigned *)field = (unsigned)n;
}

static void read_time(struct parse *p, const struct option *opt, void *field, const char *value)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} units[] = { { "", SECOND }, { "s", SECOND }, { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 }, { "m", 60 * SECOND }, { "h", 3600 * SECOND } };
	const char *unit;
	uint64_t n;

	if (read_u64(value, &n, &unit) && n) {
		for (size_t i = 0; i < QT_COUNT(units); i++) {
			if (strcmp(units[i].unit, unit) != 0 || n > INT64_MAX / units[i].ns)
				continue;
			*(uint64_t *)field = n * units[i].ns;
			return;
		}
	}
	bad_value(p, opt, value, "write a time such as 10 (seconds), 500ms, 2m, 1h");
}

static void read_pids(struct parse *p, const struct option *opt, void *field, const char *value)
{
	const char *s = value;
	uint64_t n;

	(void)field;
	do {
		s += s != value;
		if (!read_u64(s, &n, &s) || !n || n > INT32_MAX || (*s && *s != ',')) {
			bad_value(p, opt, value, "write ids of processes with commas between: -p 17 or -p 17,42");
			return;
		}
		*qt_vec_push(p->arena, &p->o->pids) = (uint32_t)n;
	} while (*s == ',');
}

/* The names of a closed set: the one at INDEX, NULL behind the last. */
typedef const char *(*names_fn)(unsigned index);

static const char *format_at(unsigned index)
{
	const struct qt_report_format *f = qt_report_formats()[index];

	return f ? f->name : NULL;
}

static const char *feature_at(unsigned index)
{
	return index < QT_FEATURE_COUNT ? qt_feature_name((enum qt_feature)index) : NULL;
}

/* Which of the names VALUE is, or -1 after a diagnostic with the nearest or all of them. */
static int choose(struct parse *p, const struct option *opt, const char *value, names_fn name_at)
{
	struct qt_buf all = { 0 };
	struct qt_suggest s;
	struct qt_diag *d;

	qt_suggest_begin(&s, value);
	for (unsigned i = 0; name_at(i); i++) {
		if (!strcmp(name_at(i), value)) {
			qt_buf_free(&all);
			return (int)i;
		}
		qt_suggest_offer(&s, name_at(i));
		qt_buf_printf(&all, i ? ", %s" : "%s", name_at(i));
	}
	d = qt_diag_add(p->diags, QT_E0702, nowhere, "--%s cannot be \"%s\"", opt->name, value);
	if (!qt_suggest_hint(p->diags, d, &s))
		qt_diag_hint(p->diags, d, "there are: %s", all.ptr);
	qt_buf_free(&all);
	p->failed = true;
	return -1;
}

static void read_format(struct parse *p, const struct option *opt, void *field, const char *value)
{
	int i = choose(p, opt, value, format_at);

	if (i >= 0)
		*(const struct qt_report_format **)field = qt_report_formats()[i];
}

static void read_stage(struct parse *p, const struct option *opt, void *field, const char *value)
{
	int i = choose(p, opt, value, qt_stage_at);

	if (i >= 0)
		*(enum qt_stage *)field = (enum qt_stage)(i + 1);
}

static void read_feature(struct parse *p, const struct option *opt, void *field, const char *value)
{
	int i = choose(p, opt, value, feature_at);

	if (i >= 0)
		*(uint32_t *)field |= 1u << i;
}

static const struct option options[] = {
#define OPTION(field, kind, name, letter, argument, commands, text, preset) \
	{ name, letter, argument, commands, text, preset, read_##kind, offsetof(struct qt_options, field) },
#include "cli/options.def"
#undef OPTION
};

static const struct {
	const char *name, *arguments, *text;
} commands[] = {
#define COMMAND(name, arguments, text) { #name, arguments, text },
#include "cli/commands.def"
#undef COMMAND
};

const char *qt_command_name(enum qt_command command)
{
	return commands[command].name;
}

static void apply(struct parse *p, const struct option *opt, const char *value)
{
	p->given |= p->only_options ? 0 : 1ULL << (opt - options);
	opt->read(p, opt, (char *)p->o + opt->offset, value);
}

static const struct option *by_letter(char letter)
{
	for (size_t i = 0; i < QT_COUNT(options); i++)
		if (options[i].letter == letter)
			return &options[i];
	return NULL;
}

/* A long option by its name or by a beginning of it that only one has. */
static const struct option *by_name(const char *name, size_t len)
{
	const struct option *found = NULL;

	for (size_t i = 0; i < QT_COUNT(options); i++) {
		if (strncmp(options[i].name, name, len) != 0)
			continue;
		if (!options[i].name[len])
			return &options[i];
		if (found)
			return NULL;
		found = &options[i];
	}
	return len > 1 ? found : NULL;
}

static void unknown_option(struct parse *p, const char *word, size_t len)
{
	char *name = qt_arena_strndup(p->arena, word, len);
	struct qt_diag *d = qt_diag_add(p->diags, QT_E0701, nowhere, "there is no option %s", name);
	struct qt_suggest s;

	p->failed = true;
	qt_suggest_begin(&s, name);
	for (size_t i = 0; i < QT_COUNT(options); i++)
		qt_suggest_offer(&s, qt_arena_printf(p->arena, "--%s", options[i].name));
	if (!qt_suggest_hint(p->diags, d, &s))
		qt_diag_hint(p->diags, d, "qtrace --help lists the options; what a script is to get that looks like one goes behind --");
}

static void missing_value(struct parse *p, const struct option *opt)
{
	qt_diag_add(p->diags, QT_E0703, nowhere, "--%s needs %s behind it", opt->name, opt->argument);
	p->failed = true;
}

/* --name, --name=value or --name value. Returns how many words were used. */
/* Options behind the script may be the script's own. */
static bool has_script(const struct parse *p)
{
	return !p->only_options && (p->o->program || p->o->words.len);
}

static bool param_value(struct parse *p, const char *name, size_t len, const char *value)
{
	const char *copy = qt_arena_strndup(p->arena, name, len);

	if (!value) {
		qt_diag_hint(p->diags, qt_diag_add(p->diags, QT_E0702, nowhere, "--%s lacks its value", copy),
			     "--%s VALUE sets a param of the script", copy);
		p->failed = true;
		return false;
	}
	*qt_vec_push(p->arena, &p->o->values) = (struct qt_param_value){ copy, value };
	return true;
}

static int long_option(struct parse *p, const char *word, const char *next)
{
	const char *name = word + 2, *equals = strchr(name, '=');
	size_t len = equals ? (size_t)(equals - name) : strlen(name);
	const struct option *opt = by_name(name, len);

	if (!opt && has_script(p)) {
		return param_value(p, name, len, equals ? equals + 1 : next) && !equals ? 2 : 1;
	} else if (!opt) {
		unknown_option(p, word, len + 2);
	} else if (!opt->argument && equals) {
		qt_diag_add(p->diags, QT_E0703, nowhere, "--%s takes nothing behind it", opt->name);
		p->failed = true;
	} else if (!opt->argument || equals) {
		apply(p, opt, equals ? equals + 1 : NULL);
	} else if (!next) {
		missing_value(p, opt);
	} else {
		apply(p, opt, next);
		return 2;
	}
	return 1;
}

/* -q, -qv, -d5 or -d 5. Returns how many words were used. */
static int short_options(struct parse *p, const char *word, const char *next)
{
	for (const char *c = word + 1; *c; c++) {
		const struct option *opt = by_letter(*c);

		if (!opt) {
			char one[] = { '-', *c, 0 };

			unknown_option(p, c == word + 1 ? word : one, c == word + 1 ? strlen(word) : 2);
			return 1;
		}
		if (!opt->argument) {
			apply(p, opt, NULL);
		} else if (c[1]) {
			apply(p, opt, c[1] == '=' ? c + 2 : c + 1);
			return 1;
		} else if (next) {
			apply(p, opt, next);
			return 2;
		} else {
			missing_value(p, opt);
			return 1;
		}
	}
	return 1;
}

static bool is_command(struct parse *p, const char *word)
{
	if (p->o->named || p->o->program || p->o->words.len)
		return false;
	for (size_t i = 0; i < QT_COUNT(commands); i++) {
		if (strcmp(commands[i].name, word) != 0)
			continue;
		p->o->which = (enum qt_command)i;
		p->o->named = true;
		return true;
	}
	return false;
}

static void plain_word(struct parse *p, const char *word)
{
	if (p->only_options) {
		qt_diag_add(p->diags, QT_E0703, nowhere, "QTRACE_OPTIONS may hold options only, not \"%s\"", word);
		p->failed = true;
	} else if (!is_command(p, word)) {
		*qt_vec_push(p->arena, &p->o->words) = word;
	}
}

static void parse_words(struct parse *p, int argc, char **argv)
{
	for (int i = 0; i < argc && !p->failed;) {
		const char *word = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;

		if (!strcmp(word, "--") && !p->only_options) {
			while (++i < argc)
				*qt_vec_push(p->arena, &p->o->words) = argv[i];
		} else if (word[0] == '-' && word[1] == '-' && word[2]) {
			i += long_option(p, word, next);
		} else if (word[0] == '-' && word[1] && !isdigit((unsigned char)word[1])) {
			i += short_options(p, word, next);
		} else {
			plain_word(p, word);
			i++;
		}
	}
}

/* The next word of S as a shell would cut it (quotes and backslashes), NULL at the end. */
static char *next_word(struct qt_arena *a, const char **s)
{
	struct qt_buf b = { 0 };
	char quote = 0, *word;
	bool any = false;

	while (isspace((unsigned char)**s))
		++*s;
	for (; **s && (quote || !isspace((unsigned char)**s)); ++*s) {
		char c = **s;

		any = true;
		if (c == quote)
			quote = 0;
		else if (!quote && (c == '"' || c == '\''))
			quote = c;
		else if (c == '\\' && quote != '\'' && (*s)[1])
			qt_buf_addc(&b, *++*s);
		else
			qt_buf_addc(&b, c);
	}
	word = any ? qt_arena_strndup(a, b.ptr ? b.ptr : "", b.len) : NULL;
	qt_buf_free(&b);
	return word;
}

static void parse_environment(struct parse *p, const char *env)
{
	QT_VEC(char *) words = { 0 };
	char *word;

	while ((word = next_word(p->arena, &env)) != NULL)
		*qt_vec_push(p->arena, &words) = word;
	p->only_options = true;
	parse_words(p, (int)words.len, words.items);
	p->only_options = false;
}

/* An option given on the command line that COMMAND has no use for would be silently ignored: better said. The environment may hold options for other commands. */
static void check_command(struct parse *p)
{
	_Static_assert(QT_COUNT(options) <= 64, "a bit each");
	for (size_t i = 0; i < QT_COUNT(options); i++) {
		const struct option *opt = &options[i];

		if (!(p->given >> i & 1) || opt->commands & 1u << p->o->which)
			continue;
		qt_diag_add(p->diags, QT_E0703, nowhere, "qtrace %s has no use for --%s", commands[p->o->which].name, opt->name);
		p->failed = true;
	}
}

bool qt_options_parse(struct qt_options *o, int argc, char **argv, const char *env, struct qt_arena *arena, struct qt_diags *diags)
{
	struct parse p = { .o = o, .arena = arena, .diags = diags };

	*o = (struct qt_options){ .which = QT_COMMAND_run, .format = qt_report_find("text") };
	if (env)
		parse_environment(&p, env);
	parse_words(&p, argc - 1, argv + 1);
	if (!p.failed && !o->help && !o->version)
		check_command(&p);
	return !p.failed;
}

/* ---- help ---- */

#define HELP_COLUMN 24
#define HELP_WIDTH 100

/* TEXT wrapped, its first line going on at the column that is reached. */
static void put_wrapped(FILE *out, const char *text, size_t column)
{
	size_t at = column;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (at > column && at + 1 + len > HELP_WIDTH) {
			fprintf(out, "\n%*s", (int)column, "");
			at = column;
		} else if (at > column) {
			fputc(' ', out);
			at++;
		}
		fwrite(text, 1, len, out);
		at += len;
		text += len + (text[len] == ' ');
	}
	fputc('\n', out);
}

static void put_choices(struct qt_buf *b, const struct option *opt)
{
	names_fn name_at = opt->read == read_format ? format_at : opt->read == read_stage ? qt_stage_at : NULL;

	for (unsigned i = 0; name_at && name_at(i); i++)
		qt_buf_printf(b, i ? ", %s" : ": %s", name_at(i));
}

static void put_option(FILE *out, const struct option *opt, struct qt_buf *b)
{
	qt_buf_clear(b);
	if (opt->letter)
		qt_buf_printf(b, "  -%c, --%s", opt->letter, opt->name);
	else
		qt_buf_printf(b, "      --%s", opt->name);
	if (opt->argument)
		qt_buf_printf(b, "%c%s", opt->letter ? ' ' : '=', opt->argument);
	if (b->len >= HELP_COLUMN)
		fprintf(out, "%s\n%*s", b->ptr, HELP_COLUMN, "");
	else
		fprintf(out, "%-*s", HELP_COLUMN, b->ptr);
	qt_buf_clear(b);
	qt_buf_adds(b, opt->text);
	put_choices(b, opt);
	if (opt->preset)
		qt_buf_printf(b, " (without it: %s)", opt->preset);
	put_wrapped(out, b->ptr, HELP_COLUMN);
}

static void put_options(FILE *out, unsigned mask)
{
	struct qt_buf b = { 0 };

	for (size_t i = 0; i < QT_COUNT(options); i++)
		if (options[i].commands & mask)
			put_option(out, &options[i], &b);
	qt_buf_free(&b);
}

void qt_options_help(FILE *out)
{
	fputs("qtrace tells which piece of an application is responsible for what the system does.\n\n"
	      "  qtrace [OPTIONS] -e PROGRAM [ARGS]\n"
	      "  qtrace [OPTIONS] FILE.qt [ARGS]\n"
	      "  qtrace COMMAND [OPTIONS] ...\n\n"
	      "  sudo qtrace -e 'on uprobe:libsqlite3:sqlite3_prepare_v2 set sql = str(arg1)\n"
	      "                  on syscall:pread64:return if ret > 0 tag sql count(), sum(ret) as bytes' -c ./app\n\n"
	      "Commands:\n",
	      out);
	for (size_t i = 0; i < QT_COUNT(commands); i++)
		fprintf(out, "  %-10s%s\n", commands[i].name, commands[i].text);
	fputs("\nOptions of a run (qtrace COMMAND --help tells those of a command):\n", out);
	put_options(out, RUN);
	fputs("\nOptions may stand in QTRACE_OPTIONS too. What follows -- belongs to the script ($1, $2 ...).\n"
	      "Exit codes: 0 done, 1 could not run, 2 program or command line wrong, 3 data lost under --strict.\n",
	      out);
}

void qt_options_command_help(enum qt_command command, FILE *out)
{
	fprintf(out, "qtrace %s %s\n  %s\n\n", commands[command].name, commands[command].arguments, commands[command].text);
	put_options(out, 1u << command);
}
