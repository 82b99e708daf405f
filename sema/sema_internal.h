/* What the passes of sema share: the state of one run, what is known of each name, and the groups of points that one rule is checked for. */
#ifndef QT_SEMA_INTERNAL_H
#define QT_SEMA_INTERNAL_H

#include "base/check.h"
#include "base/map.h"
#include "sema/builtins.h"
#include "sema/providers.h"
#include "sema/sema.h"
#include "target/target.h"

#include <string.h>

/* Sets of context variables are bit masks. */
#define QT_MAX_CONTEXTS 64

/* ---- names ---- */

/* The form of a tuple that is kept: parts in order, down to the leaves. */
struct qt_form {
	qt_name name; /* of a record's part; NULL: a number */
	uint32_t n; /* parts; 0: a leaf */
	struct qt_form *items;
	struct qt_type type; /* leaf of a map's value */
	uint32_t index; /* leaf: the $variable, or the offset in a map's value */
};

/* A tuple as a value: an expression for each leaf. */
struct qt_tree {
	qt_name name;
	uint32_t n;
	struct qt_tree *items;
	struct qt_expr *leaf;
};

struct qt_leaves {
	struct qt_expr **items;
	uint32_t len, cap;
};

/* What is known of a context variable beside its row in the program (same index). */
struct qt_context_info {
	struct qt_type type; /* joined over all sets; ERROR until one is known */
	struct qt_span typed_at; /* the set that gave the type first */
	uint32_t reads;
};

struct qt_map_info {
	qt_name name;
	struct qt_span span; /* first use */
	struct qt_span written_at; /* file 0: never written */
	struct qt_span keyed_at; /* the use that gave the number of keys */
	bool keyed;
	QT_VEC(struct qt_column) keys;
	struct qt_type value; /* plain: joined over all assignments */
	enum qt_metric metric; /* QT_METRIC_COUNT: plain or not known */
	bool from_itself; /* an assignment reads it, as in @x = @x + 1 */
	struct qt_form *shape; /* of its values when they are tuples */
};

/* The joined types of a tag, over the groups of its rule; found by its node. */
struct qt_tag_info {
	const struct qt_ast_tag *node;
	uint32_t index; /* in the program, once it is there */
	bool placed;
	QT_VEC(struct qt_type) keys;
	QT_VEC(struct qt_type) metrics;
};

struct qt_scratch_info {
	qt_name name;
	struct qt_type type;
	struct qt_span assigned_at;
	const struct qt_ast *loop; /* the loop whose variable it is, or NULL */
	bool hidden; /* that loop is not being checked */
	struct qt_form *shape; /* it holds a tuple: its leaves are $variables of their own */
};

struct qt_param_info {
	qt_name name;
	const struct qt_ast_param *node;
	const struct qt_ast *value; /* the command line's, or the one that the script gives */
};

/* ---- points ---- */

/* How arguments are read at a group's points. */
enum qt_args_model {
	QT_ARGS_NONE,
	QT_ARGS_REGS, /* by the calling convention; PROTO names them where it is known */
	QT_ARGS_FIELDS, /* fields of a tracepoint's record */
	QT_ARGS_WORDS, /* an array of words: PROTO says what each is */
	QT_ARGS_USDT, /* the operands of one site */
};

/* Points of one rule that are hooked and read alike: they share one body. */
struct qt_group {
	const struct qt_provider *provider;
	enum qt_hook hook;
	enum qt_args_model args;
	enum qt_space space; /* of the addresses among the arguments */
	bool is_return;
	bool inside; /* not at the function's first instruction */
	bool unresolved; /* a binary that is not there: its arguments are taken as numbers */
	bool from_glob; /* one of several matches: left out where it lacks an argument that the rule reads */
	bool broken; /* no probe of the rule could be resolved: its body is checked all the same, what it reads of the event is in error */
	const struct qt_prototype *proto;
	const struct qt_tracepoint *record;
	const struct qt_syscall *syscall;
	const struct qt_usdt_site *site;
	struct qt_group *entry; /* of a return: the same points' entry; NULL: has none */
	struct qt_span span; /* the probe as written */
	QT_VEC(struct qt_point) points;
	QT_VEC(struct qt_expr *) reads; /* of the arguments that the rule uses, in the order of qt_uses; NULL: cannot be read */
	QT_VEC(struct qt_scratch_info) scratch;
};

