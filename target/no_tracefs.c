/* What can be said of tracepoints by those who may not read tracefs, so that a script can be checked without privileges: BTF has the record
 * of each event (struct trace_event_raw_NAME), and the arguments of system calls do not change once they are there. */
#include "target/target_internal.h"

#include <string.h>

static const struct {
	const char *name, *args;
} table[] = {
#define SYSCALL(name, args) { #name, args },
#include "target/syscalls.def"
#undef SYSCALL
};

void qt_syscall_table_names(struct qt_target *t, struct qt_name_list *out)
{
	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		*qt_vec_push(t->arena, out) = table[i].name;
}

/* Each argument in a slot of 8 bytes behind the number of the call, as the kernel's own formats have it. */
static const char *enter_format(struct qt_target *t, const char *args)
{
	struct qt_buf b = { 0 };
	unsigned offset = 16;
	const char *text;

	qt_buf_adds(&b, "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n");
	for (const char *p = args; *p; offset += 8) {
		size_t n = strcspn(p, ",");

		qt_buf_printf(&b, "\tfield:%.*s;\toffset:%u;\tsize:8;\tsigned:0;\n", (int)n, p, offset);
		p += n + strspn(p + n, ", ");
	}
	text = qt_arena_strndup(t->arena, b.ptr, b.len);
	qt_buf_free(&b);
	return text;
}

static bool system_call(struct qt_target *t, const char *name, struct qt_tracepoint *out)
{
	bool enter = strncmp(name, "sys_enter_", 10) == 0;

	if (!enter && strncmp(name, "sys_exit_", 9))
		return false;
	name += enter ? 10 : 9;
	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (strcmp(table[i].name, name) == 0)
			return qt_format_parse(t,
					       enter ? enter_format(t, table[i].args)
						     : "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
						       "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n",
					       out);
	}
	return false;
}

/* "__data_loc_filename" is the place of "filename", whose type is not told: most are texts. */
static void set_data_loc(struct qt_target *t, struct qt_record_field *f)
{
	static const char prefix[] = "__data_loc_";

	f->data_loc = strncmp(f->name, prefix, sizeof(prefix) - 1) == 0;
	if (!f->data_loc)
		return;
	f->name += sizeof(prefix) - 1;
	qt_ctype_parse(t, "char[]", &f->type);
}

bool qt_tracepoint_guess(struct qt_target *t, const char *category, const char *name, struct qt_tracepoint *out)
{
	QT_VEC(struct qt_record_field) fields = { 0 };
	struct qt_btf *b;
	uint32_t id;

	if (strcmp(category, "syscalls") == 0)
		return system_call(t, name, out);
	b = qt_btf_get(t);
	id = b ? qt_btf_find_named(b, qt_arena_printf(t->arena, "struct trace_event_raw_%s", name)) : 0;
	for (unsigned i = 1; id && i < qt_btf_members(b, id); i++) { /* member 0 is the common head */
		struct qt_struct_field at;
		struct qt_record_field f = { .name = qt_btf_member(t, b, id, i, &at) };

		if (strcmp(f.name, "__data") == 0)
			continue;
		f.type = at.type;
		f.offset = at.offset;
		f.size = at.type.size;
		set_data_loc(t, &f);
		*qt_vec_push(t->arena, &fields) = f;
	}
	out->fields = fields.items;
	out->nfields = fields.len;
	return fields.len > 0;
}
