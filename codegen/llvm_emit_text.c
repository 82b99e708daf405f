/* Texts in scratch: read, named by their id, stored once in the map `strings`. Behind each text 8 bytes are zero, so that it can be hashed word by word.
 * Lengths are read from scratch again wherever they bound an access: the verifier then knows them by their bound alone. */
#include "base/space.h"
#include "codegen/codegen_internal.h"

#include <stddef.h>

#define A(e, i) ((e)->values[(i)->a])
#define B(e, i) ((e)->values[(i)->b])

LLVMValueRef qt_text_at(struct qt_emit *e, uint32_t buf)
{
	struct qt_module *u = e->u;

	return qt_at(u, LLVMBuildLoad2(u->b, u->ptr, e->scratch, ""), e->fn->bufs.items[buf].offset);
}

static LLVMValueRef bytes_of(struct qt_emit *e, LLVMValueRef text)
{
	return qt_at(e->u, text, offsetof(struct qt_text, bytes));
}

static LLVMValueRef limit(struct qt_emit *e)
{
	return qt_int(e->u, e->u->plan->max_strlen);
}

/* One more than fits: so a text of exactly max_strlen bytes is told from a longer one. */
static LLVMValueRef most_length(struct qt_emit *e)
{
	return qt_int(e->u, (uint64_t)e->u->plan->max_strlen + 1);
}

/* The smaller of V and MOST, in a form that the verifier follows. */
static LLVMValueRef at_most(struct qt_emit *e, LLVMValueRef v, LLVMValueRef most)
{
	return LLVMBuildSelect(e->u->b, qt_compare(e->u, LLVMIntUGT, v, most), most, v, "");
}

static LLVMValueRef bounded_length(struct qt_emit *e, LLVMValueRef text)
{
	return at_most(e, qt_load_raw(e->u, text, 4, false), qt_int(e->u, qt_plan_text_room(e->u->plan)));
}

/* Length and flags are written as one word. */
static LLVMValueRef head_word(struct qt_emit *e, uint64_t len, uint64_t flags)
{
	return qt_int(e->u, flags << 32 | len);
}

/* Zeros behind the last byte. Said to be aligned, which it is not: else LLVM would store byte by byte, which no machine needs that qtrace runs on. */
static void pad(struct qt_emit *e, LLVMValueRef text, LLVMValueRef len)
{
	qt_store(e->u, qt_at_value(e->u, bytes_of(e, text), len), qt_int(e->u, 0), 8);
}

static void set_empty(struct qt_emit *e, LLVMValueRef text, LLVMValueRef flags)
{
	qt_store(e->u, text, LLVMBuildShl(e->u->b, flags, qt_int(e->u, 32), ""), 8);
	qt_store(e->u, bytes_of(e, text), qt_int(e->u, 0), 8);
}

/* LEN bytes were wanted and all that fit are there. */
static void set_read(struct qt_emit *e, LLVMValueRef text, LLVMValueRef len)
{
	struct qt_module *u = e->u;
	LLVMBasicBlockRef from = LLVMGetInsertBlock(u->b), cut = qt_block(u, ""), done = qt_block(u, "");
	LLVMValueRef kept, word;

	qt_branch_rarely(u, qt_compare(u, LLVMIntUGT, len, limit(e)), cut, done);
	LLVMPositionBuilderAtEnd(u->b, cut);
	LLVMBuildBr(u->b, done);
	LLVMPositionBuilderAtEnd(u->b, done);
	kept = qt_phi(u, u->i64, len, from, limit(e), cut);
	word = qt_phi(u, u->i64, len, from, head_word(e, u->plan->max_strlen, QT_TEXT_TRUNCATED), cut);
	qt_store(u, text, word, 8);
	pad(e, text, kept);
}

static LLVMValueRef negative(struct qt_emit *e, LLVMValueRef v)
{
	return qt_compare(e->u, LLVMIntSLT, v, qt_int(e->u, 0));
}

/* A text and its NUL. */
static LLVMValueRef read_string(struct qt_emit *e, LLVMValueRef text, uint64_t space, LLVMValueRef room, LLVMValueRef from)
{
	LLVMValueRef to = bytes_of(e, text);

	return space == QT_SPACE_KERNEL ? QT_CALL(e->u, probe_read_kernel_str, to, room, from) : QT_CALL(e->u, probe_read_user_str, to, room, from);
}