/* The arguments that a rule's text asks for. */
struct qt_uses {
	QT_VEC(const struct qt_ast *) nodes; /* ident argN, ret, retval; member args.X */
};

struct qt_rule_info {
	const struct qt_ast_rule *node;
	uint32_t source;
	const char *text;
	struct qt_uses uses;
	QT_VEC(struct qt_group *) groups;
	uint32_t left_out; /* points of the probe at hand that lack an argument */
	const char *left_out_first;
	struct qt_map seen; /* points by canonical text and place, so that none is there twice */
};

/* ---- the run ---- */

struct qt_sema {
	struct qt_arena *arena;
	struct qt_interns *names;
	struct qt_diags *diags; /* where errors go: DIAGS_REAL, or a list that is thrown away while types are inferred */
	struct qt_diags *diags_real, *diags_muted;
	struct qt_target *target;
	const struct qt_sema_options *options;
	const struct qt_ast_program *tree;
	struct qt_program *program;
	bool final; /* types are known: this round's output counts */
	bool feeding; /* the value of a feed: memory may hold longer texts than are read */
	bool changed; /* a type was widened in this round */
	QT_VEC(struct qt_rule_info *) rules;
	QT_VEC(struct qt_context_info) contexts;
	QT_VEC(struct qt_map_info) maps;
	QT_VEC(struct qt_tag_info) tags;
	QT_VEC(struct qt_param_info) params;
	struct qt_map context_index, map_index; /* name to index + 1 */
	struct qt_map missing; /* binaries that were told to be missing */
};

/* One body being checked, for one group. */
struct qt_check {
	struct qt_sema *s;
	struct qt_rule_info *rule;
	struct qt_group *group;
	struct qt_rule *out;
	uint64_t known; /* contexts that are sure to be set here */
	uint64_t cleared; /* contexts that may just have been cleared */
	uint64_t needs; /* contexts read without being known */
	uint32_t loop_depth;
};

/* ---- expressions (typecheck_expr.c and helpers) ---- */

struct qt_expr *qt_check_expr(struct qt_check *c, const struct qt_ast *node);
/* The same, and it must be a number (or address) that can be tested; texts are an error. */
struct qt_expr *qt_check_condition(struct qt_check *c, const struct qt_ast *node);

/* The same for the argument of WHAT, which must be a number. */
struct qt_expr *qt_check_number(struct qt_check *c, const struct qt_ast *node, const char *what);

struct qt_expr *qt_x_new(struct qt_sema *s, enum qt_expr_kind kind, struct qt_type type, struct qt_span span);
struct qt_expr *qt_x_error(struct qt_sema *s, struct qt_span span);
struct qt_expr *qt_x_int(struct qt_sema *s, uint64_t value, struct qt_type type, struct qt_span span);
struct qt_expr *qt_x_str(struct qt_sema *s, struct qt_str text, struct qt_span span);
/* X as a value of TYPE: itself where nothing has to happen. */
struct qt_expr *qt_x_convert(struct qt_sema *s, struct qt_expr *x, struct qt_type type);
/* `probe` and `func` as a literal, an error where the rule's points differ; anything else as it is. */
struct qt_expr *qt_x_probe_text(struct qt_check *c, struct qt_expr *x);
/* X as a value of TYPE, to which its own type joins. */
struct qt_expr *qt_x_fit(struct qt_check *c, struct qt_expr *x, struct qt_type type);

static inline bool qt_x_bad(const struct qt_expr *x)
{
	return x->type.kind == QT_TYPE_ERROR;
}
static inline bool qt_is_number(struct qt_type t)
{
	return t.kind == QT_TYPE_INT || t.kind == QT_TYPE_PTR;
}
static inline bool qt_is_text(struct qt_type t)
{
	return t.kind == QT_TYPE_STR || t.kind == QT_TYPE_COMM || t.kind == QT_TYPE_PROBE;
}

/* Operators (typecheck_op.c): A and B are checked already. */
struct qt_expr *qt_check_binary(struct qt_check *c, const struct qt_ast *node, const char *op, struct qt_expr *a, struct qt_expr *b);
struct qt_expr *qt_check_unary(struct qt_check *c, const struct qt_ast *node, const char *op, struct qt_expr *a);
/* Evaluating X twice costs little and changes nothing. */
bool qt_x_is_cheap(const struct qt_expr *x);
/* Reads through ADDRESS, which must be a typed pointer. */
struct qt_expr *qt_check_deref(struct qt_check *c, struct qt_span span, struct qt_expr *address);

