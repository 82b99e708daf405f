/* The benchmark: measure ROUNDS WORKLOAD THREADS STAMP-FILE < TOOLS, one tool a line: name, command that traces until SIGINT, command that traces one
 * run of a program (tab-separated). Rounds are interleaved; it prints medians, and the ratios of the last tool to the first ones.
 * Measured: nanoseconds a run of each BPF program (kernel.bpf_stats_enabled, read from the tracer's own descriptors), process start
 * to the first instruction of a traced program (all probes are attached by then), peak memory, and SIGINT to exit. What the tools say
 * on standard error goes to descriptor 3. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_TOOLS = 8, YARDSTICKS = 3, MAX_ROUNDS = 64, SETTLE_MS = 300, LOG_FD = 3 };
enum figure { NS_SET, NS_TAG, NS_BOTH, START_MS, MEMORY_MB, EXIT_MS, FIGURES };

static const char *const figure_names[FIGURES] = {
	"uprobe program, ns a run", "syscall program, ns a run", "both, ns", "start to attached, ms", "peak memory, MB", "Ctrl-C to exit, ms",
};

struct tool {
	char *name, *until_signal, *with_command;
	double values[FIGURES][MAX_ROUNDS];
};

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void sleep_ms(double ms)
{
	struct timespec t = { .tv_sec = (time_t)(ms / 1e3), .tv_nsec = (long)(ms * 1e6) % 1000000000 };

	nanosleep(&t, NULL);
}

/* Runs a command line of words and single-quoted words, as the shell would, without the shell in between. */
static pid_t spawn(const char *line)
{
	char *copy = strdup(line), *words[32], *in = copy, *to = copy;
	int n = 0;
	pid_t child = fork();

	if (child)
		return child;
	while (*in && n < 31) {
		bool quoted = false;

		words[n++] = to;
		for (; *in && (quoted || *in != ' '); in++) {
			if (*in == '\'')
				quoted = !quoted;
			else
				*to++ = *in;
		}
		while (*in == ' ')
			in++;
		*to++ = '\0';
	}
	words[n] = NULL;
	dup2(open("/dev/null", O_RDWR), 0);
	dup2(open("/dev/null", O_RDWR), 1);
	dup2(LOG_FD, 2);
	execvp(words[0], words);
	perror(words[0]);
	_exit(127);
}

static int wait_for(pid_t child)
{
	int status = -1;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* The value behind "name:" in a file of /proc, -1 when it is not there. */
static double proc_value(const char *path, const char *name)
{
	char line[256];
	double value = -1;
	FILE *f = fopen(path, "r");

	while (f && fgets(line, sizeof(line), f)) {
		if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ':')
			value = strtod(line + strlen(name) + 1, NULL);
	}
	if (f)
		fclose(f);
	return value;
}

/* Sorted out by how often each ran: only the two programs of the workload ran RUNS times or more. Type 2 is a (u)probe. */
static void read_programs(struct tool *t, int round, pid_t pid, long runs)
{
	char dir[64], path[512];
	struct dirent *e;
	DIR *d;

	snprintf(dir, sizeof(dir), "/proc/%d/fdinfo", (int)pid);
	d = opendir(dir);
	while (d && (e = readdir(d))) {
		double count, ns, type;

		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		count = proc_value(path, "run_cnt");
		ns = proc_value(path, "run_time_ns");
		type = proc_value(path, "prog_type");
		if (count >= (double)runs && ns >= 0)
			t->values[type == 2 ? NS_SET : NS_TAG][round] = ns / count;
	}
	if (d)
		closedir(d);
	t->values[NS_BOTH][round] = t->values[NS_SET][round] + t->values[NS_TAG][round];
}

static void measure_start(struct tool *t, int round, const char *stamp_file)
{
	double begin = now_ms(), first = 0;
	FILE *f;

	unlink(stamp_file);
	setenv("STAMP", stamp_file, 1);
	wait_for(spawn(t->with_command));
	f = fopen(stamp_file, "r");
	if (!f || fscanf(f, "%lf", &first) != 1)
		fprintf(stderr, "measure: %s ran no program\n", t->name);
	if (f)
		fclose(f);
	unsetenv("STAMP");
	t->values[START_MS][round] = first / 1e6 - begin;
}

