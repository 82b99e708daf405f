/* Timers: sampling by a perf event on each CPU, and the programs that the session itself runs (begin, end, interval) through
 * BPF_PROG_TEST_RUN, which raw tracepoint programs have since kernel 5.10. */
#include "base/counters.h"
#include "runtime/runtime_internal.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void report_clock(struct qt_attachment *a, uint32_t prog, int err)
{
	const struct qt_run *run = a->run;
	struct qt_feature_state state = qt_target_feature(run->target, QT_FEATURE_PERF_EVENT);
	struct qt_diag *d = qt_diag_prog(run, QT_E0608, prog, "sampling could not be started: %s",
					 state.state == QT_NO && state.reason ? state.reason : qt_errno_text(run, err));

	if (err == -ENOENT || err == -EOPNOTSUPP)
		qt_diag_hint(run->diags, d, "this processor does not count that event, or a virtual machine hides its counters: sample by time, profile:hz:99");
	else if (err == -EINVAL && state.state != QT_NO)
		qt_diag_hint(run->diags, d, "sample less often: kernel.perf_event_max_sample_rate is the limit");
}

/* The counter that POINT names ("hardware.cache-misses"); NULL: a timer. */
static const struct qt_counter *counter_of(const struct qt_plan_point *point)
{
	const char *dot = point->event ? strchr(point->event, '.') : NULL;

	if (!dot)
		return NULL;
	return qt_counter_find(strncmp(point->event, "hardware.", 9) ? "software" : "hardware", dot + 1);
}

/* CPUs that are not online are passed over. */
static int sample_cpu(struct qt_attachment *a, uint32_t prog, const struct qt_plan_point *point, int cpu)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK, .sample_period = point->period_ns };
	const struct qt_counter *counter = counter_of(point);
	int err;

	if (point->event && !counter)
		return -EINVAL;
	if (counter) {
		attr.type = strcmp(counter->type, "hardware") ? PERF_TYPE_SOFTWARE : PERF_TYPE_HARDWARE;
		attr.config = counter->config;
	}
	err = qt_perf_attach(a, &attr, -1, cpu, prog, point->probe, false);

	return err == -ENXIO || (err == -ENODEV && !counter) ? 0 : err;
}

bool qt_attach_profile(struct qt_attachment *a, uint32_t prog)
{
	int cpus = (int)sysconf(_SC_NPROCESSORS_CONF);

	for (uint32_t i = a->first[prog]; i < a->first[prog + 1]; i++) {
		for (int cpu = 0; cpu < cpus; cpu++) {
			int err = sample_cpu(a, prog, &a->run->plan->points.items[a->points[i]], cpu);

			if (err) {
				report_clock(a, prog, err);
				return false;
			}
		}
		a->probes++;
	}
	return true;
}

int qt_run_program(const struct qt_loaded *l, uint32_t prog)
{
	uint64_t words[12] = { 0 }; /* as many arguments as a raw tracepoint may have */
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = words, .ctx_size_in = sizeof(words));

	return bpf_prog_test_run_opts(l->prog_fds[prog], &opts);
}

bool qt_run_hook(const struct qt_run *run, const struct qt_loaded *l, enum qt_hook hook)
{
	for (uint32_t i = 0; i < run->plan->progs.len; i++) {
		int err = run->plan->progs.items[i].hook == hook ? qt_run_program(l, i) : 0;

		if (err) {
			qt_diag_prog(run, QT_E0608, i, "%s could not be run: %s", qt_hook_info(hook)->name, qt_errno_text(run, err));
			return false;
		}
	}
	return true;
}
