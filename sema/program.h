/* The typed program: what sema makes of a tree. Every name is resolved, every expression has a type, every probe is a list of points of one
 * mechanism. Frozen once made; the IR is lowered from it alone. */
#ifndef QT_SEMA_PROGRAM_H
#define QT_SEMA_PROGRAM_H

#include "base/ask.h"
#include "base/hook.h"
#include "base/intern.h"
#include "base/metric.h"
#include "base/regs.h"
#include "base/source.h"
#include "base/vec.h"
#include "sema/types.h"

/* ---- expressions ---- */

enum qt_expr_kind {
	QT_X_INT, /* value */
	QT_X_STR, /* text: a literal */
	QT_X_ENV, /* env: pid, comm, nsecs ... */
	QT_X_ARG, /* index: function argument by the ABI (0..5 in registers, then on the stack) */
	QT_X_SYSARG, /* unused by tracepoint-based system calls, which read fields */
	QT_X_FIELD, /* offset: type.size bytes of the BPF context (tracepoint field, WORDS context) */
	QT_X_FIELD_STR, /* offset: a text field inside a tracepoint record; index 0: char array of `size` bytes in place, 1: __data_loc, 2: __rel_loc */
	QT_X_USDT, /* operand of this rule's site */
	QT_X_RETVAL,
	QT_X_LATENCY, /* now - the entry's time (return rules) */
	QT_X_ENTRY, /* index: captured at the entry, see struct qt_pair */
	QT_X_CONTEXT, /* index: context variable; only where the rule's `requires` or a guard makes it sure to be set */
	QT_X_HAS, /* index: 1 when the context variable is set */
	QT_X_COALESCE, /* a: CONTEXT; b: what to take when it is not set */
	QT_X_SCRATCH, /* index: $variable of the rule */
	QT_X_MAP, /* index: map; args: keys; offset: in its value; 0 or "" when absent. Of an aggregation: its value over all CPUs (not hist) */
	QT_X_UNARY, /* op, a */
	QT_X_BINARY, /* op, a, b: both cast to one type of 64 bits before (shifts: only a), whose sign decides / % >> < <= > >= */
	QT_X_AND, /* a, b: short circuit; 0 or 1 */
	QT_X_OR,
	QT_X_TERNARY, /* a, b, c */
	QT_X_CAST, /* a to type; COMM to STR interns it */
	QT_X_DEREF, /* a: address; reads type.size bytes from a's space */
	QT_X_STR_READ, /* a: address; b: length or NULL; text in a's space */
	QT_X_STACK, /* value: first word of the stack's bytes without the process (QT_STACK_*), size: most frames, index 1: at the first instruction of a function of a process */
	QT_X_REG, /* index: enum qt_reg */
	QT_X_ASK, /* index: enum qt_ask; text: of what */
	QT_X_BSWAP, /* a: a number; its bytes the other way round */
	QT_X_STACK_LEN, /* a: a stack; its number of frames */
	QT_X_BYTES, /* a: address; size: bytes read there */
	QT_X_PACK, /* args: words whose bytes, one behind the other, are the value; size: bytes of all (the last one may be cut) */
	QT_X_STR_EQ, /* a, b: texts; op EQ or NE */
	QT_X_INCDEC, /* a: SCRATCH or MAP; value: +1 or -1; index 1: the value after, 0: before */
};

enum qt_op {
	QT_OP_ADD,
	QT_OP_SUB,
	QT_OP_MUL,
	QT_OP_DIV,
	QT_OP_MOD,
	QT_OP_AND,
	QT_OP_OR,
	QT_OP_XOR,
	QT_OP_SHL,
	QT_OP_SHR,
	QT_OP_EQ,
	QT_OP_NE,
	QT_OP_LT,
	QT_OP_LE,
	QT_OP_GT,
	QT_OP_GE,
	QT_OP_NEG,
	QT_OP_NOT /* ! */,
	QT_OP_COMPL /* ~ */
};

/* What a program can ask its surroundings: one row each in env.def: ENV(name, word in the language). */
enum qt_env {
#define ENV(name, text) QT_ENV_##name,
#include "sema/env.def"
#undef ENV
	QT_ENV_COUNT
};

/* A USDT argument as its site passes it. */
enum qt_operand_kind { QT_OPERAND_CONST, QT_OPERAND_REG, QT_OPERAND_MEM };
struct qt_operand {
	enum qt_operand_kind kind;
	uint8_t size; /* 1, 2, 4, 8 */
	bool is_signed;
	uint8_t shift; /* REG: bits to shift right before the cut to size (8 for %ah) */
	enum qt_reg base; /* REG; MEM: QT_REG_COUNT when absent. rip is the address of the site, as the registers of a uprobe hold it */
	enum qt_reg index; /* MEM: QT_REG_COUNT when absent */
	uint8_t scale;
	int64_t disp; /* CONST: the value */
};

