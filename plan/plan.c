/* The plan as a value: made, freed, and the little tables about it. */
#include "plan/plan.h"

#include "base/check.h"

static const struct qt_loss_info losses[] = {
#define LOSS(cause, text, advice) { #cause, text, advice },
#include "plan/loss.def"
#undef LOSS
};

const struct qt_loss_info *qt_loss_info(enum qt_loss l)
{
	QT_ASSERT(l < QT_LOSS_COUNT);
	return &losses[l];
}

struct qt_plan *qt_plan_new(void)
{
	struct qt_arena *arena = qt_arena_new();
	struct qt_plan *p = QT_NEW(arena, struct qt_plan);

	p->arena = arena;
	return p;
}

void qt_plan_free(struct qt_plan *p)
{
	if (p)
		qt_arena_free(p->arena);
}

uint32_t qt_plan_text_room(const struct qt_plan *p)
{
	uint32_t stack = p->stack_frames ? 16 + p->stack_frames * 8 : 0;

	return p->max_strlen > stack ? p->max_strlen : stack;
}

uint32_t qt_plan_text_size(const struct qt_plan *p)
{
	return (uint32_t)(sizeof(struct qt_text) + QT_ALIGN((size_t)qt_plan_text_room(p), 8) + 8);
}