static LLVMValueRef read_bytes(struct qt_emit *e, LLVMValueRef text, uint64_t space, LLVMValueRef size, LLVMValueRef from)
{
	LLVMValueRef to = bytes_of(e, text);

	return space == QT_SPACE_KERNEL ? QT_CALL(e->u, probe_read_kernel, to, size, from) : QT_CALL(e->u, probe_read_user, to, size, from);
}

static LLVMValueRef most_room(struct qt_emit *e)
{
	return qt_int(e->u, (uint64_t)e->u->plan->max_strlen + 2);
}

/* A failed read leaves an empty text that says so. FAILED is where the way goes on then. */
static void unless_unreadable(struct qt_emit *e, LLVMValueRef text, LLVMValueRef bad, LLVMBasicBlockRef failed)
{
	struct qt_module *u = e->u;
	LLVMBasicBlockRef sorry = qt_block(u, ""), next = qt_block(u, "");

	qt_branch_rarely(u, bad, sorry, next);
	LLVMPositionBuilderAtEnd(u->b, sorry);
	set_empty(e, text, qt_int(u, QT_TEXT_UNREADABLE));
	LLVMBuildBr(u->b, failed);
	LLVMPositionBuilderAtEnd(u->b, next);
}

/* An empty text is 1 byte with its NUL, but kernels before 6.12 say 0 for one in user memory: -1 becomes 0. */
static LLVMValueRef without_nul(struct qt_emit *e, LLVMValueRef n)
{
	LLVMBuilderRef b = e->u->b;
	LLVMValueRef len = LLVMBuildSub(b, n, qt_int(e->u, 1), "");

	return LLVMBuildAdd(b, len, LLVMBuildLShr(b, len, qt_int(e->u, 63), ""), "");
}

/* At most LEN bytes, up to a NUL among them. When the byte behind them, where the NUL would stand, is out of reach, exactly LEN are read: had
 * there been a NUL, the first read had ended there. A negative length reads nothing. The length rests in the text's head meanwhile: what the verifier knows about
 * the value (bits, other registers) and its bound together would confuse it. */
static void read_counted(struct qt_emit *e, const struct qt_ir_ins *i, LLVMValueRef text)
{
	struct qt_module *u = e->u;
	LLVMBasicBlockRef exact = qt_block(u, ""), done = qt_block(u, ""), first, second;
	LLVMValueRef room, n, len, wanted, result;

	qt_store(u, text, B(e, i), 8);
	room = LLVMBuildAdd(u->b, at_most(e, qt_load_raw(u, text, 8, false), most_length(e)), qt_int(u, 1), "");
	unless_unreadable(e, text, negative(e, B(e, i)), e->blocks[i->fail]);
	n = read_string(e, text, i->imm, room, A(e, i));
	len = without_nul(e, n);
	first = LLVMGetInsertBlock(u->b);
	qt_branch_rarely(u, negative(e, n), exact, done);
	LLVMPositionBuilderAtEnd(u->b, exact);
	wanted = qt_load_raw(u, text, 8, false);
	result = read_bytes(e, text, i->imm, at_most(e, wanted, limit(e)), A(e, i));
	unless_unreadable(e, text, negative(e, result), e->blocks[i->fail]);
	second = LLVMGetInsertBlock(u->b);
	LLVMBuildBr(u->b, done);
	LLVMPositionBuilderAtEnd(u->b, done);
	set_read(e, text, qt_phi(u, u->i64, len, first, wanted, second));
}

LLVMValueRef qt_op_text_read(struct qt_emit *e, const struct qt_ir_ins *i)
{
	LLVMValueRef text = qt_text_at(e, i->buf), n;

	if (i->has_b) {
		read_counted(e, i, text);
		return NULL;
	}
	n = read_string(e, text, i->imm, most_room(e), A(e, i));
	unless_unreadable(e, text, negative(e, n), e->blocks[i->fail]);
	set_read(e, text, without_nul(e, n));
	return NULL;
}

/* From kernel memory, with no failure block: an unreadable one is left empty and marked. */
static void read_known(struct qt_emit *e, uint32_t buf, LLVMValueRef room, LLVMValueRef from)
{
	LLVMBasicBlockRef done = qt_block(e->u, "");
	LLVMValueRef text = qt_text_at(e, buf);
	LLVMValueRef n = read_string(e, text, QT_SPACE_KERNEL, room, LLVMBuildPtrToInt(e->u->b, from, e->u->i64, ""));

	unless_unreadable(e, text, negative(e, n), done);
	set_read(e, text, without_nul(e, n));
	LLVMBuildBr(e->u->b, done);
	LLVMPositionBuilderAtEnd(e->u->b, done);
}

