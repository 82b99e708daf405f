/* What the files of the parser share: its state, the constructors that the grammar calls, and the report of a syntax error. */
#ifndef QT_PARSER_PARSER_INTERNAL_H
#define QT_PARSER_PARSER_INTERNAL_H

#include "lexer/lexer.h"
#include "parser/ast.h"
#include "parser/parser.h"

/* One more than the largest token number. */
#define QT_TOKENS_END 512

struct qt_parse {
	const struct qt_source *source;
	struct qt_arena *arena;
	struct qt_interns *names;
	struct qt_diags *diags;
	struct qt_tokens tokens;
	uint32_t at; /* the token that is being pushed */
	uint32_t item; /* the first token of the item that is being read */
	QT_VEC(const struct qt_token *) open; /* brackets that are open before that token */
	const struct qt_token *filter; /* the '/' of an open filter, or NULL */
	struct qt_ast_program *program;
	bool failed; /* a syntax error was found at this token */
	bool too_deep; /* the nesting error was reported */
};

/* Walks the fields of a node in source order; any function may be NULL. FIELD and CLASS are as in ast.def. */
struct qt_ast_fields {
	void (*child)(void *ctx, const char *field, const char *class, struct qt_ast *child, bool maybe);
	void (*list)(void *ctx, const char *field, const char *class, const struct qt_ast_list *list);
	void (*name)(void *ctx, const char *field, qt_name name);
	void (*text)(void *ctx, const char *field, struct qt_str text);
	void (*num)(void *ctx, const char *field, uint64_t num);
	void (*flag)(void *ctx, const char *field, bool flag);
};
void qt_ast_walk_fields(const struct qt_ast *node, const struct qt_ast_fields *fn, void *ctx);
/* "ITEM", "STMT", "EXPR" or "PART". */
const char *qt_ast_kind_class(enum qt_ast_kind kind);

/* Constructors (ast_make.c). All take the span of the whole construct; they check the depth, and never return NULL. */
typedef struct qt_ast_list qt_list;

qt_list qt_list_one(struct qt_parse *p, struct qt_ast *node);
qt_list qt_list_add(struct qt_parse *p, qt_list list, struct qt_ast *node);
qt_list qt_list_prepend(struct qt_parse *p, struct qt_ast *node, qt_list list);
/* What `expect` names: the name, the text, or "@" and the map's name. */
struct qt_str qt_table_name(struct qt_parse *p, const struct qt_token *t);

struct qt_ast *qt_make_rule(struct qt_parse *p, struct qt_span s, qt_list probes, struct qt_ast *cond, qt_list actions, bool sentence);
struct qt_ast *qt_make_param(struct qt_parse *p, struct qt_span s, qt_name name, qt_name type, struct qt_ast *value, const struct qt_token *doc);
struct qt_ast *qt_make_import(struct qt_parse *p, struct qt_span s, const struct qt_token *path);
struct qt_ast *qt_make_config(struct qt_parse *p, struct qt_span s, qt_list settings);
struct qt_ast *qt_make_setting(struct qt_parse *p, struct qt_span s, qt_name name, struct qt_ast *value);
struct qt_ast *qt_make_test(struct qt_parse *p, struct qt_span s, const struct qt_token *name, qt_list steps);
struct qt_ast *qt_make_feed(struct qt_parse *p, struct qt_span s, struct qt_ast *probe, qt_list args, qt_list where, struct qt_ast *at);
struct qt_ast *qt_make_feed_arg(struct qt_parse *p, struct qt_span s, qt_name name, struct qt_ast *value);
struct qt_ast *qt_make_expect(struct qt_parse *p, struct qt_span s, struct qt_str table, const struct qt_token *untagged, qt_list rows);
struct qt_ast *qt_make_expect_row(struct qt_parse *p, struct qt_span s, qt_list keys, qt_list values);

struct qt_ast *qt_make_set(struct qt_parse *p, struct qt_span s, qt_list sets, bool inherit);
struct qt_ast *qt_make_set_one(struct qt_parse *p, struct qt_span s, qt_name name, struct qt_ast *value);
struct qt_ast *qt_make_clear(struct qt_parse *p, struct qt_span s, qt_list names);
struct qt_ast *qt_make_tag(struct qt_parse *p, struct qt_span s, qt_list keys, qt_name name, qt_list metrics);
struct qt_ast *qt_make_tag_key(struct qt_parse *p, struct qt_span s, struct qt_ast *value);
struct qt_ast *qt_make_metric(struct qt_parse *p, struct qt_span s, qt_name func, qt_list args, qt_name name);
struct qt_ast *qt_make_block(struct qt_parse *p, struct qt_span s, qt_list stmts);
struct qt_ast *qt_make_expr_stmt(struct qt_parse *p, struct qt_span s, struct qt_ast *value);
struct qt_ast *qt_make_assign(struct qt_parse *p, struct qt_span s, struct qt_ast *place, qt_name op, struct qt_ast *value);
struct qt_ast *qt_make_if(struct qt_parse *p, struct qt_span s, struct qt_ast *cond, struct qt_ast *then, struct qt_ast *otherwise);
struct qt_ast *qt_make_while(struct qt_parse *p, struct qt_span s, struct qt_ast *cond, struct qt_ast *body);
struct qt_ast *qt_make_for(struct qt_parse *p, struct qt_span s, const struct qt_token *var, struct qt_ast *from, struct qt_ast *to,
			   struct qt_ast *body);
