/* printf records to text, by the plan's formats; every length is checked against the record before it is used. */
#include "plan/decode.h"

#include "base/check.h"
#include "base/text.h"
#include "plan/fields.h"

#include <inttypes.h>
#include <string.h>

/* An argument of a record: a number, or a text. */
struct arg {
	bool is_text, is_signed;
	enum qt_unit unit;
	uint64_t number;
	const char *ptr;
	uint32_t len, flags;
};

struct cursor {
	const struct qt_plan *plan;
	const struct qt_store *store;
	struct qt_arena *arena; /* of shown texts */
	struct qt_buf *params; /* of a command: its texts go here; NULL: no command */
	uint32_t nparams;
	const char *body; /* behind the head */
	size_t size; /* of the body */
	size_t text; /* where the next text begins */
};

static bool text_arg(struct cursor *c, uint64_t word, struct arg *out)
{
	uint32_t len = (uint32_t)word;

	if (len > c->size - c->text)
		return false;
	*out = (struct arg){ .is_text = true, .ptr = c->body + c->text, .len = len, .flags = (uint32_t)(word >> 32) };
	c->text += len;
	return true;
}

/* The bytes of a stack, a symbol or an address lie where a text's do. */
static bool shown_arg(struct cursor *c, const struct qt_field *f, uint64_t word, struct arg *out)
{
	struct qt_value v;

	if (!text_arg(c, word, out))
		return false;
	if (out->flags & QT_TEXT_UNREADABLE)
		return true;
	v = qt_shown_value(c->store, f->shown, out->ptr, out->len, c->arena);
	*out = (struct arg){ .is_text = true, .ptr = v.text.ptr, .len = v.text.len, .flags = v.text.flags };
	return true;
}

static bool value_arg(const struct cursor *c, const struct qt_field *f, const char *at, struct arg *out)
{
	struct qt_value v = qt_field_value(c->plan, c->store, f, at, c->arena);

	*out = (struct arg){ .is_text = v.kind == QT_VALUE_TEXT, .is_signed = f->is_signed, .unit = f->unit };
	if (out->is_text) {
		out->ptr = v.text.ptr;
		out->len = v.text.len;
	} else {
		out->number = v.u;
	}
	return true;
}

/* Reads the next argument; its words were checked to lie within the body. */
static bool next_arg(struct cursor *c, const struct qt_field *f, struct arg *out)
{
	const char *at = c->body + f->offset;
	struct qt_str comm;
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	if (f->kind == QT_FIELD_TEXT)
		return text_arg(c, word, out);
	if (f->kind == QT_FIELD_SHOWN && qt_shown_info(f->shown)->bytes)
		return shown_arg(c, f, word, out);
	if (f->kind != QT_FIELD_COMM)
		return value_arg(c, f, at, out);
	comm = qt_comm_text(at);
	*out = (struct arg){ .is_text = true, .ptr = comm.ptr, .len = (uint32_t)comm.len };
	return true;
}

/* As bpftrace prints a stack: a line end, then a line a frame, each four blanks in. */
static void put_frames(struct qt_buf *out, const char *s, size_t len, bool raw)
{
	qt_buf_addc(out, '\n');
	for (const char *end = s + len; s < end; s += strcspn(s, "\n") + 1) {
		qt_buf_pad(out, ' ', 4);
		if (raw)
			qt_buf_add(out, s, strcspn(s, "\n"));
		else
			qt_text_escape(out, s, strcspn(s, "\n"), QT_ESCAPE_STREAM);
		qt_buf_addc(out, '\n');
	}
}

/* Adds TEXT, filled up to the piece's width with blanks; cells count, not bytes. */
static void put_padded(struct qt_buf *out, const struct qt_plan_piece *piece, struct qt_str text)
{
	size_t cells = qt_text_cells(text.ptr, text.len), width = piece->width > 0 ? (size_t)piece->width : 0;
	size_t pad = cells < width ? width - cells : 0;

	if (!piece->left)
		qt_buf_pad(out, ' ', pad);
	qt_buf_add(out, text.ptr, text.len);
	if (piece->left)
		qt_buf_pad(out, ' ', pad);
}

/* At most PRECISION bytes, and no character cut in two. */
static size_t cut(const char *s, size_t len, int32_t precision)
{
	size_t n = precision >= 0 && (size_t)precision < len ? (size_t)precision : len, at = n;

	while (n < len && at && ((unsigned char)s[at] & 0xc0) == 0x80)
		at--;
	return at || n == len ? at : n;
}

static void put_text(struct cursor *c, struct qt_buf *out, const struct qt_plan_piece *piece, const struct arg *a, unsigned form)
{
	struct qt_buf text = { 0 };
	size_t len = cut(a->ptr, a->len, piece->precision);

	if (a->flags & QT_TEXT_UNREADABLE)
		qt_buf_adds(&text, "<unreadable>");
	else if (a->flags & QT_TEXT_LINES)
		put_frames(&text, a->ptr, a->len, form & QT_PRINTF_UNESCAPED);
	else if (form & QT_PRINTF_UNESCAPED)
		qt_buf_add(&text, a->ptr, len);
	else
		qt_text_escape(&text, a->ptr, len, QT_ESCAPE_STREAM);
	if ((a->flags & QT_TEXT_TRUNCATED) && len == a->len)
		qt_buf_adds(&text, "...");
	if (c->params && text.ptr)
		text.len = strlen(text.ptr); /* a parameter ends at a NUL */
	put_padded(c->params ? c->params : out, piece, (struct qt_str){ text.ptr ? text.ptr : "", text.len });
	qt_buf_free(&text);
	if (!c->params)
		return;
	qt_buf_addc(c->params, 0);
	qt_buf_printf(out, "\"${%u}\"", ++c->nparams);
}

