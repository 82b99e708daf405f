/* Loads and attaches the yardstick with libbpf: loader OBJECT BINARY [COMMAND]. With a command it runs it once attached and ends with
 * it, otherwise at SIGINT; then it prints the table. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void die(const char *what)
{
	perror(what);
	exit(1);
}

static void print_rows(int map)
{
	int cpus = libbpf_num_possible_cpus();
	uint64_t key, next, *previous = NULL;

	while (bpf_map_get_next_key(map, previous, &next) == 0) {
		struct {
			uint64_t count, sum;
		} per_cpu[cpus], total = { 0, 0 };

		key = next;
		previous = &key;
		if (bpf_map_lookup_elem(map, &key, per_cpu))
			continue;
		for (int i = 0; i < cpus; i++) {
			total.count += per_cpu[i].count;
			total.sum += per_cpu[i].sum;
		}
		printf("%8llu %10llu %10llu\n", (unsigned long long)key, (unsigned long long)total.count, (unsigned long long)total.sum);
	}
}

int main(int argc, char **argv)
{
	LIBBPF_OPTS(bpf_uprobe_opts, fn, .func_name = "fn");
	struct bpf_object *o = argc > 2 ? bpf_object__open_file(argv[1], NULL) : NULL;
	struct bpf_program *forget = NULL;
	sigset_t interrupt;
	int received;

	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	sigprocmask(SIG_BLOCK, &interrupt, NULL);
	if (!o || bpf_object__load(o))
		die("load");
	if (!bpf_program__attach_uprobe_opts(bpf_object__find_program_by_name(o, "set_context"), -1, argv[2], 0, &fn))
		die("uprobe");
	if (!bpf_program__attach(bpf_object__find_program_by_name(o, "tag_read")))
		die("tracepoint");
	forget = bpf_object__find_program_by_name(o, "forget_place");
	if (forget && !bpf_program__attach(forget))
		die("raw tracepoint");
	if (argc > 3) {
		if (system(argv[3]))
			die(argv[3]);
	} else {
		sigwait(&interrupt, &received);
	}
	print_rows(bpf_object__find_map_fd_by_name(o, "rows"));
	return 0;
}
