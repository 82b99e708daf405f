/* Texts: read, cut, named, stored and found again in this kernel; their ids against qt_text_id. */
#include "base/space.h"
#include "tests/unit/codegen_kit.h"

#include <bpf/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LEN, FLAGS, ID, SECOND, FAILED = 255 };

/* Code between scratch_take and scratch_give; BUF is its text. */
static uint32_t begin_text(struct kit *k, const char *name)
{
	uint32_t buf;

	kit_program(k, name, QT_HOOK_raw_tracepoint);
	buf = qt_ir_text_new(&k->b);
	kit_op(k, QT_IR_scratch_take, 0, 0)->fail = k->end;
	return buf;
}

static uint32_t on_text(struct kit *k, enum qt_ir_op op, uint32_t buf)
{
	struct qt_ir_ins *i = kit_op(k, op, 0, 0);

	i->buf = buf;
	return i->dst;
}

static void end_text(struct kit *k, uint32_t buf)
{
	kit_result(k, LEN, on_text(k, QT_IR_text_len, buf));
	kit_result(k, FLAGS, on_text(k, QT_IR_text_flags, buf));
	kit_op(k, QT_IR_scratch_give, 0, 0);
	kit_ret(k);
}

/* A block of its own that marks the failure, tells about the text and gives the scratch back. */
static uint32_t text_failure(struct kit *k, uint32_t buf)
{
	uint32_t here = k->b.block, block = k->b.block = qt_ir_block_new(&k->b);

	kit_result(k, FAILED, qt_ir_const(&k->b, 1));
	end_text(k, buf);
	k->b.block = here;
	return block;
}

/* arg 0: address, arg 1: length when counted; the id is interned or only hashed. */
static void build_read(struct kit *k, const char *name, bool counted, enum qt_ir_op id)
{
	uint32_t buf = begin_text(k, name), failure = text_failure(k, buf), address = kit_arg(k, 0), len = counted ? kit_arg(k, 1) : 0;
	struct qt_ir_ins *i = kit_op(k, QT_IR_text_read, address, len);

	i->buf = buf;
	i->has_b = counted;
	i->imm = QT_SPACE_USER;
	i->fail = failure;
	i = kit_op(k, id, 0, 0);
	i->buf = buf;
	if (id == QT_IR_text_intern)
		i->fail = failure;
	kit_result(k, ID, i->dst);
	end_text(k, buf);
}

static void build_byid(struct kit *k)
{
	uint32_t buf = begin_text(k, "byid"), failure = text_failure(k, buf), id = kit_arg(k, 0);
	struct qt_ir_ins *i = kit_op(k, QT_IR_text_byid, id, 0);

	i->buf = buf;
	i->fail = failure;
	kit_result(k, ID, on_text(k, QT_IR_text_hash, buf));
	end_text(k, buf);
}

static void check_length(struct kit *k, char *text, unsigned len, unsigned max, const char *name)
{
	unsigned kept = len < max ? len : max;

	memset(text, 'x', len);
	for (unsigned n = 0; n < len; n++)
		text[n] = (char)('a' + (n * 7 + len) % 26);
	text[len] = 0;
	QT_NEED(KIT_RUN(k, name, (uint64_t)(uintptr_t)text, len));
	QT_EQ_INT(k->result[FAILED], 0);
	QT_EQ_INT(k->result[LEN], kept);
	QT_EQ_INT(k->result[FLAGS], len > max ? QT_TEXT_TRUNCATED : 0);
	QT_EQ_INT(k->result[ID], qt_text_id(text, kept, KIT_SEED0, KIT_SEED1));
}

static void ids_up_to(unsigned max, unsigned step)
{
	struct kit k;
	char *text = malloc(max + 64);

	kit_begin(&k, max);
	build_read(&k, "whole", false, QT_IR_text_hash);
	build_read(&k, "counted", true, QT_IR_text_hash);
	QT_NEED(kit_load(&k));
	for (unsigned len = 0; len <= max + 9; len += len < 40 || len >= max - 10 ? 1 : step) {
		check_length(&k, text, len, max, "whole");
		check_length(&k, text, len, max, "counted");
	}
	kit_end(&k);
	free(text);
}

QT_TEST(ids_of_short_texts)
{
	ids_up_to(64, 1);
}

