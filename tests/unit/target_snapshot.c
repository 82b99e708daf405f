/* A snapshot gives the answers that it was made from, and facts written by hand are read. */
#include "target/target.h"
#include "target/target_internal.h"
#include "tests/unit/target_build.h"
#include "tests/unit/test.h"

static const char program[] =
	"#include <sys/sdt.h>\nint counter; __attribute__((noinline)) int work(int x) { DTRACE_PROBE2(p, n, x, counter); return x; }\n"
	"int main(void) { return work(1); }\n";

/* Asks both the same and compares the words. */
static void ask_all(struct qt_target *t, FILE *out)
{
	const struct qt_kernel_function *f = qt_target_kernel_function(t, "vfs_read", NULL);
	const struct qt_syscall *s = qt_target_syscall(t, "openat", NULL);
	struct qt_feature_state fs = qt_target_feature(t, QT_FEATURE_FENTRY);
	struct qt_functions fn;
	struct qt_struct_field field;
	struct qt_binaries b;
	struct qt_usdt u;
	struct qt_reason why;

	for (unsigned i = 0; f && i < f->proto.nparams; i++)
		fprintf(out, "%s\n", qt_param_write(t, &f->proto.params[i]));
	for (unsigned i = 0; s && i < s->enter->nfields; i++)
		fprintf(out, "%s %u %u %s\n", s->enter->fields[i].name, s->enter->fields[i].offset, s->enter->fields[i].type.size,
			s->enter->fields[i].type.text);
	fprintf(out, "fentry %d %s %s\n", fs.state, fs.reason ? fs.reason : "", fs.config ? fs.config : "");
	qt_target_kernel_function(t, "no_such_function", &why);
	fprintf(out, "%d %s\n", why.why, why.text);
	if (qt_target_struct_field(t, "struct file", "f_pos", &field, NULL))
		fprintf(out, "f_pos %u %u %s\n", field.offset, field.type.size, field.type.text);
	fprintf(out, "cpus %u %s\n", qt_target_kernel(t)->cpus, qt_target_kernel(t)->release);
	if (!qt_target_binaries(t, "./prog", &b))
		return;
	fprintf(out, "%s %s %d\n", b.items[0]->path, b.items[0]->build_id, b.items[0]->position_independent);
	if (qt_binary_functions(t, b.items[0], "work", 1, &fn))
		fprintf(out, "%s %lx %lx %lu\n", fn.items[0].name, fn.items[0].address, fn.items[0].file_offset, fn.items[0].size);
	qt_binary_functions(t, b.items[0], "wurk", 0, &fn);
	fprintf(out, "%d %s %s\n", fn.reason.why, fn.reason.text, fn.reason.hint ? fn.reason.hint : "");
	if (qt_binary_usdt(t, b.items[0], NULL, "n", &u))
		fprintf(out, "%lx %s %d %ld\n", u.sites[0].file_offset, u.sites[0].args[1].text, u.sites[0].args[1].base, u.sites[0].args[1].value);
	qt_target_binaries(t, "/no/such/file", &b);
	fprintf(out, "%d %s\n", b.reason.why, b.reason.text);
}

QT_TEST(the_same_answers)
{
	struct qt_target *live = qt_target_live(&(struct qt_target_options){ .record = true }), *frozen;
	char *a = NULL, *b = NULL;
	size_t n;
	FILE *f;

	QT_NEED(build_begin());
	build_write("p.c", program);
	QT_NEED(build_run("gcc -O2 p.c -o prog"));
	f = open_memstream(&a, &n);
	ask_all(live, f);
	fclose(f);
	QT_NEED(qt_target_save(live, "snapshot"));
	qt_target_free(live);
	unlink("prog");
	frozen = qt_target_snapshot("snapshot", NULL);
	QT_NEED(frozen != NULL);
	QT_TRUE(!qt_target_is_live(frozen));
	f = open_memstream(&b, &n);
	ask_all(frozen, f);
	fclose(f);
	QT_EQ_STR(b, a);
	QT_TRUE(strstr(a, "work ") && strstr(a, "counter(%rip)"));
	qt_target_free(frozen);
	free(a);
	free(b);
}

