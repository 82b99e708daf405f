/* The mechanics of a function that is made: blocks and jumps, buffers that are used again, scratch taken late and given back on every path, one row of the task, one reading of the clock. */
#include "base/check.h"
#include "ir/lower_internal.h"

/* ---- instructions ---- */

uint32_t qt_flow_op(struct qt_lower *l, enum qt_ir_op op, uint32_t a, uint32_t b, uint64_t imm)
{
	struct qt_ir_ins *i = qt_ir_emit(&l->b, op, a, b);

	i->imm = imm;
	return i->dst;
}

uint32_t qt_flow_sized(struct qt_lower *l, enum qt_ir_op op, uint32_t a, uint32_t b, uint64_t imm, uint32_t size, bool sign)
{
	struct qt_ir_ins *i = qt_ir_emit(&l->b, op, a, b);

	i->imm = imm;
	i->size = size;
	i->sign = sign;
	return i->dst;
}

uint32_t qt_flow_may_fail(struct qt_lower *l, enum qt_ir_op op, uint32_t a, uint32_t b, uint64_t imm, uint32_t fail)
{
	struct qt_ir_ins *i = qt_ir_emit(&l->b, op, a, b);

	i->imm = imm;
	i->fail = fail;
	return i->dst;
}

uint32_t qt_flow_buf(struct qt_lower *l, enum qt_ir_op op, uint32_t a, uint64_t imm, uint32_t buf)
{
	struct qt_ir_ins *i = qt_ir_emit(&l->b, op, a, 0);

	i->imm = imm;
	i->buf = buf;
	return i->dst;
}

uint32_t qt_flow_buf_may_fail(struct qt_lower *l, enum qt_ir_op op, uint32_t a, uint64_t imm, uint32_t buf, uint32_t fail)
{
	struct qt_ir_ins *i = qt_ir_emit(&l->b, op, a, 0);

	i->imm = imm;
	i->buf = buf;
	i->fail = fail;
	return i->dst;
}

/* ---- blocks ---- */

uint32_t qt_flow_block(struct qt_lower *l)
{
	return qt_ir_block_new(&l->b);
}

void qt_flow_stand(struct qt_lower *l, uint32_t block)
{
	l->b.block = block;
}

void qt_flow_br(struct qt_lower *l, uint32_t to)
{
	qt_ir_emit(&l->b, QT_IR_br, 0, 0)->target = to;
}

void qt_flow_brif(struct qt_lower *l, uint32_t v, uint32_t yes, uint32_t no)
{
	struct qt_ir_ins *i = qt_ir_emit(&l->b, QT_IR_brif, v, 0);

	i->target = yes;
	i->otherwise = no;
}

void qt_flow_join(struct qt_lower *l, uint32_t to)
{
	qt_flow_br(l, to);
	qt_flow_stand(l, to);
}

uint32_t qt_flow_count(struct qt_lower *l, enum qt_loss cause, const char *subject, uint32_t to)
{
	uint32_t before = l->b.block, block = qt_flow_block(l);

	qt_flow_stand(l, block);
	qt_flow_op(l, QT_IR_count, 0, 0, qt_layout_counter(l, cause, subject));
	qt_flow_br(l, to);
	qt_flow_stand(l, before);
	return block;
}

uint32_t qt_flow_leave(struct qt_lower *l)
{
	uint32_t before = l->b.block, *block = &l->leave[l->at.scratch];

	if (*block != QT_IR_NO_BLOCK)
		return *block;
	*block = qt_flow_block(l);
	qt_flow_stand(l, *block);
	if (l->at.scratch)
		qt_flow_op(l, QT_IR_scratch_give, 0, 0, 0);
	qt_flow_op(l, QT_IR_ret, 0, 0, 0);
	qt_flow_stand(l, before);
	return *block;
}

void qt_flow_end(struct qt_lower *l)
{
	qt_flow_br(l, qt_flow_leave(l));
	qt_flow_stand(l, qt_flow_block(l));
}

void qt_flow_restore(struct qt_lower *l, struct qt_lower_at before)
{
	if (l->at.scratch && !before.scratch)
		qt_flow_op(l, QT_IR_scratch_give, 0, 0, 0);
	QT_ASSERT(l->at.scratch || !before.scratch);
	l->at = before;
}

uint32_t qt_flow_slot(struct qt_lower *l)
{
	uint32_t slot = qt_ir_slot_new(&l->b);

	if (l->loop)
		qt_flow_op(l, QT_IR_slot_store, qt_ir_const(&l->b, 0), 0, slot);
	return slot;
}

/* ---- buffers ---- */

void qt_flow_scratch(struct qt_lower *l)
{
	if (l->at.scratch)
		return;
	if (l->busy == QT_IR_NO_BLOCK)
		l->busy = qt_flow_count(l, QT_LOSS_busy, NULL, qt_flow_leave(l));
	qt_flow_may_fail(l, QT_IR_scratch_take, 0, 0, 0, l->busy);
	l->at.scratch = true;
}

static void too_many_texts(struct qt_lower *l, struct qt_span span)
{
	l->failed = true;
	qt_diag_hint(l->diags,
		     qt_diag_add(l->diags, QT_E0503, span, "the texts that this needs at once do not fit in the scratch memory of a program"),
		     "use fewer texts in one printf, or shorter ones: config = { max_strlen = N; } (now %u)", l->plan->max_strlen);
}

