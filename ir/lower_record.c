/* Records of the ring: printf, print, clear. Without texts a record has one size and is written in place; with texts it is opened with its exact size. */
#include "base/check.h"
#include "ir/lower_internal.h"

#define HEAD_BYTES 24u /* struct qt_record_head */
#define CHUNK_BYTES 64u /* words are carried to an open record in buffers of at most this size */

_Static_assert(sizeof(struct qt_record_head) == HEAD_BYTES, "three words");

/* ---- formats ---- */

static struct qt_plan_piece piece_of(struct qt_lower *l, const struct qt_format_piece *p)
{
	/* The two enums name the same forms. */
	static const enum qt_conv convs[] = {
		[QT_FMT_TEXT] = QT_CONV_TEXT,
		[QT_FMT_INT] = QT_CONV_INT,
		[QT_FMT_UINT] = QT_CONV_UINT,
		[QT_FMT_HEX] = QT_CONV_HEX,
		[QT_FMT_HEX_UPPER] = QT_CONV_HEX_UPPER,
		[QT_FMT_OCTAL] = QT_CONV_OCTAL,
		[QT_FMT_CHAR] = QT_CONV_CHAR,
		[QT_FMT_STR] = QT_CONV_STR,
		[QT_FMT_PTR] = QT_CONV_PTR,
		[QT_FMT_VALUE] = QT_CONV_VALUE,
	};

	return (struct qt_plan_piece){ .conv = convs[p->kind],
				       .width = p->width,
				       .precision = p->precision,
				       .left = p->left,
				       .zero = p->zero,
				       .plus = p->plus,
				       .space = p->space,
				       .alternate = p->alternate,
				       .text = { qt_arena_strndup(l->plan->arena, p->text.ptr, p->text.len), p->text.len } };
}

static uint32_t format_words(const struct qt_format *f)
{
	uint32_t n = 0;

	qt_vec_each (type, &f->args)
		n += qt_layout_words(*type);
	return n;
}

static bool is_text(struct qt_type t)
{
	return t.kind == QT_TYPE_STR || (t.kind == QT_TYPE_SHOWN && qt_shown_info(t.shown)->bytes);
}

static void check_size(struct qt_lower *l, const struct qt_format *f)
{
	uint64_t size = HEAD_BYTES + format_words(f) * 8ull, words = size;

	qt_vec_each (type, &f->args)
		size += is_text(*type) ? qt_plan_text_room(l->plan) : 0;
	if (size <= QT_RECORD_BYTES_MAX)
		return;
	l->failed = true;
	qt_diag_hint(l->diags,
		     qt_diag_add(l->diags, QT_E0505, f->span, "a line of this printf can take %llu bytes, at most %u", (unsigned long long)size,
				 QT_RECORD_BYTES_MAX),
		     "%s", words > QT_RECORD_BYTES_MAX ? "print less at once" : "use fewer texts, or shorter ones: config = { max_strlen = N; }");
}

void qt_lower_formats(struct qt_lower *l)
{
	qt_vec_each (f, &l->program->formats) {
		struct qt_plan_format *to = qt_vec_push(l->plan->arena, &l->plan->formats);
		uint32_t offset = 0;

		qt_vec_each (piece, &f->pieces)
			*qt_vec_push(l->plan->arena, &to->pieces) = piece_of(l, piece);
		qt_vec_each (type, &f->args) {
			*qt_vec_push(l->plan->arena, &to->args) = qt_layout_field(l, "", *type, offset);
			offset += qt_layout_words(*type) * 8;
		}
		check_size(l, f);
	}
}

/* ---- heads ---- */

static uint64_t head_word(enum qt_record_kind kind, uint32_t index, uint32_t size)
{
	return (uint64_t)kind | (uint64_t)index << 16 | (uint64_t)size << 32;
}

static void store(struct qt_lower *l, uint32_t row, uint32_t v, uint32_t offset)
{
	qt_flow_sized(l, QT_IR_row_store, row, v, offset, 8, false);
}

/* A reserved record with its head; a full ring is counted and goes to DONE. */
static uint32_t reserve(struct qt_lower *l, enum qt_record_kind kind, uint32_t index, uint32_t size, uint32_t done)
{
	uint32_t head = qt_ir_const(&l->b, head_word(kind, index, size)), now = qt_flow_now(l), who = qt_flow_pid_tgid(l);
	uint32_t row = qt_flow_may_fail(l, QT_IR_ring_reserve, 0, 0, size, qt_flow_count(l, QT_LOSS_ring_full, NULL, done));

	store(l, row, head, 0);
	store(l, row, now, 8);
	store(l, row, who, 16);
	return row;
}