struct qt_expr {
	enum qt_expr_kind kind;
	struct qt_type type;
	struct qt_span span;
	uint32_t index;
	uint32_t offset, size; /* FIELD, FIELD_STR */
	enum qt_op op;
	enum qt_env env;
	uint64_t value;
	struct qt_str text;
	struct qt_operand operand;
	struct qt_expr *a, *b, *c;
	QT_VEC(struct qt_expr *) args;
};

/* ---- statements ---- */

enum qt_stmt_kind {
	QT_S_SET, /* index: context variable; a: value */
	QT_S_CLEAR, /* index: context variable */
	QT_S_TAG, /* index: tag; keys; args: one per metric, NULL where the metric takes none */
	QT_S_SCRATCH, /* index: $variable; a: value */
	QT_S_SCRATCHES, /* keys: $variables; args: their values, all evaluated before one is kept */
	QT_S_MAP_SET, /* index: map; keys; a: value, or args: the parts of a tuple (compound assignment already spelled out, except atomic +=: see op) */
	QT_S_MAP_ADD, /* index: map; keys; a: what to add, atomically */
	QT_S_MAP_AGG, /* index: map (an aggregation); keys; a: argument or NULL */
	QT_S_MAP_DELETE, /* index: map; keys */
	QT_S_IF, /* a: condition; then; otherwise */
	QT_S_WHILE, /* a: condition; then: a turn */
	QT_S_RANGE, /* index: $variable or QT_NO_VARIABLE; args: the first number and the one behind the last, both int64; then: a turn */
	QT_S_EACH, /* index: map; keys: $variables that take its keys; args: those that take the parts of its value; then: a turn */
	QT_S_BREAK, /* of the innermost loop */
	QT_S_CONTINUE,
	QT_S_EXPR, /* a: for its effect */
	QT_S_PRINTF, /* index: format; args */
	QT_S_SYSTEM, /* the same, the line is a command */
	QT_S_CAT, /* the same, the line is a path */
	QT_S_SIGNAL, /* a: number; index 1: to the thread alone */
	QT_S_PRINT, /* index: map */
	QT_S_CLEAR_MAP, /* index: map */
	QT_S_EXIT, /* a: code or NULL */
	QT_S_RETURN,
};

#define QT_NO_VARIABLE UINT32_MAX

struct qt_stmt;
struct qt_stmts {
	struct qt_stmt **items;
	uint32_t len, cap;
};

struct qt_stmt {
	enum qt_stmt_kind kind;
	struct qt_span span;
	uint32_t index;
	struct qt_expr *a;
	QT_VEC(struct qt_expr *) keys;
	QT_VEC(struct qt_expr *) args;
	struct qt_stmts then, otherwise;
};

/* ---- declarations ---- */

struct qt_context_var {
	qt_name name;
	struct qt_type type;
	struct qt_span span; /* its first set */
};

/* A key or a column of a table. */
struct qt_column {
	const char *name; /* keys: the text of the expression; metrics: the `as` name or the function's */
	struct qt_type type; /* metrics: of the argument (count: u64) */
	enum qt_metric metric; /* QT_METRIC_COUNT for keys and plain values */
};

struct qt_tag {
	const char *name; /* `as NAME`, else the probe text of its rule */
	struct qt_span span;
	QT_VEC(struct qt_column) keys;
	QT_VEC(struct qt_column) metrics;
	uint32_t rule; /* number of the source rule: its untagged counter belongs to this table */
	bool has_context; /* a context is read, so that untagged events are told */
};

struct qt_map_decl {
	qt_name name; /* without @ */
	struct qt_span span;
	QT_VEC(struct qt_column) keys;
	struct qt_column value; /* metric QT_METRIC_COUNT: a plain value, shared by all CPUs */
	QT_VEC(struct qt_column) parts; /* of tuples, in place of the value: a word each; the name says where it belongs (0, 1.0, 1.name) */
};

enum qt_format_kind { QT_FMT_TEXT, QT_FMT_INT, QT_FMT_UINT, QT_FMT_HEX, QT_FMT_HEX_UPPER, QT_FMT_OCTAL, QT_FMT_CHAR, QT_FMT_STR, QT_FMT_PTR, QT_FMT_VALUE };

/* One piece of a printf format: text, or a conversion that takes the next argument. */
struct qt_format_piece {
	enum qt_format_kind kind;
	struct qt_str text; /* TEXT */
	int width, precision; /* -1: none */
	bool left, zero, plus, space, alternate;
};

struct qt_format {
	QT_VEC(struct qt_format_piece) pieces;
	QT_VEC(struct qt_type) args;
	struct qt_span span;
};

/* ---- rules ---- */

