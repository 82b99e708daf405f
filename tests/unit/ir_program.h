/* Typed programs made by hand, lowered and run: constructors for what sema would make. */
#ifndef QT_TESTS_UNIT_IR_PROGRAM_H
#define QT_TESTS_UNIT_IR_PROGRAM_H

#include "ir/eval.h"
#include "ir/lower.h"
#include "plan/decode.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Types of columns. */
#define TEXT ((struct qt_type){ .kind = QT_TYPE_STR })
#define COMM ((struct qt_type){ .kind = QT_TYPE_COMM })
#define NOTHING ((struct qt_type){ .kind = QT_TYPE_VOID })

__attribute__((unused)) static const enum qt_metric just_count[] = { QT_METRIC_count, QT_METRIC_COUNT };

struct world {
	struct qt_arena *arena;
	struct qt_diags *diags;
	struct qt_program p;
	struct qt_plan *plan;
	struct qt_ir *ir;
	struct qt_machine *m;
};

static inline struct world world_new(void)
{
	struct world w = { .arena = qt_arena_new() };

	w.diags = qt_diags_new(w.arena);
	w.p.max_strlen = 64;
	w.p.max_entries = 5;
	w.p.max_strings = 5;
	w.p.ring_bytes = 4096;
	return w;
}

static inline void world_free(struct world *w)
{
	qt_machine_free(w->m);
	qt_plan_free(w->plan);
	qt_arena_free(w->arena);
}

/* Lowers; false (and a message in the diagnostics) when that failed. */
static inline bool world_lower(struct world *w)
{
	w->plan = qt_plan_new();
	w->ir = qt_lower(&w->p, NULL, w->plan, w->arena, w->diags);
	return w->ir != NULL;
}

/* Lowers, checks the plan, makes a machine of two CPUs. */
static inline void world_start(struct world *w)
{
	bool ok = world_lower(w);
	unsigned n;

	if (!ok)
		QT_EQ_STR(qt_diags_sorted(w->diags, &n)[0]->message, NULL);
	QT_EQ_STR(qt_plan_validate(w->plan), NULL);
	w->m = qt_machine_new(w->ir, 2);
}

/* ---- expressions ---- */

static inline struct qt_expr *x_new(struct world *w, enum qt_expr_kind kind, struct qt_type type)
{
	struct qt_expr *e = QT_NEW(w->arena, struct qt_expr);

	e->kind = kind;
	e->type = type;
	return e;
}

static inline struct qt_expr *x_int(struct world *w, int64_t v)
{
	struct qt_expr *e = x_new(w, QT_X_INT, QT_I64);

	e->value = (uint64_t)v;
	return e;
}

static inline struct qt_expr *x_str(struct world *w, const char *s)
{
	struct qt_expr *e = x_new(w, QT_X_STR, (struct qt_type){ .kind = QT_TYPE_STR });

	e->text = qt_str_from(s);
	return e;
}

static inline struct qt_expr *x_at(struct world *w, enum qt_expr_kind kind, struct qt_type type, uint32_t index)
{
	struct qt_expr *e = x_new(w, kind, type);

	e->index = index;
	return e;
}

static inline struct qt_expr *x_arg(struct world *w, uint32_t n)
{
	return x_at(w, QT_X_ARG, QT_I64, n);
}

static inline struct qt_expr *x_env(struct world *w, enum qt_env env, struct qt_type type)
{
	struct qt_expr *e = x_new(w, QT_X_ENV, type);

	e->env = env;
	return e;
}

static inline struct qt_expr *x_comm(struct world *w)
{
	return x_env(w, QT_ENV_comm, (struct qt_type){ .kind = QT_TYPE_COMM });
}

static inline struct qt_expr *x_op(struct world *w, enum qt_expr_kind kind, enum qt_op op, struct qt_type type, struct qt_expr *a, struct qt_expr *b)
{
	struct qt_expr *e = x_new(w, kind, type);

	e->op = op;
	e->a = a;
	e->b = b;
	return e;
}

static inline struct qt_expr *x_bin(struct world *w, enum qt_op op, struct qt_expr *a, struct qt_expr *b)
{
	return x_op(w, QT_X_BINARY, op, QT_I64, a, b);
}

/* str() of argument N. */
static inline struct qt_expr *x_text(struct world *w, uint32_t n)
{
	return x_op(w, QT_X_STR_READ, 0, (struct qt_type){ .kind = QT_TYPE_STR }, x_at(w, QT_X_ARG, (struct qt_type){ .kind = QT_TYPE_PTR }, n),
		    NULL);
}