/* The low half of a __data_loc word is the text's offset from the record's begin. A char array need not end with a NUL. */
LLVMValueRef qt_op_text_ctx(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	LLVMValueRef from, room = most_room(e);

	if (i->size) {
		from = qt_at(u, e->ctx, i->imm);
		if (i->size <= u->plan->max_strlen)
			room = qt_int(u, i->size + 1);
	} else {
		LLVMValueRef word = qt_load_raw(u, qt_at(u, e->ctx, i->imm), 4, false);

		from = qt_at_value(u, e->ctx, LLVMBuildAnd(u->b, word, qt_int(u, 0xffff), ""));
	}
	read_known(e, i->buf, room, from);
	return NULL;
}

LLVMValueRef qt_op_text_name(struct qt_emit *e, const struct qt_ir_ins *i)
{
	uint64_t room = e->u->plan->max_strlen + 2 < 16 ? e->u->plan->max_strlen + 2 : 16;

	qt_store(e->u, qt_name16(e), A(e, i), 8);
	qt_store(e->u, qt_at(e->u, qt_name16(e), 8), B(e, i), 8);
	read_known(e, i->buf, qt_int(e->u, room), qt_name16(e));
	return NULL;
}

LLVMValueRef qt_op_text_comm(struct qt_emit *e, const struct qt_ir_ins *i)
{
	uint64_t room = e->u->plan->max_strlen + 2 < 16 ? e->u->plan->max_strlen + 2 : 16;

	QT_CALL(e->u, get_current_comm, qt_name16(e), qt_int(e->u, 16));
	read_known(e, i->buf, qt_int(e->u, room), qt_name16(e));
	return NULL;
}

static LLVMValueRef missed_frame(struct qt_emit *e, const struct qt_ir_ins *i, LLVMValueRef frames)
{
	struct qt_module *u = e->u;
	LLVMValueRef second;

	if (!i->has_b || i->size < 2)
		return i->has_b ? B(e, i) : qt_int(u, 0);
	second = qt_load_raw(u, qt_at(u, frames, 8), 8, false);
	return LLVMBuildSelect(u->b, qt_compare(u, LLVMIntEQ, second, B(e, i)), qt_int(u, 0), B(e, i), "");
}

/* The kernel writes behind the first two words; what it says it wrote is bounded once more for the verifier. */
LLVMValueRef qt_op_text_stack(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	LLVMValueRef text = qt_text_at(e, i->buf), most = qt_int(u, i->size * 8ull), kernel, user, flags, frames, n, missed, len;

	kernel = qt_int(u, 0), user = qt_int(u, QT_BPF_F_USER_STACK);
	flags = LLVMBuildAnd(u->b, A(e, i), qt_int(u, QT_STACK_USER), "");
	flags = LLVMBuildSelect(u->b, qt_compare(u, LLVMIntNE, flags, kernel), user, kernel, "");
	frames = qt_at(u, bytes_of(e, text), 16);
	if (i->has_b && i->size > 1) /* so that it is not one of a stack before */
		qt_store(u, qt_at(u, frames, 8), qt_int(u, 0), 8);
	n = QT_CALL(u, get_stack, e->ctx, frames, most, flags);
	unless_unreadable(e, text, negative(e, n), e->blocks[i->fail]);
	missed = missed_frame(e, i, frames);
	if (i->has_b)
		most = LLVMBuildSelect(u->b, qt_compare(u, LLVMIntNE, missed, qt_int(u, 0)), qt_int(u, (i->size - 1) * 8ull), most, "");
	len = LLVMBuildAdd(u->b, at_most(e, n, most), qt_int(u, 16), "");
	qt_store(u, bytes_of(e, text), A(e, i), 8);
	qt_store(u, qt_at(u, bytes_of(e, text), 8), missed, 8);
	qt_store(u, text, len, 8);
	pad(e, text, bounded_length(e, text));
	return NULL;
}

LLVMValueRef qt_op_text_bytes(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	LLVMValueRef text = qt_text_at(e, i->buf), size = qt_int(u, i->size);

	unless_unreadable(e, text, negative(e, read_bytes(e, text, i->imm, size, A(e, i))), e->blocks[i->fail]);
	qt_store(u, text, size, 8);
	pad(e, text, size);
	return NULL;
}

