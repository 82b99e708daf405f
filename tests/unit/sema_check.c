/* Whole scripts through the parser and sema: what hostile or odd ones do, and that one mistake gives one message. Facts come from the frozen
 * machine, so the cases need no kernel. */
#include "base/check.h"
#include "base/str.h"
#include "parser/parser.h"
#include "sema/sema.h"
#include "target/target.h"
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

struct run {
	struct qt_arena *arena;
	struct qt_diags *diags;
	struct qt_program *program;
};

/* What the checks of one case (a process of its own) made, freed at its end. */
static struct {
	struct qt_arena *arena;
	struct qt_target *target;
} made[256];
static unsigned nmade;

static void free_made(void)
{
	while (nmade-- > 0) {
		qt_target_free(made[nmade].target);
		qt_arena_free(made[nmade].arena);
	}
}

static void keep_made(struct qt_arena *arena, struct qt_target *target)
{
	if (nmade == 0)
		atexit(free_made);
	QT_ASSERT(nmade < QT_COUNT(made));
	made[nmade].arena = arena;
	made[nmade++].target = target;
}

static struct run check_with(const char *text, const char *const *params, int nparams, bool missing_ok)
{
	struct run r = { .arena = qt_arena_new() };
	struct qt_sources *sources = qt_sources_new(r.arena);
	struct qt_interns *names = qt_interns_new(r.arena);
	struct qt_target *target = qt_target_snapshot("tests/fixtures/target", NULL);
	struct qt_sema_options o = { .nparams = nparams, .params = params, .sources = sources, .missing_binaries_ok = missing_ok };
	struct qt_ast_program *tree;

	if (!target)
		QT_SKIP("the frozen facts are not here");
	keep_made(r.arena, target);
	r.diags = qt_diags_new(r.arena);
	tree = qt_parse(qt_sources_add(sources, "-e", text, strlen(text)), r.arena, names, r.diags);
	if (!qt_diags_errors(r.diags))
		r.program = qt_sema(tree, target, &o, r.arena, names, r.diags);
	return r;
}

static struct run check(const char *text)
{
	return check_with(text, NULL, 0, false);
}

/* "E0401 E0204": the codes in order of place. */
static const char *codes(const struct run *r)
{
	struct qt_buf b = { 0 };
	const struct qt_diag *const *list;
	const char *out;
	unsigned n;

	list = qt_diags_sorted(r->diags, &n);
	for (unsigned i = 0; i < n; i++)
		qt_buf_printf(&b, "%s%s", i ? " " : "", qt_code_name(list[i]->code));
	out = qt_arena_strndup(r->arena, b.ptr ? b.ptr : "", b.len);
	qt_buf_free(&b);
	return out;
}

static const char *codes_of(const char *text)
{
	struct run r = check(text);

	return codes(&r);
}

static const char *context_type(const char *text)
{
	struct run r = check(text);

	return r.program && r.program->contexts.len ? qt_type_text(r.program->contexts.items[0].type) : codes(&r);
}

QT_TEST(a_context_takes_the_type_of_all_its_sets)
{
	QT_EQ_STR(context_type("on syscall:read set x = 1; on syscall:write tag x"), "int64");
	QT_EQ_STR(context_type("on syscall:read set x = 1; on uprobe:libssl:SSL_read set x = arg0; on syscall:write tag x"), "uint64");
	QT_EQ_STR(context_type("on syscall:read set x = pid; on syscall:write:return set x = ret tag x"), "int64");
	QT_EQ_STR(context_type("on syscall:read set x = 0; on syscall:write:return set x = latency tag x"), "uint64 (time)");
	QT_EQ_STR(context_type("on syscall:read set x = comm; on syscall:write tag x"), "string");
	QT_EQ_STR(context_type("on syscall:read set x = (x ?? 0) + 1; on syscall:write tag x"), "int64");
}

/* Each rule needs the type of the one below it. */
QT_TEST(types_travel_through_long_chains)
{
	struct qt_buf b = { 0 };
	struct run r;

	for (int i = 0; i < 60; i++)
		qt_buf_printf(&b, "on syscall:read set c%d = c%d\n", i, i + 1);
	qt_buf_adds(&b, "on syscall:write set c60 = comm tag c0\n");
	r = check(b.ptr);
	QT_EQ_STR(codes(&r), "");
	QT_NEED(r.program);
	QT_EQ_STR(qt_type_text(r.program->contexts.items[0].type), "string");
	qt_buf_free(&b);
}

QT_TEST(too_many_contexts)
{
	struct qt_buf b = { 0 };

	for (int i = 0; i < 65; i++)
		qt_buf_printf(&b, "on syscall:read set c%d = 1 tag c%d\n", i, i);
	QT_EQ_STR(codes_of(b.ptr), "E0410 E0401");
	qt_buf_free(&b);
}

QT_TEST(one_mistake_one_message)
{
	QT_EQ_STR(codes_of("on uprobe:libssl:SSL_raed set x = arg0; on syscall:read tag x, x + 1 sum(x)"), "E0305");
	QT_EQ_STR(codes_of("syscall:read { @a = nope; @b[@a] = @a + 1; printf(\"%d %s\\n\", @a, @b[@a]); }"), "E0401");
	QT_EQ_STR(codes_of("on syscall:read set x = nope, y = x; on syscall:write tag x, str(x), y == \"a\""), "E0401");
	QT_EQ_STR(codes_of("syscall:read { $x = nope; if ($x > 1 && comm == $x) { @[$x] = sum($x); } }"), "E0401");
	QT_EQ_STR(codes_of("on usdt:postgres:query__strt set q = str(arg0); on syscall:read tag q if_any"), "E0109");
}

