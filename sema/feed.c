/* feed: a synthetic event. Its probe is resolved like a rule's; each value is written where the rules will read it: a register, a field of the
 * record, or the memory behind an operand. At a return, values of the entry (and `latency`) make an event at the entry before it. */
#include "sema/sema_internal.h"
#include "sema/tests_internal.h"

#define STACK_ARG(i) (8 + ((i) - QT_REG_ARGS) * 8)
#define REGION 4096

struct feed_build {
	struct qt_sema *s;
	const struct qt_group *group;
	struct qt_feed *feed;
	uint32_t record_end; /* where texts of __data_loc fields go */
	struct {
		char *bytes; /* what lies around the address in this register; NULL: nothing yet */
	} regions[QT_REG_COUNT];
};

static struct qt_feed_value *add_value(struct feed_build *b)
{
	struct qt_feed_value *v = qt_vec_push(b->s->arena, &b->feed->values);

	v->size = 8;
	return v;
}

static void put_cell(struct qt_feed_value *v, const struct qt_cell *cell)
{
	v->is_text = cell->is_text;
	v->text = cell->text;
	v->value = cell->value;
}

/* ---- operands ---- */

static bool memory_operand(struct feed_build *b, const struct qt_operand *o, const struct qt_cell *cell, struct qt_span span)
{
	int64_t at = REGION / 2 + o->disp;

	if (cell->is_text || o->base == QT_REG_COUNT || o->index != QT_REG_COUNT || o->base == QT_REG_rip || at < 0 || at + o->size > REGION) {
		qt_diag_add(b->s->diags, QT_E0216, span, "this argument lies in memory in a way that a test cannot make up");
		return false;
	}
	if (!b->regions[o->base].bytes) {
		struct qt_feed_value *v = add_value(b);

		b->regions[o->base].bytes = qt_arena_alloc(b->s->arena, REGION + 1);
		v->in_reg = v->is_text = true;
		v->reg = o->base;
		v->text = (struct qt_str){ b->regions[o->base].bytes, REGION };
		v->bias = REGION / 2;
	}
	memcpy(b->regions[o->base].bytes + at, &cell->value, o->size);
	return true;
}

static bool feed_operand(struct feed_build *b, const struct qt_expr *x, const struct qt_cell *cell, struct qt_span span)
{
	const struct qt_operand *o = &x->operand;
	struct qt_feed_value *v;

	if (o->kind == QT_OPERAND_MEM)
		return memory_operand(b, o, cell, span);
	if (o->kind == QT_OPERAND_CONST) {
		if (!cell->is_text && cell->value == (uint64_t)o->disp)
			return true;
		qt_diag_add(b->s->diags, QT_E0216, span, "this argument is always %lld at this probe", (long long)o->disp);
		return false;
	}
	v = add_value(b);
	v->in_reg = true;
	v->reg = o->base;
	put_cell(v, cell);
	v->value <<= o->shift;
	return true;
}

/* ---- places ---- */

static bool feed_text_field(struct feed_build *b, const struct qt_expr *x, const struct qt_cell *cell, struct qt_span span)
{
	struct qt_feed_value *v;
	char *padded;

	if (!cell->is_text) {
		qt_diag_add(b->s->diags, QT_E0216, span, "this field is a text");
		return false;
	}
	if (!x->index && cell->text.len > x->size) {
		qt_diag_add(b->s->diags, QT_E0216, span, "this field holds %u bytes", x->size);
		return false;
	}
	v = add_value(b);
	v->offset = x->offset;
	if (x->index) {
		uint32_t len = (uint32_t)cell->text.len + 1, at = b->record_end;

		v->size = 4;
		v->value = (uint64_t)len << 16 | (x->index == 2 ? at - (x->offset + 4) : at);
		b->record_end += QT_ALIGN(len, 4);
		v = add_value(b);
		v->offset = at;
	}
	put_cell(v, cell);
	v->in_place = true;
	v->size = x->index ? (uint32_t)cell->text.len + 1 : x->size;
	v->text.ptr = padded = qt_arena_alloc(b->s->arena, v->size + 1);
	v->text.len = v->size;
	memcpy(padded, cell->text.ptr, cell->text.len);
	return true;
}

static bool feed_place(struct feed_build *b, const struct qt_expr *x, const struct qt_cell *cell, struct qt_span span)
{
	struct qt_feed_value *v;

	if (x->kind == QT_X_USDT)
		return feed_operand(b, x, cell, span);
	if (x->kind == QT_X_FIELD_STR)
		return feed_text_field(b, x, cell, span);
	v = add_value(b);
	put_cell(v, cell);
	if (x->kind == QT_X_RETVAL || (x->kind == QT_X_ARG && x->index < QT_REG_ARGS)) {
		v->in_reg = true;
		v->reg = x->kind == QT_X_RETVAL ? QT_REG_rax : qt_reg_args[x->index];
	} else if (x->kind == QT_X_ARG) {
		v->on_stack = true;
		v->offset = STACK_ARG(x->index);
	} else {
		v->offset = x->offset;
		v->size = b->group->args == QT_ARGS_WORDS || cell->is_text ? 8 : x->size;
	}
	return true;
}

