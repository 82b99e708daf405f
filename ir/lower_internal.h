/* The lowering inside: its state, and what its files give each other. A function is made by one pass over a rule; what is known at the cursor (the task's row, the time, whether scratch
 * is taken) is kept in `at`, saved before each branch and put back behind it. Recursion follows the tree, whose
 * depth the parser limits. */
#ifndef QT_IR_LOWER_INTERNAL_H
#define QT_IR_LOWER_INTERNAL_H

#include "base/map.h"
#include "ir/build.h"
#include "ir/lower.h"

#define QT_STACK_WORDS_MAX 256u /* bytes of WORDS buffers of a function */
#define QT_TASK_BYTES_MAX (32u << 10)
#define QT_RECORD_BYTES_MAX (64u << 10)
#define QT_PERCPU_BYTES_MAX (32u << 10) /* the kernel's limit of a per-CPU value: PCPU_MIN_UNIT_SIZE */
#define QT_FILTER_ENTRIES 32768u
#define QT_NO_SLOT UINT32_MAX

struct qt_lower_loop;

/* What holds at the cursor; 0: not there. */
struct qt_lower_at {
	uint32_t row; /* the task's storage */
	uint32_t frame; /* popped from it */
	uint32_t now, pid_tgid;
	bool scratch; /* taken */
};

struct qt_lower {
	const struct qt_program *program;
	struct qt_arena *arena;
	struct qt_diags *diags;
	struct qt_plan *plan;
	struct qt_ir *ir;
	uint32_t *stacks; /* by rule: byte offset of its frames in the task's storage */
	bool *nests; /* by plan map: programs that touch it may nest or be preempted */
	struct qt_map probes; /* index + 1 of a probe by the hash of its names */
	bool failed; /* a limit was passed; a diagnostic says so */

	/* the function that is made */
	struct qt_ir_builder b;
	const struct qt_rule *rule;
	enum qt_hook hook;
	uint32_t probe; /* its only point, where there is no cookie */
	bool has_cookie;
	struct qt_lower_at at;
	uint32_t *cache; /* by context: slot of "is set", its value in the next; QT_NO_SLOT */
	uint32_t leave[2], busy; /* blocks made when first needed: the end, the end with scratch to give, no scratch to have */
	QT_VEC(uint32_t) free_texts;
	QT_VEC(uint32_t) free_words;
	uint32_t text_bytes, words_bytes; /* of all buffers so far */
	struct qt_lower_loop *loop; /* the innermost; NULL: none */
	uint32_t turns; /* slot with the turns of all loops so far; QT_NO_SLOT */
};

/* ---- layout.c: tables of the plan ---- */

void qt_layout(struct qt_lower *l);
/* After all functions: what only they know. */
void qt_layout_finish(struct qt_lower *l);
uint32_t qt_layout_context(uint32_t context); /* byte offset in the task's storage */
uint32_t qt_layout_tag_map(uint32_t tag);
uint32_t qt_layout_map_map(const struct qt_lower *l, uint32_t map);
uint32_t qt_layout_map_table(const struct qt_lower *l, uint32_t map);
uint32_t qt_layout_words(struct qt_type t); /* words of a key, a plain value or an argument */
struct qt_field qt_layout_field(struct qt_lower *l, const char *name, struct qt_type t, uint32_t offset);
uint32_t qt_layout_counter(struct qt_lower *l, enum qt_loss cause, const char *subject);
/* The number of a question to the machine; too many end the compilation. */
uint32_t qt_layout_ask(struct qt_lower *l, enum qt_ask kind, const char *text);
uint32_t qt_layout_literal(struct qt_lower *l, struct qt_str text);
uint32_t qt_layout_probe(struct qt_lower *l, const char *text, const char *func);
const char *qt_layout_copy(struct qt_lower *l, const char *s); /* into the plan's arena; NULL stays */

/* ---- lower_scan.c: questions about expressions and statements ---- */

bool qt_scan_texts(const struct qt_expr *e); /* needs a text buffer */
/* Calls FN for each expression in them, parents first. */
typedef void (*qt_scan_fn)(const struct qt_expr *e, void *ctx);
void qt_scan_expr(const struct qt_expr *e, qt_scan_fn fn, void *ctx);
void qt_scan_stmts(const struct qt_stmts *s, qt_scan_fn fn, void *ctx);