QT_TEST(several_mistakes_several_messages)
{
	QT_EQ_STR(codes_of("syscall:read { @ = sum(comm); @b[nope] = count(1); strr(1); }"), "E0204 E0401 E0203 E0202");
}

QT_TEST(after_a_set_a_read_needs_nothing)
{
	struct run r = check("on syscall:read set x = args.fd tag x; on syscall:write { if (pid == 1) { set x = args.fd; } tag x }");

	QT_EQ_STR(codes(&r), "");
	QT_NEED(r.program && r.program->rules.len == 2);
	QT_EQ_INT(r.program->rules.items[0].requires.len, 0);
	QT_EQ_INT(r.program->rules.items[1].requires.len, 1);
}

QT_TEST(both_branches_make_it_known)
{
	struct run r = check("syscall:read { if (pid == 1) { set x = 1; } else { set x = 2; } @[x] = count(); }"
			     "syscall:write { if (!has(x)) { return; } @[x] = count(); }"
			     "syscall:openat { if (has(x)) { clear x; } @[x ?? 0] = count(); }");

	QT_EQ_STR(codes(&r), "");
	QT_NEED(r.program && r.program->rules.len == 3);
	for (int i = 0; i < 3; i++)
		QT_EQ_INT(r.program->rules.items[i].requires.len, 0);
}

QT_TEST(a_clear_in_one_branch_forbids_the_read)
{
	QT_EQ_STR(codes_of("syscall:read { set x = 1; if (pid == 1) { clear x; } @[x] = count(); }"), "E0408");
	QT_EQ_STR(codes_of("syscall:read { set x = 1; if (pid == 1) { clear x; return; } @[x] = count(); }"), "");
}

QT_TEST(conditions_pass_over_silently)
{
	struct run r = check("on syscall:read set x = 1; on syscall:write if x > 1 tag comm, x");

	QT_NEED(r.program && r.program->rules.len == 2);
	QT_EQ_INT(r.program->rules.items[1].cond_requires.len, 1);
	QT_EQ_INT(r.program->rules.items[1].requires.len, 0);
	QT_TRUE(!r.program->tags.items[0].has_context);
}

QT_TEST(positional_parameters)
{
	const char *params[] = { "vfs_read", "4096", "some text", "-3" };
	struct run r = check_with("kprobe:$1 / arg2 > $2 && comm == str($3) && $4 < 0 / { @[$3, $#, $9] = count(); }", params, 4, false);

	QT_EQ_STR(codes(&r), "");
	QT_NEED(r.program && r.program->rules.len == 1);
	QT_EQ_STR(r.program->rules.items[0].points.items[0].probe, "kprobe:vfs_read");
	QT_EQ_STR(qt_type_text(r.program->maps.items[0].keys.items[0].type), "string");
}

QT_TEST(params_in_probes)
{
	struct run r = check("param lib = \"libssl\"; param fn = \"SSL_read\"; param least = 4k;\n"
			     "on uprobe:${lib}:${fn} if arg2 > least tag comm");

	QT_EQ_STR(codes(&r), "");
	QT_NEED(r.program && r.program->rules.len == 1);
	QT_EQ_STR(r.program->rules.items[0].points.items[0].func, "SSL_read");
	QT_EQ_STR(codes_of("on uprobe:${lib}:SSL_read tag comm"), "E0218");
}

QT_TEST(the_same_point_twice_counts_once)
{
	struct run r = check("on syscall:read, syscall:read, syscall:write tag comm");

	QT_NEED(r.program && r.program->rules.len == 1);
	QT_EQ_INT(r.program->rules.items[0].points.len, 2);
}

QT_TEST(missing_binaries_are_kept_as_written)
{
	struct run r = check_with("on uprobe:./my-app:handle set x = arg0; on usdt:./my-app:shop:order tag x, arg3", NULL, 0, true);

	QT_EQ_STR(codes(&r), "W0301");
	QT_NEED(r.program && r.program->rules.len == 2);
	QT_EQ_STR(r.program->rules.items[0].points.items[0].path, "./my-app");
	QT_EQ_INT(r.program->rules.items[0].points.items[0].offset, 0);
	QT_EQ_STR(codes_of("on uprobe:./my-app:handle tag comm"), "E0303");
}

QT_TEST(nesting_as_deep_as_the_parser_allows)
{
	struct qt_buf b = { 0 };
	struct run r;

	qt_buf_adds(&b, "syscall:read { @ = sum(");
	for (int i = 0; i < 150; i++)
		qt_buf_adds(&b, "(1 + ");
	qt_buf_adds(&b, "pid");
	for (int i = 0; i < 150; i++)
		qt_buf_adds(&b, ")");
	qt_buf_adds(&b, "); }");
	r = check(b.ptr);
	QT_EQ_STR(codes(&r), "");
	qt_buf_free(&b);
}
