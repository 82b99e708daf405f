/* The constructors of the tree, the only way in which the grammar makes nodes. A node that would be too deep becomes the number 0 (or
 * an empty node of its kind), and is reported once, so that whoever walks the tree may recurse. */
#include "parser/parser_internal.h"

#include "base/check.h"

#include <string.h>

qt_list qt_list_add(struct qt_parse *p, qt_list list, struct qt_ast *node)
{
	*qt_vec_push(p->arena, &list) = node;
	return list;
}

qt_list qt_list_one(struct qt_parse *p, struct qt_ast *node)
{
	return qt_list_add(p, (qt_list){ 0 }, node);
}

qt_list qt_list_prepend(struct qt_parse *p, struct qt_ast *node, qt_list list)
{
	qt_list all = qt_list_one(p, node);

	for (uint32_t i = 0; i < list.len; i++)
		all = qt_list_add(p, all, list.items[i]);
	return all;
}

struct qt_str qt_table_name(struct qt_parse *p, const struct qt_token *t)
{
	if (t->kind == QT_TOK_STRING)
		return t->text;
	return qt_str_from(t->kind == QT_TOK_MAP ? qt_arena_printf(p->arena, "@%s", t->name) : t->name);
}

static void deepest(struct qt_ast *child, void *ctx)
{
	uint32_t *depth = ctx;

	if (child->depth > *depth)
		*depth = child->depth;
}

/* How deep expressions and blocks may be, so that what is around them stays within the limit. */
#define EXPR_MAX (QT_AST_DEPTH_MAX - 8)
#define BLOCK_MAX (QT_AST_DEPTH_MAX - 4)

/* Sets the depth of a node whose fields are filled. */
static struct qt_ast *done(struct qt_parse *p, void *made)
{
	struct qt_ast *node = made;
	uint32_t depth = 0;

	qt_ast_children(node, deepest, &depth);
	node->depth = depth + 1;
	if (node->depth <= EXPR_MAX)
		return node;
	if (!strcmp(qt_ast_kind_class(node->kind), "EXPR")) {
		qt_depth_error(p, node->span);
		return qt_ast_new(p->arena, QT_AST_int, node->span);
	}
	if (node->depth > BLOCK_MAX && !strcmp(qt_ast_kind_class(node->kind), "STMT")) {
		qt_depth_error(p, node->span);
		return qt_ast_new(p->arena, QT_AST_block, node->span);
	}
	return node;
}

/* struct qt_ast_KIND *n, made for a function whose arguments are p and s. */
#define MAKE(k) struct qt_ast_##k *n = QT_AST_NEW(p->arena, k, s)

struct qt_ast *qt_make_rule(struct qt_parse *p, struct qt_span s, qt_list probes, struct qt_ast *cond, qt_list actions, bool sentence)
{
	MAKE(rule);

	n->probes = probes;
	n->cond = cond;
	n->actions = actions;
	n->sentence = sentence;
	return done(p, n);
}

struct qt_ast *qt_make_param(struct qt_parse *p, struct qt_span s, qt_name name, qt_name type, struct qt_ast *value, const struct qt_token *doc)
{
	MAKE(param);

	n->name = name;
	n->type = type;
	n->value = value;
	if (doc)
		n->doc = doc->text;
	return done(p, n);
}

struct qt_ast *qt_make_import(struct qt_parse *p, struct qt_span s, const struct qt_token *path)
{
	MAKE(import);

	n->path = path->text;
	return done(p, n);
}

struct qt_ast *qt_make_config(struct qt_parse *p, struct qt_span s, qt_list settings)
{
	MAKE(config);

	n->settings = settings;
	return done(p, n);
}

struct qt_ast *qt_make_setting(struct qt_parse *p, struct qt_span s, qt_name name, struct qt_ast *value)
{
	MAKE(setting);

	n->name = name;
	n->value = value;
	return done(p, n);
}

struct qt_ast *qt_make_test(struct qt_parse *p, struct qt_span s, const struct qt_token *name, qt_list steps)
{
	MAKE(test);

	n->name = name->text;
	n->steps = steps;
	return done(p, n);
}

struct qt_ast *qt_make_feed(struct qt_parse *p, struct qt_span s, struct qt_ast *probe, qt_list args, qt_list where, struct qt_ast *at)
{
	MAKE(feed);

	n->probe = probe;
	n->args = args;
	n->where = at ? qt_list_add(p, where, at) : where;
	return done(p, n);
}

struct qt_ast *qt_make_feed_arg(struct qt_parse *p, struct qt_span s, qt_name name, struct qt_ast *value)
{
	MAKE(feed_arg);

	n->name = name;
	n->value = value;
	return done(p, n);
}

struct qt_ast *qt_make_expect(struct qt_parse *p, struct qt_span s, struct qt_str table, const struct qt_token *untagged, qt_list rows)
{
	MAKE(expect);

