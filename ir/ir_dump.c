/* The module as text: `v3 = add v1, v2`, one instruction a line. What an operation does not use is not printed. The form of imm is chosen by the operation, through a table. */
#include "base/check.h"
#include "base/regs.h"
#include "ir/ir.h"

#include <inttypes.h>

struct dump {
	const struct qt_ir *ir;
	FILE *out;
};

typedef void (*imm_fn)(const struct dump *d, uint64_t imm);

static void imm_number(const struct dump *d, uint64_t imm)
{
	fprintf(d->out, " %" PRId64, (int64_t)imm);
}

static void imm_slot(const struct dump *d, uint64_t imm)
{
	fprintf(d->out, " slot%" PRIu64, imm);
}

static void imm_offset(const struct dump *d, uint64_t imm)
{
	fprintf(d->out, " +%" PRIu64, imm);
}

static void imm_reg(const struct dump *d, uint64_t imm)
{
	fprintf(d->out, " %s", imm < QT_REG_COUNT ? qt_reg_name((enum qt_reg)imm) : "?");
}

static void imm_map(const struct dump *d, uint64_t imm)
{
	fprintf(d->out, " %s", imm < d->ir->plan->maps.len ? d->ir->plan->maps.items[imm].name : "?");
}

static void imm_counter(const struct dump *d, uint64_t imm)
{
	const struct qt_plan_counter *c = imm < d->ir->plan->counters.len ? &d->ir->plan->counters.items[imm] : NULL;

	if (!c)
		fputs(" ?", d->out);
	else
		fprintf(d->out, " %s", c->cause < QT_LOSS_COUNT ? qt_loss_info(c->cause)->cause : "untagged");
	if (c && c->subject)
		fprintf(d->out, " \"%s\"", c->subject);
}

static void imm_space(const struct dump *d, uint64_t imm)
{
	fputs(imm ? " kernel" : " user", d->out);
}

static void imm_live(const struct dump *d, uint64_t imm)
{
	static const char *const words[QT_LIVE_WORDS] = { "enabled", "start", "exit", "zero" };

	fprintf(d->out, " %s", imm < QT_LIVE_WORDS ? words[imm] : "?");
}

static void imm_config(const struct dump *d, uint64_t imm)
{
	static const char *const words[QT_CONFIG_ASKS] = { "seed0", "seed1", "filter", "filter_pid" };

	if (imm >= QT_CONFIG_ASKS && imm < QT_CONFIG_LITERALS)
		fprintf(d->out, " ask%" PRIu64, imm - QT_CONFIG_ASKS);
	else if (imm < QT_CONFIG_ASKS)
		fprintf(d->out, " %s", words[imm]);
	else
		fprintf(d->out, " literal%" PRIu64, imm - QT_CONFIG_LITERALS);
}

static const imm_fn imms[QT_IR_OPS] = {
	[QT_IR_const] = imm_number,
	[QT_IR_slot_load] = imm_slot,
	[QT_IR_slot_store] = imm_slot,
	[QT_IR_ctx_load] = imm_offset,
	[QT_IR_func_arg] = imm_number,
	[QT_IR_reg] = imm_reg,
	[QT_IR_live] = imm_live,
	[QT_IR_live_store] = imm_live,
	[QT_IR_config] = imm_config,
	[QT_IR_count] = imm_counter,
	[QT_IR_mem_read] = imm_space,
	[QT_IR_text_read] = imm_space,
	[QT_IR_text_ctx] = imm_offset,
	[QT_IR_text_bytes] = imm_space,
	[QT_IR_text_word] = imm_offset,
	[QT_IR_text_load] = imm_offset,
	[QT_IR_buf_store] = imm_offset,
	[QT_IR_buf_load] = imm_offset,
	[QT_IR_buf_comm] = imm_offset,
	[QT_IR_map_get] = imm_map,
	[QT_IR_map_upsert] = imm_map,
	[QT_IR_map_put] = imm_map,
	[QT_IR_map_delete] = imm_map,
	[QT_IR_row_load] = imm_offset,
	[QT_IR_row_store] = imm_offset,
	[QT_IR_row_comm] = imm_offset,
	[QT_IR_row_add] = imm_offset,
	[QT_IR_row_fetch_add] = imm_offset,
	[QT_IR_row_max] = imm_offset,
	[QT_IR_row_hist] = imm_offset,
	[QT_IR_frame_push] = imm_offset,
	[QT_IR_frame_pop] = imm_offset,
	[QT_IR_loop] = imm_number,
	[QT_IR_each] = imm_map,
	[QT_IR_each_key] = imm_offset,
	[QT_IR_each_row] = imm_map,
	[QT_IR_map_get_cpu] = imm_map,
	[QT_IR_ring_reserve] = imm_number,
	[QT_IR_ring_words] = imm_offset,
};