static void table_record(struct qt_lower *l, enum qt_record_kind kind, uint32_t table)
{
	uint32_t done = qt_flow_block(l), row = reserve(l, kind, table, HEAD_BYTES, done);

	qt_flow_op(l, QT_IR_ring_submit, row, 0, 0);
	qt_flow_join(l, done);
}

void qt_lower_print(struct qt_lower *l, const struct qt_stmt *s)
{
	table_record(l, QT_RECORD_PRINT, qt_layout_map_table(l, s->index));
}

void qt_lower_clear_map(struct qt_lower *l, const struct qt_stmt *s)
{
	table_record(l, QT_RECORD_CLEAR, qt_layout_map_table(l, s->index));
}

/* ---- printf ---- */

/* The arguments of a printf while its record is made. */
struct line {
	const struct qt_stmt *stmt;
	enum qt_record_kind kind;
	const struct qt_format *format;
	uint32_t *words; /* of numbers; of texts: length and flags */
	uint32_t *texts; /* buffers; of numbers: QT_IR_NO_BUF */
	uint32_t *lens; /* of texts */
	uint32_t nwords;
};

static void text_words(struct qt_lower *l, struct line *line, uint32_t n)
{
	uint32_t flags = qt_flow_buf(l, QT_IR_text_flags, 0, 0, line->texts[n]);

	line->lens[n] = qt_flow_buf(l, QT_IR_text_len, 0, 0, line->texts[n]);
	flags = qt_ir_bin(&l->b, QT_IR_shl, flags, qt_ir_const(&l->b, 32));
	line->words[n] = qt_ir_bin(&l->b, QT_IR_or, line->lens[n], flags);
}

static void line_args(struct qt_lower *l, struct line *line)
{
	for (uint32_t n = 0; n < line->stmt->args.len; n++) {
		struct qt_type t = line->format->args.items[n];
		const struct qt_expr *e = line->stmt->args.items[n];

		line->texts[n] = is_text(t) ? qt_lower_text(l, e) : QT_IR_NO_BUF;
		if (!is_text(t) && t.kind != QT_TYPE_COMM)
			line->words[n] = qt_lower_word(l, e);
	}
	for (uint32_t n = 0; n < line->stmt->args.len; n++) {
		if (line->texts[n] != QT_IR_NO_BUF)
			text_words(l, line, n);
	}
}

static void write_fixed(struct qt_lower *l, const struct line *line)
{
	uint32_t done = qt_flow_block(l), offset = HEAD_BYTES;
	uint32_t row = reserve(l, line->kind, line->stmt->index, HEAD_BYTES + line->nwords * 8, done);

	for (uint32_t n = 0; n < line->stmt->args.len; n++) {
		if (line->format->args.items[n].kind == QT_TYPE_COMM)
			qt_flow_op(l, QT_IR_row_comm, row, 0, offset);
		else
			store(l, row, line->words[n], offset);
		offset += qt_layout_words(line->format->args.items[n]) * 8;
	}
	qt_flow_op(l, QT_IR_ring_submit, row, 0, 0);
	qt_flow_join(l, done);
}

/* Words on their way to an open record, a buffer at a time. */
struct carrier {
	uint32_t buf, filled, size; /* of the buffer */
	uint32_t at, total; /* in the record */
};

static void carry_room(struct qt_lower *l, struct carrier *c, struct qt_span span)
{
	if (c->size)
		return;
	c->size = c->total - c->at < CHUNK_BYTES ? c->total - c->at : CHUNK_BYTES;
	c->buf = qt_flow_words(l, c->size, span);
}

static void carry_sent(struct qt_lower *l, struct carrier *c, uint32_t bytes)
{
	c->filled += bytes;
	if (c->filled < c->size)
		return;
	qt_flow_buf(l, QT_IR_ring_words, 0, c->at, c->buf);
	qt_flow_words_done(l, c->buf);
	c->at += c->size;
	c->size = c->filled = 0;
}

static void carry(struct qt_lower *l, struct carrier *c, uint32_t v, struct qt_span span)
{
	carry_room(l, c, span);
	qt_flow_buf(l, QT_IR_buf_store, v, c->filled, c->buf);
	carry_sent(l, c, 8);
}

