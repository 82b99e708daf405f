/* The tree of a script, as written: no types, nothing resolved. Read only once the parser has made it.
 * One struct a kind, made from ast.def: struct qt_ast_rule, struct qt_ast_if and so on, each beginning with its head. */
#ifndef QT_PARSER_AST_H
#define QT_PARSER_AST_H

#include "base/intern.h"
#include "base/source.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdio.h>

enum qt_ast_kind {
#define NODE(kind, class) QT_AST_##kind,
#define CHILD(field, class)
#define MAYBE(field, class)
#define LIST(field, class)
#define NAME(field)
#define TEXT(field)
#define NUM(field)
#define FLAG(field)
#define END
#include "parser/ast.def"
#undef NODE
#undef CHILD
#undef MAYBE
#undef LIST
#undef NAME
#undef TEXT
#undef NUM
#undef FLAG
#undef END
	QT_AST_COUNT
};

struct qt_ast {
	enum qt_ast_kind kind;
	struct qt_span span;
	uint32_t depth; /* 1 without children, else one more than the deepest child; at most QT_AST_DEPTH_MAX */
};

#define QT_AST_DEPTH_MAX 200

struct qt_ast_list {
	struct qt_ast **items;
	uint32_t len, cap;
};

/* clang-format off */
#define NODE(kind, class) struct qt_ast_##kind { struct qt_ast head;
#define CHILD(field, class) struct qt_ast *field;
#define MAYBE(field, class) struct qt_ast *field;
#define LIST(field, class) struct qt_ast_list field;
#define NAME(field) qt_name field;
#define TEXT(field) struct qt_str field;
#define NUM(field) uint64_t field;
#define FLAG(field) bool field;
#define END };
/* clang-format on */
#include "parser/ast.def"
#undef NODE
#undef CHILD
#undef MAYBE
#undef LIST
#undef NAME
#undef TEXT
#undef NUM
#undef FLAG
#undef END

/* A node of a known kind: const struct qt_ast_rule *r = QT_AST(rule, node); the kind is asserted. */
#define QT_AST(k, node) ((struct qt_ast_##k *)qt_ast_expect((node), QT_AST_##k))
struct qt_ast *qt_ast_expect(const struct qt_ast *node, enum qt_ast_kind kind);

/* A new, empty node of kind K. */
#define QT_AST_NEW(arena, k, sp) ((struct qt_ast_##k *)qt_ast_new((arena), QT_AST_##k, (sp)))
struct qt_ast *qt_ast_new(struct qt_arena *a, enum qt_ast_kind kind, struct qt_span span);

const char *qt_ast_kind_name(enum qt_ast_kind kind);

/* Calls FN for every child of NODE (one level), in source order. */
typedef void (*qt_ast_visit)(struct qt_ast *child, void *ctx);
void qt_ast_children(const struct qt_ast *node, qt_ast_visit fn, void *ctx);

/* Verifies a tree against ast.def; NULL when sound, else what is wrong (a bug of the parser). */
const char *qt_ast_check(struct qt_arena *a, const struct qt_ast *tree);

/* The tree as an S-expression, one node a line, for --dump=ast and golden tests. */
void qt_ast_dump(const struct qt_ast *tree, FILE *out);

#endif