/* What `sign` means where it is not the sign of a number. */
static const char *sign_word(enum qt_ir_op op)
{
	return op == QT_IR_task_get ? "create" : "signed";
}

static void dump_operands(const struct dump *d, const struct qt_ir_ins *i)
{
	if (i->a)
		fprintf(d->out, " v%" PRIu32, i->a);
	if (i->b)
		fprintf(d->out, ", v%" PRIu32, i->b);
	if (imms[i->op])
		imms[i->op](d, i->imm);
	if (i->buf != QT_IR_NO_BUF)
		fprintf(d->out, " b%" PRIu32, i->buf);
	if (i->buf2 != QT_IR_NO_BUF)
		fprintf(d->out, " b%" PRIu32, i->buf2);
	if (i->size)
		fprintf(d->out, " size %" PRIu32, i->size);
}

static void dump_ins(const struct dump *d, const struct qt_ir_ins *i)
{
	const struct qt_ir_op_info *info = qt_ir_op_info(i->op);

	fputc('\t', d->out);
	if (i->dst)
		fprintf(d->out, "v%" PRIu32 " = ", i->dst);
	fputs(info->name, d->out);
	dump_operands(d, i);
	if (i->sign)
		fprintf(d->out, " %s", sign_word(i->op));
	if (i->atomic)
		fputs(" atomic", d->out);
	if (qt_ir_has_target(i->op))
		fprintf(d->out, qt_ir_op_info(i->op)->flags & QT_IR_ENDS ? " -> %" PRIu32 : " of %" PRIu32, i->target);
	if (qt_ir_has_otherwise(i->op))
		fprintf(d->out, ", %" PRIu32, i->otherwise);
	if (i->fail != QT_IR_NO_BLOCK)
		fprintf(d->out, " else %" PRIu32, i->fail);
	fputc('\n', d->out);
}

static void dump_bufs(const struct dump *d, const struct qt_ir_fn *fn)
{
	for (uint32_t k = 0; k < fn->bufs.len; k++) {
		const struct qt_ir_buf *buf = &fn->bufs.items[k];

		if (buf->kind == QT_IR_BUF_WORDS)
			fprintf(d->out, "\tb%" PRIu32 ": words, %" PRIu32 " bytes\n", k, buf->size);
		else
			fprintf(d->out, "\tb%" PRIu32 ": text at %" PRIu32 "\n", k, buf->offset);
	}
}

static void dump_fn(const struct dump *d, const struct qt_ir_fn *fn)
{
	fprintf(d->out, "program %s (%s)", fn->name, qt_hook_info(fn->hook)->name);
	if (fn->nslots)
		fprintf(d->out, ", %" PRIu32 " slots", fn->nslots);
	fputc('\n', d->out);
	dump_bufs(d, fn);
	for (uint32_t k = 0; k < fn->blocks.len; k++) {
		fprintf(d->out, "%" PRIu32 ":\n", k);
		qt_vec_each (ins, &fn->blocks.items[k].ins)
			dump_ins(d, ins);
	}
}

void qt_ir_dump(const struct qt_ir *ir, FILE *out)
{
	struct dump d = { ir, out };

	for (uint32_t k = 0; k < ir->fns.len; k++) {
		if (k)
			fputc('\n', out);
		dump_fn(&d, &ir->fns.items[k]);
	}
}
