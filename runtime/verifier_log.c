/* Reduces a verifier log to what a person needs: the last sentence, the instruction before it, and the script's line from the line
 * information that the verifier repeats ("; text @ FILE:LINE", since 6.10). Takes any bytes; promises no more than it found. */
#include "runtime/verifier_log.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool next_line(struct qt_str *rest, struct qt_str *line)
{
	const char *end;

	if (!rest->len)
		return false;
	end = memchr(rest->ptr, '\n', rest->len);
	line->ptr = rest->ptr;
	line->len = end ? (size_t)(end - rest->ptr) : rest->len;
	rest->ptr += line->len + (end ? 1 : 0);
	rest->len -= line->len + (end ? 1 : 0);
	return true;
}

/* "12: (85) call ..." */
static bool is_instruction(struct qt_str line)
{
	size_t i = 0;

	while (i < line.len && isdigit((unsigned char)line.ptr[i]))
		i++;
	return i && i + 3 < line.len && line.ptr[i] == ':' && line.ptr[i + 1] == ' ' && line.ptr[i + 2] == '(';
}

/* "12: R1=ctx() R10=fp0", "from 3 to 5: ...", "R0=0 R1_w=..." after a branch */
static bool is_state(struct qt_str line)
{
	size_t i = 0;

	if (qt_str_has_prefix(line, "from ") || qt_str_has_prefix(line, "func#") || qt_str_has_prefix(line, "mark_precise:") ||
	    qt_str_has_prefix(line, "Live regs") || qt_str_has_prefix(line, "caller:") || qt_str_has_prefix(line, "callee:"))
		return true;
	while (i < line.len && isdigit((unsigned char)line.ptr[i]))
		i++;
	return i && i < line.len && line.ptr[i] == ':';
}

/* Figures at the end: they follow the sentence. */
static bool is_figure(struct qt_str line)
{
	static const char *const starts[] = { "processed ", "verification time", "stack depth", "peak_states", "max_states_per_insn" };

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (qt_str_has_prefix(line, starts[i]))
			return true;
	return false;
}

static struct qt_str trim(struct qt_str s)
{
	while (s.len && isspace((unsigned char)s.ptr[s.len - 1]))
		s.len--;
	while (s.len && isspace((unsigned char)s.ptr[0]))
		s.ptr++, s.len--;
	return s;
}

/* "; text @ FILE:LINE": the last " @ " counts, the text may hold one too. */
static void read_place(struct qt_arena *arena, struct qt_str line, struct qt_rejection *out)
{
	const char *at = NULL, *colon;

	for (size_t i = 0; i + 2 < line.len; i++)
		if (memcmp(line.ptr + i, " @ ", 3) == 0)
			at = line.ptr + i + 3;
	colon = at ? memrchr(at, ':', (size_t)(line.ptr + line.len - at)) : NULL;
	if (!colon || colon == at || !isdigit((unsigned char)colon[1]))
		return;
	out->file = qt_arena_strndup(arena, at, (size_t)(colon - at));
	out->line = (uint32_t)strtoul(qt_arena_strndup(arena, colon + 1, (size_t)(line.ptr + line.len - colon - 1)), NULL, 10);
}

bool qt_verifier_log_read(struct qt_arena *arena, struct qt_str log, struct qt_rejection *out)
{
	struct qt_str line, sentence = { 0 }, instruction = { 0 }, place = { 0 };

	memset(out, 0, sizeof(*out));
	while (next_line(&log, &line)) {
		line = trim(line);
		if (!line.len || is_figure(line))
			continue;
		if (line.ptr[0] == ';')
			place = line;
		else if (is_instruction(line))
			instruction = line;
		else if (!is_state(line))
			sentence = line;
	}
	if (place.len)
		read_place(arena, place, out);
	if (instruction.len)
		out->instruction = qt_arena_strndup(arena, instruction.ptr, instruction.len);
	if (sentence.len)
		out->sentence = qt_arena_strndup(arena, sentence.ptr, sentence.len);
	return sentence.len != 0;
}