struct qt_ast *qt_make_unroll(struct qt_parse *p, struct qt_span s, struct qt_ast *count, struct qt_ast *body);
struct qt_ast *qt_make_jump(struct qt_parse *p, struct qt_span s, enum qt_ast_kind kind);
struct qt_ast *qt_make_return(struct qt_parse *p, struct qt_span s, struct qt_ast *value);

struct qt_ast *qt_make_int(struct qt_parse *p, const struct qt_token *t);
struct qt_ast *qt_make_bool(struct qt_parse *p, const struct qt_token *t);
struct qt_ast *qt_make_str(struct qt_parse *p, const struct qt_token *t);
struct qt_ast *qt_make_ident(struct qt_parse *p, const struct qt_token *t);
struct qt_ast *qt_make_scratch(struct qt_parse *p, const struct qt_token *t);
struct qt_ast *qt_make_positional(struct qt_parse *p, const struct qt_token *t);
struct qt_ast *qt_make_map(struct qt_parse *p, struct qt_span s, qt_name name, qt_list keys);
struct qt_ast *qt_make_call(struct qt_parse *p, struct qt_span s, qt_name func, qt_list args);
struct qt_ast *qt_make_member(struct qt_parse *p, struct qt_span s, struct qt_ast *object, qt_name name, bool arrow);
struct qt_ast *qt_make_index(struct qt_parse *p, struct qt_span s, struct qt_ast *object, struct qt_ast *at);
struct qt_ast *qt_make_unary(struct qt_parse *p, struct qt_span s, qt_name op, struct qt_ast *value);
struct qt_ast *qt_make_binary(struct qt_parse *p, struct qt_span s, struct qt_ast *left, qt_name op, struct qt_ast *right);
/* LEFT && RIGHT, or the other one when one is NULL: several conditions of one rule. */
struct qt_ast *qt_make_both(struct qt_parse *p, struct qt_ast *left, struct qt_ast *right);
struct qt_ast *qt_make_coalesce(struct qt_parse *p, struct qt_span s, struct qt_ast *value, struct qt_ast *fallback);
struct qt_ast *qt_make_ternary(struct qt_parse *p, struct qt_span s, struct qt_ast *cond, struct qt_ast *then, struct qt_ast *otherwise);
struct qt_ast *qt_make_cast(struct qt_parse *p, struct qt_span s, struct qt_ast *type, struct qt_ast *value);
struct qt_ast *qt_make_type_name(struct qt_parse *p, struct qt_span s, qt_name name, uint64_t stars);
struct qt_ast *qt_make_incdec(struct qt_parse *p, struct qt_span s, qt_name op, struct qt_ast *place, bool prefix);
struct qt_ast *qt_make_record(struct qt_parse *p, struct qt_span s, qt_list items);
struct qt_ast *qt_make_record_part(struct qt_parse *p, struct qt_span s, qt_name name, struct qt_ast *value);
struct qt_ast *qt_make_tuple(struct qt_parse *p, struct qt_span s, qt_list items);

/* probe_spec.c: the fields of a spec, split at colons outside quotes and ${...}; each field's span is exact. */
struct qt_ast *qt_make_probe(struct qt_parse *p, const struct qt_token *t);

/* syntax_error.c: reports that the token at p->at cannot stand there; EXPECTED says by token number what could. */
void qt_syntax_error(struct qt_parse *p, const bool expected[QT_TOKENS_END]);
/* Reports that the innermost open bracket was not closed before the token at p->at. */
void qt_open_error(struct qt_parse *p, const struct qt_token *open);
/* Reports that OP, = or the like, stands where a value is asked for. */
void qt_equals_error(struct qt_parse *p, struct qt_span span, const char *op);
void qt_depth_error(struct qt_parse *p, struct qt_span span);
/* The token before p->at, or NULL. */
const struct qt_token *qt_token_before(const struct qt_parse *p, uint32_t at);

#endif