/* One place where a program is attached. */
struct qt_point {
	const char *probe; /* canonical full text, e.g. uprobe:/usr/lib/x.so:fn: what `probe` prints and tests name */
	const char *func; /* function, probe or event name alone: what `func` prints */
	const char *path; /* uprobe family: the file */
	const char *build_id; /* of that file, hexadecimal; "" or NULL: it has none */
	uint64_t offset; /* uprobe family: file offset; kprobe: offset from the function */
	uint64_t ref_ctr; /* USDT semaphore: file offset, 0: none */
	const char *event; /* kernel function, "category/name", raw tracepoint name */
	uint64_t period_ns; /* interval, profile */
};

/* What a return rule takes from its entry: the compiler adds a program at the entry that pushes a frame with the time and the captured values. */
struct qt_pair {
	enum qt_hook hook; /* of the entry */
	QT_VEC(struct qt_point) points; /* of the entry, same order as the rule's */
	QT_VEC(struct qt_expr *) captures; /* evaluated at the entry; QT_X_ENTRY reads them by index */
};

/* A rule for one probe and one mechanism. `on a, b ...` and sites with different argument layouts give several rules of one source rule. */
struct qt_rule {
	uint32_t source; /* number of the rule in the script, from 0 */
	struct qt_span span;
	const char *text; /* the probe as written */
	enum qt_hook hook;
	QT_VEC(struct qt_point) points;
	struct qt_pair *pair; /* NULL: nothing of the entry is needed */
	struct qt_expr *cond; /* NULL: none */
	QT_VEC(uint32_t) cond_requires; /* contexts that the condition reads: where one is not set, the rule is passed over silently */
	QT_VEC(uint32_t)
	requires; /* contexts that only the actions read: where one is not set, the event is counted as untagged */
	struct qt_stmts body;
	QT_VEC(struct qt_type) scratch; /* the $variables: STR ones hold ids */
};

/* ---- tests in the script ---- */

struct qt_feed_value {
	bool in_reg; /* a register of the synthetic pt_regs, else bytes of the context */
	enum qt_reg reg;
	uint32_t offset, size;
	int64_t bias; /* text: added to the address of its bytes (operands in memory: the register points beside them) */
	bool is_text; /* text: the value written is the address of these bytes in synthetic memory; in_place: the bytes themselves */
	bool in_place;
	bool on_stack; /* function argument 6 and up: offset is from the stack pointer */
	struct qt_str text;
	uint64_t value;
};

struct qt_feed {
	struct qt_span span;
	const char *probe; /* canonical text: the programs with such a point run */
	uint64_t site; /* USDT: file offset of the site that fires, since sites of one probe differ in operands; 0: any */
	QT_VEC(struct qt_feed_value) values;
	uint32_t pid, tid, uid, cpu;
	const char *comm;
	uint64_t time_ns;
};

/* One cell: a number or text. */
struct qt_cell {
	bool is_text;
	struct qt_str text;
	uint64_t value;
};

struct qt_expect_row {
	struct qt_span span;
	QT_VEC(struct qt_cell) keys;
	QT_VEC(struct qt_cell) values;
};

struct qt_expect {
	struct qt_span span;
	const char *table; /* a tag's name, "@map", "output" (rows are printf texts) or "losses" (cause: number) */
	QT_VEC(struct qt_expect_row) rows;
	bool has_untagged;
	uint64_t untagged;
};

struct qt_test_step {
	struct qt_feed *feed; /* one of the two */
	struct qt_expect *expect;
};

struct qt_test {
	struct qt_str name;
	struct qt_span span;
	QT_VEC(struct qt_test_step) steps;
};

struct qt_program {
	QT_VEC(struct qt_context_var) contexts;
	QT_VEC(struct qt_map_decl) maps;
	QT_VEC(struct qt_tag) tags;
	QT_VEC(struct qt_format) formats;
	QT_VEC(struct qt_rule) rules;
	QT_VEC(struct qt_test) tests;
	uint32_t nsource_rules;
	uint32_t max_strlen; /* bytes, 64..16384; 1024 unless config says otherwise */
	uint32_t max_entries; /* of each map and tag; 16384 unless config says otherwise */
	uint32_t max_strings; /* different texts of the run; 16384 and at least max_entries unless config says otherwise */
	uint32_t max_turns; /* of all loops together in one run of a rule; 131072 unless config says otherwise */
	uint64_t ring_bytes; /* power of two */
	uint32_t
		fork_child_pid_offset; /* of child_pid in the record of tracepoint sched:sched_process_fork; 0: not known, then a command's children are not followed */
	uint32_t exit_last_offset; /* of group_dead in the record of sched:sched_process_exit; 0: not there */
	uint32_t free_pid_offset; /* of pid in the record of sched:sched_process_free; 0: not known */
};

#endif
