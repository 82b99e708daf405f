/* Tracepoint formats, C types, BTF that the test makes, features, alternatives: what is asked of a kernel. */
#include "target/target.h"
#include "target/target_internal.h"
#include "tests/unit/target_build.h"
#include "tests/unit/test.h"

#include <bpf/btf.h>

static const char exec_format[] = "name: sched_process_exec\nID: 365\nformat:\n"
				  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
				  "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
				  "\tfield:__data_loc char[] filename;\toffset:8;\tsize:4;\tsigned:0;\n"
				  "\tfield:pid_t pid;\toffset:12;\tsize:4;\tsigned:1;\n"
				  "\tfield:char comm[16];\toffset:16;\tsize:16;\tsigned:0;\n"
				  "\tfield:const void * ptr;\toffset:32;\tsize:8;\tsigned:0;\n"
				  "\tfield:unsigned long ips[4];\toffset:40;\tsize:32;\tsigned:0;\n"
				  "\tfield:xyz_unknown_t odd;\toffset:72;\tsize:2;\tsigned:1;\n"
				  "\tfield:__rel_loc u8[] blob;\toffset:76;\tsize:4;\tsigned:0;\n"
				  "\tfield:bool flag;\toffset:80;\tsize:1;\tsigned:0;\n\nprint fmt: \"field:x;\"\n";

QT_TEST(fields_of_a_format)
{
	struct qt_target *t = qt_target_live(&(struct qt_target_options){ .missing = 1u << QT_FEATURE_BTF });
	struct qt_tracepoint tp = { 0 };
	const struct qt_record_field *f;

	QT_NEED(qt_format_parse(t, exec_format, &tp));
	QT_EQ_INT(tp.id, 365);
	QT_EQ_INT(tp.nfields, 10);
	f = qt_tracepoint_field(&tp, "filename");
	QT_TRUE(f->data_loc && !f->rel_loc && f->type.is_text && f->type.kind == QT_CTYPE_ARRAY);
	QT_EQ_INT(f->offset, 8);
	QT_EQ_INT(f->size, 4);
	f = qt_tracepoint_field(&tp, "pid");
	QT_TRUE(f->type.is_signed && f->type.kind == QT_CTYPE_INT && !f->common);
	QT_EQ_INT(f->type.size, 4);
	f = qt_tracepoint_field(&tp, "comm");
	QT_TRUE(f->type.is_text && !f->data_loc);
	QT_EQ_INT(f->type.size, 16);
	QT_EQ_STR(f->type.text, "char[16]");
	f = qt_tracepoint_field(&tp, "ptr");
	QT_TRUE(f->type.kind == QT_CTYPE_POINTER && !f->type.pointee);
	f = qt_tracepoint_field(&tp, "ips");
	QT_EQ_INT(f->type.element, 8);
	QT_EQ_INT(f->type.size, 32);
	f = qt_tracepoint_field(&tp, "odd");
	QT_TRUE(f->type.kind == QT_CTYPE_INT && f->type.is_signed);
	QT_EQ_INT(f->type.size, 2);
	f = qt_tracepoint_field(&tp, "blob");
	QT_TRUE(f->rel_loc && !f->data_loc && !f->type.is_text);
	QT_EQ_INT(qt_tracepoint_field(&tp, "flag")->type.kind, QT_CTYPE_BOOL);
	QT_TRUE(qt_tracepoint_field(&tp, "common_pid")->common);
	QT_TRUE(qt_tracepoint_field(&tp, "nothing") == NULL);
	QT_TRUE(!qt_format_parse(t, "field:\n\tfield:;\n\tfield:x;\n\tfield:]a];\n", &tp));
	qt_target_free(t);
}

QT_TEST(narrow_types_in_wide_slots)
{
	struct qt_target *t = qt_target_live(&(struct qt_target_options){ .missing = 1u << QT_FEATURE_BTF });
	struct qt_tracepoint tp = { 0 };
	const struct qt_record_field *f;

	QT_NEED(qt_format_parse(t, "\tfield:pid_t pid;\toffset:16;\tsize:8;\tsigned:0;\n\tfield:const char * name;\toffset:24;\tsize:8;\tsigned:0;\n",
				&tp));
	f = qt_tracepoint_field(&tp, "pid");
	QT_EQ_INT(f->size, 8);
	QT_EQ_INT(f->type.size, 4);
	QT_TRUE(f->type.is_signed);
	f = qt_tracepoint_field(&tp, "name");
	QT_TRUE(f->type.is_text && f->type.kind == QT_CTYPE_POINTER);
	QT_EQ_STR(f->type.pointee, "char");
	qt_target_free(t);
}

