/* Types: their text, what two of them join to, and the names that casts know. */
#include "sema/types.h"

#include "base/check.h"

#include <stdio.h>
#include <string.h>

static const char *const unit_text[] = { [QT_UNIT_NONE] = "", [QT_UNIT_NS] = " (time)", [QT_UNIT_BYTES] = " (bytes)" };

static void ptr_text(struct qt_type t, char *out, size_t size)
{
	struct qt_type to = { .kind = QT_TYPE_VOID };
	size_t stars = 0, len;

	while (t.kind == QT_TYPE_PTR) {
		stars++;
		to = t.to ? *t.to : (struct qt_type){ .kind = QT_TYPE_VOID };
		t = to;
	}
	len = (size_t)snprintf(out, size, "%s ", to.kind == QT_TYPE_VOID ? "void" : qt_type_text(to));
	while (stars-- && len + 1 < size) {
		out[len++] = '*';
		out[len] = 0;
	}
}

const char *qt_type_text(struct qt_type t)
{
	static _Thread_local char ring[8][64];
	static _Thread_local unsigned next;
	char *out = ring[next++ % QT_COUNT(ring)];

	switch (t.kind) {
	case QT_TYPE_INT:
		snprintf(out, sizeof(ring[0]), "%sint%u%s", t.is_signed ? "" : "u", t.size * 8, unit_text[t.unit]);
		return out;
	case QT_TYPE_PTR:
		ptr_text(t, out, sizeof(ring[0]));
		return out;
	case QT_TYPE_STR:
		return "string";
	case QT_TYPE_COMM:
		return "comm";
	case QT_TYPE_PROBE:
		return t.func ? "func" : "probe";
	case QT_TYPE_SHOWN:
		return qt_shown_info(t.shown)->name;
	case QT_TYPE_VOID:
		return "void";
	case QT_TYPE_ERROR:
		return "unknown";
	}
	return "";
}

const char *qt_type_words(struct qt_type t)
{
	static _Thread_local char ring[8][80];
	static _Thread_local unsigned next;
	char *out = ring[next++ % QT_COUNT(ring)];

	switch (t.kind) {
	case QT_TYPE_INT:
		snprintf(out, sizeof(ring[0]), "%s %s", t.is_signed ? "an" : "a", qt_type_text(t));
		return out;
	case QT_TYPE_PTR:
		snprintf(out, sizeof(ring[0]), "an address (%s)", qt_type_text(t));
		return out;
	case QT_TYPE_SHOWN:
		return qt_shown_info(t.shown)->words;
	case QT_TYPE_VOID:
		return "nothing";
	case QT_TYPE_ERROR:
		return "something unknown";
	default:
		return "a text";
	}
}

static bool same_target(const struct qt_type *a, const struct qt_type *b)
{
	return a == b || (a && b && qt_type_eq(*a, *b));
}

bool qt_type_eq(struct qt_type a, struct qt_type b)
{
	if (a.kind != b.kind)
		return false;
	if (a.kind == QT_TYPE_INT)
		return a.size == b.size && a.is_signed == b.is_signed && a.unit == b.unit && a.literal == b.literal;
	if (a.kind == QT_TYPE_PTR)
		return a.space == b.space && same_target(a.to, b.to);
	if (a.kind == QT_TYPE_SHOWN)
		return a.shown == b.shown;
	return a.kind != QT_TYPE_PROBE || a.func == b.func;
}

static enum qt_unit join_units(struct qt_type a, struct qt_type b)
{
	if (a.unit == b.unit || (b.literal && b.unit == QT_UNIT_NONE))
		return a.unit;
	if (a.literal && a.unit == QT_UNIT_NONE)
		return b.unit;
	return QT_UNIT_NONE;
}

static struct qt_type join_ints(struct qt_type a, struct qt_type b)
{
	struct qt_type t = QT_INT(a.size > b.size ? a.size : b.size, false);

	t.literal = a.literal && b.literal;
	t.unit = join_units(a, b);
	if (a.literal != b.literal) {
		t.size = 8;
		t.is_signed = a.literal ? b.is_signed : a.is_signed;
		return t;
	}
	t.is_signed = a.is_signed || b.is_signed;
	if (a.is_signed != b.is_signed)
		t.size = 8;
	return t;
}