uint32_t qt_flow_text(struct qt_lower *l, struct qt_span span)
{
	if (l->free_texts.len)
		return l->free_texts.items[--l->free_texts.len];
	l->text_bytes += qt_plan_text_size(l->plan);
	if (8 + (uint64_t)l->text_bytes > QT_PERCPU_BYTES_MAX)
		too_many_texts(l, span);
	return qt_ir_text_new(&l->b);
}

void qt_flow_text_done(struct qt_lower *l, uint32_t buf)
{
	*qt_vec_push(l->arena, &l->free_texts) = buf;
}

static uint32_t words_size(const struct qt_lower *l, uint32_t buf)
{
	return l->ir->fns.items[l->b.fn].bufs.items[buf].size;
}

/* One that is free and has this size, or a new one. */
uint32_t qt_flow_words(struct qt_lower *l, uint32_t bytes, struct qt_span span)
{
	for (uint32_t k = 0; k < l->free_words.len; k++) {
		uint32_t buf = l->free_words.items[k];

		if (words_size(l, buf) != bytes)
			continue;
		l->free_words.items[k] = l->free_words.items[--l->free_words.len];
		return buf;
	}
	l->words_bytes += bytes;
	if (l->words_bytes > QT_STACK_WORDS_MAX) {
		l->failed = true;
		qt_diag_hint(l->diags,
			     qt_diag_add(l->diags, QT_E0501, span, "the keys and values of this rule take %u bytes up to here, at most %u",
					 l->words_bytes, QT_STACK_WORDS_MAX),
			     "use fewer keys, or split the rule in two");
	}
	return qt_ir_words_new(&l->b, bytes);
}

void qt_flow_words_done(struct qt_lower *l, uint32_t buf)
{
	*qt_vec_push(l->arena, &l->free_words) = buf;
}

/* ---- what is asked once ---- */

uint32_t qt_flow_now(struct qt_lower *l)
{
	if (!l->at.now)
		l->at.now = qt_flow_op(l, QT_IR_now, 0, 0, 0);
	return l->at.now;
}

uint32_t qt_flow_pid_tgid(struct qt_lower *l)
{
	if (!l->at.pid_tgid)
		l->at.pid_tgid = qt_flow_op(l, QT_IR_pid_tgid, 0, 0, 0);
	return l->at.pid_tgid;
}

static uint32_t task_get(struct qt_lower *l, bool create, uint32_t fail)
{
	struct qt_ir_ins *i = qt_ir_emit(&l->b, QT_IR_task_get, 0, 0);

	i->sign = create;
	i->fail = fail;
	l->at.row = i->dst;
	return i->dst;
}

uint32_t qt_flow_row(struct qt_lower *l)
{
	return l->at.row ? l->at.row : task_get(l, true, qt_flow_count(l, QT_LOSS_map_full, "context", qt_flow_leave(l)));
}

void qt_flow_row_or(struct qt_lower *l, uint32_t absent)
{
	if (!l->at.row)
		task_get(l, false, absent);
}

/* ---- programs ---- */

static uint32_t prog_add(struct qt_lower *l, const struct qt_rule *rule, enum qt_hook hook, const char *kind, enum qt_prog_role role)
{
	struct qt_plan_prog *prog = qt_vec_push(l->plan->arena, &l->plan->progs);
	const struct qt_source *source = rule && l->ir->sources ? qt_sources_get(l->ir->sources, rule->span.file) : NULL;
	struct qt_position at = source ? qt_source_position(source, rule->span.begin) : (struct qt_position){ 0, 0 };

	*prog = (struct qt_plan_prog){ .hook = hook, .role = role, .line = at.line, .column = at.column };
	prog->name = qt_arena_printf(l->plan->arena, "%s_%u", kind, l->plan->progs.len - 1);
	prog->probe = rule ? qt_layout_copy(l, rule->text) : NULL;
	prog->file = source ? qt_layout_copy(l, source->name) : NULL;
	return l->plan->progs.len - 1;
}

void qt_flow_begin(struct qt_lower *l, const struct qt_rule *rule, enum qt_hook hook, const char *kind, enum qt_prog_role role)
{
	uint32_t prog = prog_add(l, rule, hook, kind, role);

	qt_ir_begin(&l->b, l->ir, prog, l->plan->progs.items[prog].name, hook, rule ? rule->span : (struct qt_span){ 0 });
	l->rule = rule;
	l->hook = hook;
	l->at = (struct qt_lower_at){ 0 };
	l->leave[0] = l->leave[1] = l->busy = QT_IR_NO_BLOCK;
	l->free_texts.len = l->free_words.len = 0;
	l->text_bytes = l->words_bytes = 0;
	l->loop = NULL;
	l->turns = QT_NO_SLOT;
	for (uint32_t k = 0; k < l->program->contexts.len; k++)
		l->cache[k] = QT_NO_SLOT;
}

/* begin runs before everything is enabled, end after it was disabled; what the runtime's timers start belongs to no process. */
void qt_flow_prologue(struct qt_lower *l)
{
	bool once = l->hook == QT_HOOK_begin || l->hook == QT_HOOK_end;
	uint32_t go;

	if (once)
		return;
	go = qt_flow_block(l);
	qt_flow_brif(l, qt_flow_op(l, QT_IR_live, 0, 0, QT_LIVE_ENABLED), go, qt_flow_leave(l));
	qt_flow_stand(l, go);
	if (l->hook != QT_HOOK_interval)
		qt_flow_may_fail(l, QT_IR_filter, 0, 0, 0, qt_flow_leave(l));
}