/* Gives params the values of the command line. */
void qt_params_set(struct qt_sema *s);
/* A constant, folded without a rule around it (config, tests, params): false (and a diagnostic) when NODE is none. */
bool qt_const_int(struct qt_sema *s, const struct qt_ast *node, uint64_t *value);
bool qt_const_cell(struct qt_sema *s, const struct qt_ast *node, struct qt_cell *out);
struct qt_expr *qt_positional(struct qt_sema *s, uint64_t number, bool as_text, struct qt_span span);

/* ---- statements ---- */

/* Checks NODE into OUT; false when what follows it is never reached. */
bool qt_check_stmt(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out);
struct qt_stmt *qt_stmt_new(struct qt_check *c, struct qt_stmts *out, enum qt_stmt_kind kind, struct qt_span span);
void qt_check_tag(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out);

/* ---- maps (maps.c) ---- */

/* The map that NODE names, its keys checked and joined into KEYS (on the arena); NULL after an error. */
struct qt_map_info *qt_map_use(struct qt_check *c, const struct qt_ast_map *node, struct qt_expr ***keys, uint32_t *nkeys);
uint32_t qt_map_number(struct qt_sema *s, const struct qt_map_info *m);
struct qt_expr *qt_check_map_read(struct qt_check *c, const struct qt_ast_map *node);
void qt_check_map_assign(struct qt_check *c, const struct qt_ast_assign *node, struct qt_stmts *out);
struct qt_expr *qt_check_map_incdec(struct qt_check *c, const struct qt_ast_incdec *node, struct qt_stmts *statement);
/* A map that some rule named already, or NULL. */
struct qt_map_info *qt_map_known(struct qt_sema *s, qt_name name);
/* The map named in the argument of print, clear, delete; NULL after an error. */
struct qt_map_info *qt_map_named(struct qt_check *c, const struct qt_ast *node);
/* Keys given as expressions (delete(@m, k)): checked and joined. */
bool qt_map_keys(struct qt_check *c, struct qt_map_info *m, struct qt_ast *const *nodes, uint32_t n, struct qt_span span, struct qt_expr ***keys,
		 uint32_t *nkeys);
/* Maps that are only assigned from themselves count from 0. True when there was one. */
bool qt_maps_default(struct qt_sema *s);
void qt_maps_finish(struct qt_sema *s);
void qt_suggest_maps(struct qt_sema *s, struct qt_diag *d, qt_name name);

/* ---- $variables (scratch.c) ---- */

struct qt_expr *qt_check_scratch_read(struct qt_check *c, const struct qt_ast_scratch *node);
void qt_check_scratch_assign(struct qt_check *c, const struct qt_ast_assign *node, struct qt_stmts *out);
struct qt_expr *qt_check_scratch_incdec(struct qt_check *c, const struct qt_ast_incdec *node);

/* The variable NAME of a loop: another one than a $variable of that name outside; released behind the loop. */
uint32_t qt_scratch_bind(struct qt_check *c, const struct qt_ast *loop, qt_name name, struct qt_type type);
void qt_scratch_release(struct qt_check *c, uint32_t index);

int qt_scratch_find(const struct qt_group *g, qt_name name);
/* A $variable for the compiler's own use, or the one that has the name already. */
uint32_t qt_scratch_add(struct qt_check *c, qt_name name, struct qt_span span);
/* VALUE as one that $variable INDEX can take, whose type is widened to it. */
struct qt_expr *qt_scratch_join(struct qt_check *c, uint32_t index, struct qt_expr *value);
void qt_scratch_widen(struct qt_check *c, uint32_t index, struct qt_type type);

/* ---- tuples (tuples.c) ---- */

/* The parts of NODE when it is a tuple, else NULL and nothing is checked. */
const struct qt_tree *qt_tuple_of(struct qt_check *c, const struct qt_ast *node);
/* NODE as a part of a tuple; NULL when what stands before the point is none. */
struct qt_expr *qt_check_part(struct qt_check *c, const struct qt_ast_member *node);
struct qt_expr *qt_tuple_error(struct qt_check *c, struct qt_span span);
void qt_tuple_leaves(struct qt_sema *s, const struct qt_tree *t, struct qt_leaves *out);
void qt_form_copy(struct qt_sema *s, struct qt_form *to, const struct qt_form *from);
struct qt_form *qt_form_of(struct qt_sema *s, const struct qt_tree *t);
bool qt_form_fits(struct qt_check *c, const struct qt_form *shape, const struct qt_tree *t, struct qt_span span);
void qt_form_variables(struct qt_check *c, struct qt_form *shape, const char *name, struct qt_span span);
void qt_form_offsets(struct qt_form *shape, uint32_t *offset);
void qt_form_columns(struct qt_sema *s, const struct qt_form *shape, struct qt_map_decl *d);
/* Pieces and arguments that print T as (a, b). */
void qt_tuple_format(struct qt_check *c, const struct qt_tree *t, struct qt_format *format, struct qt_stmt *stmt);

