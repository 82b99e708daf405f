/* qtrace doctor: what this kernel and these privileges allow, why not the rest, and what to do about it. */
#include "cli/cli.h"

#include "base/check.h"
#include "target/target.h"

#include <string.h>

/* What to use, or do, where a feature is missing. */
static const char *remedy(enum qt_feature f)
{
	static const char *const texts[QT_FEATURE_COUNT] = {
		[QT_FEATURE_UPROBE] = "user functions and USDT cannot be probed on this kernel",
		[QT_FEATURE_UPROBE_MULTI] = "nothing to do: many uprobes attach one by one, more slowly",
		[QT_FEATURE_KPROBE] =
			"kprobe:FN is attached by a trampoline where there is one; else use tracepoint:, rawtracepoint: or syscall: probes",
		[QT_FEATURE_FENTRY] = "kprobe:FN is attached as a kprobe where there is one; else use tracepoint:, rawtracepoint: or syscall: probes",
		[QT_FEATURE_KPROBE_MULTI] = "nothing to do: many kprobes attach one by one, more slowly",
		[QT_FEATURE_SYSCALL_TRACEPOINT] = "syscall: probes need CONFIG_FTRACE_SYSCALLS",
		[QT_FEATURE_PERF_EVENT] = "profile: probes need perf events: root, or CAP_PERFMON",
		[QT_FEATURE_RINGBUF] = "printf needs kernel 5.8 or newer",
		[QT_FEATURE_TASK_STORAGE] = "set, tag by context and latency need kernel 5.11 or newer",
		[QT_FEATURE_BTF] = "args.NAME of kernel functions and trampolines need a kernel with CONFIG_DEBUG_INFO_BTF",
		[QT_FEATURE_TRACEFS] = "mount it: mount -t tracefs tracefs /sys/kernel/tracing",
	};

	return texts[f];
}

static void put_feature(FILE *out, struct qt_target *t, enum qt_feature f, bool colour)
{
	static const struct {
		const char *word, *colour;
	} states[] = { [QT_UNKNOWN] = { "?", "\033[33m" }, [QT_NO] = { "no", "\033[31m" }, [QT_YES] = { "yes", "\033[32m" } };
	struct qt_feature_state s = qt_target_feature(t, f);

	fprintf(out, "%s%-4s%s %-19s %s\n", colour ? states[s.state].colour : "", states[s.state].word, colour ? "\033[0m" : "", qt_feature_name(f),
		qt_feature_words(f));
	if (s.state == QT_YES)
		return;
	if (s.reason)
		fprintf(out, "     why: %s%s%s%s\n", s.reason, s.config && !strstr(s.reason, s.config) ? " (" : "",
			s.config && !strstr(s.reason, s.config) ? s.config : "", s.config && !strstr(s.reason, s.config) ? ")" : "");
	if (s.state == QT_NO && remedy(f))
		fprintf(out, "     then: %s\n", remedy(f));
}

static void put_privileges(FILE *out, const struct qt_kernel_info *k)
{
	if (k->root)
		fputs("privileges: root\n", out);
	else if (k->cap_bpf && k->cap_perfmon)
		fputs("privileges: CAP_BPF and CAP_PERFMON\n", out);
	else
		fputs("privileges: none that tracing needs; run qtrace as root (sudo qtrace ...). qtrace check, test, build and list need none\n",
		      out);
	if (!k->root && k->cap_bpf && k->cap_perfmon)
		fputs("  tracepoints and kprobes may need tracefs to be readable, too\n", out);
}

int qt_cmd_doctor(struct qt_cli *cli)
{
	struct qt_target *t = qt_cli_target(cli);
	bool colour = qt_cli_colour(cli->out->fd);
	FILE *out = cli->out->file;
	const struct qt_kernel_info *k;

	if (!t)
		return QT_EXIT_WRONG;
	k = qt_target_kernel(t);
	fprintf(out, "kernel: %s, %s, %u CPUs", k->release, k->machine, k->cpus);
	if (*k->lockdown)
		fprintf(out, ", lockdown %s", k->lockdown);
	fputc('\n', out);
	put_privileges(out, k);
	fputc('\n', out);
	for (int f = 0; f < QT_FEATURE_COUNT; f++)
		put_feature(out, t, (enum qt_feature)f, colour);
	qt_target_free(t);
	return QT_EXIT_DONE;
}