QT_TEST(what_was_not_asked_is_not_recorded)
{
	struct qt_target *t;
	struct qt_reason why;
	struct qt_binaries b;

	QT_NEED(build_begin());
	build_write("facts", "# nothing\n");
	t = qt_target_snapshot(build_folder, NULL);
	QT_NEED(t != NULL);
	QT_TRUE(!qt_target_kernel_function(t, "vfs_read", &why) && why.why == QT_WHY_NOT_RECORDED);
	QT_TRUE(!qt_target_tracepoint(t, "sched", "sched_switch", &why) && why.why == QT_WHY_NOT_RECORDED);
	QT_TRUE(!qt_target_syscall(t, "read", &why) && why.why == QT_WHY_NOT_RECORDED);
	QT_TRUE(!qt_target_raw_tracepoint(t, "sched_switch", &why) && why.why == QT_WHY_NOT_RECORDED);
	QT_TRUE(!qt_target_binaries(t, "libc", &b) && b.reason.why == QT_WHY_NOT_RECORDED);
	QT_EQ_INT(qt_target_feature(t, QT_FEATURE_KPROBE).state, QT_UNKNOWN);
	qt_target_free(t);
	QT_TRUE(qt_target_snapshot("/no/such/folder", NULL) == NULL);
}

static const char by_hand[] = "binary\t/opt/app/bin/app\n"
			      "function\t/opt/app/bin/app\tserve\t0x1136\n"
			      "function\t/opt/app/bin/app\t_ZN2ns2goEi\t0x2000\t0x1000\t17\n"
			      "function\t/opt/app/bin/app\tputs\t0\t0\t0\timported\t-\t/lib/libc.so.6\n"
			      "usdt\t/opt/app/bin/app\tapp\trequest\t0x1150\t0x1150\t0x4000\t0x3000\t8@%rdi\t-4@-8(%rbp)\t-4@n(%rip) 64\n"
			      "kernel_function\tvfs_read\ttyped\tyes\t-\t:ssize_t\tfile:struct file *\tcount:size_t\n"
			      "type\todd_t\tint\t2\tsigned\n"
			      "field\tstruct file\tf_odd\t6\t0\t0\t:odd_t\n"
			      "feature\tfentry\tno\trefused: a\\tb\tCONFIG_X\n";

QT_TEST(facts_by_hand)
{
	struct qt_target *t;
	struct qt_binaries b;
	struct qt_functions f;
	struct qt_struct_field field;
	struct qt_usdt u;
	const struct qt_kernel_function *k;

	QT_NEED(build_begin());
	build_write("facts", by_hand);
	t = qt_target_snapshot(build_folder, NULL);
	QT_NEED(t && qt_target_binaries(t, "app", &b) && b.count == 1);
	QT_TRUE(qt_target_binaries(t, "/opt/*/bin/app", &b) && b.count == 1);
	QT_TRUE(qt_binary_functions(t, b.items[0], "serve", 0, &f));
	QT_EQ_INT(f.items[0].file_offset, 0x1136);
	QT_TRUE(qt_binary_functions(t, b.items[0], "ns::go(int)", 1, &f));
	QT_EQ_INT(f.items[0].file_offset, 0x1001);
	QT_TRUE(!qt_binary_functions(t, b.items[0], "puts", 0, &f));
	QT_EQ_INT(f.reason.why, QT_WHY_IMPORTED);
	QT_EQ_STR(f.items[0].library, "/lib/libc.so.6");
	QT_TRUE(qt_binary_usdt(t, b.items[0], NULL, "request", &u) && u.sites[0].nargs == 3);
	QT_EQ_INT(u.sites[0].semaphore_offset, 0x3000);
	QT_EQ_INT(u.sites[0].args[1].value, -8);
	QT_EQ_INT(u.sites[0].args[2].base, QT_REG_rip);
	QT_EQ_INT(u.sites[0].args[2].value, 64);
	k = qt_target_kernel_function(t, "vfs_read", NULL);
	QT_NEED(k && k->proto.nparams == 2);
	QT_EQ_STR(k->proto.params[0].type.pointee, "struct file");
	QT_TRUE(k->proto.ret.is_signed);
	QT_TRUE(qt_target_struct_field(t, "struct file", "f_odd", &field, NULL));
	QT_EQ_INT(field.offset, 6);
	QT_EQ_INT(field.type.size, 2);
	QT_TRUE(field.type.is_signed);
	QT_EQ_STR(qt_target_feature(t, QT_FEATURE_FENTRY).reason, "refused: a\tb");
	QT_EQ_STR(qt_target_feature(t, QT_FEATURE_FENTRY).config, "CONFIG_X");
	qt_target_free(t);
}