QT_TEST(ids_of_texts_with_an_odd_limit)
{
	ids_up_to(61, 1);
}

QT_TEST(ids_of_long_texts)
{
	ids_up_to(1024, 37);
}

QT_TEST(ids_of_the_longest_texts)
{
	ids_up_to(16384, 1009);
}

QT_TEST(a_length_is_the_most_that_is_read)
{
	static const char text[24] = "a\0b\0\0c";
	struct kit k;

	kit_begin(&k, 64);
	build_read(&k, "counted", true, QT_IR_text_hash);
	QT_NEED(kit_load(&k));
	QT_NEED(KIT_RUN(&k, "counted", (uint64_t)(uintptr_t)text, 11));
	QT_EQ_INT(k.result[LEN], 1);
	QT_EQ_INT(k.result[ID], qt_text_id("a", 1, KIT_SEED0, KIT_SEED1));
	QT_NEED(KIT_RUN(&k, "counted", (uint64_t)(uintptr_t)text, INT64_MAX));
	QT_EQ_INT(k.result[LEN], 1);
	QT_EQ_INT(k.result[FLAGS] | k.result[FAILED], 0);
	QT_NEED(KIT_RUN(&k, "counted", (uint64_t)(uintptr_t)text, UINT64_MAX));
	QT_EQ_INT(k.result[FLAGS], QT_TEXT_UNREADABLE);
	QT_EQ_INT(k.result[FAILED], 1);
	kit_end(&k);
}

QT_TEST(a_counted_text_may_end_with_its_page)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *m = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct kit k;

	QT_NEED(m != MAP_FAILED);
	memcpy(m + page - 5, "hello", 5);
	mprotect(m + page, page, PROT_NONE);
	kit_begin(&k, 64);
	build_read(&k, "counted", true, QT_IR_text_hash);
	QT_NEED(kit_load(&k));
	QT_NEED(KIT_RUN(&k, "counted", (uint64_t)(uintptr_t)(m + page - 5), 5));
	QT_EQ_INT(k.result[LEN], 5);
	QT_EQ_INT(k.result[ID], qt_text_id("hello", 5, KIT_SEED0, KIT_SEED1));
	QT_EQ_INT(k.result[FLAGS] | k.result[FAILED], 0);
	QT_NEED(KIT_RUN(&k, "counted", (uint64_t)(uintptr_t)(m + page - 5), 6));
	QT_EQ_INT(k.result[FAILED], 1);
	munmap(m, 2 * page);
	kit_end(&k);
}

QT_TEST(unreadable_texts_are_empty_and_marked)
{
	struct kit k;

	kit_begin(&k, 64);
	build_read(&k, "whole", false, QT_IR_text_hash);
	build_read(&k, "counted", true, QT_IR_text_hash);
	QT_NEED(kit_load(&k));
	for (unsigned n = 0; n < 2; n++) {
		QT_NEED(KIT_RUN(&k, n ? "whole" : "counted", 4096, 5));
		QT_EQ_INT(k.result[FAILED], 1);
		QT_EQ_INT(k.result[LEN], 0);
		QT_EQ_INT(k.result[FLAGS], QT_TEXT_UNREADABLE);
	}
	kit_end(&k);
}

QT_TEST(interned_texts_are_found_by_their_ids)
{
	static const char *const texts[] = { "select 1", "select 2", "", "select 1" };
	struct kit k;

	kit_begin(&k, 32);
	build_read(&k, "intern", false, QT_IR_text_intern);
	build_byid(&k);
	QT_NEED(kit_load(&k));
	for (unsigned n = 0; n < 4; n++) {
		uint64_t id = qt_text_id(texts[n], strlen(texts[n]), KIT_SEED0, KIT_SEED1);
		char value[64] = "";

		QT_NEED(KIT_RUN(&k, "intern", (uint64_t)(uintptr_t)texts[n]));
		QT_EQ_INT(k.result[ID], id);
		QT_EQ_INT(bpf_map_lookup_elem(kit_map(&k, QT_MAP_STRINGS), &id, value), 0);
		QT_EQ_STR(value + 8, texts[n]);
		QT_NEED(KIT_RUN(&k, "byid", id));
		QT_EQ_INT(k.result[ID], id);
		QT_EQ_INT(k.result[LEN], strlen(texts[n]));
	}
	for (uint64_t id = 0; id < 2; id++) {
		QT_NEED(KIT_RUN(&k, "byid", id));
		QT_EQ_INT(k.result[FAILED], 1);
		QT_EQ_INT(k.result[FLAGS], id ? QT_TEXT_UNREADABLE : 0);
		QT_EQ_INT(k.result[LEN], 0);
	}
	kit_end(&k);
}