static inline struct qt_expr *x_eq(struct world *w, struct qt_expr *a, struct qt_expr *b)
{
	return x_op(w, QT_X_STR_EQ, QT_OP_EQ, QT_INT(1, false), a, b);
}

/* ---- declarations ---- */

static inline uint32_t d_context(struct world *w, const char *name, struct qt_type type)
{
	*qt_vec_push(w->arena, &w->p.contexts) = (struct qt_context_var){ .name = name, .type = type };
	return w->p.contexts.len - 1;
}

/* A tag with one key and the metrics given (to QT_METRIC_COUNT), all of type ARG. */
static inline uint32_t d_tag(struct world *w, const char *name, uint32_t rule, struct qt_type key, struct qt_type arg, const enum qt_metric *metrics)
{
	struct qt_tag *t = qt_vec_push(w->arena, &w->p.tags);

	*t = (struct qt_tag){ .name = name, .rule = rule };
	*qt_vec_push(w->arena, &t->keys) = (struct qt_column){ "key", key, QT_METRIC_COUNT };
	for (; *metrics != QT_METRIC_COUNT; metrics++)
		*qt_vec_push(w->arena, &t->metrics) = (struct qt_column){ qt_metric_info(*metrics)->name, arg, *metrics };
	return w->p.tags.len - 1;
}

/* A map with one key (VOID: none) and a plain value or a metric. */
static inline uint32_t d_map(struct world *w, const char *name, struct qt_type key, struct qt_type value, enum qt_metric metric)
{
	struct qt_map_decl *m = qt_vec_push(w->arena, &w->p.maps);

	*m = (struct qt_map_decl){ .name = name, .value = { name, value, metric } };
	if (key.kind != QT_TYPE_VOID)
		*qt_vec_push(w->arena, &m->keys) = (struct qt_column){ "key", key, QT_METRIC_COUNT };
	return w->p.maps.len - 1;
}

/* A rule at one point; the pointer holds until the next rule. */
static inline struct qt_rule *d_rule(struct world *w, enum qt_hook hook, const char *probe)
{
	struct qt_rule *r = qt_vec_push(w->arena, &w->p.rules);

	*r = (struct qt_rule){ .source = w->p.rules.len - 1, .text = probe, .hook = hook };
	*qt_vec_push(w->arena, &r->points) =
		(struct qt_point){ .probe = probe, .func = "f", .path = "/bin/x", .event = hook == QT_HOOK_tracepoint ? "a/b" : "f", .period_ns = 1 };
	w->p.nsource_rules = w->p.rules.len;
	return r;
}

/* The entry of return rule R, at hook HOOK. */
static inline struct qt_pair *d_pair(struct world *w, struct qt_rule *r, enum qt_hook hook, const char *probe)
{
	r->pair = QT_NEW(w->arena, struct qt_pair);
	r->pair->hook = hook;
	*qt_vec_push(w->arena, &r->pair->points) =
		(struct qt_point){ .probe = probe, .func = "f", .path = "/bin/x", .event = hook == QT_HOOK_tracepoint ? "a/b" : "f" };
	return r->pair;
}

/* ---- statements ---- */

static inline struct qt_stmt *s_add(struct world *w, struct qt_stmts *to, enum qt_stmt_kind kind, uint32_t index, struct qt_expr *a)
{
	struct qt_stmt *s = QT_NEW(w->arena, struct qt_stmt);
	QT_VEC(struct qt_stmt *) v = { to->items, to->len, to->cap };

	*s = (struct qt_stmt){ .kind = kind, .index = index, .a = a };
	*qt_vec_push(w->arena, &v) = s;
	*to = (struct qt_stmts){ v.items, v.len, v.cap };
	return s;
}

static inline void s_key(struct world *w, struct qt_stmt *s, struct qt_expr *key)
{
	*qt_vec_push(w->arena, &s->keys) = key;
}

static inline void s_arg(struct world *w, struct qt_stmt *s, struct qt_expr *arg)
{
	*qt_vec_push(w->arena, &s->args) = arg;
}

/* Adds `tag KEY` with ARG for each of its metrics. */
static inline void s_tag(struct world *w, struct qt_stmts *to, uint32_t tag, struct qt_expr *key, struct qt_expr *arg)
{
	struct qt_stmt *s = s_add(w, to, QT_S_TAG, tag, NULL);

	s_key(w, s, key);
	qt_vec_each (column, &w->p.tags.items[tag].metrics)
		s_arg(w, s, qt_metric_info(column->metric)->takes_arg ? arg : NULL);
}