QT_TEST(complete_lists)
{
	struct qt_target *t;
	struct qt_reason why;
	struct qt_binaries b;
	struct qt_functions f;
	struct qt_usdt u;

	QT_NEED(build_begin());
	build_write("facts", "binary\t/opt/a\nbinary\t/opt/b\nfunction\t/opt/a\tf\t0x10\ncomplete\tfunction\t/opt/a:\ncomplete\tusdt\n"
			     "complete\tkernel_function\ncomplete\ttracepoint\tsched:\ncomplete\tbinary\n");
	t = qt_target_snapshot(build_folder, NULL);
	QT_TRUE(qt_target_binaries(t, "/opt/a", &b) && !qt_binary_functions(t, b.items[0], "g", 0, &f));
	QT_EQ_INT(f.reason.why, QT_WHY_NOT_FOUND);
	QT_EQ_STR(f.reason.text, "/opt/a has no function g");
	QT_TRUE(!qt_binary_usdt(t, b.items[0], NULL, "q", &u) && u.reason.why == QT_WHY_NOT_FOUND);
	QT_TRUE(qt_target_binaries(t, "/opt/b", &b) && !qt_binary_functions(t, b.items[0], "g", 0, &f));
	QT_EQ_INT(f.reason.why, QT_WHY_NOT_RECORDED);
	QT_TRUE(!qt_target_kernel_function(t, "vfs_reed", &why) && why.why == QT_WHY_NOT_FOUND);
	QT_TRUE(!qt_target_tracepoint(t, "sched", "sched_swich", &why) && why.why == QT_WHY_NOT_FOUND);
	QT_TRUE(!qt_target_tracepoint(t, "block", "x", &why) && why.why == QT_WHY_NOT_RECORDED);
	QT_TRUE(!qt_target_binaries(t, "libnone", &b) && b.reason.why == QT_WHY_NOT_FOUND);
	qt_target_free(t);
}

static bool count(void *ctx, const struct qt_listed *l)
{
	QT_TRUE(l->probe && l->args);
	return ++*(unsigned *)ctx < 3;
}

QT_TEST(listing)
{
	struct qt_target *t;
	unsigned n = 0;

	QT_NEED(build_begin());
	build_write("facts", by_hand);
	t = qt_target_snapshot(build_folder, NULL);
	QT_EQ_INT(qt_target_list(t, "uprobe", "app", "*", true, count, &n, NULL), 2);
	QT_EQ_INT(qt_target_list(t, "usdt", "app", "app:*", true, count, &n, NULL), 1);
	n = 0;
	QT_EQ_INT(qt_target_list(t, "software", NULL, NULL, true, count, &n, NULL), 3);
	n = 0;
	QT_EQ_INT(qt_target_list(t, "kprobe", NULL, "vfs_*", true, count, &n, NULL), 1);
	qt_target_free(t);
}
