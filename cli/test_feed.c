/* Synthetic events: the values of a feed laid out as registers, memory and context. Calls get a stack of their own for each thread, so that a return finds its entry
 * and recursion stays apart, as in a real process. */
#include "cli/test_internal.h"

#include "base/check.h"

#include <string.h>

#define STACK_TOP 0x7ffc00000000ULL
#define FRAME 256
#define CONTEXT_MAX 65536
#define STACK_MAX 4096

/* The hook of the first point of that name. */
static const struct qt_hook_info *hook_of(const struct qt_plan *p, const char *probe)
{
	qt_vec_each (point, &p->points) {
		const char *text = point->probe < p->probes.len ? p->probes.items[point->probe].text : NULL;

		if (text && !strcmp(text, probe))
			return qt_hook_info(p->progs.items[point->prog].hook);
	}
	return NULL;
}

static const char *behind_colon(const char *probe)
{
	const char *colon = strchr(probe, ':');

	return colon ? colon + 1 : probe;
}

static uint64_t enter(struct qt_test_feeder *f, const struct qt_feed *feed, uint64_t stack)
{
	uint64_t sp = stack;

	if (!sp) {
		f->next_sp += FRAME;
		sp = STACK_TOP - f->next_sp;
	}
	*qt_vec_push(f->arena, &f->calls) = (struct qt_test_call){ feed->tid, behind_colon(feed->probe), sp };
	return sp;
}

/* The stack of the innermost open call of that function on this thread; calls inside of it are over. A return without one has a place of its own. */
static uint64_t leave(struct qt_test_feeder *f, const struct qt_feed *feed)
{
	for (uint32_t i = f->calls.len; i-- > 0;) {
		struct qt_test_call c = f->calls.items[i];
		uint32_t kept = i;

		if (c.tid != feed->tid || strcmp(c.func, behind_colon(feed->probe)) != 0)
			continue;
		for (uint32_t k = i + 1; k < f->calls.len; k++)
			if (f->calls.items[k].tid != feed->tid)
				f->calls.items[kept++] = f->calls.items[k];
		f->calls.len = kept;
		return c.sp;
	}
	f->next_sp += FRAME;
	return STACK_TOP - f->next_sp;
}

static uint64_t value_word(struct qt_test_feeder *f, const struct qt_feed_value *v)
{
	if (!v->is_text)
		return v->value;
	return qt_machine_memory(f->machine, v->text.ptr, v->text.len) + (uint64_t)v->bias;
}

/* Writes a value into BYTES (LIMIT long) at its offset; the end of what was written. */
static uint32_t put_value(struct qt_test_feeder *f, const struct qt_feed_value *v, char *bytes, uint32_t limit)
{
	uint64_t word;
	uint32_t size = v->size < sizeof(word) || v->in_place ? v->size : (uint32_t)sizeof(word);

	if (v->offset > limit || size > limit - v->offset)
		return 0;
	if (v->is_text && v->in_place) {
		memcpy(bytes + v->offset, v->text.ptr, v->text.len < size ? v->text.len : size);
	} else {
		word = value_word(f, v);
		memcpy(bytes + v->offset, &word, size < sizeof(word) ? size : sizeof(word));
	}
	return v->offset + size;
}

/* Arguments on the stack: memory that begins at the stack pointer. 0: there are none. */
static uint64_t stack_of(struct qt_test_feeder *f, const struct qt_feed *feed)
{
	char bytes[STACK_MAX] = { 0 };
	uint32_t end = 0;

	qt_vec_each (v, &feed->values) {
		uint32_t e = v->on_stack ? put_value(f, v, bytes, sizeof(bytes)) : 0;

		end = e > end ? e : end;
	}
	return end ? qt_machine_memory(f->machine, bytes, end) : 0;
}

static void put_context(struct qt_test_feeder *f, const struct qt_feed *feed, struct qt_event *event)
{
	char *bytes = qt_arena_alloc(f->arena, CONTEXT_MAX);
	uint32_t end = 0;

	qt_vec_each (v, &feed->values) {
		uint32_t e = v->in_reg || v->on_stack ? 0 : put_value(f, v, bytes, CONTEXT_MAX);

		end = e > end ? e : end;
	}
	event->ctx = bytes;
	event->ctx_size = end;
}

/* A function's return pops what its entry had pushed: the stack pointer stands 8 above. In a trampoline both have one frame. */
static uint64_t stack_pointer(struct qt_test_feeder *f, const struct qt_feed *feed)
{
	const struct qt_hook_info *hook = hook_of(f->plan, feed->probe);
	uint64_t stack = stack_of(f, feed);

	if (!hook || !hook->is_return)
		return enter(f, feed, stack);
	return leave(f, feed) + (hook->context == QT_CONTEXT_REGS ? 8 : 0);
}

bool qt_test_feed(struct qt_test_feeder *f, const struct qt_feed *feed)
{
	struct qt_event event = { .probe = feed->probe,
				  .site = feed->site,
				  .pid = feed->pid,
				  .tid = feed->tid,
				  .uid = feed->uid,
				  .cpu = feed->cpu,
				  .comm = feed->comm,
				  .time_ns = feed->time_ns };

	qt_vec_each (v, &feed->values)
		if (v->in_reg)
			event.regs[v->reg] = value_word(f, v);
	put_context(f, feed, &event);
	event.regs[QT_REG_rsp] = stack_pointer(f, feed);
	return qt_machine_run(f->machine, &event) >= 0;
}