/* Adds a piece to a format. */
static inline void piece(struct world *w, struct qt_format *f, enum qt_format_kind kind, const char *text)
{
	*qt_vec_push(w->arena, &f->pieces) = (struct qt_format_piece){ .kind = kind, .text = qt_str_from(text), .width = -1, .precision = -1 };
}

/* ---- running ---- */

static inline struct qt_event event(const char *probe, uint32_t tid)
{
	return (struct qt_event){ .probe = probe, .pid = tid, .tid = tid, .comm = "comm" };
}

/* An event of thread TID with its first two arguments and the stack pointer. */
static inline int fire(struct world *w, const char *probe, uint32_t tid, uint64_t arg0, uint64_t arg1, uint64_t sp)
{
	struct qt_event e = event(probe, tid);

	e.regs[QT_REG_rdi] = arg0;
	e.regs[QT_REG_rsi] = arg1;
	e.regs[QT_REG_rsp] = sp;
	return qt_machine_run(w->m, &e);
}

/* Where TEXT lies in the machine. */
static inline uint64_t text_at(struct world *w, const char *text)
{
	return qt_machine_memory(w->m, text, strlen(text));
}

static inline void print_value(FILE *out, const struct qt_value *v)
{
	if (v->kind == QT_VALUE_TEXT)
		fprintf(out, "%.*s%s", (int)v->text.len, v->text.ptr,
			v->text.flags & QT_TEXT_UNREADABLE ? "<unreadable>"
			: v->text.flags			   ? "..."
							   : "");
	else if (v->kind == QT_VALUE_HIST)
		for (unsigned k = 0; k < QT_HIST_BUCKETS; k++)
			v->hist[k] ? fprintf(out, "[%u]%llu", k, (unsigned long long)v->hist[k]) : 0;
	else if (v->kind == QT_VALUE_NONE)
		fprintf(out, "-");
	else
		fprintf(out, v->kind == QT_VALUE_INT ? "%lld" : "%llu", (long long)v->i);
}

/* Table NUMBER as "key: value value; ...", in the order of the results. */
static inline const char *table(struct world *w, uint32_t number)
{
	struct qt_result_table t;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	const char *copy;

	QT_EQ_INT(qt_decode_table(w->plan, qt_machine_store(w->m), number, w->arena, &t), 0);
	qt_vec_each (row, &t.rows) {
		for (uint32_t k = 0; k < t.table->keys.len; k++) {
			print_value(out, &row->keys[k]);
			fputs(": ", out);
		}
		for (uint32_t k = 0; k < t.table->columns.len; k++) {
			fputs(k ? " " : "", out);
			print_value(out, &row->values[k]);
		}
		fputs("; ", out);
	}
	if (t.untagged)
		fprintf(out, "untagged %llu", (unsigned long long)t.untagged);
	fclose(out);
	copy = qt_arena_strndup(w->arena, text, len);
	free(text);
	return copy;
}

/* All that was lost, as "cause subject count; ...". */
static inline const char *losses(struct world *w)
{
	struct qt_result_losses l = { 0 };
	const char *text = "";

	qt_decode_losses(w->plan, qt_machine_store(w->m), 0, w->arena, &l);
	qt_vec_each (item, &l.items)
		text = qt_arena_printf(w->arena, "%s%s %s %llu; ", text, qt_loss_info(item->cause)->cause, item->subject ? item->subject : "-",
				       (unsigned long long)item->count);
	return text;
}

struct lines {
	struct world *w;
	const char *text;
};

static inline void add_line(const void *record, size_t size, void *ctx)
{
	struct lines *l = ctx;
	struct qt_buf b = { 0 };

	if (!qt_decode_printf(l->w->plan, NULL, record, size, QT_PRINTF_UNESCAPED, &b))
		qt_buf_printf(&b, "(record %u of table %u)", ((const struct qt_record_head *)record)->kind,
			      ((const struct qt_record_head *)record)->index);
	l->text = qt_arena_printf(l->w->arena, "%s%s", l->text, b.ptr ? b.ptr : "");
	qt_buf_free(&b);
}

/* What was printed since the last call. */
static inline const char *output(struct world *w)
{
	struct lines l = { w, "" };

	qt_machine_drain(w->m, add_line, &l);
	return l.text;
}

#endif
