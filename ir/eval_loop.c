/* Loops in the interpreter: each knows its head, how many turns are left, and for one over a map the keys that were there when it began. */
#include "base/check.h"
#include "ir/eval_internal.h"

#include <string.h>

static struct qt_eval_loop *find(struct qt_run *r, uint32_t head)
{
	qt_vec_each (loop, &r->loops) {
		if (loop->head == head)
			return loop;
	}
	return NULL;
}

static struct qt_eval_loop *begin(struct qt_run *r, const struct qt_ir_ins *i)
{
	struct qt_eval_loop *loop = find(r, i->target);

	if (!loop)
		loop = qt_vec_push(r->arena, &r->loops);
	*loop = (struct qt_eval_loop){ .head = i->target };
	return loop;
}

static bool go(struct qt_run *r, uint32_t block)
{
	r->block = block;
	r->at = 0;
	return true;
}

/* To the next key that is still there; false when none is left. */
static bool find_entry(struct qt_run *r, struct qt_eval_loop *loop)
{
	const struct qt_eval_table *t = loop->table;

	for (; loop->next < loop->turns; loop->next++) {
		loop->entry = qt_eval_table_get(t, loop->keys + (size_t)loop->next * t->key_size);
		if (loop->entry)
			return true;
	}
	(void)r;
	return false;
}

static bool take_turn(struct qt_run *r, const struct qt_ir_ins *i, struct qt_eval_loop *loop)
{
	bool more = loop->table ? find_entry(r, loop) : loop->next < loop->turns;

	loop->turn = loop->next++;
	return go(r, more ? i->target : i->otherwise);
}

bool qt_eval_loop(struct qt_run *r, const struct qt_ir_ins *i)
{
	struct qt_eval_loop *loop = begin(r, i);
	uint64_t wanted = qt_eval_a(r, i);

	loop->turns = wanted < i->imm ? wanted : i->imm;
	return take_turn(r, i, loop);
}

static void collect_keys(struct qt_run *r, struct qt_eval_loop *loop)
{
	const struct qt_eval_table *t = loop->table;

	loop->keys = qt_arena_alloc(r->arena, (size_t)t->len * t->key_size + 1);
	for (uint32_t k = 0; k < t->nbuckets; k++) {
		for (const struct qt_eval_entry *e = t->buckets[k]; e; e = e->next)
			memcpy(loop->keys + (size_t)loop->turns++ * t->key_size, e->key, t->key_size);
	}
}

bool qt_eval_each(struct qt_run *r, const struct qt_ir_ins *i)
{
	struct qt_eval_loop *loop = begin(r, i);

	loop->table = &r->m->maps[i->imm];
	collect_keys(r, loop);
	return take_turn(r, i, loop);
}

bool qt_eval_next(struct qt_run *r, const struct qt_ir_ins *i)
{
	return take_turn(r, i, find(r, i->target));
}

bool qt_eval_turn(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, find(r, i->target)->turn);
}

bool qt_eval_each_key(struct qt_run *r, const struct qt_ir_ins *i)
{
	return qt_eval_result(r, i, qt_eval_number(find(r, i->target)->entry->key + i->imm, 8, false));
}

bool qt_eval_each_row(struct qt_run *r, const struct qt_ir_ins *i)
{
	const struct qt_eval_loop *loop = find(r, i->target);
	size_t copy = loop->table->copies > 1 ? r->cpu : 0;

	return qt_eval_result(r, i, (uint64_t)(uintptr_t)(loop->entry->values + copy * loop->table->value_size));
}

bool qt_eval_map_get_cpu(struct qt_run *r, const struct qt_ir_ins *i)
{
	const struct qt_eval_table *t = &r->m->maps[i->imm];
	const struct qt_eval_entry *e = qt_eval_table_get(t, r->bufs[i->buf]);
	uint64_t cpu = qt_eval_a(r, i);

	return e && cpu < t->copies && qt_eval_result(r, i, (uint64_t)(uintptr_t)(e->values + (size_t)cpu * t->value_size));
}
