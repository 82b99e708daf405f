/* Where probe specs and filters begin and end, seen in the raw text: a spec may hold nearly anything (paths, globs, quotes), so it is
 * cut out before the scanner's rules apply. */
#include "lexer/lexer_internal.h"

#include "base/check.h"

#include <string.h>

static const char *const providers[] = {
	"uprobe",	 "u",	  "uretprobe", "ur", "U",	"usdt",	 "kprobe", "k",		 "kretprobe", "kr",   "tracepoint", "t",
	"rawtracepoint", "rt",	  "fentry",    "f",  "kfunc",	"fexit", "fr",	   "kretfunc",	 "software",  "s",    "hardware",   "h",
	"profile",	 "p",	  "interval",  "i",  "syscall", "span",	 "self",   "watchpoint", "w",	      "iter", "it",	    "begin",
	"end",		 "BEGIN", "END",
};

/* The providers whose first field is a path, in which '/' does not begin a filter. */
static const char *const path_providers[] = { "uprobe", "u", "uretprobe", "ur", "U", "usdt" };

/* Words that begin an action or a modifier: a '/' before one closes a filter. */
static const char *const action_words[] = { "set", "clear", "tag", "carry", "adopt", "emit", "if", "in", "with" };

static bool is_one_of(struct qt_str word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (qt_str_is(word, list[i]))
			return true;
	return false;
}

const char *qt_provider_at(unsigned index)
{
	return index < QT_COUNT(providers) ? providers[index] : NULL;
}

bool qt_probe_is_begin_or_end(struct qt_str word)
{
	return is_one_of(word, providers + QT_COUNT(providers) - 4, 4);
}