static void measure_run(struct tool *t, int round, const char *workload, const char *threads, long runs)
{
	char path[64], command[512];
	pid_t tracer = spawn(t->until_signal);
	double begin;

	sleep_ms(t->values[START_MS][round] + SETTLE_MS);
	snprintf(command, sizeof(command), "%s %ld %s", workload, runs, threads);
	setpriority(PRIO_PROCESS, 0, -20); /* inherited: other processes must not run in the middle of what is timed */
	if (wait_for(spawn(command)))
		fprintf(stderr, "measure: %s failed\n", command);
	setpriority(PRIO_PROCESS, 0, 0);
	read_programs(t, round, tracer, runs);
	snprintf(path, sizeof(path), "/proc/%d/status", (int)tracer);
	t->values[MEMORY_MB][round] = proc_value(path, "VmHWM") / 1024;
	begin = now_ms();
	kill(tracer, SIGINT);
	wait_for(tracer);
	t->values[EXIT_MS][round] = now_ms() - begin;
}

static int ascending(const void *a, const void *b)
{
	double d = *(const double *)a - *(const double *)b;

	return (d > 0) - (d < 0);
}

static double median(const double *values, int n)
{
	double sorted[MAX_ROUNDS];

	memcpy(sorted, values, (size_t)n * sizeof(*values));
	qsort(sorted, (size_t)n, sizeof(*sorted), ascending);
	return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/* The median of the ratios of the rounds: what drifts between rounds is in both sides. */
static double ratio(const double *a, const double *b, int n)
{
	double ratios[MAX_ROUNDS];

	for (int i = 0; i < n; i++)
		ratios[i] = a[i] / b[i];
	return median(ratios, n);
}

static void report(const struct tool *tools, int count, int rounds)
{
	printf("\n%-28s", "median of rounds");
	for (int i = 0; i < count; i++)
		printf("%14s", tools[i].name);
	for (int i = 0; i < count - 1 && i < YARDSTICKS; i++)
		printf("   %s/%s", tools[count - 1].name, tools[i].name);
	putchar('\n');
	for (int f = 0; f < FIGURES; f++) {
		const double *last = tools[count - 1].values[f];

		printf("%-28s", figure_names[f]);
		for (int i = 0; i < count; i++)
			printf("%14.1f", median(tools[i].values[f], rounds));
		for (int i = 0; i < count - 1 && i < YARDSTICKS; i++) {
			int width = 4 + (int)strlen(tools[count - 1].name) + (int)strlen(tools[i].name);

			printf("%*.3f", width, ratio(last, tools[i].values[f], rounds));
		}
		putchar('\n');
	}
}

static void set_statistics(const char *on)
{
	int fd = open("/proc/sys/kernel/bpf_stats_enabled", O_WRONLY);

	if (fd < 0 || write(fd, on, 1) != 1)
		perror("kernel.bpf_stats_enabled");
	close(fd);
}

static int read_tools(struct tool *tools)
{
	char *line = NULL;
	size_t cap = 0;
	int n = 0;

	while (n < MAX_TOOLS && getline(&line, &cap, stdin) > 0) {
		char *copy = strdup(line);

		copy[strcspn(copy, "\n")] = '\0';
		tools[n].name = strsep(&copy, "\t");
		tools[n].until_signal = strsep(&copy, "\t");
		tools[n].with_command = strsep(&copy, "\t");
		n += tools[n].with_command != NULL;
	}
	return n;
}

int main(int argc, char **argv)
{
	static struct tool tools[MAX_TOOLS];
	int rounds = argc > 1 ? atoi(argv[1]) : 0, count;
	long runs = 200003;

	if (argc != 5 || rounds < 1 || rounds > MAX_ROUNDS) {
		fputs("usage: measure ROUNDS WORKLOAD THREADS STAMP-FILE <tools\n", stderr);
		return 2;
	}
	count = read_tools(tools);
	set_statistics("1");
	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < count; i++) {
			measure_start(&tools[i], round, argv[4]);
			measure_run(&tools[i], round, argv[2], argv[3], runs);
			printf("round %d %-10s %6.0f ns  start %5.0f ms  %5.1f MB  exit %5.0f ms\n", round + 1, tools[i].name,
			       tools[i].values[NS_BOTH][round], tools[i].values[START_MS][round], tools[i].values[MEMORY_MB][round],
			       tools[i].values[EXIT_MS][round]);
			fflush(stdout);
		}
	}
	set_statistics("0");
	report(tools, count, rounds);
	return 0;
}
