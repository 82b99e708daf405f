/* Text that comes from strangers, made safe: for a terminal (nothing moves its cursor or reorders its line) and for JSON (always valid UTF-8). */
#ifndef QT_BASE_TEXT_H
#define QT_BASE_TEXT_H

#include "base/str.h"

#include <stdint.h>

/* Decodes the UTF-8 character at S, LEFT (at least 1) bytes long at most; its length, or 0 when the bytes are none (overlong forms, surrogates and numbers above U+10FFFF included). */
unsigned qt_utf8_decode(const char *s, size_t left, uint32_t *out);

/* Characters that must not reach a terminal raw: controls, line and paragraph separators, direction marks, invisible ones. */
bool qt_utf8_is_unsafe(uint32_t c);

/* Cells that a character takes on a terminal: 2 for the broad East Asian and emoji blocks, 0 for combining marks, else 1. */
unsigned qt_utf8_cells(uint32_t c);

/* Cells of a whole text, bytes that are no character counted as 1. */
size_t qt_text_cells(const char *s, size_t len);

enum qt_escape {
	QT_ESCAPE_CELL, /* one line of a table: \n \t \r \xHH \u{HHHH}, and the backslash itself as two */
	QT_ESCAPE_STREAM, /* inside of free text: newline, tab and backslash stay as they are */
};

/* Adds S to OUT with everything unsafe escaped. */
void qt_text_escape(struct qt_buf *out, const char *s, size_t len, enum qt_escape how);

/* Adds S as a JSON string with its quotes; bytes that are no UTF-8 become U+FFFD. True when nothing was replaced. */
bool qt_json_string(struct qt_buf *out, const char *s, size_t len);

#endif
