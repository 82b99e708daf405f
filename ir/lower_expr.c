/* Expressions to words, one small function a kind through a table. A word is the 64-bit form of its value, extended by the sign of its type. */
#include "base/check.h"
#include "ir/lower_internal.h"

static uint32_t width(struct qt_type t)
{
	return t.kind == QT_TYPE_INT && t.size ? t.size : 8;
}

uint32_t qt_lower_narrow(struct qt_lower *l, uint32_t v, struct qt_type t)
{
	return width(t) == 8 ? v : qt_flow_sized(l, QT_IR_ext, v, 0, 0, width(t), t.is_signed);
}

/* Memory that cannot be read counts as 0 and is counted. */
uint32_t qt_lower_mem(struct qt_lower *l, uint32_t address, enum qt_space space, uint32_t size, bool sign)
{
	uint32_t slot = qt_flow_slot(l), done = qt_flow_block(l);
	struct qt_ir_ins *i;
	uint32_t fail = qt_flow_count(l, QT_LOSS_unreadable, NULL, done), v;

	i = qt_ir_emit(&l->b, QT_IR_mem_read, address, 0);
	i->imm = space;
	i->size = size;
	i->sign = sign;
	i->fail = fail;
	v = i->dst;
	qt_flow_op(l, QT_IR_slot_store, v, 0, slot);
	qt_flow_join(l, done);
	return qt_flow_op(l, QT_IR_slot_load, 0, 0, slot);
}

static uint32_t reg(struct qt_lower *l, enum qt_reg r)
{
	return qt_flow_op(l, QT_IR_reg, 0, 0, r);
}

/* ---- constants and surroundings ---- */

static uint32_t word_int(struct qt_lower *l, const struct qt_expr *e)
{
	return qt_ir_const(&l->b, e->value);
}

static uint32_t high_half(struct qt_lower *l, uint32_t v)
{
	return qt_ir_bin(&l->b, QT_IR_lshr, v, qt_ir_const(&l->b, 32));
}

static uint32_t low_half(struct qt_lower *l, uint32_t v)
{
	return qt_flow_sized(l, QT_IR_ext, v, 0, 0, 4, false);
}

static uint32_t env_pid(struct qt_lower *l)
{
	return high_half(l, qt_flow_pid_tgid(l));
}

static uint32_t env_tid(struct qt_lower *l)
{
	return low_half(l, qt_flow_pid_tgid(l));
}

static uint32_t env_uid(struct qt_lower *l)
{
	return low_half(l, qt_flow_op(l, QT_IR_uid_gid, 0, 0, 0));
}

static uint32_t env_gid(struct qt_lower *l)
{
	return high_half(l, qt_flow_op(l, QT_IR_uid_gid, 0, 0, 0));
}

static uint32_t ask(struct qt_lower *l, enum qt_ask kind, const char *text)
{
	return qt_flow_op(l, QT_IR_config, 0, 0, QT_CONFIG_ASKS + qt_layout_ask(l, kind, text));
}

static uint32_t word_ask(struct qt_lower *l, const struct qt_expr *e)
{
	return ask(l, (enum qt_ask)e->index, e->text.ptr);
}

static uint32_t word_reg(struct qt_lower *l, const struct qt_expr *e)
{
	return reg(l, (enum qt_reg)e->index);
}

static uint32_t env_ncpus(struct qt_lower *l)
{
	return ask(l, QT_ASK_cpus, "");
}

static uint32_t env_cpid(struct qt_lower *l)
{
	return ask(l, QT_ASK_command, "");
}

static uint32_t env_numaid(struct qt_lower *l)
{
	return qt_flow_op(l, QT_IR_numa, 0, 0, 0);
}

static uint32_t env_jiffies(struct qt_lower *l)
{
	return qt_flow_op(l, QT_IR_jiffies, 0, 0, 0);
}

static uint32_t env_curtask(struct qt_lower *l)
{
	return qt_flow_op(l, QT_IR_task, 0, 0, 0);
}

static uint32_t env_cgroup(struct qt_lower *l)
{
	return qt_flow_op(l, QT_IR_cgroup, 0, 0, 0);
}

static uint32_t env_elapsed(struct qt_lower *l)
{
	return qt_ir_bin(&l->b, QT_IR_sub, qt_flow_now(l), qt_flow_op(l, QT_IR_live, 0, 0, QT_LIVE_START));
}