QT_TEST(c_types)
{
	static const struct {
		const char *text;
		enum qt_ctype_kind kind;
		unsigned size;
		bool is_signed;
	} rows[] = {
		{ "int", QT_CTYPE_INT, 4, true },	   { "unsigned  int", QT_CTYPE_INT, 4, false },
		{ "const char", QT_CTYPE_INT, 1, true },   { "long unsigned int", QT_CTYPE_INT, 8, false },
		{ "void", QT_CTYPE_VOID, 0, false },	   { "struct file *", QT_CTYPE_POINTER, 8, false },
		{ "char **", QT_CTYPE_POINTER, 8, false }, { "const char *const *", QT_CTYPE_POINTER, 8, false },
		{ "u8[6]", QT_CTYPE_ARRAY, 6, false },	   { "bool", QT_CTYPE_BOOL, 1, false },
	};
	struct qt_target *t = qt_target_live(&(struct qt_target_options){ .missing = 1u << QT_FEATURE_BTF });
	struct qt_ctype c;

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!qt_ctype_parse(t, rows[i].text, &c) || c.kind != rows[i].kind || c.size != rows[i].size || c.is_signed != rows[i].is_signed)
			QT_EQ_STR("something else", rows[i].text);
	}
	QT_TRUE(qt_ctype_parse(t, "char **", &c) && !c.is_text && !c.pointee);
	QT_TRUE(qt_ctype_parse(t, "const char __user *", &c) && c.is_text && c.is_user);
	QT_TRUE(!qt_ctype_parse(t, "no_such_type_t", &c));
	QT_TRUE(!qt_ctype_parse(t, "", &c));
	qt_target_free(t);
}

/* ---- BTF ---- */

static struct btf *make_btf(void)
{
	struct btf *b = btf__new_empty();
	int i32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED), u64 = btf__add_int(b, "u64", 8, 0), chr = btf__add_int(b, "char", 1, 0);
	int cchr = btf__add_const(b, chr), str = btf__add_ptr(b, cchr), name = btf__add_array(b, i32, chr, 16), in, out, alias, ptr, proto, anon;

	in = btf__add_struct(b, "inner", 16);
	btf__add_field(b, "a", i32, 0, 0);
	btf__add_field(b, "b", u64, 64, 0);
	anon = btf__add_union(b, NULL, 8);
	btf__add_field(b, "u", u64, 0, 0);
	btf__add_field(b, "bits", i32, 0, 3);
	out = btf__add_struct(b, "outer", 64);
	btf__add_field(b, "first", i32, 0, 0);
	btf__add_field(b, "in", in, 64, 0);
	btf__add_field(b, NULL, anon, 192, 0);
	btf__add_field(b, "name", name, 256, 0);
	btf__add_field(b, "flag", i32, 395, 2);
	alias = btf__add_typedef(b, "outer_t", out);
	ptr = btf__add_ptr(b, alias);
	proto = btf__add_func_proto(b, i32);
	btf__add_func_param(b, "o", ptr);
	btf__add_func_param(b, "text", str);
	btf__add_func(b, "work", BTF_FUNC_STATIC, proto);
	btf__add_typedef(b, "loop", (int)btf__type_cnt(b)); /* itself */
	return b;
}

static struct qt_btf open_btf(struct btf *b)
{
	struct qt_btf out = { 0 };
	uint32_t size;
	const void *bytes = btf__raw_data(b, &size);

	QT_TRUE(qt_btf_open((struct qt_image){ bytes, size }, &out));
	return out;
}