QT_TEST(a_full_map_of_texts_fails)
{
	struct kit k;
	unsigned failures = 0;

	kit_begin(&k, 32);
	k.plan->maps.items[QT_MAP_STRINGS].max_entries = 11;
	build_read(&k, "intern", false, QT_IR_text_intern);
	QT_NEED(kit_load(&k));
	for (unsigned round = 0; round < 2; round++)
		for (unsigned n = 0; n < 17; n++) {
			char text[16];

			snprintf(text, sizeof(text), "text %u", n);
			QT_NEED(KIT_RUN(&k, "intern", (uint64_t)(uintptr_t)text));
			failures += (unsigned)k.result[FAILED];
		}
	QT_EQ_INT(failures, 12);
	kit_end(&k);
}

QT_TEST(the_thread_has_a_name)
{
	struct kit k;
	uint32_t buf;

	prctl(PR_SET_NAME, "unit");
	kit_begin(&k, 32);
	buf = begin_text(&k, "comm");
	on_text(&k, QT_IR_text_comm, buf);
	kit_result(&k, ID, on_text(&k, QT_IR_text_hash, buf));
	end_text(&k, buf);
	QT_NEED(kit_load(&k));
	QT_NEED(KIT_RUN(&k, "comm", 0));
	QT_EQ_INT(k.result[ID], qt_text_id("unit", 4, KIT_SEED0, KIT_SEED1));
	kit_end(&k);
}

/* Two texts in one slot do not touch each other, and all of it is given back: more runs than slots. */
QT_TEST(several_texts_share_a_slot)
{
	static const char one[] = "the first text, cut", two[] = "second";
	struct kit k;
	uint32_t first, second;

	kit_begin(&k, 11);
	first = begin_text(&k, "pair");
	second = qt_ir_text_new(&k.b);
	for (unsigned n = 0; n < 2; n++) {
		uint32_t failure = text_failure(&k, first);
		struct qt_ir_ins *i = kit_op(&k, QT_IR_text_read, kit_arg(&k, n), 0);

		i->buf = n ? second : first;
		i->fail = failure;
	}
	kit_result(&k, ID, on_text(&k, QT_IR_text_hash, first));
	kit_result(&k, SECOND, on_text(&k, QT_IR_text_hash, second));
	end_text(&k, first);
	QT_NEED(kit_load(&k));
	for (unsigned n = 0; n < 3 * QT_SCRATCH_SLOTS; n++) {
		QT_NEED(KIT_RUN(&k, "pair", (uint64_t)(uintptr_t)one, (uint64_t)(uintptr_t)two));
		QT_EQ_INT(k.result[ID], qt_text_id(one, 11, KIT_SEED0, KIT_SEED1));
		QT_EQ_INT(k.result[SECOND], qt_text_id(two, 6, KIT_SEED0, KIT_SEED1));
	}
	kit_end(&k);
}

/* Slots that were never given back: the fifth run finds none. */
QT_TEST(scratch_ends)
{
	struct kit k;
	unsigned got = 0;

	kit_begin(&k, 32);
	build_read(&k, "whole", false, QT_IR_text_hash);
	QT_NEED(kit_load(&k));
	for (unsigned taken = 0; taken <= QT_SCRATCH_SLOTS; taken++) {
		uint32_t size = k.plan->maps.items[QT_MAP_SCRATCH].value_size;
		char *rows = calloc(128, size);

		rows[0] = 1;
		for (uint32_t n = 0; n < taken; n++)
			QT_EQ_INT(bpf_map_update_elem(kit_map(&k, QT_MAP_SCRATCH), &n, rows, 0), 0);
		QT_NEED(KIT_RUN(&k, "whole", (uint64_t)(uintptr_t)"abc"));
		QT_EQ_INT(k.result[LEN], taken < QT_SCRATCH_SLOTS ? 3 : 0);
		got += k.result[ID] != 0;
		free(rows);
	}
	QT_EQ_INT(got, QT_SCRATCH_SLOTS);
	kit_end(&k);
}