static uint32_t env_cpu(struct qt_lower *l)
{
	return qt_flow_op(l, QT_IR_cpu, 0, 0, 0);
}

static uint32_t env_rand(struct qt_lower *l)
{
	return qt_flow_op(l, QT_IR_rand, 0, 0, 0);
}

static uint32_t env_probe(struct qt_lower *l)
{
	return l->has_cookie ? qt_flow_op(l, QT_IR_cookie, 0, 0, 0) : qt_ir_const(&l->b, l->probe);
}

static uint32_t (*const envs[QT_ENV_COUNT])(struct qt_lower *l) = {
	[QT_ENV_pid] = env_pid,	      [QT_ENV_tid] = env_tid,	      [QT_ENV_uid] = env_uid,	   [QT_ENV_gid] = env_gid,
	[QT_ENV_nsecs] = qt_flow_now, [QT_ENV_elapsed] = env_elapsed, [QT_ENV_cpu] = env_cpu,	   [QT_ENV_rand] = env_rand,
	[QT_ENV_func] = env_probe,    [QT_ENV_probe] = env_probe,     [QT_ENV_username] = env_uid, [QT_ENV_cgroup] = env_cgroup,
	[QT_ENV_ncpus] = env_ncpus,	[QT_ENV_cpid] = env_cpid, [QT_ENV_numaid] = env_numaid, [QT_ENV_jiffies] = env_jiffies, [QT_ENV_curtask] = env_curtask,
};

static uint32_t word_env(struct qt_lower *l, const struct qt_expr *e)
{
	QT_ASSERT(e->env < QT_ENV_COUNT && envs[e->env]);
	return envs[e->env](l);
}

/* ---- the event ---- */

static enum qt_hook_context context_of(const struct qt_lower *l)
{
	return qt_hook_info(l->hook)->context;
}

static bool is_user(enum qt_hook h)
{
	return h == QT_HOOK_uprobe || h == QT_HOOK_uretprobe;
}

/* The seventh argument and those behind it lie above the return address. */
static uint32_t stack_arg(struct qt_lower *l, const struct qt_expr *e)
{
	uint32_t offset = qt_ir_const(&l->b, 8 + 8ull * (e->index - QT_REG_ARGS));
	uint32_t address = qt_ir_bin(&l->b, QT_IR_add, reg(l, QT_REG_rsp), offset);

	return qt_lower_mem(l, address, is_user(l->hook) ? QT_SPACE_USER : QT_SPACE_KERNEL, width(e->type), e->type.is_signed);
}

static uint32_t context_word(struct qt_lower *l, uint32_t offset, struct qt_type t)
{
	return qt_lower_narrow(l, qt_flow_sized(l, QT_IR_ctx_load, 0, 0, offset, 8, false), t);
}

/* An argument of a traced kernel function, or of a raw tracepoint, at this offset of the context. */
static uint32_t context_arg(struct qt_lower *l, uint32_t offset, struct qt_type t)
{
	if (t.kind == QT_TYPE_PTR && (l->hook == QT_HOOK_fentry || l->hook == QT_HOOK_fexit))
		return qt_flow_sized(l, QT_IR_func_arg, 0, 0, offset / 8, 8, false);
	return context_word(l, offset, t);
}

static uint32_t word_arg(struct qt_lower *l, const struct qt_expr *e)
{
	if (context_of(l) == QT_CONTEXT_WORDS)
		return context_arg(l, 8 * e->index, e->type);
	if (e->index >= QT_REG_ARGS)
		return stack_arg(l, e);
	return qt_lower_narrow(l, reg(l, qt_reg_args[e->index]), e->type);
}

static uint32_t word_field(struct qt_lower *l, const struct qt_expr *e)
{
	if (context_of(l) == QT_CONTEXT_WORDS)
		return context_arg(l, e->offset, e->type);
	return qt_flow_sized(l, QT_IR_ctx_load, 0, 0, e->offset, width(e->type), e->type.is_signed);
}

static uint32_t word_retval(struct qt_lower *l, const struct qt_expr *e)
{
	if (context_of(l) == QT_CONTEXT_WORDS)
		return context_word(l, e->offset, e->type);
	return qt_lower_narrow(l, reg(l, QT_REG_rax), e->type);
}

