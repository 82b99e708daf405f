/* Verifies a tree against ast.def: every child is there, of the right class, inside its parent's span, and no deeper than allowed. */
#include "parser/parser_internal.h"

#include <string.h>

struct check {
	struct qt_arena *arena;
	const struct qt_ast *node; /* whose fields are looked at */
	const char *problem; /* the first one found */
};

static void check_node(struct check *c, const struct qt_ast *node);

static bool is_of_class(const struct qt_ast *node, const char *class)
{
	return !strcmp(qt_ast_kind_class(node->kind), class) || !strcmp(qt_ast_kind_name(node->kind), class);
}

static bool is_inside(struct qt_span inner, struct qt_span outer)
{
	return inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end && inner.begin <= inner.end;
}

static const char *problem_of(const struct check *c, const char *class, const struct qt_ast *child)
{
	if ((unsigned)child->kind >= QT_AST_COUNT)
		return "of no known kind";
	if (!is_of_class(child, class))
		return "of the wrong class";
	if (!is_inside(child->span, c->node->span))
		return "outside its parent's span";
	if (child->depth >= c->node->depth || c->node->depth > QT_AST_DEPTH_MAX)
		return "deeper than its parent says";
	return NULL;
}

static void check_child(void *ctx, const char *field, const char *class, struct qt_ast *child, bool maybe)
{
	struct check *c = ctx;
	const char *what;

	if (c->problem || (!child && maybe))
		return;
	what = child ? problem_of(c, class, child) : "missing";
	if (what)
		c->problem = qt_arena_printf(c->arena, "%s.%s at %u is %s", qt_ast_kind_name(c->node->kind), field, c->node->span.begin, what);
	else
		check_node(c, child);
}

static void check_list(void *ctx, const char *field, const char *class, const struct qt_ast_list *list)
{
	for (uint32_t i = 0; i < list->len; i++)
		check_child(ctx, field, class, list->items[i], false);
}

static void check_text(void *ctx, const char *field, struct qt_str text)
{
	struct check *c = ctx;

	if (!c->problem && text.len && !text.ptr)
		c->problem = qt_arena_printf(c->arena, "%s.%s has a length but no text", qt_ast_kind_name(c->node->kind), field);
}

/* Bounded by the depth, which is checked before each step down. */
static void check_node(struct check *c, const struct qt_ast *node)
{
	static const struct qt_ast_fields fields = { .child = check_child, .list = check_list, .text = check_text };
	const struct qt_ast *parent = c->node;

	c->node = node;
	qt_ast_walk_fields(node, &fields, c);
	c->node = parent;
}

const char *qt_ast_check(struct qt_arena *a, const struct qt_ast *tree)
{
	struct check c = { .arena = a };

	check_node(&c, tree);
	return c.problem;
}