static bool is_number(struct qt_type t)
{
	return t.kind == QT_TYPE_INT || t.kind == QT_TYPE_PTR;
}

static bool is_text(struct qt_type t)
{
	return t.kind == QT_TYPE_STR || t.kind == QT_TYPE_COMM || t.kind == QT_TYPE_PROBE;
}

bool qt_type_join(struct qt_type a, struct qt_type b, struct qt_type *out)
{
	*out = a;
	if (qt_type_eq(a, b) || b.kind == QT_TYPE_ERROR)
		return true;
	if (a.kind == QT_TYPE_ERROR)
		*out = b;
	else if (a.kind == QT_TYPE_INT && b.kind == QT_TYPE_INT)
		*out = join_ints(a, b);
	else if (a.kind == QT_TYPE_PTR && b.kind == QT_TYPE_PTR && a.space == b.space)
		out->to = NULL;
	else if (a.kind == QT_TYPE_PTR && b.kind == QT_TYPE_INT && b.literal)
		*out = a;
	else if (b.kind == QT_TYPE_PTR && a.kind == QT_TYPE_INT && a.literal)
		*out = b;
	else if (is_number(a) && is_number(b))
		*out = join_ints(a.kind == QT_TYPE_PTR ? QT_U64 : a, b.kind == QT_TYPE_PTR ? QT_U64 : b);
	else if (is_text(a) && is_text(b))
		*out = (struct qt_type){ .kind = QT_TYPE_STR };
	else
		return false;
	return true;
}

struct qt_type qt_type_stored(struct qt_type t)
{
	if (t.kind == QT_TYPE_INT)
		t.size = 8;
	if (t.kind == QT_TYPE_COMM)
		t = (struct qt_type){ .kind = QT_TYPE_STR };
	return t;
}

static const struct {
	const char *name;
	uint8_t size; /* 0: void */
	bool is_signed;
} names[] = {
	{ "uint64", 8, false },
	{ "int64", 8, true },
	{ "uint32", 4, false },
	{ "int32", 4, true },
	{ "uint16", 2, false },
	{ "int16", 2, true },
	{ "uint8", 1, false },
	{ "int8", 1, true },
	{ "uint64_t", 8, false },
	{ "int64_t", 8, true },
	{ "uint32_t", 4, false },
	{ "int32_t", 4, true },
	{ "uint16_t", 2, false },
	{ "int16_t", 2, true },
	{ "uint8_t", 1, false },
	{ "int8_t", 1, true },
	{ "u64", 8, false },
	{ "s64", 8, true },
	{ "u32", 4, false },
	{ "s32", 4, true },
	{ "u16", 2, false },
	{ "s16", 2, true },
	{ "u8", 1, false },
	{ "s8", 1, true },
	{ "bool", 1, false },
	{ "char", 1, true },
	{ "signed char", 1, true },
	{ "unsigned char", 1, false },
	{ "short", 2, true },
	{ "unsigned short", 2, false },
	{ "int", 4, true },
	{ "signed", 4, true },
	{ "signed int", 4, true },
	{ "unsigned", 4, false },
	{ "unsigned int", 4, false },
	{ "long", 8, true },
	{ "unsigned long", 8, false },
	{ "long int", 8, true },
	{ "unsigned long int", 8, false },
	{ "long long", 8, true },
	{ "unsigned long long", 8, false },
	{ "size_t", 8, false },
	{ "ssize_t", 8, true },
	{ "uintptr_t", 8, false },
	{ "intptr_t", 8, true },
	{ "off_t", 8, true },
	{ "pid_t", 4, true },
	{ "uid_t", 4, false },
	{ "gid_t", 4, false },
	{ "void", 0, false },
};

bool qt_type_find(const char *name, struct qt_type *out)
{
	for (size_t i = 0; i < QT_COUNT(names); i++) {
		if (strcmp(names[i].name, name))
			continue;
		*out = names[i].size ? QT_INT(names[i].size, names[i].is_signed) : (struct qt_type){ .kind = QT_TYPE_VOID };
		return true;
	}
	return false;
}

void qt_type_each_name(void (*fn)(void *ctx, const char *name), void *ctx)
{
	for (size_t i = 0; i < QT_COUNT(names); i++)
		fn(ctx, names[i].name);
}