/* ---- loops (loops.c) ---- */

bool qt_check_while(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out);
bool qt_check_for(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out);
bool qt_check_unroll(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out);
bool qt_check_break(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out);
bool qt_check_continue(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out);

/* ---- contexts (contexts.c) ---- */

/* Declares every context that some rule sets, and counts what reads it. */
void qt_contexts_declare(struct qt_sema *s);
/* Index, or -1. */
int qt_context_find(const struct qt_sema *s, qt_name name);
struct qt_expr *qt_check_context_read(struct qt_check *c, int index, struct qt_span span);
struct qt_expr *qt_check_has(struct qt_check *c, const struct qt_ast_call *node);
struct qt_expr *qt_check_coalesce(struct qt_check *c, const struct qt_ast *node);
void qt_check_set(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out);
void qt_check_clear(struct qt_check *c, const struct qt_ast *node, struct qt_stmts *out);
/* Contexts that are sure to be set when NODE is true (or false). */
uint64_t qt_context_facts(const struct qt_sema *s, const struct qt_ast *node, bool when);
void qt_contexts_finish(struct qt_sema *s);

/* ---- arguments and pairs (args.c, pairs.c) ---- */

/* What NODE (argN, args.X, ret, retval) reads at G's points; NULL when it cannot be read there: WHY then says so and
 * HINT what to do (either may be NULL). Reports nothing. */
struct qt_why_not {
	const char *text, *hint;
	const struct qt_tracepoint *fields; /* names for "did you mean" */
	const struct qt_param *params;
	unsigned nparams;
};
struct qt_expr *qt_arg_by_index(struct qt_sema *s, const struct qt_group *g, unsigned index, struct qt_span span, struct qt_why_not *why);
struct qt_expr *qt_arg_by_name(struct qt_sema *s, const struct qt_group *g, const char *name, struct qt_span span, struct qt_why_not *why);
struct qt_expr *qt_arg_retval(struct qt_sema *s, const struct qt_group *g, struct qt_span span, struct qt_why_not *why);
/* Whichever of the three NODE is. */
struct qt_expr *qt_arg_read(struct qt_sema *s, const struct qt_group *g, const struct qt_ast *node, struct qt_why_not *why);
bool qt_arg_is_number(const char *name, unsigned *index); /* "arg7" */
bool qt_expr_same_read(const struct qt_expr *a, const struct qt_expr *b);
/* Checked uses: with diagnostics, through the entry where the rule is at a return. */
struct qt_expr *qt_check_arg(struct qt_check *c, const struct qt_ast *node);
struct qt_expr *qt_check_latency(struct qt_check *c, struct qt_span span);
/* What at the entry is read by READ, kept until the return. */
struct qt_expr *qt_pair_capture(struct qt_check *c, struct qt_expr *read);

/* ---- built-ins (builtin_calls.c) ---- */

struct qt_expr *qt_check_variable(struct qt_check *c, const struct qt_builtin *b, const struct qt_ast *node);
struct qt_expr *qt_check_call(struct qt_check *c, const struct qt_ast_call *node);
void qt_check_call_stmt(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out);
/* Right number of arguments? Else a diagnostic. */
bool qt_check_arity(struct qt_check *c, const struct qt_builtin *b, const struct qt_ast_call *node);

/* ---- what user space shows (builtin_shown.c) ---- */

struct qt_expr *qt_check_kstack(struct qt_check *c, const struct qt_ast_call *node);
struct qt_expr *qt_check_ustack(struct qt_check *c, const struct qt_ast_call *node);
struct qt_expr *qt_check_len(struct qt_check *c, const struct qt_ast_call *node);
struct qt_expr *qt_check_ksym(struct qt_check *c, const struct qt_ast_call *node);
struct qt_expr *qt_check_usym(struct qt_check *c, const struct qt_ast_call *node);
struct qt_expr *qt_check_cgroup_path(struct qt_check *c, const struct qt_ast_call *node);
struct qt_expr *qt_check_ntop(struct qt_check *c, const struct qt_ast_call *node);
struct qt_expr *qt_check_macaddr(struct qt_check *c, const struct qt_ast_call *node);
struct qt_expr *qt_check_bswap(struct qt_check *c, const struct qt_ast_call *node);

