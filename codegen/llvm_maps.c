/* The plan's maps as libbpf 1.x reads them: variables in section .maps whose debug type tells kind, sizes and flags, each number N as
 * the length of an array that the member points to. */
#include "codegen/codegen_internal.h"

#include <linux/bpf.h>
#include <string.h>

static const unsigned kinds[QT_MAP_KINDS] = {
	[QT_MAP_HASH] = BPF_MAP_TYPE_HASH,
	[QT_MAP_PERCPU_HASH] = BPF_MAP_TYPE_PERCPU_HASH,
	[QT_MAP_PERCPU_ARRAY] = BPF_MAP_TYPE_PERCPU_ARRAY,
	[QT_MAP_TASK_STORAGE] = 29, /* BPF_MAP_TYPE_TASK_STORAGE */
	[QT_MAP_RINGBUF] = BPF_MAP_TYPE_RINGBUF,
	[QT_MAP_ARRAY] = BPF_MAP_TYPE_ARRAY,
};

struct shape {
	struct qt_module *u;
	LLVMMetadataRef members[6];
	uint64_t count;
};

static void add_member(struct shape *s, const char *name, LLVMMetadataRef to)
{
	struct qt_debug *d = &s->u->debug;

	s->members[s->count] = LLVMDIBuilderCreateMemberType(d->builder, d->files[0], name, strlen(name), d->files[0], 0, 64, 0, s->count * 64,
							     LLVMDIFlagZero, qt_debug_pointer(s->u, to));
	s->count++;
}

static void add_number(struct shape *s, const char *name, uint64_t n)
{
	add_member(s, name, qt_debug_array(s->u, s->u->debug.i32, 4, n));
}

static unsigned flags_of(const struct qt_plan_map *m)
{
	return m->no_prealloc || m->kind == QT_MAP_TASK_STORAGE ? BPF_F_NO_PREALLOC : 0;
}

/* Storage of tasks wants types for key and value, other kinds their sizes; a ring has neither. */
static void add_sizes(struct shape *s, const struct qt_plan_map *m)
{
	if (m->kind == QT_MAP_TASK_STORAGE) {
		add_member(s, "key", s->u->debug.i32);
		add_member(s, "value", qt_debug_array(s->u, s->u->debug.u64, 8, m->value_size / 8));
		return;
	}
	if (m->kind != QT_MAP_RINGBUF) {
		add_number(s, "key_size", m->key_size);
		add_number(s, "value_size", m->value_size);
	}
	add_number(s, "max_entries", m->max_entries);
}

static LLVMValueRef make_map(struct qt_module *u, const struct qt_plan_map *m)
{
	struct qt_debug *d = &u->debug;
	struct shape s = { .u = u };
	LLVMTypeRef type;
	LLVMValueRef global;

	add_number(&s, "type", kinds[m->kind]);
	add_sizes(&s, m);
	if (flags_of(m))
		add_number(&s, "map_flags", flags_of(m));
	type = LLVMArrayType(u->ptr, s.count);
	global = LLVMAddGlobal(u->module, type, m->name);
	LLVMSetInitializer(global, LLVMConstNull(type));
	LLVMSetSection(global, ".maps");
	LLVMSetAlignment(global, 8);
	qt_debug_global(u, global,
			LLVMDIBuilderCreateStructType(d->builder, d->files[0], "", 0, d->files[0], 0, s.count * 64, 64, LLVMDIFlagZero, NULL,
						      s.members, (unsigned)s.count, 0, NULL, "", 0));
	return global;
}

void qt_maps_make(struct qt_module *u)
{
	u->maps = QT_NEW_ARRAY(u->arena, LLVMValueRef, u->plan->maps.len + 1);
	for (uint32_t k = 0; k < u->plan->maps.len; k++) {
		const struct qt_plan_map *m = &u->plan->maps.items[k];

		if (m->max_entries)
			u->maps[k] = make_map(u, m);
	}
}
