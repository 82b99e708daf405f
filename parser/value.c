/* A word of the command line as a literal: the value of a param. */
#include "lexer/literal.h"
#include "parser/ast.h"
#include "parser/parser.h"

#include <string.h>

static struct qt_ast *text_value(struct qt_arena *arena, const char *text)
{
	struct qt_ast_str *n = QT_AST_NEW(arena, str, (struct qt_span){ 0 });

	n->value = qt_str_from(text);
	return &n->head;
}

static struct qt_ast *truth_value(struct qt_arena *arena, const char *text)
{
	bool yes = !strcmp(text, "true") || !strcmp(text, "yes") || !strcmp(text, "1");
	struct qt_ast_bool *n;

	if (!yes && strcmp(text, "false") && strcmp(text, "no") && strcmp(text, "0"))
		return NULL;
	n = QT_AST_NEW(arena, bool, (struct qt_span){ 0 });
	n->value = yes;
	return &n->head;
}

static struct qt_ast *number_value(struct qt_arena *arena, struct qt_interns *names, const char *text)
{
	struct qt_ast_unary *minus = text[0] == '-' ? QT_AST_NEW(arena, unary, (struct qt_span){ 0 }) : NULL;
	struct qt_ast_int *n = QT_AST_NEW(arena, int, (struct qt_span){ 0 });
	struct qt_number number = { 0 };

	text += minus != NULL;
	if (*text < '0' || *text > '9' || qt_number_decode(qt_str_from(text), &number).problem)
		return NULL;
	n->value = number.value;
	n->unit = number.unit ? qt_intern(names, number.unit) : NULL;
	if (!minus)
		return &n->head;
	minus->op = qt_intern(names, "-");
	minus->value = &n->head;
	return &minus->head;
}

struct qt_ast *qt_parse_value(struct qt_arena *arena, struct qt_interns *names, enum qt_ast_kind like, const char *text)
{
	if (like == QT_AST_str)
		return text_value(arena, text);
	return like == QT_AST_bool ? truth_value(arena, text) : number_value(arena, names, text);
}
