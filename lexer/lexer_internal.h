/* What the files of the lexer share: the generated scanner's face, raw looks at the text, errors about single characters. */
#ifndef QT_LEXER_LEXER_INTERNAL_H
#define QT_LEXER_LEXER_INTERNAL_H

#include "lexer/lexer.h"

/* What the scanner returns beside token kinds. */
enum {
	QT_SCAN_BLANK = -1, /* white space and comments */
	QT_SCAN_WORD = -2, /* a name or a keyword */
	QT_SCAN_TYPE = -3, /* words of a type */
	QT_SCAN_OPEN_STRING = -4, /* a string without its end */
	QT_SCAN_OPEN_COMMENT = -5,
	QT_SCAN_STRAY = -6, /* a character that belongs to nothing */
	QT_SCAN_END = 0,
};

/* scan.l: a scanner over a copy of the text; next gives the kind and the length in bytes of what stands there. */
void *qt_scan_open(struct qt_str text);
void qt_scan_close(void *scanner);
int qt_scan_next(void *scanner, uint32_t *len);
void qt_scan_skip(void *scanner, uint32_t bytes);

/* probe_text.c: everything about probe specs that is seen in the raw text. AT is an offset into TEXT. */
bool qt_probe_is_provider(struct qt_str word);
bool qt_probe_is_begin_or_end(struct qt_str word);
/* The length of the word ([A-Za-z_][A-Za-z0-9_]*) at AT, 0 when there is none. */
uint32_t qt_word_length(struct qt_str text, uint32_t at);
/* The first offset from AT on that is neither white space nor comment. */
uint32_t qt_blank_skip(struct qt_str text, uint32_t at);
/* The end of the spec that begins at AT; PAREN_ENDS: an opening parenthesis ends it. *OPEN_QUOTE is the offset of a quote without its
 * end, else UINT32_MAX. */
uint32_t qt_probe_end(struct qt_str text, uint32_t at, bool paren_ends, uint32_t *open_quote);
/* The offset of the '/' that closes the filter whose opening '/' is at AT; UINT32_MAX when there is none. */
uint32_t qt_filter_end(struct qt_str text, uint32_t at);

/* stray.c: reports the character at AT and returns how many bytes to skip. When it is a typographic or single quote with its partner on the same
 * line, *QUOTED is the text between (else its ptr is NULL). */
uint32_t qt_stray_report(const struct qt_source *source, uint32_t at, struct qt_diags *diags, struct qt_str *quoted);

#endif
