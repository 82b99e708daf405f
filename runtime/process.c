/* Checks before anything else happens: the processes of -p, and whether we may load programs at all. */
#include "runtime/runtime_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The process that thread PID belongs to; 0 when there is no such thread, -1 when /proc does not tell. */
static long thread_group(uint32_t pid)
{
	char path[64], line[128];
	long group = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	f = fopen(path, "re");
	if (!f)
		return errno == ENOENT ? 0 : -1;
	while (group < 0 && fgets(line, sizeof(line), f))
		if (strncmp(line, "Tgid:", 5) == 0)
			group = strtol(line + 5, NULL, 10);
	fclose(f);
	return group;
}

static bool open_process(const struct qt_run *run, uint32_t pid, int *fd)
{
	long group = thread_group(pid);
	struct qt_diag *d;

	*fd = -1;
	if (group == 0) {
		qt_diag_run(run, QT_E0611, "there is no process %u", pid);
		return false;
	}
	if (group > 0 && group != (long)pid) {
		d = qt_diag_run(run, QT_E0611, "%u is a thread of process %ld", pid, group);
		qt_diag_hint(run->diags, d, "-p %ld traces all of its threads", group);
		return false;
	}
	*fd = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
	if (*fd < 0 && errno == ESRCH) {
		qt_diag_run(run, QT_E0611, "there is no process %u", pid);
		return false;
	}
	return true;
}

bool qt_processes_open(const struct qt_run *run, int *fds)
{
	bool ok = true;

	for (unsigned i = 0; i < run->options->npids; i++)
		ok &= open_process(run, run->options->pids[i], &fds[i]);
	return ok;
}

const char qt_files_hint[] = "raise the hard limit of open files (ulimit -Hn), or probe less: each program, table and perf event takes one or two";

bool qt_lacks_files(int err)
{
	return err == -EMFILE || err == -ENFILE;
}

void qt_hint_files(const struct qt_run *run, struct qt_diag *d, int err)
{
	if (qt_lacks_files(err))
		qt_diag_hint(run->diags, d, "%s", qt_files_hint);
}

void qt_files_raise(struct rlimit *before)
{
	struct rlimit limit;

	*before = (struct rlimit){ 0 };
	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	*before = limit;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

bool qt_privileges_check(const struct qt_run *run)
{
	const struct qt_kernel_info *k = qt_target_kernel(run->target);
	const char *lacks = k->cap_bpf ? "CAP_PERFMON" : k->cap_perfmon ? "CAP_BPF" : "CAP_BPF and CAP_PERFMON";
	struct qt_diag *d;

	if (k->cap_bpf && k->cap_perfmon)
		return true;
	d = qt_diag_run(run, QT_E0601, "tracing needs root, or CAP_BPF and CAP_PERFMON (here %s %s missing)", lacks,
			!k->cap_bpf && !k->cap_perfmon ? "are" : "is");
	qt_diag_hint(run->diags, d, "run it with sudo; qtrace check and qtrace test need no privileges");
	return false;
}
