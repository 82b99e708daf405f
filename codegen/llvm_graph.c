/* The order and the dominators of a function's code, at the grain of stretches that run as a whole: an operation that may fail ends one.
 * Dominators after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001). */
#include "codegen/codegen_internal.h"

static bool ends_node(const struct qt_ir_ins *i)
{
	return qt_ir_op_info(i->op)->flags & (QT_IR_MAY_FAIL | QT_IR_ENDS);
}

static void add_nodes(struct qt_arena *a, struct qt_graph *g, const struct qt_ir_fn *fn, uint32_t block)
{
	uint32_t first = 0, count = fn->blocks.items[block].ins.len;

	g->entry[block] = g->nodes.len;
	for (uint32_t k = 0; k < count; k++) {
		if (!ends_node(&fn->blocks.items[block].ins.items[k]))
			continue;
		*qt_vec_push(a, &g->nodes) = (struct qt_node){ .block = block, .first = first, .last = k, .order = QT_NO_NODE, .idom = QT_NO_NODE };
		first = k + 1;
	}
}

static void add_successor(struct qt_graph *g, struct qt_node *n, uint32_t block)
{
	if (block != QT_IR_NO_BLOCK)
		n->succ[n->nsucc++] = g->entry[block];
}

/* The rare way first: the depth-first walk then places it last. */
static void link_node(struct qt_graph *g, struct qt_node *n, const struct qt_ir_ins *end)
{
	if (qt_ir_op_info(end->op)->flags & QT_IR_MAY_FAIL) {
		add_successor(g, n, end->fail);
		n->succ[n->nsucc++] = (uint32_t)(n - g->nodes.items) + 1;
	} else if (end->op == QT_IR_brif) {
		add_successor(g, n, end->otherwise);
		add_successor(g, n, end->target);
	} else if (end->op == QT_IR_br) {
		add_successor(g, n, end->target);
	}
}

/* Depth first without recursion; the order is filled from its end. */
static void sort_nodes(struct qt_arena *a, struct qt_graph *g)
{
	uint32_t n = g->nodes.len, depth = 1, place = n;
	uint32_t *stack = QT_NEW_ARRAY(a, uint32_t, n + 1), *next = QT_NEW_ARRAY(a, uint32_t, n + 1);
	bool *seen = QT_NEW_ARRAY(a, bool, n);

	g->order = QT_NEW_ARRAY(a, uint32_t, n);
	seen[0] = true;
	while (depth) {
		const struct qt_node *at = &g->nodes.items[stack[depth - 1]];

		if (next[depth - 1] == at->nsucc) {
			g->order[--place] = stack[--depth];
			continue;
		}
		uint32_t to = at->succ[next[depth - 1]++];
		if (seen[to])
			continue;
		seen[to] = true;
		stack[depth] = to;
		next[depth++] = 0;
	}
	g->norder = n - place;
	g->order += place;
	for (uint32_t k = 0; k < g->norder; k++)
		g->nodes.items[g->order[k]].order = k;
}

uint32_t qt_graph_join(const struct qt_graph *g, uint32_t a, uint32_t b)
{
	while (a != b) {
		uint32_t *later = a > b ? &a : &b;

		*later = g->nodes.items[g->order[*later]].idom;
	}
	return a;
}

static bool improve(struct qt_graph *g, const struct qt_node *from, struct qt_node *to)
{
	uint32_t idom = to->idom == QT_NO_NODE ? from->order : qt_graph_join(g, to->idom, from->order);
	bool changed = idom != to->idom;

	to->idom = idom;
	return changed;
}

static void find_dominators(struct qt_graph *g)
{
	bool changed = true;

	g->nodes.items[0].idom = 0;
	while (changed) {
		changed = false;
		for (uint32_t k = 0; k < g->norder; k++) {
			const struct qt_node *n = &g->nodes.items[g->order[k]];

			for (uint32_t s = 0; s < n->nsucc; s++)
				changed |= improve(g, n, &g->nodes.items[n->succ[s]]);
		}
	}
}

void qt_graph_make(struct qt_arena *a, struct qt_graph *g, const struct qt_ir_fn *fn)
{
	*g = (struct qt_graph){ .entry = QT_NEW_ARRAY(a, uint32_t, fn->blocks.len) };
	for (uint32_t k = 0; k < fn->blocks.len; k++)
		add_nodes(a, g, fn, k);
	qt_vec_each (n, &g->nodes)
		link_node(g, n, &fn->blocks.items[n->block].ins.items[n->last]);
	QT_ASSERT(g->nodes.len);
	sort_nodes(a, g);
	find_dominators(g);
}