bool qt_probe_is_provider(struct qt_str word)
{
	return is_one_of(word, providers, QT_COUNT(providers));
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

uint32_t qt_word_length(struct qt_str text, uint32_t at)
{
	uint32_t end = at;

	if (at >= text.len || !is_letter(text.ptr[at]))
		return 0;
	while (end < text.len && (is_letter(text.ptr[end]) || is_digit(text.ptr[end])))
		end++;
	return end - at;
}

static uint32_t line_end(struct qt_str text, uint32_t at)
{
	const char *nl = memchr(text.ptr + at, '\n', text.len - at);

	return nl ? (uint32_t)(nl - text.ptr) : (uint32_t)text.len;
}

/* The end of the comment at AT, or AT when there is none. */
static uint32_t comment_end(struct qt_str text, uint32_t at)
{
	const char *close;

	if (text.ptr[at] == '#')
		return line_end(text, at);
	if (text.ptr[at] != '/' || at + 1 >= text.len)
		return at;
	if (text.ptr[at + 1] == '/')
		return line_end(text, at);
	if (text.ptr[at + 1] != '*')
		return at;
	close = memmem(text.ptr + at + 2, text.len - at - 2, "*/", 2);
	return close ? (uint32_t)(close - text.ptr) + 2 : (uint32_t)text.len;
}

uint32_t qt_blank_skip(struct qt_str text, uint32_t at)
{
	while (at < text.len) {
		uint32_t end = is_space(text.ptr[at]) ? at + 1 : comment_end(text, at);

		if (end == at)
			break;
		at = end;
	}
	return at;
}

/* The end of the quoted part whose opening quote is at AT: behind its closing quote, or the end of the line (*CLOSED false). */
static uint32_t quote_end(struct qt_str text, uint32_t at, bool *closed)
{
	*closed = false;
	for (at++; at < text.len && text.ptr[at] != '\n' && text.ptr[at] != '\r'; at++) {
		if (text.ptr[at] == '\\' && at + 1 < text.len && text.ptr[at + 1] != '\n') {
			at++;
		} else if (text.ptr[at] == '"') {
			*closed = true;
			return at + 1;
		}
	}
	return at;
}

/* The end of the alternative {a,b} at AT, or AT when the brace opens a block: an alternative is closed, has a comma, and holds only
 * what names, globs and paths are made of. */
static uint32_t alternative_end(struct qt_str text, uint32_t at)
{
	bool comma = false;
	int depth = 0;

	for (uint32_t i = at; i < text.len; i++) {
		char c = text.ptr[i];

		if (c == '{')
			depth++;
		else if (c == ',')
			comma = true;
		else if (c == '}' && !--depth)
			return comma ? i + 1 : at;
		else if (c != '}' && !is_letter(c) && !is_digit(c) && !strchr("*?[]!^-+./~:#", c) && !(c & 0x80))
			return at;
		if (!c)
			return at;
	}
	return at;
}

/* The end of ${name} at AT, or AT when there is none. */
static uint32_t substitution_end(struct qt_str text, uint32_t at)
{
	uint32_t len;

	if (at + 1 >= text.len || text.ptr[at] != '$' || text.ptr[at + 1] != '{')
		return at;
	len = qt_word_length(text, at + 2);
	return len && at + 2 + len < text.len && text.ptr[at + 2 + len] == '}' ? at + 3 + len : at;
}

/* The part at AT that is taken as a whole (quotes, alternatives, substitutions): its end, or AT. */
static uint32_t group_end(struct qt_str text, uint32_t at, uint32_t *open_quote)
{
	bool closed;
	uint32_t end;

	if (text.ptr[at] == '"') {
		end = quote_end(text, at, &closed);
		if (!closed)
			*open_quote = at;
		return end;
	}
	if (text.ptr[at] == '{')
		return alternative_end(text, at);
	return substitution_end(text, at);
}

uint32_t qt_probe_end(struct qt_str text, uint32_t at, bool paren_ends, uint32_t *open_quote)
{
	struct qt_str provider = { text.ptr + at, qt_word_length(text, at) };
	bool has_path = is_one_of(provider, path_providers, QT_COUNT(path_providers));
	unsigned field = 0;

	*open_quote = UINT32_MAX;
	while (at < text.len) {
		char c = text.ptr[at];
		uint32_t end = group_end(text, at, open_quote);

		if (end != at) {
			at = end;
			continue;
		}
		if (is_space(c) || !c || strchr(",;{}", c) || (c == '(' && paren_ends))
			break;
		if (c == '/' && !(has_path && field == 1))
			break;
		field += c == ':';
		at++;
	}
	return at;
}

/* Whether what follows at AT can only come behind a finished filter. */
static bool begins_action(struct qt_str text, uint32_t at)
{
	uint32_t len;

	at = qt_blank_skip(text, at);
	if (at < text.len && text.ptr[at] == '{')
		return true;
	len = qt_word_length(text, at);
	return len && is_one_of((struct qt_str){ text.ptr + at, len }, action_words, QT_COUNT(action_words)) &&
	       (at + len >= text.len || text.ptr[at + len] != '(');
}

/* The next offset behind strings and comments at AT; AT itself when neither stands there. */
static uint32_t opaque_end(struct qt_str text, uint32_t at)
{
	bool closed;

	if (text.ptr[at] == '"')
		return quote_end(text, at, &closed);
	if (text.ptr[at] == '$' && at + 1 < text.len && text.ptr[at + 1] == '#')
		return at + 2;
	return comment_end(text, at);
}

#define FILTER_MAX 8192 /* bytes looked through for the end of a filter */

/* Whether a line begins at AT with a known provider and its colon: the next rule. */
static bool rule_begins(struct qt_str text, uint32_t at)
{
	uint32_t len = qt_word_length(text, at);

	return len && at + len < text.len && text.ptr[at + len] == ':' && qt_probe_is_provider((struct qt_str){ text.ptr + at, len });
}

/* A '/' in a filter may also divide. The one that closes is the first outside brackets behind which an action follows, or, when there
 * is none such, simply the first. */
uint32_t qt_filter_end(struct qt_str text, uint32_t at)
{
	uint32_t first = UINT32_MAX;
	int depth = 0;

	if (text.len - at > FILTER_MAX)
		text.len = at + FILTER_MAX;
	for (at++; at < text.len;) {
		uint32_t end = opaque_end(text, at);
		char c = text.ptr[at];

		if (end != at) {
			at = end;
			continue;
		}
		if (c == '(' || c == '[')
			depth++;
		else if (c == ')' || c == ']')
			depth--;
		else if (c == ';' || c == '{' || c == '}' || (c == '\n' && rule_begins(text, at + 1)))
			break;
		else if (c == '/' && depth <= 0 && begins_action(text, at + 1))
			return at;
		else if (c == '/' && depth <= 0 && first == UINT32_MAX)
			first = at;
		at++;
	}
	return first;
}
