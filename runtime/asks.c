/* What programs ask of the machine: answered when they are loaded, so that a saved plan holds for the machine where it runs. */
#include "runtime/runtime_internal.h"

#include <errno.h>
#include <sys/stat.h>

static bool kernel_symbol(const struct qt_run *run, const struct qt_load_options *o, const char *text, uint64_t *answer)
{
	(void)o;
	if (qt_target_kernel_address(run->target, text, answer))
		return true;
	qt_diag_hint(run->diags, qt_diag_run(run, QT_E0614, "this kernel has no symbol `%s`", text), "/proc/kallsyms lists them");
	return false;
}

/* The id is the inode number of its folder. */
static bool cgroup(const struct qt_run *run, const struct qt_load_options *o, const char *text, uint64_t *answer)
{
	struct stat st;

	(void)o;
	if (!stat(text, &st)) {
		*answer = st.st_ino;
		return true;
	}
	qt_diag_hint(run->diags, qt_diag_run(run, QT_E0614, "there is no cgroup at %s: %s", text, qt_errno_text(run, errno)),
		     "cgroups are folders below /sys/fs/cgroup");
	return false;
}

static bool cpus(const struct qt_run *run, const struct qt_load_options *o, const char *text, uint64_t *answer)
{
	(void)o, (void)text;
	*answer = qt_target_kernel(run->target)->cpus;
	return true;
}

static bool command(const struct qt_run *run, const struct qt_load_options *o, const char *text, uint64_t *answer)
{
	(void)text;
	*answer = run->options->command && o->npids ? o->pids[0] : 0;
	return true;
}

bool qt_ask_answer(const struct qt_run *run, const struct qt_load_options *o, const struct qt_plan_ask *a, uint64_t *answer)
{
	static bool (*const answers[QT_ASK_COUNT])(const struct qt_run *run, const struct qt_load_options *o, const char *text, uint64_t *answer) = {
		[QT_ASK_kernel_symbol] = kernel_symbol,
		[QT_ASK_cgroup] = cgroup,
		[QT_ASK_cpus] = cpus,
		[QT_ASK_command] = command,
	};

	return answers[a->kind](run, o, a->text, answer);
}
