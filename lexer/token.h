/* Tokens: what they are, where they stand, what they carry. */
#ifndef QT_LEXER_TOKEN_H
#define QT_LEXER_TOKEN_H

#include "base/intern.h"
#include "base/source.h"

#include <stdbool.h>

enum qt_token_kind {
#define TOKEN(kind, number, class, spelling) QT_TOK_##kind = (number),
#include "lexer/tokens.def"
#undef TOKEN
};

struct qt_token {
	enum qt_token_kind kind;
	struct qt_span span;
	uint64_t value; /* NUMBER, POSITIONAL (0 is $#) */
	qt_name unit; /* NUMBER: NULL, "ns" or "bytes" */
	struct qt_str text; /* STRING: decoded, may hold NUL; PROBE: the spec as written */
	qt_name name; /* NAME, TYPE, SCRATCH, MAP: without $ and @; others but PROBE and STRING: as written */
	bool broken; /* something here or directly before was reported already: the parser stays silent about this place */
};

struct qt_tokens {
	struct qt_token *items;
	uint32_t len;
};

/* "NUMBER", "OROR": for dumps. */
const char *qt_token_kind_name(enum qt_token_kind kind);
/* The fixed text of a kind, or for those without one what a message calls them ("a number"). */
const char *qt_token_spelling(enum qt_token_kind kind);
/* Whether the spelling is the text itself. */
bool qt_token_is_fixed(enum qt_token_kind kind);
bool qt_token_is_word(enum qt_token_kind kind);
/* Whether an operand must follow: operators, ',', '(' and '['. */
bool qt_token_wants_operand(enum qt_token_kind kind);

/* Whether WORD begins probes: "uprobe", "k", "begin" and so on. Walks the table: the provider at INDEX or NULL behind the last. */
const char *qt_provider_at(unsigned index);

#endif
