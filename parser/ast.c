/* Nodes: their making, their names, and the walk over their fields, all derived from ast.def. */
#include "parser/ast.h"

#include "base/check.h"
#include "parser/parser_internal.h"

struct kind {
	const char *name, *class;
	size_t size;
};

static const struct kind kinds[] = {
#define NODE(kind, class) [QT_AST_##kind] = { #kind, #class, sizeof(struct qt_ast_##kind) },
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
};

/* One function a kind that hands out its fields. */
#define NODE(kind, class)                                                                             \
	static void walk_##kind(const struct qt_ast *node, const struct qt_ast_fields *fn, void *ctx) \
	{                                                                                             \
		const struct qt_ast_##kind *n = (const struct qt_ast_##kind *)node;                   \
		(void)n, (void)fn, (void)ctx;
#define CHILD(field, class) \
	if (fn->child)      \
		fn->child(ctx, #field, #class, n->field, false);
#define MAYBE(field, class) \
	if (fn->child)      \
		fn->child(ctx, #field, #class, n->field, true);
#define LIST(field, class) \
	if (fn->list)      \
		fn->list(ctx, #field, #class, &n->field);
#define NAME(field)   \
	if (fn->name) \
		fn->name(ctx, #field, n->field);
#define TEXT(field)   \
	if (fn->text) \
		fn->text(ctx, #field, n->field);
#define NUM(field)   \
	if (fn->num) \
		fn->num(ctx, #field, n->field);
#define FLAG(field)   \
	if (fn->flag) \
		fn->flag(ctx, #field, n->field);
#define END }
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

typedef void (*walk_fn)(const struct qt_ast *node, const struct qt_ast_fields *fn, void *ctx);

static const walk_fn walks[] = {
#define NODE(kind, class) [QT_AST_##kind] = walk_##kind,
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
};

struct qt_ast *qt_ast_new(struct qt_arena *a, enum qt_ast_kind kind, struct qt_span span)
{
	struct qt_ast *node = qt_arena_alloc(a, kinds[kind].size);

	node->kind = kind;
	node->span = span;
	node->depth = 1;
	return node;
}

struct qt_ast *qt_ast_expect(const struct qt_ast *node, enum qt_ast_kind kind)
{
	if (!node || node->kind != kind)
		QT_BUG("a node of kind %s where %s must be", node ? kinds[node->kind].name : "none", kinds[kind].name);
	return (struct qt_ast *)node;
}

const char *qt_ast_kind_name(enum qt_ast_kind kind)
{
	return kinds[kind].name;
}

const char *qt_ast_kind_class(enum qt_ast_kind kind)
{
	return kinds[kind].class;
}

void qt_ast_walk_fields(const struct qt_ast *node, const struct qt_ast_fields *fn, void *ctx)
{
	walks[node->kind](node, fn, ctx);
}

struct children {
	qt_ast_visit fn;
	void *ctx;
};

static void children_child(void *ctx, const char *field, const char *class, struct qt_ast *child, bool maybe)
{
	const struct children *c = ctx;

	(void)field, (void)class, (void)maybe;
	if (child)
		c->fn(child, c->ctx);
}

static void children_list(void *ctx, const char *field, const char *class, const struct qt_ast_list *list)
{
	const struct children *c = ctx;

	(void)field, (void)class;
	for (uint32_t i = 0; i < list->len; i++)
		c->fn(list->items[i], c->ctx);
}

void qt_ast_children(const struct qt_ast *node, qt_ast_visit fn, void *ctx)
{
	static const struct qt_ast_fields fields = { .child = children_child, .list = children_list };
	struct children c = { fn, ctx };

	qt_ast_walk_fields(node, &fields, &c);
}