	n->table = table;
	n->rows = rows;
	n->has_untagged = untagged != NULL;
	n->untagged = untagged ? untagged->value : 0;
	return done(p, n);
}

struct qt_ast *qt_make_expect_row(struct qt_parse *p, struct qt_span s, qt_list keys, qt_list values)
{
	MAKE(expect_row);

	n->keys = keys;
	n->values = values;
	return done(p, n);
}

struct qt_ast *qt_make_set(struct qt_parse *p, struct qt_span s, qt_list sets, bool inherit)
{
	MAKE(set);

	n->sets = sets;
	n->inherit = inherit;
	return done(p, n);
}

struct qt_ast *qt_make_set_one(struct qt_parse *p, struct qt_span s, qt_name name, struct qt_ast *value)
{
	MAKE(set_one);

	n->name = name;
	n->value = value;
	return done(p, n);
}

struct qt_ast *qt_make_clear(struct qt_parse *p, struct qt_span s, qt_list names)
{
	MAKE(clear);

	n->names = names;
	return done(p, n);
}

struct qt_ast *qt_make_tag(struct qt_parse *p, struct qt_span s, qt_list keys, qt_name name, qt_list metrics)
{
	MAKE(tag);

	n->keys = keys;
	n->name = name;
	n->metrics = metrics;
	return done(p, n);
}

struct qt_ast *qt_make_tag_key(struct qt_parse *p, struct qt_span s, struct qt_ast *value)
{
	MAKE(tag_key);

	n->value = value;
	return done(p, n);
}

struct qt_ast *qt_make_metric(struct qt_parse *p, struct qt_span s, qt_name func, qt_list args, qt_name name)
{
	MAKE(metric);

	n->func = func;
	n->args = args;
	n->name = name;
	return done(p, n);
}

struct qt_ast *qt_make_block(struct qt_parse *p, struct qt_span s, qt_list stmts)
{
	MAKE(block);

	n->stmts = stmts;
	return done(p, n);
}

struct qt_ast *qt_make_expr_stmt(struct qt_parse *p, struct qt_span s, struct qt_ast *value)
{
	MAKE(expr_stmt);

	n->value = value;
	return done(p, n);
}

struct qt_ast *qt_make_assign(struct qt_parse *p, struct qt_span s, struct qt_ast *place, qt_name op, struct qt_ast *value)
{
	MAKE(assign);

	n->place = place;
	n->op = op;
	n->value = value;
	return done(p, n);
}

/* (name = value) is a record, but a condition in parentheses was meant as a comparison. */
static void no_record(struct qt_parse *p, const struct qt_ast *cond)
{
	const struct qt_ast_record_part *part;
	uint32_t at;

	if (cond->kind != QT_AST_record || QT_AST(record, cond)->items.len != 1)
		return;
	part = QT_AST(record_part, QT_AST(record, cond)->items.items[0]);
	at = part->head.span.begin;
	while (at < part->head.span.end && p->source->text.ptr[at] != '=')
		at++;
	qt_equals_error(p, (struct qt_span){ part->head.span.file, at, at + 1 }, "=");
}

struct qt_ast *qt_make_if(struct qt_parse *p, struct qt_span s, struct qt_ast *cond, struct qt_ast *then, struct qt_ast *otherwise)
{
	MAKE(if);

	no_record(p, cond);
	n->cond = cond;
	n->then = then;
	n->otherwise = otherwise;
	return done(p, n);
}

struct qt_ast *qt_make_while(struct qt_parse *p, struct qt_span s, struct qt_ast *cond, struct qt_ast *body)
{
	MAKE(while);

	no_record(p, cond);
	n->cond = cond;
	n->body = body;
	return done(p, n);
}

struct qt_ast *qt_make_for(struct qt_parse *p, struct qt_span s, const struct qt_token *var, struct qt_ast *from, struct qt_ast *to,
			   struct qt_ast *body)
{
	MAKE(for);

	n->var = var->name;
	n->from = from;
	n->to = to;
	n->body = body;
	return done(p, n);
}

struct qt_ast *qt_make_unroll(struct qt_parse *p, struct qt_span s, struct qt_ast *count, struct qt_ast *body)
{
	MAKE(unroll);

	n->count = count;
	n->body = body;
	return done(p, n);
}

/* break or continue. */
struct qt_ast *qt_make_jump(struct qt_parse *p, struct qt_span s, enum qt_ast_kind kind)
{
	return done(p, qt_ast_new(p->arena, kind, s));
}

struct qt_ast *qt_make_return(struct qt_parse *p, struct qt_span s, struct qt_ast *value)
{
	MAKE(return);

	n->value = value;
	return done(p, n);
}

struct qt_ast *qt_make_int(struct qt_parse *p, const struct qt_token *t)
{
	struct qt_span s = t->span;
	MAKE(int);