static uint32_t operand_address(struct qt_lower *l, const struct qt_operand *o)
{
	uint32_t sum = qt_ir_const(&l->b, (uint64_t)o->disp), scaled;

	if (o->base < QT_REG_COUNT)
		sum = qt_ir_bin(&l->b, QT_IR_add, sum, reg(l, o->base));
	if (o->index >= QT_REG_COUNT)
		return sum;
	scaled = qt_ir_bin(&l->b, QT_IR_mul, reg(l, o->index), qt_ir_const(&l->b, o->scale ? o->scale : 1));
	return qt_ir_bin(&l->b, QT_IR_add, sum, scaled);
}

static uint32_t operand_reg(struct qt_lower *l, const struct qt_operand *o)
{
	uint32_t v = reg(l, o->base);

	if (o->shift)
		v = qt_ir_bin(&l->b, QT_IR_lshr, v, qt_ir_const(&l->b, o->shift));
	return o->size < 8 ? qt_flow_sized(l, QT_IR_ext, v, 0, 0, o->size, o->is_signed) : v;
}

static uint32_t word_usdt(struct qt_lower *l, const struct qt_expr *e)
{
	const struct qt_operand *o = &e->operand;
	uint32_t v;

	if (o->kind == QT_OPERAND_CONST)
		v = qt_ir_const(&l->b, (uint64_t)o->disp);
	else if (o->kind == QT_OPERAND_REG)
		v = operand_reg(l, o);
	else
		v = qt_lower_mem(l, operand_address(l, o), QT_SPACE_USER, o->size, o->is_signed);
	return qt_lower_narrow(l, v, e->type);
}

/* ---- what the entry left ---- */

static uint32_t word_latency(struct qt_lower *l, const struct qt_expr *e)
{
	(void)e;
	QT_ASSERT(l->at.frame);
	return qt_ir_bin(&l->b, QT_IR_sub, qt_flow_now(l), qt_flow_sized(l, QT_IR_row_load, l->at.frame, 0, 8, 8, false));
}

static uint32_t word_entry(struct qt_lower *l, const struct qt_expr *e)
{
	QT_ASSERT(l->at.frame);
	return qt_flow_sized(l, QT_IR_row_load, l->at.frame, 0, 16 + 8ull * e->index, 8, false);
}

/* ---- variables ---- */

static uint32_t word_context(struct qt_lower *l, const struct qt_expr *e)
{
	return qt_lower_context(l, e->index);
}

static uint32_t word_has(struct qt_lower *l, const struct qt_expr *e)
{
	return qt_lower_has(l, e->index);
}

static uint32_t word_scratch(struct qt_lower *l, const struct qt_expr *e)
{
	return qt_flow_op(l, QT_IR_slot_load, 0, 0, e->index);
}

static uint32_t scratch_incdec(struct qt_lower *l, const struct qt_expr *e)
{
	uint32_t before = word_scratch(l, e->a), after = qt_ir_bin(&l->b, QT_IR_add, before, qt_ir_const(&l->b, e->value));

	after = qt_lower_narrow(l, after, e->a->type);
	qt_flow_op(l, QT_IR_slot_store, after, 0, e->a->index);
	return e->index ? after : before;
}

static uint32_t word_incdec(struct qt_lower *l, const struct qt_expr *e)
{
	return e->a->kind == QT_X_MAP ? qt_lower_map_incdec(l, e) : scratch_incdec(l, e);
}

/* ---- choices ---- */

/* One way of a choice: its value into SLOT, and on to DONE. */
static void way(struct qt_lower *l, uint32_t block, const struct qt_expr *e, uint32_t slot, uint32_t done)
{
	struct qt_lower_at before = l->at;

	qt_flow_stand(l, block);
	qt_flow_op(l, QT_IR_slot_store, qt_lower_word(l, e), 0, slot);
	qt_flow_restore(l, before);
	qt_flow_br(l, done);
}

