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

/* Blocks of other functions are no successors. */
static void add_successor(struct qt_arena *a, const struct qt_graph *g, struct qt_node *n, uint32_t block)
{
	if (block != QT_IR_NO_BLOCK && g->entry[block] != QT_NO_NODE)
		*qt_vec_push(a, &n->succ) = g->entry[block];
}

/* A loop goes on wherever its turns may leave it to. */
static void link_loop(struct qt_arena *a, const struct qt_graph *g, struct qt_node *n, const struct qt_frame *frame, const struct qt_ir_ins *end)
{
	qt_vec_each (block, &frame->parts[qt_ir_loops_by_head(&frame->loops, end->target)].exits)
		add_successor(a, g, n, *block);
	add_successor(a, g, n, end->otherwise);
}

/* The rare way first: the depth-first walk then places it last. */
static void link_node(struct qt_arena *a, const struct qt_graph *g, struct qt_node *n, const struct qt_frame *frame, const struct qt_ir_ins *end)
{
	if (qt_ir_op_info(end->op)->flags & QT_IR_MAY_FAIL) {
		add_successor(a, g, n, end->fail);
		*qt_vec_push(a, &n->succ) = (uint32_t)(n - g->nodes.items) + 1;
	} else if (end->op == QT_IR_loop || end->op == QT_IR_each) {
		link_loop(a, g, n, frame, end);
	} else if (end->op != QT_IR_next) {
		add_successor(a, g, n, qt_ir_has_otherwise(end->op) ? end->otherwise : QT_IR_NO_BLOCK);
		add_successor(a, g, n, qt_ir_has_target(end->op) ? end->target : QT_IR_NO_BLOCK);
	}
}

/* Depth first without recursion; the order is filled from its end. */
static void sort_nodes(struct qt_arena *a, struct qt_graph *g)
{
	uint32_t n = g->nodes.len, depth = 1, place = n;
	uint32_t *stack = QT_NEW_ARRAY(a, uint32_t, n + 1), *next = QT_NEW_ARRAY(a, uint32_t, n + 1);
	bool *seen = QT_NEW_ARRAY(a, bool, n);

	g->order = QT_NEW_ARRAY(a, uint32_t, n);
	stack[0] = g->start;
	seen[g->start] = true;
	while (depth) {
		const struct qt_node *at = &g->nodes.items[stack[depth - 1]];

		if (next[depth - 1] == at->succ.len) {
			g->order[--place] = stack[--depth];
			continue;
		}
		uint32_t to = at->succ.items[next[depth - 1]++];
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

	g->nodes.items[g->start].idom = 0;
	while (changed) {
		changed = false;
		for (uint32_t k = 0; k < g->norder; k++) {
			const struct qt_node *n = &g->nodes.items[g->order[k]];

			qt_vec_each (to, &n->succ)
				changed |= improve(g, n, &g->nodes.items[*to]);
		}
	}
}

void qt_graph_make(struct qt_arena *a, struct qt_graph *g, const struct qt_ir_fn *fn, const struct qt_frame *frame, uint32_t loop)
{
	*g = (struct qt_graph){ .entry = QT_NEW_ARRAY(a, uint32_t, fn->blocks.len) };
	for (uint32_t k = 0; k < fn->blocks.len; k++) {
		g->entry[k] = QT_NO_NODE;
		if (frame->loops.of_block[k] == loop)
			add_nodes(a, g, fn, k);
	}
	g->start = g->entry[loop == QT_IR_NO_LOOP ? 0 : frame->loops.items.items[loop].head];
	QT_ASSERT(g->start < g->nodes.len);
	qt_vec_each (n, &g->nodes)
		link_node(a, g, n, frame, &fn->blocks.items[n->block].ins.items[n->last]);
	sort_nodes(a, g);
	find_dominators(g);
}
