/* The checker, first half: each instruction by itself. Operands and their kinds, blocks, buffers, offsets inside what a row points to, hooks that give what is asked.
 * The second half (check_flow.c) follows the paths. */
#include "base/check.h"
#include "base/regs.h"
#include "ir/check_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define STACK_WORDS_MAX 256u
#define FRAME_HEAD 16u /* key, time */

void qt_check_fail(struct qt_checker *c, const char *fmt, ...)
{
	char what[256];
	va_list ap;

	if (c->error)
		return;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (c->block == QT_IR_NO_BLOCK)
		c->error = qt_arena_printf(c->ir->arena, "%s: %s", c->fn->name, what);
	else
		c->error = qt_arena_printf(c->ir->arena, "%s, block %" PRIu32 ", instruction %" PRIu32 ": %s", c->fn->name, c->block, c->at, what);
}

static const struct qt_plan_map *map_of(const struct qt_checker *c, uint64_t imm)
{
	return imm < c->ir->plan->maps.len ? &c->ir->plan->maps.items[imm] : NULL;
}

static uint32_t frame_bytes(const struct qt_ir_ins *i)
{
	return FRAME_HEAD + i->size * 8;
}

/* ---- what each value is ---- */

static uint32_t row_bytes(const struct qt_checker *c, const struct qt_ir_ins *i)
{
	const struct qt_plan_map *map = map_of(c, i->op == QT_IR_task_get ? QT_MAP_CONTEXT : i->imm);

	if (i->op == QT_IR_frame_push || i->op == QT_IR_frame_pop)
		return frame_bytes(i);
	if (i->op == QT_IR_ring_reserve)
		return i->imm > UINT32_MAX ? 0 : (uint32_t)i->imm;
	return map ? map->value_size : 0;
}

static void define(struct qt_checker *c, const struct qt_ir_ins *i)
{
	const struct qt_ir_op_info *info = qt_ir_op_info(i->op);
	struct qt_check_value *v;

	if ((info->result != QT_IR_NONE) != (i->dst != 0)) {
		qt_check_fail(c, "%s %s", info->name, i->dst ? "has no result" : "lacks its result");
		return;
	}
	if (!i->dst)
		return;
	if (i->dst > c->fn->nvalues) {
		qt_check_fail(c, "v%" PRIu32 " is above the highest value v%" PRIu32, i->dst, c->fn->nvalues);
		return;
	}
	v = &c->values[i->dst];
	if (v->kind != QT_IR_NONE)
		qt_check_fail(c, "v%" PRIu32 " is defined twice", i->dst);
	v->kind = info->result;
	v->bytes = info->result == QT_IR_ROW ? row_bytes(c, i) : 0;
	v->ring = i->op == QT_IR_ring_reserve;
	v->task = i->op == QT_IR_task_get;
}

/* ---- operands and blocks ---- */

static void check_operand(struct qt_checker *c, const struct qt_ir_ins *i, uint32_t v, enum qt_ir_operand want, bool optional)
{
	const char *name = qt_ir_op_info(i->op)->name;

	if (want == QT_IR_NONE || (optional && !v)) {
		if (v)
			qt_check_fail(c, "%s does not take v%" PRIu32, name, v);
		return;
	}
	if (!v || v > c->fn->nvalues || c->values[v].kind == QT_IR_NONE)
		qt_check_fail(c, "%s uses a value that nothing defines (v%" PRIu32 ")", name, v);
	else if (c->values[v].kind != want)
		qt_check_fail(c, "%s takes %s, v%" PRIu32 " is %s", name, want == QT_IR_ROW ? "a row" : "a number", v,
			      want == QT_IR_ROW ? "a number" : "a row");
}

static void check_block(struct qt_checker *c, uint32_t block)
{
	if (block >= c->fn->blocks.len)
		qt_check_fail(c, "there is no block %" PRIu32, block);
}

static void check_blocks(struct qt_checker *c, const struct qt_ir_ins *i)
{
	const struct qt_ir_op_info *info = qt_ir_op_info(i->op);

	if (info->flags & QT_IR_MAY_FAIL) {
		if (i->fail == QT_IR_NO_BLOCK)
			qt_check_fail(c, "%s may fail and names no block for it", info->name);
		else
			check_block(c, i->fail);
	} else if (i->fail != QT_IR_NO_BLOCK) {
		qt_check_fail(c, "%s cannot fail", info->name);
	}
	if (qt_ir_has_target(i->op))
		check_block(c, i->target);
	if (qt_ir_has_otherwise(i->op))
		check_block(c, i->otherwise);
}