/* ---- actions beyond tracing (builtin_unsafe.c) ---- */

void qt_check_signal(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out);
void qt_check_signal_thread(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out);
void qt_check_system(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out);
void qt_check_cat(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out);

/* ---- about the machine (builtin_machine.c) ---- */

struct qt_expr *qt_check_kaddr(struct qt_check *c, const struct qt_ast_call *node);
struct qt_expr *qt_check_uaddr(struct qt_check *c, const struct qt_ast_call *node);
struct qt_expr *qt_check_reg(struct qt_check *c, const struct qt_ast_call *node);
struct qt_expr *qt_check_cgroupid(struct qt_check *c, const struct qt_ast_call *node);
struct qt_expr *qt_check_pton(struct qt_check *c, const struct qt_ast_call *node);
struct qt_expr *qt_check_ppid(struct qt_check *c, struct qt_span span);
struct qt_expr *qt_check_pcomm(struct qt_check *c, struct qt_span span);
struct qt_expr *qt_check_probetype(struct qt_check *c, struct qt_span span);
struct qt_expr *qt_check_usermode(struct qt_check *c, struct qt_span span);

/* ---- printf (format.c) ---- */

void qt_check_printf(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out);
void qt_check_print_value(struct qt_check *c, const struct qt_ast_call *node, struct qt_stmts *out);

/* ---- probes (resolve*.c) ---- */

/* Fills RULE's groups from its probes. */
void qt_resolve_rule(struct qt_sema *s, struct qt_rule_info *rule);
void qt_resolve_probe(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe);
/* Adds one point (and its entry's, for returns) to the group of RULE that is read like LIKE. */
void qt_rule_add_point(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_group *like, const struct qt_point *point,
		       const struct qt_point *entry);
/* The text of field I with $1 and ${name} put in; "" when it is not there. */
const char *qt_probe_field(struct qt_sema *s, const struct qt_ast_probe *probe, uint32_t i);
/* The place of field I (counted from the end when negative), or of the whole probe when there is none. */
struct qt_span qt_probe_span(const struct qt_ast_probe *probe, int i);
/* "name+0x10" (unless quoted) into name and offset; false and a diagnostic when the offset is no number. */
bool qt_probe_offset(struct qt_sema *s, const struct qt_ast_probe *probe, uint32_t i, const char **name, uint64_t *offset, bool *given);
/* A part of a canonical probe text: quoted where it holds a colon, comma, blank or quote. */
const char *qt_probe_quote(struct qt_sema *s, const char *part);
void qt_probe_shape_error(struct qt_sema *s, const struct qt_ast_probe *probe, const struct qt_provider *p);
/* A diagnostic for what the target could not find: its reason as message, its hint or near names as hint. */
struct qt_diag *qt_reason_diag(struct qt_sema *s, enum qt_code code, struct qt_span span, const struct qt_reason *why, const char *fallback);
/* Near names: begin, feed by the target's *_offer with qt_offer_name, end. */
void qt_offer_name(void *ctx, const char *candidate);

typedef void (*qt_resolve_fn)(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p);
extern const qt_resolve_fn qt_resolvers[QT_SHAPE_COUNT];
void qt_resolve_function(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p);
void qt_resolve_usdt(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p);
void qt_resolve_kernel(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p);
void qt_resolve_tracepoint(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p);
void qt_resolve_raw(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p);
void qt_resolve_syscall(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p);
void qt_resolve_timer(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p);
void qt_resolve_counter(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p);
void qt_resolve_once(struct qt_sema *s, struct qt_rule_info *rule, const struct qt_ast_probe *probe, const struct qt_provider *p);

/* ---- tests in the script (tests.c) ---- */

void qt_check_tests(struct qt_sema *s);

/* ---- small helpers ---- */

/* The source text of a node, blanks and line ends made one blank each. */
const char *qt_ast_text(struct qt_sema *s, const struct qt_ast *node);
const char *qt_str_dup(struct qt_sema *s, struct qt_str text);

#endif