static uint32_t choice(struct qt_lower *l, const struct qt_expr *cond, const struct qt_expr *yes, const struct qt_expr *no)
{
	uint32_t slot = qt_ir_slot_new(&l->b), a = qt_flow_block(l), b = qt_flow_block(l), done = qt_flow_block(l);

	if (qt_scan_texts(yes) || qt_scan_texts(no))
		qt_flow_scratch(l);
	qt_lower_cond(l, cond, a, b);
	way(l, a, yes, slot, done);
	way(l, b, no, slot, done);
	qt_flow_stand(l, done);
	return qt_flow_op(l, QT_IR_slot_load, 0, 0, slot);
}

static uint32_t word_ternary(struct qt_lower *l, const struct qt_expr *e)
{
	return choice(l, e->a, e->b, e->c);
}

static uint32_t word_coalesce(struct qt_lower *l, const struct qt_expr *e)
{
	struct qt_expr has = { .kind = QT_X_HAS, .type = QT_INT(1, false), .span = e->span, .index = e->a->index };

	return choice(l, &has, e->a, e->b);
}

static uint32_t word_logic(struct qt_lower *l, const struct qt_expr *e)
{
	uint32_t slot = qt_flow_slot(l), yes = qt_flow_block(l), done = qt_flow_block(l);

	qt_lower_cond(l, e, yes, done);
	qt_flow_stand(l, yes);
	qt_flow_op(l, QT_IR_slot_store, qt_ir_const(&l->b, 1), 0, slot);
	qt_flow_join(l, done);
	return qt_flow_op(l, QT_IR_slot_load, 0, 0, slot);
}

/* ---- conversions and reads ---- */

static uint32_t word_cast(struct qt_lower *l, const struct qt_expr *e)
{
	uint32_t v = qt_lower_word(l, e->a);

	return e->type.kind == QT_TYPE_INT ? qt_lower_narrow(l, v, e->type) : v;
}

static uint32_t word_deref(struct qt_lower *l, const struct qt_expr *e)
{
	enum qt_space space = e->a->type.kind == QT_TYPE_PTR ? e->a->type.space : QT_SPACE_USER;

	return qt_lower_mem(l, qt_lower_word(l, e->a), space, width(e->type), e->type.is_signed);
}

static uint32_t word_bswap(struct qt_lower *l, const struct qt_expr *e)
{
	return qt_flow_sized(l, QT_IR_bswap, qt_lower_word(l, e->a), 0, 0, width(e->type), false);
}

static uint32_t word_text(struct qt_lower *l, const struct qt_expr *e)
{
	return qt_lower_text_id(l, e, true);
}

static uint32_t (*const words[])(struct qt_lower *l, const struct qt_expr *e) = {
	[QT_X_INT] = word_int,		 [QT_X_STR] = word_text,	  [QT_X_ENV] = word_env,
	[QT_X_ARG] = word_arg,		 [QT_X_FIELD] = word_field,	  [QT_X_FIELD_STR] = word_text,
	[QT_X_USDT] = word_usdt,	 [QT_X_RETVAL] = word_retval,	  [QT_X_LATENCY] = word_latency,
	[QT_X_ENTRY] = word_entry,	 [QT_X_CONTEXT] = word_context,	  [QT_X_HAS] = word_has,
	[QT_X_COALESCE] = word_coalesce, [QT_X_SCRATCH] = word_scratch,	  [QT_X_MAP] = qt_lower_map_read,
	[QT_X_UNARY] = qt_lower_unary,	 [QT_X_BINARY] = qt_lower_binary, [QT_X_AND] = word_logic,
	[QT_X_OR] = word_logic,		 [QT_X_TERNARY] = word_ternary,	  [QT_X_CAST] = word_cast,
	[QT_X_DEREF] = word_deref,	 [QT_X_STR_READ] = word_text,	  [QT_X_STR_EQ] = qt_lower_text_eq,
	[QT_X_INCDEC] = word_incdec,	 [QT_X_STACK] = word_text,	  [QT_X_BYTES] = word_text,
	[QT_X_PACK] = word_text,	 [QT_X_BSWAP] = word_bswap, [QT_X_REG] = word_reg, [QT_X_ASK] = word_ask,	  [QT_X_STACK_LEN] = qt_lower_stack_len,
};

uint32_t qt_lower_word(struct qt_lower *l, const struct qt_expr *e)
{
	if (qt_lower_is_comm(e))
		return word_text(l, e);
	QT_ASSERT(e->kind < QT_COUNT(words) && words[e->kind]);
	return words[e->kind](l, e);
}