/* ---- lower_flow.c: blocks, buffers, scratch, the task's row ---- */

uint32_t qt_flow_op(struct qt_lower *l, enum qt_ir_op op, uint32_t a, uint32_t b, uint64_t imm);
/* A load or store of SIZE bytes. */
uint32_t qt_flow_sized(struct qt_lower *l, enum qt_ir_op op, uint32_t a, uint32_t b, uint64_t imm, uint32_t size, bool sign);
uint32_t qt_flow_may_fail(struct qt_lower *l, enum qt_ir_op op, uint32_t a, uint32_t b, uint64_t imm, uint32_t fail);
uint32_t qt_flow_buf(struct qt_lower *l, enum qt_ir_op op, uint32_t a, uint64_t imm, uint32_t buf);
uint32_t qt_flow_buf_may_fail(struct qt_lower *l, enum qt_ir_op op, uint32_t a, uint64_t imm, uint32_t buf, uint32_t fail);
uint32_t qt_flow_block(struct qt_lower *l);
void qt_flow_stand(struct qt_lower *l, uint32_t block);
void qt_flow_br(struct qt_lower *l, uint32_t to);
void qt_flow_brif(struct qt_lower *l, uint32_t v, uint32_t yes, uint32_t no);
/* Ends the block with a jump to TO and stands there. */
void qt_flow_join(struct qt_lower *l, uint32_t to);
/* A block that counts and goes on to TO. The cursor stays. */
uint32_t qt_flow_count(struct qt_lower *l, enum qt_loss cause, const char *subject, uint32_t to);
/* The block that ends the program from here. */
uint32_t qt_flow_leave(struct qt_lower *l);
/* Ends the program here; what is made behind it is not reached. */
void qt_flow_end(struct qt_lower *l);
/* Back to what held before a branch. */
void qt_flow_restore(struct qt_lower *l, struct qt_lower_at before);
/* A slot that is 0 here: in a loop it is made so at each turn, elsewhere slots begin with it. */
uint32_t qt_flow_slot(struct qt_lower *l);
void qt_flow_scratch(struct qt_lower *l);
uint32_t qt_flow_text(struct qt_lower *l, struct qt_span span);
void qt_flow_text_done(struct qt_lower *l, uint32_t buf);
uint32_t qt_flow_words(struct qt_lower *l, uint32_t bytes, struct qt_span span);
void qt_flow_words_done(struct qt_lower *l, uint32_t buf);
uint32_t qt_flow_now(struct qt_lower *l);
uint32_t qt_flow_pid_tgid(struct qt_lower *l);
uint32_t qt_flow_row(struct qt_lower *l); /* created when absent; the program ends when that fails */
void qt_flow_row_or(struct qt_lower *l, uint32_t absent); /* goes to ABSENT when there is none */
void qt_flow_begin(struct qt_lower *l, const struct qt_rule *rule, enum qt_hook hook, const char *kind, enum qt_prog_role role);
/* live check and process filter */
void qt_flow_prologue(struct qt_lower *l);

/* ---- expressions: lower_expr.c, lower_op.c, lower_text.c, lower_context.c ---- */

/* A word: a number, the id of a text, the number of a probe. */
uint32_t qt_lower_word(struct qt_lower *l, const struct qt_expr *e);
void qt_lower_cond(struct qt_lower *l, const struct qt_expr *e, uint32_t yes, uint32_t no);
uint32_t qt_lower_narrow(struct qt_lower *l, uint32_t v, struct qt_type t);
uint32_t qt_lower_unary(struct qt_lower *l, const struct qt_expr *e);
uint32_t qt_lower_binary(struct qt_lower *l, const struct qt_expr *e);
uint32_t qt_lower_mem(struct qt_lower *l, uint32_t address, enum qt_space space, uint32_t size, bool sign);
uint32_t qt_lower_text_id(struct qt_lower *l, const struct qt_expr *e, bool store);
uint32_t qt_lower_stack_len(struct qt_lower *l, const struct qt_expr *e);
/* The id of the text in the 16 bytes of two words, stored. */
uint32_t qt_lower_name_id(struct qt_lower *l, uint32_t low, uint32_t high, struct qt_span span);
uint32_t qt_lower_text_eq(struct qt_lower *l, const struct qt_expr *e);
/* The text itself, in a buffer that the caller gives back with qt_flow_text_done. */
uint32_t qt_lower_text(struct qt_lower *l, const struct qt_expr *e);
/* The current thread's name; every value of type COMM is that. */
bool qt_lower_is_comm(const struct qt_expr *e);
/* That name against a literal. */
bool qt_lower_is_comm_eq(const struct qt_expr *e);
uint32_t qt_lower_context(struct qt_lower *l, uint32_t context);
uint32_t qt_lower_has(struct qt_lower *l, uint32_t context);
void qt_lower_contexts_cache(struct qt_lower *l);
void qt_lower_set(struct qt_lower *l, const struct qt_stmt *s);
void qt_lower_clear(struct qt_lower *l, const struct qt_stmt *s);