static void put_char(struct cursor *cur, struct qt_buf *out, const struct qt_plan_piece *piece, const struct arg *a, unsigned form)
{
	char c = (char)a->number;
	struct arg text = { .is_text = true, .ptr = &c, .len = 1 };
	struct qt_plan_piece whole = *piece;

	whole.precision = -1;
	put_text(cur, out, &whole, &text, form);
}

static void put_number(struct qt_buf *out, const struct qt_plan_piece *piece, uint64_t value)
{
	static const char *const conv[QT_CONV_KINDS] = {
		[QT_CONV_INT] = PRId64,	      [QT_CONV_UINT] = PRIu64,	[QT_CONV_HEX] = PRIx64,
		[QT_CONV_HEX_UPPER] = PRIX64, [QT_CONV_OCTAL] = PRIo64, [QT_CONV_PTR] = PRIx64,
	};
	struct qt_buf fmt = { 0 };

	qt_buf_adds(&fmt, "%");
	qt_buf_adds(&fmt, piece->left ? "-" : "");
	qt_buf_adds(&fmt, piece->zero ? "0" : "");
	qt_buf_adds(&fmt, piece->plus ? "+" : "");
	qt_buf_adds(&fmt, piece->space ? " " : "");
	qt_buf_adds(&fmt, piece->alternate || piece->conv == QT_CONV_PTR ? "#" : "");
	if (piece->width >= 0)
		qt_buf_printf(&fmt, "%d", piece->width);
	if (piece->precision >= 0)
		qt_buf_printf(&fmt, ".%d", piece->precision);
	qt_buf_adds(&fmt, conv[piece->conv]);
	qt_buf_printf(out, fmt.ptr, value);
	qt_buf_free(&fmt);
}

/* As %s shows a number: with its unit. */
static void put_value(struct qt_buf *out, const struct qt_plan_piece *piece, const struct arg *a, enum qt_unit unit)
{
	struct qt_buf text = { 0 };

	if (a->is_signed)
		qt_signed_text(&text, (int64_t)a->number, unit);
	else
		qt_number_text(&text, a->number, unit);
	put_padded(out, piece, (struct qt_str){ text.ptr, text.len });
	qt_buf_free(&text);
}

static void put_arg(struct cursor *c, struct qt_buf *out, const struct qt_plan_piece *piece, const struct arg *a, unsigned form)
{
	if (piece->conv == QT_CONV_STR && a->is_text)
		put_text(c, out, piece, a, form);
	else if (piece->conv == QT_CONV_STR)
		put_value(out, piece, a, a->unit);
	else if (piece->conv == QT_CONV_VALUE)
		put_value(out, piece, a, form & QT_PRINTF_PLAIN ? QT_UNIT_NONE : a->unit);
	else if (piece->conv == QT_CONV_CHAR)
		put_char(c, out, piece, a, form);
	else
		put_number(out, piece, a->number);
}

/* Where the texts begin: behind the last word. False when the words do not fit the body. */
static bool find_texts(struct cursor *c, const struct qt_plan_format *f)
{
	qt_vec_each (arg, &f->args) {
		uint64_t end = (uint64_t)arg->offset + qt_field_size(arg);

		if (end > c->size)
			return false;
		c->text = end > c->text ? end : c->text;
	}
	return true;
}

static bool render(struct cursor *c, const struct qt_plan_format *f, unsigned form, struct qt_buf *out)
{
	const struct qt_field *field = f->args.items;

	qt_vec_each (piece, &f->pieces) {
		struct arg a;

		if (piece->conv == QT_CONV_TEXT) {
			qt_buf_add(out, piece->text.ptr, piece->text.len);
			continue;
		}
		if (field == f->args.items + f->args.len || !next_arg(c, field, &a))
			return false;
		field++;
		put_arg(c, out, piece, &a, form);
	}
	return true;
}

static bool decode(const struct qt_plan *p, const struct qt_store *store, const void *record, size_t size, unsigned form, struct qt_buf *out, struct qt_buf *params, uint32_t *nparams)
{
	struct qt_record_head head;
	struct cursor c = { .plan = p, .store = store, .params = params, .body = (const char *)record + sizeof(head) };
	size_t before = out->len;
	bool ok;

	if (size < sizeof(head))
		return false;
	memcpy(&head, record, sizeof(head));
	if ((head.kind != QT_RECORD_PRINTF && head.kind != QT_RECORD_SYSTEM && head.kind != QT_RECORD_CAT) || head.index >= p->formats.len || head.size < sizeof(head) || head.size > size)
		return false;
	c.size = head.size - sizeof(head);
	c.arena = qt_arena_new();
	ok = find_texts(&c, &p->formats.items[head.index]) && render(&c, &p->formats.items[head.index], form, out);
	qt_arena_free(c.arena);
	*nparams = c.nparams;
	if (ok)
		return true;
	out->len = before;
	if (out->ptr)
		out->ptr[before] = 0;
	return false;
}

bool qt_decode_printf(const struct qt_plan *p, const struct qt_store *store, const void *record, size_t size, unsigned form, struct qt_buf *out)
{
	uint32_t none;

	return decode(p, store, record, size, form, out, NULL, &none);
}

bool qt_decode_command(const struct qt_plan *p, const struct qt_store *store, const void *record, size_t size, struct qt_buf *command, struct qt_buf *params,
		       uint32_t *nparams)
{
	return decode(p, store, record, size, QT_PRINTF_UNESCAPED, command, params, nparams);
}