static const struct qt_ir_buf *check_buf(struct qt_checker *c, uint32_t buf, enum qt_ir_buf_kind kind)
{
	const struct qt_ir_buf *b = buf < c->fn->bufs.len ? &c->fn->bufs.items[buf] : NULL;

	if (!b)
		qt_check_fail(c, "there is no such buffer");
	else if (b->kind != kind)
		qt_check_fail(c, "b%" PRIu32 " is not a buffer of %s", buf, kind == QT_IR_BUF_TEXT ? "text" : "words");
	return b && b->kind == kind ? b : NULL;
}

/* SIZE bytes at OFFSET of something of LIMIT bytes. */
static void check_range(struct qt_checker *c, uint64_t offset, uint64_t size, uint64_t limit)
{
	if (offset > limit || size > limit - offset)
		qt_check_fail(c, "bytes %" PRIu64 " to %" PRIu64 " of %" PRIu64, offset, offset + size, limit);
}

static void check_size(struct qt_checker *c, uint32_t size)
{
	if (size != 1 && size != 2 && size != 4 && size != 8)
		qt_check_fail(c, "a number of %" PRIu32 " bytes", size);
}

/* ---- one function an operation that has rules of its own ---- */

static void check_slot(struct qt_checker *c, const struct qt_ir_ins *i)
{
	if (i->imm >= c->fn->nslots)
		qt_check_fail(c, "there is no slot %" PRIu64, i->imm);
}

static void check_ext(struct qt_checker *c, const struct qt_ir_ins *i)
{
	check_size(c, i->size);
}

static void check_ctx_load(struct qt_checker *c, const struct qt_ir_ins *i)
{
	enum qt_hook_context context = qt_hook_info(c->fn->hook)->context;

	check_size(c, i->size);
	if (context != QT_CONTEXT_FIELDS && context != QT_CONTEXT_WORDS)
		qt_check_fail(c, "a program at %s has no fields", qt_hook_info(c->fn->hook)->name);
	else if (context == QT_CONTEXT_WORDS && (i->size != 8 || i->imm % 8))
		qt_check_fail(c, "words of the context are read whole");
}

static void check_func_arg(struct qt_checker *c, const struct qt_ir_ins *i)
{
	if (c->fn->hook != QT_HOOK_fentry && c->fn->hook != QT_HOOK_fexit)
		qt_check_fail(c, "a program at %s has no traced function", qt_hook_info(c->fn->hook)->name);
	else if (i->size != 8)
		qt_check_fail(c, "arguments of the traced function are read whole");
}

static void check_ctx_addr(struct qt_checker *c, const struct qt_ir_ins *i)
{
	(void)i;
	if (qt_hook_info(c->fn->hook)->context != QT_CONTEXT_WORDS)
		qt_check_fail(c, "the context of %s names no frame", qt_hook_info(c->fn->hook)->name);
}

static void check_reg(struct qt_checker *c, const struct qt_ir_ins *i)
{
	if (i->imm >= QT_REG_COUNT)
		qt_check_fail(c, "there is no register %" PRIu64, i->imm);
	else if (qt_hook_info(c->fn->hook)->context != QT_CONTEXT_REGS)
		qt_check_fail(c, "a program at %s has no registers", qt_hook_info(c->fn->hook)->name);
}

static void check_live(struct qt_checker *c, const struct qt_ir_ins *i)
{
	if (i->imm >= QT_LIVE_WORDS)
		qt_check_fail(c, "there is no live word %" PRIu64, i->imm);
}

static void check_config(struct qt_checker *c, const struct qt_ir_ins *i)
{
	if (i->imm >= QT_CONFIG_LITERALS + (uint64_t)c->ir->plan->literals.len)
		qt_check_fail(c, "there is no config word %" PRIu64, i->imm);
}

static void check_count(struct qt_checker *c, const struct qt_ir_ins *i)
{
	if (i->imm >= c->ir->plan->counters.len)
		qt_check_fail(c, "there is no counter %" PRIu64, i->imm);
}

static void check_text(struct qt_checker *c, const struct qt_ir_ins *i)
{
	check_buf(c, i->buf, QT_IR_BUF_TEXT);
}

static void check_text_read(struct qt_checker *c, const struct qt_ir_ins *i)
{
	check_text(c, i);
	if (i->has_b != (i->b != 0))
		qt_check_fail(c, "has_b does not say whether b is there");
}

static void check_text_stack(struct qt_checker *c, const struct qt_ir_ins *i)
{
	check_text_read(c, i);
	if (!i->size || i->size > c->ir->plan->stack_frames)
		qt_check_fail(c, "a stack of %" PRIu32 " frames, at most %" PRIu32, i->size, c->ir->plan->stack_frames);
}

