/* System calls through their tracepoints: names, and arguments with the types that the kernel declares. */
#include "target/target_internal.h"

#include <string.h>

#define ENTER "syscalls:sys_enter_"

/* What C calls it, and what the kernel does where the two differ. */
static const struct {
	const char *libc, *kernel;
} other_names[] = {
	{ "stat", "newstat" },	 { "lstat", "newlstat" },      { "fstat", "newfstat" },	   { "fstatat", "newfstatat" },
	{ "uname", "newuname" }, { "sendfile", "sendfile64" }, { "pread", "pread64" },	   { "pwrite", "pwrite64" },
	{ "umount2", "umount" }, { "_exit", "exit" },	       { "fadvise", "fadvise64" },
};

static const char *kernel_name(const char *name)
{
	for (unsigned i = 0; i < sizeof(other_names) / sizeof(other_names[0]); i++) {
		if (strcmp(other_names[i].libc, name) == 0)
			return other_names[i].kernel;
	}
	return NULL;
}

/* All that a system call takes by pointer lies in the calling process. */
static void read_args(struct qt_target *t, struct qt_syscall *s)
{
	struct qt_param *args = QT_NEW_ARRAY(t->arena, struct qt_param, s->enter->nfields);

	for (unsigned i = 0; i < s->enter->nfields; i++) {
		const struct qt_record_field *f = &s->enter->fields[i];

		if (f->common || f->data_loc || strcmp(f->name, "__syscall_nr") == 0 || f->offset < 16)
			continue;
		args[s->nargs] = (struct qt_param){ f->name, f->type };
		args[s->nargs++].type.is_user = f->type.kind == QT_CTYPE_POINTER;
	}
	s->args = args;
}

static struct qt_syscall *read_syscall(struct qt_target *t, const char *name, struct qt_reason *why)
{
	struct qt_syscall s = { .name = qt_intern(t->names, name) }, *kept;

	s.enter = qt_target_tracepoint(t, "syscalls", qt_arena_printf(t->arena, "sys_enter_%s", name), why);
	s.exit = s.enter ? qt_target_tracepoint(t, "syscalls", qt_arena_printf(t->arena, "sys_exit_%s", name), why) : NULL;
	if (!s.enter || !s.exit)
		return NULL;
	read_args(t, &s);
	kept = QT_NEW(t->arena, struct qt_syscall);
	*kept = s;
	return kept;
}

const struct qt_syscall *qt_target_syscall(struct qt_target *t, const char *name, struct qt_reason *why)
{
	const char *key = qt_intern(t->names, name);
	struct qt_syscall *s = qt_map_get(&t->syscalls, QT_KEY(key));
	struct qt_reason local;

	qt_why_clear(why);
	if (s)
		return s;
	s = read_syscall(t, name, &local);
	if (!s && kernel_name(name))
		s = read_syscall(t, kernel_name(name), &local);
	if (!s && local.why == QT_WHY_NOT_FOUND)
		qt_why_set(t, &local, QT_WHY_NOT_FOUND, NULL, "this kernel has no system call %s", name);
	if (!s && why)
		*why = local;
	if (s)
		qt_map_put(t->arena, &t->syscalls, QT_KEY(key), s);
	return s;
}

static void each_name(struct qt_target *t, struct qt_name_list *out)
{
	const struct qt_name_list *all = qt_tracefs_events(t);

	qt_vec_each (e, all) {
		if (strncmp(*e, ENTER, sizeof(ENTER) - 1) == 0)
			*qt_vec_push(t->arena, out) = *e + sizeof(ENTER) - 1;
	}
	if (t->live && t->tracefs < 0)
		qt_syscall_table_names(t, out);
}

bool qt_target_syscalls(struct qt_target *t, const char *pattern, struct qt_names *out)
{
	struct qt_name_list all = { 0 };

	*out = (struct qt_names){ 0 };
	each_name(t, &all);
	if (!all.len)
		return qt_no_tracefs(t, &out->reason);
	if (!qt_names_match(t, &all, pattern, out))
		return qt_why_set(t, &out->reason, QT_WHY_NOT_FOUND, NULL, "no system call matches %s", pattern);
	for (unsigned i = 0; t->live && i < out->count; i++)
		qt_rows_add(t, "name", "tracepoint", qt_arena_printf(t->arena, ENTER "%s", out->items[i]), NULL);
	return true;
}

void qt_target_syscall_offer(struct qt_target *t, qt_offer_fn offer, void *ctx)
{
	struct qt_name_list all = { 0 };

	each_name(t, &all);
	qt_vec_each (n, &all)
		offer(ctx, *n);
}