/* A name goes through a buffer of its own: it may not fit in what is left of the carrier's. */
static void carry_comm(struct qt_lower *l, struct carrier *c, struct qt_span span)
{
	uint32_t buf = qt_flow_words(l, 16, span), low, high;

	qt_flow_buf(l, QT_IR_buf_comm, 0, 0, buf);
	low = qt_flow_buf(l, QT_IR_buf_load, 0, 0, buf);
	high = qt_flow_buf(l, QT_IR_buf_load, 0, 8, buf);
	qt_flow_words_done(l, buf);
	carry(l, c, low, span);
	carry(l, c, high, span);
}

static void carry_args(struct qt_lower *l, struct carrier *c, const struct line *line)
{
	for (uint32_t n = 0; n < line->stmt->args.len; n++) {
		if (line->format->args.items[n].kind == QT_TYPE_COMM)
			carry_comm(l, c, line->stmt->span);
		else
			carry(l, c, line->words[n], line->stmt->span);
	}
}

/* Where each text goes, and behind the last one the size of the whole. */
static uint32_t text_offsets(struct qt_lower *l, const struct line *line, uint32_t *offsets)
{
	uint32_t end = qt_ir_const(&l->b, HEAD_BYTES + line->nwords * 8ull);

	for (uint32_t n = 0; n < line->stmt->args.len; n++) {
		offsets[n] = end;
		if (line->texts[n] != QT_IR_NO_BUF)
			end = qt_ir_bin(&l->b, QT_IR_add, end, line->lens[n]);
	}
	return end;
}

/* The first word of a head whose size is known only now. */
static uint32_t sized_head(struct qt_lower *l, enum qt_record_kind kind, uint32_t index, uint32_t size)
{
	uint32_t shifted = qt_ir_bin(&l->b, QT_IR_shl, size, qt_ir_const(&l->b, 32));

	return qt_ir_bin(&l->b, QT_IR_or, shifted, qt_ir_const(&l->b, head_word(kind, index, 0)));
}

static void write_open(struct qt_lower *l, const struct line *line)
{
	uint32_t *offsets = QT_NEW_ARRAY(l->arena, uint32_t, line->stmt->args.len), done = qt_flow_block(l);
	uint32_t size = text_offsets(l, line, offsets), head = sized_head(l, line->kind, line->stmt->index, size);
	uint32_t now = qt_flow_now(l), who = qt_flow_pid_tgid(l);
	struct carrier c = { .total = HEAD_BYTES + line->nwords * 8 };

	qt_flow_may_fail(l, QT_IR_ring_open, size, 0, 0, qt_flow_count(l, QT_LOSS_ring_full, NULL, done));
	carry(l, &c, head, line->stmt->span);
	carry(l, &c, now, line->stmt->span);
	carry(l, &c, who, line->stmt->span);
	carry_args(l, &c, line);
	for (uint32_t n = 0; n < line->stmt->args.len; n++) {
		if (line->texts[n] != QT_IR_NO_BUF)
			qt_flow_buf(l, QT_IR_ring_text, offsets[n], 0, line->texts[n]);
	}
	qt_flow_op(l, QT_IR_ring_close, 0, 0, 0);
	qt_flow_join(l, done);
}

static bool any_text(const struct qt_format *f)
{
	qt_vec_each (type, &f->args) {
		if (is_text(*type))
			return true;
	}
	return false;
}

static enum qt_record_kind record_kind(enum qt_stmt_kind k)
{
	return k == QT_S_SYSTEM ? QT_RECORD_SYSTEM : k == QT_S_CAT ? QT_RECORD_CAT : QT_RECORD_PRINTF;
}

void qt_lower_printf(struct qt_lower *l, const struct qt_stmt *s)
{
	const struct qt_format *f = &l->program->formats.items[s->index];
	struct line line = { .stmt = s, .kind = record_kind(s->kind), .format = f, .nwords = format_words(f) };

	QT_ASSERT(f->args.len == s->args.len);
	line.words = QT_NEW_ARRAY(l->arena, uint32_t, s->args.len);
	line.texts = QT_NEW_ARRAY(l->arena, uint32_t, s->args.len);
	line.lens = QT_NEW_ARRAY(l->arena, uint32_t, s->args.len);
	line_args(l, &line);
	if (any_text(f))
		write_open(l, &line);
	else
		write_fixed(l, &line);
	for (uint32_t n = 0; n < s->args.len; n++) {
		if (line.texts[n] != QT_IR_NO_BUF)
			qt_flow_text_done(l, line.texts[n]);
	}
}