static void check_text_bytes(struct qt_checker *c, const struct qt_ir_ins *i)
{
	check_text(c, i);
	if (!i->size || i->size > 16)
		qt_check_fail(c, "%" PRIu32 " bytes of an address", i->size);
}

static void check_text_word(struct qt_checker *c, const struct qt_ir_ins *i)
{
	check_text(c, i);
	if (!i->size || i->size > 8 || i->imm % 8 || i->imm > 8)
		qt_check_fail(c, "%" PRIu32 " bytes at offset %" PRIu64 " are no word of a text", i->size, i->imm);
}

static void check_text_load(struct qt_checker *c, const struct qt_ir_ins *i)
{
	check_text(c, i);
	if (i->imm % 8 || i->imm > 8)
		qt_check_fail(c, "offset %" PRIu64 " is that of no word", i->imm);
}

static void check_text_ctx(struct qt_checker *c, const struct qt_ir_ins *i)
{
	check_text(c, i);
	if (qt_hook_info(c->fn->hook)->context != QT_CONTEXT_FIELDS)
		qt_check_fail(c, "a program at %s has no record", qt_hook_info(c->fn->hook)->name);
}

static void check_words(struct qt_checker *c, const struct qt_ir_ins *i, uint32_t size)
{
	const struct qt_ir_buf *b = check_buf(c, i->buf, QT_IR_BUF_WORDS);

	if (b)
		check_range(c, i->imm, size, b->size);
	if (i->imm % 8)
		qt_check_fail(c, "offset %" PRIu64 " is not that of a word", i->imm);
}

static void check_buf_word(struct qt_checker *c, const struct qt_ir_ins *i)
{
	check_words(c, i, 8);
}

static void check_buf_comm(struct qt_checker *c, const struct qt_ir_ins *i)
{
	check_words(c, i, 16);
}

/* A hash map with the key in buf; NULL when it is not. */
static const struct qt_plan_map *check_map(struct qt_checker *c, const struct qt_ir_ins *i)
{
	const struct qt_plan_map *map = map_of(c, i->imm);
	const struct qt_ir_buf *key;

	if (!map || (map->kind != QT_MAP_HASH && map->kind != QT_MAP_PERCPU_HASH)) {
		qt_check_fail(c, "map %" PRIu64 " is not a hash map", i->imm);
		return NULL;
	}
	key = check_buf(c, i->buf, QT_IR_BUF_WORDS);
	if (key && key->size != map->key_size)
		qt_check_fail(c, "a key of %" PRIu32 " bytes for %s, whose keys have %" PRIu32, key->size, map->name, map->key_size);
	return map;
}

static void check_map_key(struct qt_checker *c, const struct qt_ir_ins *i)
{
	check_map(c, i);
}

static void check_each(struct qt_checker *c, const struct qt_ir_ins *i)
{
	const struct qt_plan_map *map = map_of(c, i->imm);

	if (!map || (map->kind != QT_MAP_HASH && map->kind != QT_MAP_PERCPU_HASH))
		qt_check_fail(c, "map %" PRIu64 " is not a hash map", i->imm);
}

static void check_map_get_cpu(struct qt_checker *c, const struct qt_ir_ins *i)
{
	const struct qt_plan_map *map = check_map(c, i);

	if (map && map->kind != QT_MAP_PERCPU_HASH)
		qt_check_fail(c, "%s has one value for all CPUs", map->name);
}

static void check_map_put(struct qt_checker *c, const struct qt_ir_ins *i)
{
	const struct qt_plan_map *map = check_map(c, i);
	const struct qt_ir_buf *value = check_buf(c, i->buf2, QT_IR_BUF_WORDS);

	if (map && map->kind != QT_MAP_HASH)
		qt_check_fail(c, "map_put to %s, which has a value for each CPU", map->name);
	else if (map && value && value->size != map->value_size)
		qt_check_fail(c, "a value of %" PRIu32 " bytes for %s, whose values have %" PRIu32, value->size, map->name, map->value_size);
}

static void check_task_get(struct qt_checker *c, const struct qt_ir_ins *i)
{
	(void)i;
	if (!map_of(c, QT_MAP_CONTEXT) || !map_of(c, QT_MAP_CONTEXT)->value_size)
		qt_check_fail(c, "the plan has no task storage");
}