	n->value = t->value;
	n->unit = t->unit;
	return done(p, n);
}

struct qt_ast *qt_make_bool(struct qt_parse *p, const struct qt_token *t)
{
	struct qt_ast_bool *n = (struct qt_ast_bool *)qt_ast_new(p->arena, QT_AST_bool, t->span);

	n->value = t->kind == QT_TOK_TRUE;
	return done(p, n);
}

struct qt_ast *qt_make_str(struct qt_parse *p, const struct qt_token *t)
{
	struct qt_span s = t->span;
	MAKE(str);

	n->value = t->text;
	return done(p, n);
}

struct qt_ast *qt_make_ident(struct qt_parse *p, const struct qt_token *t)
{
	struct qt_span s = t->span;
	MAKE(ident);

	n->name = t->name;
	return done(p, n);
}

struct qt_ast *qt_make_scratch(struct qt_parse *p, const struct qt_token *t)
{
	struct qt_span s = t->span;
	MAKE(scratch);

	n->name = t->name;
	return done(p, n);
}

struct qt_ast *qt_make_positional(struct qt_parse *p, const struct qt_token *t)
{
	struct qt_span s = t->span;
	MAKE(positional);

	n->number = t->value;
	return done(p, n);
}

struct qt_ast *qt_make_map(struct qt_parse *p, struct qt_span s, qt_name name, qt_list keys)
{
	MAKE(map);

	n->name = name;
	n->keys = keys;
	return done(p, n);
}

struct qt_ast *qt_make_call(struct qt_parse *p, struct qt_span s, qt_name func, qt_list args)
{
	MAKE(call);

	n->func = func;
	n->args = args;
	return done(p, n);
}

struct qt_ast *qt_make_member(struct qt_parse *p, struct qt_span s, struct qt_ast *object, qt_name name, bool arrow)
{
	MAKE(member);

	n->object = object;
	n->name = name;
	n->arrow = arrow;
	return done(p, n);
}

struct qt_ast *qt_make_index(struct qt_parse *p, struct qt_span s, struct qt_ast *object, struct qt_ast *at)
{
	MAKE(index);

	n->object = object;
	n->at = at;
	return done(p, n);
}

struct qt_ast *qt_make_unary(struct qt_parse *p, struct qt_span s, qt_name op, struct qt_ast *value)
{
	MAKE(unary);

	n->op = op;
	n->value = value;
	return done(p, n);
}

struct qt_ast *qt_make_binary(struct qt_parse *p, struct qt_span s, struct qt_ast *left, qt_name op, struct qt_ast *right)
{
	MAKE(binary);

	n->op = op;
	n->left = left;
	n->right = right;
	return done(p, n);
}

struct qt_ast *qt_make_both(struct qt_parse *p, struct qt_ast *left, struct qt_ast *right)
{
	if (!left || !right)
		return left ? left : right;
	return qt_make_binary(p, qt_span_join(left->span, right->span), left, qt_intern(p->names, "&&"), right);
}

struct qt_ast *qt_make_coalesce(struct qt_parse *p, struct qt_span s, struct qt_ast *value, struct qt_ast *fallback)
{
	MAKE(coalesce);

	n->value = value;
	n->fallback = fallback;
	return done(p, n);
}

struct qt_ast *qt_make_ternary(struct qt_parse *p, struct qt_span s, struct qt_ast *cond, struct qt_ast *then, struct qt_ast *otherwise)
{
	MAKE(ternary);

	n->cond = cond;
	n->then = then;
	n->otherwise = otherwise;
	return done(p, n);
}

struct qt_ast *qt_make_cast(struct qt_parse *p, struct qt_span s, struct qt_ast *type, struct qt_ast *value)
{
	MAKE(cast);

	n->type = type;
	n->value = value;
	return done(p, n);
}

struct qt_ast *qt_make_type_name(struct qt_parse *p, struct qt_span s, qt_name name, uint64_t stars)
{
	MAKE(type_name);

	n->name = name;
	n->stars = stars;
	return done(p, n);
}

struct qt_ast *qt_make_incdec(struct qt_parse *p, struct qt_span s, qt_name op, struct qt_ast *place, bool prefix)
{
	MAKE(incdec);

	n->op = op;
	n->place = place;
	n->prefix = prefix;
	return done(p, n);
}

struct qt_ast *qt_make_record(struct qt_parse *p, struct qt_span s, qt_list items)
{
	MAKE(record);

	n->items = items;
	return done(p, n);
}

struct qt_ast *qt_make_record_part(struct qt_parse *p, struct qt_span s, qt_name name, struct qt_ast *value)
{
	MAKE(record_part);

	n->name = name;
	n->value = value;
	return done(p, n);
}

struct qt_ast *qt_make_tuple(struct qt_parse *p, struct qt_span s, qt_list items)
{
	MAKE(tuple);

	n->items = items;
	return done(p, n);
}