QT_TEST(fields_of_structs)
{
	struct qt_target *t = qt_target_live(NULL);
	struct btf *raw = make_btf();
	struct qt_btf b = open_btf(raw);
	struct qt_struct_field f;
	uint32_t id = qt_btf_find_named(&b, "struct outer");
	static const struct {
		const char *path;
		unsigned offset, bit_offset, bit_size;
	} rows[] = { { "first", 0, 0, 0 }, { "in", 8, 0, 0 },	 { "in.b", 16, 0, 0 }, { "u", 24, 0, 0 },
		     { "bits", 24, 0, 3 }, { "name", 32, 0, 0 }, { "flag", 48, 11, 2 } };

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		QT_NEED(qt_btf_field(t, &b, id, rows[i].path, &f));
		if (f.offset != rows[i].offset || f.bit_offset != rows[i].bit_offset || f.bit_size != rows[i].bit_size)
			QT_EQ_STR("elsewhere", rows[i].path);
	}
	QT_TRUE(qt_btf_field(t, &b, qt_btf_find_named(&b, "outer_t"), "name", &f) && f.type.is_text);
	QT_EQ_INT(f.type.size, 16);
	QT_EQ_STR(f.type.text, "char[16]");
	QT_TRUE(!qt_btf_field(t, &b, id, "in.c", &f));
	QT_TRUE(!qt_btf_field(t, &b, id, "", &f));
	QT_TRUE(!qt_btf_field(t, &b, id, "in.", &f));
	QT_TRUE(!qt_btf_field(t, &b, id, "first.x", &f));
	QT_TRUE(!qt_btf_field(t, &b, qt_btf_find_named(&b, "loop"), "x", &f));
	free(b.offsets);
	btf__free(raw);
	qt_target_free(t);
}

QT_TEST(prototypes)
{
	struct qt_target *t = qt_target_live(NULL);
	struct btf *raw = make_btf();
	struct qt_btf b = open_btf(raw);
	struct qt_prototype p = { 0 };
	uint32_t f = qt_btf_find(&b, "work", BTF_KIND_FUNC);

	QT_NEED(f && qt_btf_prototype(t, &b, qt_btf_type(&b, f)->type, 0, &p));
	QT_EQ_INT(p.nparams, 2);
	QT_EQ_STR(p.params[0].name, "o");
	QT_EQ_STR(p.params[0].type.text, "outer_t *");
	QT_EQ_STR(p.params[1].type.text, "const char *");
	QT_TRUE(p.params[1].type.is_text);
	QT_EQ_STR(p.ret.text, "int");
	QT_TRUE(p.ret.is_signed);
	QT_TRUE(!qt_btf_prototype(t, &b, f, 0, &p));
	free(b.offsets);
	btf__free(raw);
	qt_target_free(t);
}

QT_TEST(cut_btf)
{
	struct btf *raw = make_btf();
	uint32_t size;
	const uint8_t *bytes = btf__raw_data(raw, &size);

	for (uint32_t cut = 0; cut < size; cut++) {
		uint8_t *copy = malloc(cut ? cut : 1);
		struct qt_btf b = { 0 };

		memcpy(copy, bytes, cut);
		QT_TRUE(!qt_btf_open((struct qt_image){ copy, cut }, &b));
		free(copy);
	}
	btf__free(raw);
}

/* ---- this kernel ---- */

QT_TEST(functions_of_this_kernel)
{
	struct qt_target *t = qt_target_live(NULL);
	const struct qt_kernel_function *f;
	struct qt_reason why;

	if (!qt_btf_get(t))
		QT_SKIP("no BTF");
	f = qt_target_kernel_function(t, "vfs_read", &why);
	QT_NEED(f != NULL);
	QT_TRUE(f->proto.typed && f->btf_id);
	QT_EQ_INT(f->proto.nparams, 4);
	QT_EQ_STR(f->proto.params[2].name, "count");
	QT_EQ_INT(f->proto.params[2].type.size, 8);
	QT_TRUE(!f->proto.params[2].type.is_signed);
	QT_EQ_STR(f->proto.ret.text, "ssize_t");
	QT_TRUE(f->proto.ret.is_signed);
	QT_TRUE(qt_target_kernel_function(t, "vfs_reed", &why) == NULL);
	QT_EQ_INT(why.why, QT_WHY_NOT_FOUND);
	qt_target_free(t);
}

QT_TEST(system_calls_of_this_kernel)
{
	struct qt_target *t = qt_target_live(NULL);
	const struct qt_syscall *s;

	if (qt_target_tracefs(t) < 0 || faccessat(qt_target_tracefs(t), "events/syscalls", F_OK, 0))
		QT_SKIP("no system call tracepoints");
	s = qt_target_syscall(t, "openat", NULL);
	QT_NEED(s && s->nargs == 4);
	QT_EQ_STR(s->args[1].name, "filename");
	QT_TRUE(s->args[1].type.is_text && s->args[1].type.is_user);
	QT_TRUE(s->args[0].type.is_signed);
	QT_EQ_INT(s->args[0].type.size, 4);
	QT_EQ_INT(qt_tracepoint_field(s->enter, "filename")->offset, 24);
	QT_TRUE(qt_tracepoint_field(s->exit, "ret")->type.is_signed);
	s = qt_target_syscall(t, "fstat", NULL);
	QT_NEED(s != NULL);
	QT_EQ_STR(s->name, "newfstat");
	s = qt_target_syscall(t, "kill", NULL);
	QT_NEED(s != NULL);
	QT_EQ_INT(s->args[0].type.size, 4);
	QT_TRUE(s->args[0].type.is_signed);
	qt_target_free(t);
}