static void check_task_drop(struct qt_checker *c, const struct qt_ir_ins *i)
{
	const struct qt_plan_map *map = map_of(c, QT_MAP_THREADS), *task = map_of(c, QT_MAP_CONTEXT);

	(void)i;
	if (!map || !map->max_entries || map->max_entries & (map->max_entries - 1))
		qt_check_fail(c, "the plan has no places for threads, or their number is no power of two");
	else if (map->value_size != QT_PLACE_VALUE + task->value_size)
		qt_check_fail(c, "a thread's place does not hold its storage");
}

static void check_row(struct qt_checker *c, const struct qt_ir_ins *i, uint32_t size)
{
	if (!c->error)
		check_range(c, i->imm, size, c->values[i->a].bytes);
}

static void check_row_any(struct qt_checker *c, const struct qt_ir_ins *i)
{
	check_size(c, i->size);
	check_row(c, i, i->size);
}

static void check_row_word(struct qt_checker *c, const struct qt_ir_ins *i)
{
	check_row(c, i, 8);
	if (i->imm % 8)
		qt_check_fail(c, "offset %" PRIu64 " is not that of a word", i->imm);
}

static void check_row_comm(struct qt_checker *c, const struct qt_ir_ins *i)
{
	check_row(c, i, 16);
}

static void check_row_hist(struct qt_checker *c, const struct qt_ir_ins *i)
{
	check_row(c, i, QT_HIST_BUCKETS * 8);
}

static void check_frame(struct qt_checker *c, const struct qt_ir_ins *i)
{
	if (i->size > UINT16_MAX) {
		qt_check_fail(c, "%" PRIu32 " captures", i->size);
		return;
	}
	check_row(c, i, 8 + QT_FRAME_DEPTH * frame_bytes(i));
	if (!c->error && !c->values[i->a].task)
		qt_check_fail(c, "v%" PRIu32 " is not the storage of a task", i->a);
}

static void check_ring_reserve(struct qt_checker *c, const struct qt_ir_ins *i)
{
	if (i->imm < sizeof(struct qt_record_head) || i->imm > UINT16_MAX + 1u || i->imm % 8)
		qt_check_fail(c, "a record of %" PRIu64 " bytes", i->imm);
}

static void check_ring_submit(struct qt_checker *c, const struct qt_ir_ins *i)
{
	if (!c->error && !c->values[i->a].ring)
		qt_check_fail(c, "v%" PRIu32 " is not a record", i->a);
}

static void check_ring_words(struct qt_checker *c, const struct qt_ir_ins *i)
{
	check_buf(c, i->buf, QT_IR_BUF_WORDS);
}

typedef void (*check_fn)(struct qt_checker *c, const struct qt_ir_ins *i);

static const check_fn checks[QT_IR_OPS] = {
	[QT_IR_ext] = check_ext,
	[QT_IR_bswap] = check_ext,
	[QT_IR_slot_load] = check_slot,
	[QT_IR_slot_store] = check_slot,
	[QT_IR_ctx_load] = check_ctx_load,
	[QT_IR_func_arg] = check_func_arg,
	[QT_IR_ctx_addr] = check_ctx_addr,
	[QT_IR_reg] = check_reg,
	[QT_IR_live] = check_live,
	[QT_IR_live_store] = check_live,
	[QT_IR_config] = check_config,
	[QT_IR_count] = check_count,
	[QT_IR_mem_read] = check_ext,
	[QT_IR_text_read] = check_text_read,
	[QT_IR_text_ctx] = check_text_ctx,
	[QT_IR_text_comm] = check_text,
	[QT_IR_text_stack] = check_text_stack,
	[QT_IR_text_bytes] = check_text_bytes,
	[QT_IR_text_word] = check_text_word,
	[QT_IR_text_load] = check_text_load,
	[QT_IR_text_name] = check_text,
	[QT_IR_text_flags] = check_text,
	[QT_IR_text_len] = check_text,
	[QT_IR_text_hash] = check_text,
	[QT_IR_text_intern] = check_text,
	[QT_IR_text_byid] = check_text,
	[QT_IR_buf_store] = check_buf_word,
	[QT_IR_buf_load] = check_buf_word,
	[QT_IR_buf_comm] = check_buf_comm,
	[QT_IR_map_get] = check_map_key,
	[QT_IR_map_upsert] = check_map_key,
	[QT_IR_map_put] = check_map_put,
	[QT_IR_map_delete] = check_map_key,
	[QT_IR_map_get_cpu] = check_map_get_cpu,
	[QT_IR_each] = check_each,
	[QT_IR_each_row] = check_each,
	[QT_IR_task_get] = check_task_get,
	[QT_IR_task_drop] = check_task_drop,
	[QT_IR_row_load] = check_row_any,
	[QT_IR_row_store] = check_row_any,
	[QT_IR_row_comm] = check_row_comm,
	[QT_IR_row_add] = check_row_word,
	[QT_IR_row_fetch_add] = check_row_word,
	[QT_IR_row_max] = check_row_word,
	[QT_IR_row_hist] = check_row_hist,
	[QT_IR_frame_push] = check_frame,
	[QT_IR_frame_pop] = check_frame,
	[QT_IR_ring_reserve] = check_ring_reserve,
	[QT_IR_ring_submit] = check_ring_submit,
	[QT_IR_ring_words] = check_ring_words,
	[QT_IR_ring_text] = check_text,
};

