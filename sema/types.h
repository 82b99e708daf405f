/* Types of the language: small values, passed by value. */
#ifndef QT_SEMA_TYPES_H
#define QT_SEMA_TYPES_H

#include "base/shown.h"
#include "base/space.h"
#include "base/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum qt_type_kind {
	QT_TYPE_VOID, /* a call for its effect */
	QT_TYPE_INT, /* size bytes, sign, unit; also truth values */
	QT_TYPE_STR, /* text; in maps, contexts and tags its 64-bit id */
	QT_TYPE_COMM, /* 16 bytes of text in place: a thread's name; becomes STR wherever it meets one */
	QT_TYPE_PTR, /* an address; `to` says what reading through it gives */
	QT_TYPE_PROBE, /* a probe's name, known by the attach cookie: `probe`, `func` */
	QT_TYPE_SHOWN, /* what user space gives a text: stacks, symbols, names of users; in maps, contexts and tags a word, or the 64-bit id of its bytes */
	QT_TYPE_ERROR, /* not known: an expression in error, or (while types are inferred) not yet. Never in a finished program */
};

struct qt_type {
	enum qt_type_kind kind;
	uint8_t size; /* INT: 1, 2, 4 or 8 */
	bool is_signed; /* INT */
	enum qt_unit unit; /* INT */
	bool literal; /* INT: of non-negative literals alone, so that it takes sign and unit of what it meets. Only sema looks at it */
	enum qt_space space; /* PTR */
	const struct qt_type *to; /* PTR: NULL for void and structs */
	bool func; /* PROBE: the function's name alone */
	enum qt_shown shown; /* SHOWN */
};

#define QT_INT(bytes, sign) ((struct qt_type){ .kind = QT_TYPE_INT, .size = (bytes), .is_signed = (sign) })
#define QT_SHOWN_TYPE(name) ((struct qt_type){ .kind = QT_TYPE_SHOWN, .shown = QT_SHOWN_##name })
#define QT_U64 QT_INT(8, false)
#define QT_I64 QT_INT(8, true)

#define QT_BOOL QT_INT(1, false)

/* "uint64", "string", "int32 *", "uint64 (time)": for messages and dumps; in a small rotating buffer of the thread. */
const char *qt_type_text(struct qt_type t);

/* The same for a sentence: "a text", "an int32", "an address (int8 *)". */
const char *qt_type_words(struct qt_type t);

/* The same in everything that decides how a value is kept, compared and shown. */
bool qt_type_eq(struct qt_type a, struct qt_type b);

/* The type that holds values of both, by value: unsigned 32 and signed 32 bits join to signed 64. Texts of different kinds join to a string. False
 * when there is none (a number and a text). ERROR joins with everything to the other. */
bool qt_type_join(struct qt_type a, struct qt_type b, struct qt_type *out);

/* As it is kept in a context, a $variable or a map's value: numbers in 64 bits, `comm` as a string. */
struct qt_type qt_type_stored(struct qt_type t);

/* The type of a name as casts write it ("uint64", "unsigned int", "size_t"); false when there is none. "void" is VOID. */
bool qt_type_find(const char *name, struct qt_type *out);
/* Calls FN with each name of a type, for "did you mean". */
void qt_type_each_name(void (*fn)(void *ctx, const char *name), void *ctx);

#endif
