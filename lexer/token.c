/* Questions about token kinds, answered from tokens.def. */
#include "lexer/token.h"

#include "base/check.h"

enum class { CLASS_END, CLASS_VALUE, CLASS_OP, CLASS_SUFFIX, CLASS_OPEN, CLASS_CLOSE, CLASS_MARK, CLASS_WORD };

struct row {
	enum qt_token_kind kind;
	enum class class;
	const char *name, *spelling;
};

static const struct row rows[] = {
#define TOKEN(kind, number, class, spelling) { QT_TOK_##kind, CLASS_##class, #kind, spelling },
#include "lexer/tokens.def"
#undef TOKEN
};

static const struct row *row_of(enum qt_token_kind kind)
{
	for (size_t i = 0; i < QT_COUNT(rows); i++)
		if (rows[i].kind == kind)
			return &rows[i];
	QT_BUG("no token has the number %d", (int)kind);
}

const char *qt_token_kind_name(enum qt_token_kind kind)
{
	return row_of(kind)->name;
}

const char *qt_token_spelling(enum qt_token_kind kind)
{
	return row_of(kind)->spelling;
}

bool qt_token_is_fixed(enum qt_token_kind kind)
{
	enum class c = row_of(kind)->class;

	return c != CLASS_VALUE && c != CLASS_END;
}

bool qt_token_is_word(enum qt_token_kind kind)
{
	return row_of(kind)->class == CLASS_WORD;
}

bool qt_token_wants_operand(enum qt_token_kind kind)
{
	enum class c = row_of(kind)->class;

	return c == CLASS_OP || (c == CLASS_OPEN && kind != QT_TOK_LBRACE);
}
