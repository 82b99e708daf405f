/* Script text to tree. */
#ifndef QT_PARSER_PARSER_H
#define QT_PARSER_PARSER_H

#include "base/diag.h"
#include "base/intern.h"
#include "parser/ast.h"

/* Parses SOURCE. Always returns a program node (what could be read, after errors in DIAGS); everything lives in ARENA. Nesting deeper than
 * 200 levels is an error. */
struct qt_ast_program *qt_parse(const struct qt_source *source, struct qt_arena *arena, struct qt_interns *names, struct qt_diags *diags);

/* TEXT, a word of the command line, as a literal of the kind LIKE (a text, a truth value, or else a number with its unit); NULL when it is none. */
struct qt_ast *qt_parse_value(struct qt_arena *arena, struct qt_interns *names, enum qt_ast_kind like, const char *text);

/* What to write instead of WORD, which another language has (SQL, awk, DTrace, the names of error numbers); NULL when nothing is known of it. The text may live in A. */
const char *qt_foreign_hint(struct qt_arena *a, const char *word);

#endif
