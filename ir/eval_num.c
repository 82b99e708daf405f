/* Numbers, variables and the event, one function an operation. */
#include "base/regs.h"
#include "ir/eval_internal.h"

#include <stdint.h>
#include <string.h>

#define BINARY(name, expr)                                               \
	bool qt_eval_##name(struct qt_run *r, const struct qt_ir_ins *i) \
	{                                                                \
		uint64_t a = qt_eval_a(r, i), b = qt_eval_b(r, i);       \
                                                                         \
		return qt_eval_result(r, i, (expr));                     \
	}

static uint64_t divide(uint64_t a, uint64_t b)
{
	int64_t x = (int64_t)a, y = (int64_t)b;

	if (y == 0)
		return 0;
	return y == -1 ? 0 - a : (uint64_t)(x / y);
}

static uint64_t modulo(uint64_t a, uint64_t b)
{
	int64_t x = (int64_t)a, y = (int64_t)b;

	if (y == 0)
		return a;
	return y == -1 ? 0 : (uint64_t)(x % y);
}

static uint64_t shift_signed(uint64_t a, uint64_t b)
{
	return (uint64_t)((int64_t)a >> (b & 63));
}

BINARY(add, a + b)
BINARY(sub, a - b)
BINARY(mul, a *b)
BINARY(udiv, b ? a / b : 0)
BINARY(sdiv, divide(a, b))
BINARY(umod, b ? a % b : a)
BINARY(smod, modulo(a, b))
BINARY(and, a &b)
BINARY(or, a | b)
BINARY(xor, a ^ b)
BINARY(shl, a << (b & 63))
BINARY(lshr, a >> (b & 63))
BINARY(ashr, shift_signed(a, b))
BINARY(eq, a == b)
BINARY(ne, a != b)
BINARY(ult, a < b)
BINARY(ule, a <= b)
BINARY(slt, (int64_t)a < (int64_t)b)
BINARY(sle, (int64_t)a <= (int64_t)b)

bool qt_eval_const(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, i->imm);
}

bool qt_eval_neg(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, 0 - qt_eval_a(r, i));
}

bool qt_eval_compl(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, ~qt_eval_a(r, i));
}

uint64_t qt_eval_extend(uint64_t value, uint32_t size, bool sign)
{
	unsigned spare = size < 8 ? 64 - size * 8 : 0;

	value <<= spare;
	return sign ? (uint64_t)((int64_t)value >> spare) : value >> spare;
}

uint64_t qt_eval_number(const unsigned char *bytes, uint32_t size, bool sign)
{
	uint64_t value = 0;

	memcpy(&value, bytes, size);
	return qt_eval_extend(value, size, sign);
}

bool qt_eval_ext(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, qt_eval_extend(qt_eval_a(r, i), i->size, i->sign));
}

bool qt_eval_slot_load(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, r->slots[i->imm]);
}

bool qt_eval_slot_store(struct qt_run *r, const struct qt_ir_ins *i)
{
	r->slots[i->imm] = qt_eval_a(r, i);
	return true;
}

/* ---- the event ---- */

/* What the event's context does not hold reads as zero. */
bool qt_eval_ctx_load(struct qt_run *r, const struct qt_ir_ins *i)
{
	const struct qt_event *e = r->event;

	if (!e->ctx || i->imm > e->ctx_size || i->size > e->ctx_size - i->imm)
		return qt_eval_result(r, i, 0);
	return qt_eval_result(r, i, qt_eval_number((const unsigned char *)e->ctx + i->imm, i->size, i->sign));
}

bool qt_eval_func_arg(struct qt_run *r, const struct qt_ir_ins *i)
{
	struct qt_ir_ins load = *i;

	load.imm *= 8;
	return qt_eval_ctx_load(r, &load);
}

/* Entry and return of one call have the same trampoline frame; here the stack pointer of the event stands for it. */
bool qt_eval_ctx_addr(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, r->event->regs[QT_REG_rsp]);
}

bool qt_eval_reg(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, r->event->regs[i->imm]);
}

bool qt_eval_now(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, r->event->time_ns);
}

uint64_t qt_eval_pid_tgid_of(const struct qt_event *e)
{
	return (uint64_t)e->pid << 32 | e->tid;
}

bool qt_eval_pid_tgid(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, qt_eval_pid_tgid_of(r->event));
}

/* Synthetic events have one node, no ticks and no task of the kernel. */
bool qt_eval_numa(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, 0);
}

bool qt_eval_jiffies(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, 0);
}

bool qt_eval_task(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, 0);
}

/* A synthetic process takes every signal and does nothing. */
bool qt_eval_signal(struct qt_run *r, const struct qt_ir_ins *i)
{
	(void)r, (void)i;
	return true;
}

bool qt_eval_cgroup(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, r->event->cgroup);
}

bool qt_eval_bswap(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, __builtin_bswap64(qt_eval_a(r, i)) >> (64 - 8 * i->size));
}

bool qt_eval_uid_gid(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, (uint64_t)r->event->gid << 32 | r->event->uid);
}

bool qt_eval_cpu(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, r->event->cpu);
}

/* xorshift64 (Marsaglia): the same numbers in each run. */
bool qt_eval_rand(struct qt_run *r, const struct qt_ir_ins *i)
{
	uint64_t x = r->m->random;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	r->m->random = x;
	return qt_eval_result(r, i, x >> 32);
}

bool qt_eval_cookie(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, r->probe);
}

/* ---- the shared areas ---- */

bool qt_eval_live(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, r->m->live[i->imm]);
}

bool qt_eval_live_store(struct qt_run *r, const struct qt_ir_ins *i)
{
	r->m->live[i->imm] = qt_eval_a(r, i);
	return true;
}

bool qt_eval_config(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, r->m->config[i->imm]);
}

bool qt_eval_count(struct qt_run *r, const struct qt_ir_ins *i)
{
	r->m->counters[r->cpu * r->m->ir->plan->counters.len + i->imm]++;
	return true;
}

/* ---- the frame of a program ---- */

bool qt_eval_filter(struct qt_run *r, const struct qt_ir_ins *i)
{
	uint64_t mode = r->m->config[QT_CONFIG_FILTER], pid = r->event->pid;

	(void)i;
	if (mode == QT_FILTER_NONE || pid == r->m->config[QT_CONFIG_FILTER_PID])
		return true;
	return mode == QT_FILTER_TREE && qt_eval_table_get(&r->m->maps[QT_MAP_FILTER], &pid);
}

/* One program runs at a time, so that a slot is always free. */
bool qt_eval_scratch_take(struct qt_run *r, const struct qt_ir_ins *i)
{
	(void)r;
	(void)i;
	return true;
}

bool qt_eval_scratch_give(struct qt_run *r, const struct qt_ir_ins *i)
{
	(void)r;
	(void)i;
	return true;
}

static bool go(struct qt_run *r, uint32_t block)
{
	r->block = block;
	r->at = 0;
	return true;
}

bool qt_eval_br(struct qt_run *r, const struct qt_ir_ins *i)
{
	return go(r, i->target);
}

bool qt_eval_brif(struct qt_run *r, const struct qt_ir_ins *i)
{
	return go(r, qt_eval_a(r, i) ? i->target : i->otherwise);
}

bool qt_eval_ret(struct qt_run *r, const struct qt_ir_ins *i)
{
	(void)i;
	r->done = true;
	return true;
}