LLVMValueRef qt_op_text_word(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	LLVMValueRef text = qt_text_at(e, i->buf), word = A(e, i);

	if (i->size < 8)
		word = LLVMBuildAnd(u->b, word, qt_int(u, (1ull << 8 * i->size) - 1), "");
	qt_store(u, text, qt_int(u, i->imm + i->size), 8);
	qt_store(u, qt_at(u, bytes_of(e, text), i->imm), word, 8);
	qt_store(u, qt_at(u, bytes_of(e, text), i->imm + 8), qt_int(u, 0), 8);
	return NULL;
}

LLVMValueRef qt_op_text_load(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return qt_load_raw(e->u, qt_at(e->u, bytes_of(e, qt_text_at(e, i->buf)), i->imm), 8, false);
}

LLVMValueRef qt_op_text_flags(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return qt_load_raw(e->u, qt_at(e->u, qt_text_at(e, i->buf), offsetof(struct qt_text, flags)), 4, false);
}

LLVMValueRef qt_op_text_len(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return qt_load_raw(e->u, qt_text_at(e, i->buf), 4, false);
}

LLVMValueRef qt_op_text_hash(struct qt_emit *e, const struct qt_ir_ins *i)
{
	return qt_lib_call(e->u, qt_lib(e->u, QT_LIB_TEXT_ID, 0), qt_text_at(e, i->buf), NULL);
}

/* A text that another program stored meanwhile is as good: only what is absent after the update fails. */
LLVMValueRef qt_op_text_intern(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	LLVMValueRef id = qt_op_text_hash(e, i), map = qt_map(e, QT_MAP_STRINGS), found, result, full;
	LLVMBasicBlockRef add = qt_block(u, ""), known = qt_block(u, "");

	qt_store(u, qt_cell(e), id, 8);
	found = QT_CALL(u, map_lookup_elem, map, qt_cell(e));
	qt_branch_rarely(u, LLVMBuildIsNull(u->b, found, ""), add, known);
	LLVMPositionBuilderAtEnd(u->b, add);
	result = QT_CALL(u, map_update_elem, map, qt_cell(e), qt_text_at(e, i->buf), qt_int(u, QT_BPF_NOEXIST));
	full = LLVMBuildAnd(u->b, qt_compare(u, LLVMIntNE, result, qt_int(u, 0)), qt_compare(u, LLVMIntNE, result, qt_int(u, (uint64_t)-QT_EEXIST)),
			    "");
	qt_branch_rarely(u, full, e->blocks[i->fail], known);
	LLVMPositionBuilderAtEnd(u->b, known);
	return id;
}

/* Id 0 is no text at all, which is not the same as one that got lost. */
static LLVMValueRef absent_flags(struct qt_emit *e, LLVMValueRef id)
{
	struct qt_module *u = e->u;

	return LLVMBuildSelect(u->b, qt_compare(u, LLVMIntEQ, id, qt_int(u, QT_ID_NONE)), qt_int(u, 0), qt_int(u, QT_TEXT_UNREADABLE), "");
}

LLVMValueRef qt_op_text_byid(struct qt_emit *e, const struct qt_ir_ins *i)
{
	struct qt_module *u = e->u;
	LLVMBasicBlockRef absent = qt_block(u, ""), there = qt_block(u, "");
	LLVMValueRef text = qt_text_at(e, i->buf), found, len;

	qt_store(u, qt_cell(e), A(e, i), 8);
	found = QT_CALL(u, map_lookup_elem, qt_map(e, QT_MAP_STRINGS), qt_cell(e));
	qt_branch_rarely(u, LLVMBuildIsNull(u->b, found, ""), absent, there);
	LLVMPositionBuilderAtEnd(u->b, absent);
	set_empty(e, text, absent_flags(e, A(e, i)));
	LLVMBuildBr(u->b, e->blocks[i->fail]);
	LLVMPositionBuilderAtEnd(u->b, there);
	len = bounded_length(e, found);
	len = LLVMBuildAdd(u->b, len, qt_int(u, sizeof(struct qt_text)), "");
	QT_CALL(u, probe_read_kernel, text, len, LLVMBuildPtrToInt(u->b, found, u->i64, ""));
	pad(e, text, bounded_length(e, text));
	return NULL;
}

LLVMValueRef qt_op_ring_text(struct qt_emit *e, const struct qt_ir_ins *i)
{
	LLVMValueRef text = qt_text_at(e, i->buf);

	QT_CALL(e->u, dynptr_write, e->record, A(e, i), bytes_of(e, text), bounded_length(e, text), qt_int(e->u, 0));
	return NULL;
}