QT_TEST(features_taken_as_missing)
{
	struct qt_target_options o = { .missing = 1u << QT_FEATURE_RINGBUF | 1u << QT_FEATURE_BTF };
	struct qt_target *t = qt_target_live(&o);

	QT_EQ_INT(qt_target_feature(t, QT_FEATURE_RINGBUF).state, QT_NO);
	QT_EQ_STR(qt_target_feature(t, QT_FEATURE_RINGBUF).reason, "it is taken as missing by request");
	QT_EQ_INT(qt_target_feature(t, QT_FEATURE_FENTRY).state, QT_NO);
	for (unsigned i = 0; i < QT_FEATURE_COUNT; i++) {
		struct qt_feature_state s = qt_target_feature(t, (enum qt_feature)i);

		QT_TRUE((s.state == QT_YES) == (s.reason == NULL));
		QT_TRUE(*qt_feature_name((enum qt_feature)i) && *qt_feature_words((enum qt_feature)i));
	}
	QT_EQ_INT(qt_target_kernel(t)->cpus, sysconf(_SC_NPROCESSORS_CONF));
	qt_target_free(t);
}

QT_TEST(alternatives)
{
	QT_EQ_STR(qt_kernel_alternative("vfs_read").probe, "syscall:read");
	QT_EQ_STR(qt_kernel_alternative("handle_mm_fault").probe, "tracepoint:exceptions:page_fault_user");
	QT_EQ_STR(qt_kernel_alternative("tcp_retransmit_skb").probe, "tracepoint:tcp:tcp_retransmit_skb");
	QT_EQ_STR(qt_kernel_alternative("blk_account_io_done").probe, "tracepoint:block:block_io_done");
	QT_EQ_STR(qt_kernel_alternative("blk_anything").probe, "tracepoint:block:block_rq_issue");
	QT_EQ_STR(qt_kernel_alternative("__x64_sys_futex").probe, "syscall:futex");
	QT_TRUE(qt_kernel_alternative("nothing_like_it").probe == NULL);
}

/* Those who may not read tracefs get the same records from BTF and from the table of system calls. */
QT_TEST(records_without_tracefs)
{
	static const char *const names[] = { "sched:sched_switch",	 "sched:sched_process_exec", "syscalls:sys_enter_openat",
					     "syscalls:sys_exit_openat", "syscalls:sys_enter_futex", "syscalls:sys_enter_getpid" };
	struct qt_target *t = qt_target_live(NULL);
	struct qt_tracepoint guess;

	if (qt_target_tracefs(t) < 0 || !qt_btf_get(t))
		QT_SKIP("no tracefs or no BTF to compare with");
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *category = qt_intern_n(t->names, names[i], strcspn(names[i], ":")), *name = strchr(names[i], ':') + 1;
		const struct qt_tracepoint *tp = qt_target_tracepoint(t, category, name, NULL);

		QT_NEED(tp != NULL);
		guess = (struct qt_tracepoint){ 0 };
		QT_NEED(qt_tracepoint_guess(t, category, name, &guess));
		for (unsigned k = 0; k < tp->nfields; k++) {
			const struct qt_record_field *a = &tp->fields[k], *b = qt_tracepoint_field(&guess, a->name);

			if (a->common)
				continue;
			if (!b || a->offset != b->offset || a->size != b->size || a->type.size != b->type.size ||
			    a->type.is_text != b->type.is_text || a->type.is_signed != b->type.is_signed || a->data_loc != b->data_loc)
				QT_EQ_STR(b ? "differs" : "is missing", a->name);
		}
	}
	QT_TRUE(!qt_tracepoint_guess(t, "syscalls", "sys_enter_nothing", &guess));
	QT_TRUE(!qt_tracepoint_guess(t, "sched", "nothing", &guess));
	qt_target_free(t);
}