/* ---- tables: lower_table.c, lower_sum.c ---- */

/* Makes a buffer with the key of MAP. */
typedef uint32_t (*qt_key_fn)(struct qt_lower *l, const void *ctx, uint32_t map, struct qt_span span);
/* The value of an aggregation (but a histogram's) under the key that KEY makes, over all CPUs; 0 when there is none. */
uint32_t qt_lower_metric(struct qt_lower *l, const struct qt_column *value, uint32_t map, qt_key_fn key, const void *ctx, struct qt_span span);

uint32_t qt_lower_map_read(struct qt_lower *l, const struct qt_expr *e);
uint32_t qt_lower_map_incdec(struct qt_lower *l, const struct qt_expr *e);
void qt_lower_tag(struct qt_lower *l, const struct qt_stmt *s);
void qt_lower_map_set(struct qt_lower *l, const struct qt_stmt *s);
void qt_lower_map_add(struct qt_lower *l, const struct qt_stmt *s);
void qt_lower_map_agg(struct qt_lower *l, const struct qt_stmt *s);
void qt_lower_map_delete(struct qt_lower *l, const struct qt_stmt *s);

/* ---- records: lower_record.c ---- */

void qt_lower_formats(struct qt_lower *l);
void qt_lower_printf(struct qt_lower *l, const struct qt_stmt *s);
void qt_lower_print(struct qt_lower *l, const struct qt_stmt *s);
void qt_lower_clear_map(struct qt_lower *l, const struct qt_stmt *s);

/* ---- statements: lower_stmt.c ---- */

void qt_lower_stmts(struct qt_lower *l, const struct qt_stmts *s);

/* ---- loops: lower_loop.c ---- */

void qt_lower_while(struct qt_lower *l, const struct qt_stmt *s);
void qt_lower_range(struct qt_lower *l, const struct qt_stmt *s);
void qt_lower_each(struct qt_lower *l, const struct qt_stmt *s);
void qt_lower_break(struct qt_lower *l, const struct qt_stmt *s);
void qt_lower_continue(struct qt_lower *l, const struct qt_stmt *s);

/* ---- frames: lower_frame.c ---- */

/* Pops the rule's frame; the program ends where there is none. */
void qt_lower_pop(struct qt_lower *l, uint32_t rule);
/* The programs that push frames. */
void qt_lower_entries(struct qt_lower *l);

/* ---- programs: lower_rule.c, lower_process.c ---- */

/* Calls MAKE once for each program that POINTS need at HOOK: once for all of them where the cookie tells them apart. */
typedef void (*qt_program_fn)(struct qt_lower *l, uint32_t rule);
struct qt_lower_points {
	const struct qt_point *items;
	uint32_t len;
};
void qt_lower_programs(struct qt_lower *l, uint32_t rule, enum qt_hook hook, struct qt_lower_points points, enum qt_prog_role role,
		       qt_program_fn make);
void qt_lower_rules(struct qt_lower *l);
/* The two programs that follow forks. */
void qt_lower_processes(struct qt_lower *l);
void qt_lower_thread_end(struct qt_lower *l);

/* ---- passes: passes.c and pass_*.c ---- */

/* Runs all passes, with the checker behind each. */
void qt_passes_run(struct qt_ir *ir);
void qt_pass_compact(struct qt_ir *ir, struct qt_ir_fn *fn);
void qt_pass_fold(struct qt_ir *ir, struct qt_ir_fn *fn);
void qt_pass_unused(struct qt_ir *ir, struct qt_ir_fn *fn);

#endif