/* ---- functions ---- */

static void check_ins(struct qt_checker *c, const struct qt_ir_ins *i)
{
	const struct qt_ir_op_info *info = qt_ir_op_info(i->op);

	check_operand(c, i, i->a, info->a, false);
	check_operand(c, i, i->b, info->b, i->op == QT_IR_text_read || i->op == QT_IR_text_stack);
	check_blocks(c, i);
	if (!c->error && checks[i->op])
		checks[i->op](c, i);
}

static void check_ending(struct qt_checker *c, const struct qt_ir_block *block)
{
	for (c->at = 0; c->at < block->ins.len; c->at++) {
		const struct qt_ir_ins *i = &block->ins.items[c->at];
		bool ends, last = c->at + 1 == block->ins.len;

		if (i->op >= QT_IR_OPS) {
			qt_check_fail(c, "there is no operation %u", (unsigned)i->op);
			return;
		}
		ends = qt_ir_op_info(i->op)->flags & QT_IR_ENDS;
		if (ends && !last)
			qt_check_fail(c, "%s in the middle of a block", qt_ir_op_info(i->op)->name);
		if (!ends && last)
			qt_check_fail(c, "the block does not end");
	}
	if (!block->ins.len)
		qt_check_fail(c, "the block does not end");
}

/* Calls FN for every instruction until something is wrong. */
static void each_ins(struct qt_checker *c, check_fn fn)
{
	for (c->block = 0; c->block < c->fn->blocks.len; c->block++) {
		const struct qt_ir_block *block = &c->fn->blocks.items[c->block];

		for (c->at = 0; c->at < block->ins.len && !c->error; c->at++)
			fn(c, &block->ins.items[c->at]);
	}
}

static void check_bufs(struct qt_checker *c)
{
	uint64_t words = 0;

	c->block = QT_IR_NO_BLOCK;
	qt_vec_each (buf, &c->fn->bufs) {
		if (buf->kind == QT_IR_BUF_TEXT) {
			if (buf->offset < 8 || buf->offset % 8 || (uint64_t)buf->offset + qt_plan_text_size(c->ir->plan) > c->ir->scratch_bytes)
				qt_check_fail(c, "a text buffer outside the scratch slot");
			continue;
		}
		if (!buf->size || buf->size % 8)
			qt_check_fail(c, "a buffer of %" PRIu32 " bytes", buf->size);
		words += buf->size;
	}
	if (words > STACK_WORDS_MAX)
		qt_check_fail(c, "%" PRIu64 " bytes of buffers on the stack, at most %u", words, STACK_WORDS_MAX);
}

static void check_fn_head(struct qt_checker *c)
{
	c->block = QT_IR_NO_BLOCK;
	if (!c->fn->blocks.len)
		qt_check_fail(c, "no blocks");
	if (c->fn->prog >= c->ir->plan->progs.len)
		qt_check_fail(c, "the plan has no program %" PRIu32, c->fn->prog);
	else if (c->ir->plan->progs.items[c->fn->prog].hook != c->fn->hook)
		qt_check_fail(c, "the plan's program hangs elsewhere");
}

static void check_fn_body(struct qt_checker *c)
{
	check_fn_head(c);
	check_bufs(c);
	for (c->block = 0; c->block < c->fn->blocks.len && !c->error; c->block++)
		check_ending(c, &c->fn->blocks.items[c->block]);
	if (c->error)
		return;
	c->values = QT_NEW_ARRAY(c->ir->arena, struct qt_check_value, (size_t)c->fn->nvalues + 1);
	each_ins(c, define);
	each_ins(c, check_ins);
	if (!c->error)
		qt_check_loops(c);
	if (!c->error)
		qt_check_flow(c);
}

const char *qt_ir_check(struct qt_ir *ir)
{
	qt_vec_each (fn, &ir->fns) {
		struct qt_checker c = { .ir = ir, .fn = fn };

		check_fn_body(&c);
		if (c.error)
			return c.error;
	}
	return NULL;
}