/* ---- names ---- */

/* The value that NAME (or, without one, position I) means at G. */
static struct qt_expr *find_place(struct qt_sema *s, const struct qt_group *g, const char *name, unsigned i, struct qt_span span,
				  struct qt_why_not *why)
{
	unsigned index;

	if (!name && g->is_return)
		return i ? NULL : qt_arg_retval(s, g, span, why);
	if (!name && g->args == QT_ARGS_FIELDS && g->provider->shape == QT_SHAPE_TRACEPOINT && g->record) {
		for (unsigned f = 0, n = 0; f < g->record->nfields; f++) {
			if (!g->record->fields[f].common && n++ == i)
				return qt_arg_by_name(s, g, g->record->fields[f].name, span, why);
		}
		return NULL;
	}
	if (!name)
		return qt_arg_by_index(s, g, i, span, why);
	if (qt_arg_is_number(name, &index))
		return qt_arg_by_index(s, g, index, span, why);
	if (!strcmp(name, "ret") || !strcmp(name, "retval"))
		return qt_arg_retval(s, g, span, why);
	return qt_arg_by_name(s, g, name, span, why);
}

static bool is_entry_value(const struct qt_group *g, const char *name)
{
	return g->entry && name && strcmp(name, "ret") && strcmp(name, "retval");
}

static void no_place(struct qt_sema *s, const struct qt_group *g, const struct qt_ast_feed_arg *a, const struct qt_why_not *why)
{
	struct qt_diag *d = qt_diag_add(s->diags, QT_E0216, a->head.span, "%s", why->text ? why->text : "the event has no such value");
	struct qt_suggest near;

	qt_suggest_begin(&near, a->name ? a->name : "");
	for (unsigned i = 0; why->fields && i < why->fields->nfields; i++)
		qt_suggest_offer(&near, why->fields->fields[i].name);
	for (unsigned i = 0; i < why->nparams; i++)
		qt_suggest_offer(&near, why->params[i].name);
	if (!qt_suggest_hint(s->diags, d, &near) && !a->name && g->is_return)
		qt_diag_hint(s->diags, d, "a return has one value without a name, what it returns; name the others");
}

/* ---- the event ---- */

static uint32_t record_size(const struct qt_group *g)
{
	uint32_t end = 0;

	for (unsigned i = 0; g->record && i < g->record->nfields; i++) {
		const struct qt_record_field *f = &g->record->fields[i];

		if (f->offset + f->size > end)
			end = f->offset + f->size;
	}
	return QT_ALIGN(end, 8);
}

static struct feed_build begin_feed(struct qt_sema *s, const struct qt_group *g, const struct qt_feed *like)
{
	struct feed_build b = { .s = s, .group = g, .feed = QT_NEW(s->arena, struct qt_feed), .record_end = record_size(g) };

	*b.feed = *like;
	b.feed->probe = g->points.items[0].probe;
	b.feed->site = g->args == QT_ARGS_USDT ? g->points.items[0].offset : 0;
	return b;
}

struct pair_build {
	struct feed_build own, entry;
	bool has_entry;
	uint64_t latency;
};

/* Memory may hold a longer text than is read: that is how a test has one cut. */
static bool fed_cell(struct qt_sema *s, const struct qt_ast *value, struct qt_cell *out)
{
	bool ok;

	s->feeding = true;
	ok = qt_const_cell(s, value, out);
	s->feeding = false;
	return ok;
}

static void feed_value(struct qt_sema *s, struct pair_build *p, const struct qt_ast_feed_arg *a, unsigned position)
{
	bool at_entry = is_entry_value(p->own.group, a->name);
	struct feed_build *b = at_entry ? &p->entry : &p->own;
	struct qt_why_not why = { 0 };
	struct qt_cell cell;
	struct qt_expr *place;

	if (!fed_cell(s, a->value, &cell))
		return;
	if (at_entry && !strcmp(a->name, "latency")) {
		p->has_entry = true;
		p->latency = cell.value;
		return;
	}
	place = find_place(s, b->group, a->name, position, a->head.span, &why);
	if (!place)
		no_place(s, b->group, a, &why);
	else if (feed_place(b, place, &cell, a->head.span))
		p->has_entry |= at_entry;
}

void qt_check_feed(struct qt_sema *s, const struct qt_ast_feed *node, const struct qt_group *g, struct qt_feed *like, uint64_t *clock,
		   struct qt_test *test)
{
	struct pair_build p = { .own = begin_feed(s, g, like), .latency = 1000 };

	if (g->entry && g->entry->points.len)
		p.entry = begin_feed(s, g->entry, like);
	for (uint32_t i = 0; i < node->args.len; i++)
		feed_value(s, &p, QT_AST(feed_arg, node->args.items[i]), i);
	if (p.has_entry) {
		qt_vec_push(s->arena, &test->steps)->feed = p.entry.feed;
		p.own.feed->time_ns += p.latency;
	}
	qt_vec_push(s->arena, &test->steps)->feed = p.own.feed;
	*clock = p.own.feed->time_ns;
}
