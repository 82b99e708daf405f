/* Real logs of the verifier (kernels 6.18 and 6.1, shortened) and what is left of them. */
#include "runtime/verifier_log.h"

#include "tests/unit/test.h"

#include <string.h>

static bool read_log(struct qt_arena *a, const char *log, struct qt_rejection *r)
{
	return qt_verifier_log_read(a, qt_str_from(log), r);
}

QT_TEST(sentence_and_line)
{
	static const char log[] = "arg#0 reference type('UNKNOWN ') size cannot be determined: -22\n"
				  "0: R1=ctx() R10=fp0\n"
				  "; on rawtracepoint:sys_enter @ reads.qt:8\n"
				  "0: (18) r1 = 0xffffc900049aa000       ; R1=map_value(map=qtrace.bss,ks=4,vs=24)\n"
				  "2: (79) r1 = *(u64 *)(r1 +0)          ; R1=scalar()\n"
				  "8: (85) call bpf_map_lookup_elem#1    ; R0=map_value_or_null(id=2,map=t0,ks=8,vs=8)\n"
				  "; tag sql count() @ reads.qt:10\n"
				  "9: (79) r1 = *(u64 *)(r0 +0)\n"
				  "R0 invalid mem access 'map_value_or_null'\n"
				  "processed 8 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0\n";
	struct qt_arena *a = qt_arena_new();
	struct qt_rejection r;

	QT_NEED(read_log(a, log, &r));
	QT_EQ_STR(r.sentence, "R0 invalid mem access 'map_value_or_null'");
	QT_EQ_STR(r.instruction, "9: (79) r1 = *(u64 *)(r0 +0)");
	QT_EQ_STR(r.file, "reads.qt");
	QT_EQ_INT(r.line, 10);
	qt_arena_free(a);
}

/* The state of the registers may follow the instruction of a jump, and the sentence is told after thousands of lines. */
QT_TEST(too_complex)
{
	static const char log[] = "0: R1=ctx() R10=fp0\n"
				  "; while ($i < $n) @ a file: 2.qt:6\n"
				  "17: (79) r1 = *(u64 *)(r6 +0)         ; R1=scalar() R6=map_value(map=q.bss,ks=4,vs=24)\n"
				  "from 19 to 7: R0=scalar() R1=scalar() R6=map_value(map=q.bss,ks=4,vs=24) R7=8191 R8=scalar(id=16380) R10=fp0\n"
				  "7: R0=scalar() R1=scalar() R6=map_value(map=q.bss,ks=4,vs=24) R7=8191 R8=scalar(id=16380) R10=fp0\n"
				  "19: (2d) if r1 > r7 goto pc-13\n"
				  "The sequence of 8193 jumps is too complex.\n"
				  "processed 114679 insns (limit 1000000) max_states_per_insn 4 total_states 1095 peak_states 1095 mark_read 0\n";
	struct qt_arena *a = qt_arena_new();
	struct qt_rejection r;

	QT_NEED(read_log(a, log, &r));
	QT_EQ_STR(r.sentence, "The sequence of 8193 jumps is too complex.");
	QT_EQ_STR(r.instruction, "19: (2d) if r1 > r7 goto pc-13");
	QT_EQ_STR(r.file, "a file: 2.qt");
	QT_EQ_INT(r.line, 6);
	qt_arena_free(a);
}

/* Before 6.10 a source line comes without its place. */
QT_TEST(older_kernels_name_no_line)
{
	static const char log[] = "reg type unsupported for arg#0 function p_raw#10\n"
				  "0: R1=ctx(off=0,imm=0) R10=fp0\n"
				  "; on rawtracepoint:sys_enter tag cookie\n"
				  "0: (85) call bpf_get_attach_cookie#174\n"
				  "unknown func bpf_get_attach_cookie#174\n"
				  "processed 1 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0\n";
	struct qt_arena *a = qt_arena_new();
	struct qt_rejection r;

	QT_NEED(read_log(a, log, &r));
	QT_EQ_STR(r.sentence, "unknown func bpf_get_attach_cookie#174");
	QT_EQ_STR(r.file, NULL);
	QT_EQ_INT(r.line, 0);
	qt_arena_free(a);
}

QT_TEST(too_large)
{
	static const char log[] = "0: R1=ctx() R10=fp0\n"
				  "0: (b7) r0 = 0                        ; R0=0\n"
				  "BPF program is too large. Processed 1000001 insn\n"
				  "verification time 1437421 usec\n"
				  "stack depth 24\n"
				  "processed 1000001 insns (limit 1000000) max_states_per_insn 4 total_states 9 peak_states 9 mark_read 1\n";
	struct qt_arena *a = qt_arena_new();
	struct qt_rejection r;

	QT_NEED(read_log(a, log, &r));
	QT_EQ_STR(r.sentence, "BPF program is too large. Processed 1000001 insn");
	qt_arena_free(a);
}

QT_TEST(nothing_to_say)
{
	struct qt_arena *a = qt_arena_new();
	struct qt_rejection r;

	QT_TRUE(!read_log(a, "", &r));
	QT_TRUE(!read_log(a, "\n\n;\n", &r));
	QT_TRUE(!read_log(a, "processed 0 insns (limit 1000000)\n", &r));
	QT_EQ_STR(r.sentence, NULL);
	QT_TRUE(read_log(a, "; x @ :\n; y @ f:99999999999999999999\nno", &r));
	QT_EQ_STR(r.sentence, "no");
	qt_arena_free(a);
}

/* Every cut of a log is read without a crash, and never yields a place that is not in it. */
QT_TEST(cut_anywhere)
{
	static const char log[] = "; a @ b.qt:12\n12: (85) call x#1 ; R0=scalar()\nfrom 1 to 2: R0=1\nR1 is bad\nprocessed 1 insns\n";
	struct qt_arena *a = qt_arena_new();
	struct qt_rejection r;

	for (size_t begin = 0; begin < sizeof(log); begin++)
		for (size_t end = begin; end < sizeof(log); end++) {
			qt_verifier_log_read(a, (struct qt_str){ log + begin, end - begin }, &r);
			QT_NEED(!r.file || strstr(log, r.file));
			QT_NEED(r.line <= 12);
		}
	qt_arena_free(a);
}
