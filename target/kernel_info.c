/* Which kernel this is, how many CPUs it may have, and what this process may do. */
#include "target/target_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define CAP_SYS_ADMIN 21
#define CAP_PERFMON 38
#define CAP_BPF 39

static uint32_t read_version(const char *release)
{
	unsigned major = 0, minor = 0, patch = 0;

	sscanf(release, "%u.%u.%u", &major, &minor, &patch);
	return major << 16 | (minor & 0xff) << 8 | (patch > 255 ? 255 : patch);
}

/* Counts "0-3,8,10-11". */
static unsigned count_list(const char *p)
{
	unsigned n = 0;

	while (p && *p >= '0' && *p <= '9') {
		char *end;
		unsigned long first = strtoul(p, &end, 10), last = first;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		n += last >= first && last - first < 65536 ? (unsigned)(last - first) + 1 : 0;
		p = *end == ',' ? end + 1 : end;
	}
	return n;
}

static unsigned possible_cpus(struct qt_target *t)
{
	unsigned n = count_list(qt_read_text(t, -1, "/sys/devices/system/cpu/possible", 4096, NULL));

	return n ? n : (unsigned)sysconf(_SC_NPROCESSORS_CONF);
}

/* "none [integrity] confidentiality": the word in brackets. */
static const char *lockdown(struct qt_target *t)
{
	const char *text = qt_read_text(t, -1, "/sys/kernel/security/lockdown", 4096, NULL), *open = text ? strchr(text, '[') : NULL;

	return open ? qt_intern_n(t->names, open + 1, strcspn(open + 1, "]\n")) : "";
}

static uint64_t capabilities(struct qt_target *t)
{
	const char *text = qt_read_text(t, -1, "/proc/self/status", 65536, NULL), *line = text ? strstr(text, "CapEff:") : NULL;

	return line ? strtoull(line + 7, NULL, 16) : 0;
}

static void read_live(struct qt_target *t, struct qt_kernel_info *k)
{
	uint64_t caps = capabilities(t);
	struct utsname u;

	uname(&u);
	k->release = qt_intern(t->names, u.release);
	k->machine = qt_intern(t->names, u.machine);
	k->cpus = possible_cpus(t);
	k->lockdown = lockdown(t);
	k->root = geteuid() == 0;
	k->cap_bpf = caps >> CAP_BPF & 1 || caps >> CAP_SYS_ADMIN & 1;
	k->cap_perfmon = caps >> CAP_PERFMON & 1 || caps >> CAP_SYS_ADMIN & 1;
	qt_rows_add(t, "kernel", k->release, k->machine, qt_arena_printf(t->arena, "%u", k->cpus), k->lockdown,
		    qt_arena_printf(t->arena, "%s%s%s", k->root ? "root," : "", k->cap_bpf ? "bpf," : "", k->cap_perfmon ? "perfmon" : ""), NULL);
}

static void read_recorded(struct qt_target *t, struct qt_kernel_info *k)
{
	const struct qt_row *r = qt_rows_find(t, "kernel", NULL, NULL);
	const char *rights = r ? qt_row_field(r, 5) : "";

	k->release = r ? qt_row_field(r, 1) : "unknown";
	k->machine = r ? qt_row_field(r, 2) : "x86_64";
	k->cpus = r && qt_row_number(r, 3) ? (unsigned)qt_row_number(r, 3) : 1;
	k->lockdown = r ? qt_row_field(r, 4) : "";
	k->root = strstr(rights, "root");
	k->cap_bpf = strstr(rights, "bpf");
	k->cap_perfmon = strstr(rights, "perfmon");
}

const struct qt_kernel_info *qt_target_kernel(struct qt_target *t)
{
	if (t->kernel_known)
		return &t->kernel;
	t->kernel_known = true;
	if (t->live)
		read_live(t, &t->kernel);
	else
		read_recorded(t, &t->kernel);
	t->kernel.version = read_version(t->kernel.release);
	return &t->kernel;
}
