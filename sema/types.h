/* Types of the language: small values, passed by value. */
#ifndef QT_SEMA_TYPES_H
#define QT_SEMA_TYPES_H

#include "base/unit.h"

#include <stdbool.h>
#include <stdint.h>

enum qt_type_kind {
	QT_TYPE_VOID, /* a call for its effect */
	QT_TYPE_INT, /* size bytes, sign, unit; also truth values */
	QT_TYPE_STR, /* text; in maps, contexts and tags its 64-bit id */
	QT_TYPE_COMM, /* 16 bytes of text in place: a thread's name; becomes STR wherever it meets one */
	QT_TYPE_PTR, /* an address; `to` says what reading through it gives */
	QT_TYPE_PROBE, /* a probe's name, known by the attach cookie: `probe`, `func` */
};

enum qt_space { QT_SPACE_USER, QT_SPACE_KERNEL };

struct qt_type {
	enum qt_type_kind kind;
	uint8_t size; /* INT: 1, 2, 4 or 8 */
	bool is_signed; /* INT */
	enum qt_unit unit; /* INT */
	enum qt_space space; /* PTR */
	const struct qt_type *to; /* PTR: NULL for void */
	bool func; /* PROBE: the function's name alone */
};

#define QT_INT(bytes, sign) ((struct qt_type){ .kind = QT_TYPE_INT, .size = (bytes), .is_signed = (sign) })
#define QT_U64 QT_INT(8, false)
#define QT_I64 QT_INT(8, true)

/* "uint64", "string", "int32 *", "uint64 (time)": for messages and dumps; static or in a small rotating buffer. */
const char *qt_type_text(struct qt_type t);

#endif
