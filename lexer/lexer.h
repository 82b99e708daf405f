/* Script text to tokens. */
#ifndef QT_LEXER_LEXER_H
#define QT_LEXER_LEXER_H

#include "base/diag.h"
#include "base/intern.h"
#include "lexer/token.h"

/* All tokens of SOURCE, the last one QT_TOK_EOF. Bad characters are reported and skipped. */
struct qt_tokens qt_lex(const struct qt_source *source, struct qt_arena *arena, struct qt_interns *names, struct qt_diags *diags);

/* One token a line, for --dump=tokens. */
void qt_tokens_dump(const struct qt_tokens *tokens, const struct qt_source *source, FILE *out);

#endif
