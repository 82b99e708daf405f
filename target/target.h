/* Questions about a machine, read only: binaries and their symbols, USDT, tracepoints, system calls, kernel functions,
 * types, and what the kernel allows. Answers come from this machine or from a frozen snapshot (a folder of text files).
 * Nothing is read before it is asked; what was read is kept until qt_target_free. Every pointer in an answer belongs to the
 * target and lives as long as it. One thread at a time.
 *
 * A question that has no good answer gives a reason: the enum says which kind, the text says it in words. No diagnostics
 * are reported here. */
#ifndef QT_TARGET_TARGET_H
#define QT_TARGET_TARGET_H

#include "base/regs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct qt_target;

/* ---- what the kernel may or may not allow ---------------------------------------------------------------------------- */

/* One row a feature: enum, name (snapshots, doctor), what it is in words. */
#define QT_FEATURES(F)                                                                 \
	F(UPROBE, "uprobe", "uprobes through perf events")                             \
	F(UPROBE_MULTI, "uprobe_multi", "one link for many uprobes")                   \
	F(USDT_SEMAPHORE, "usdt_semaphore", "USDT semaphores raised by the kernel")    \
	F(KPROBE, "kprobe", "kprobes")                                                 \
	F(FENTRY, "fentry", "BPF trampolines (fentry and fexit)")                      \
	F(KPROBE_MULTI, "kprobe_multi", "one link for many kprobes (fprobe)")          \
	F(TRACEPOINT, "tracepoint", "tracepoints")                                     \
	F(RAW_TRACEPOINT, "raw_tracepoint", "raw tracepoints")                         \
	F(TP_BTF, "tp_btf", "raw tracepoints typed by BTF")                            \
	F(SYSCALL_TRACEPOINT, "syscall_tracepoint", "system call tracepoints")         \
	F(PERF_EVENT, "perf_event", "timers and counters by perf events")              \
	F(RINGBUF, "ringbuf", "the BPF ring buffer")                                   \
	F(TASK_STORAGE, "task_storage", "task-local storage")                          \
	F(PERCPU_KPTR, "percpu_alloc", "allocation of per-CPU memory in BPF programs") \
	F(BPF_COOKIE, "bpf_cookie", "a cookie for each attach point")                  \
	F(BTF, "btf", "types of the kernel (BTF)")                                     \
	F(TRACEFS, "tracefs", "the tracefs file system")                               \
	F(BPF_STATS, "bpf_stats", "run time statistics of BPF programs")

enum qt_feature {
#define F(id, name, words) QT_FEATURE_##id,
	QT_FEATURES(F)
#undef F
		QT_FEATURE_COUNT
};

enum qt_tri { QT_UNKNOWN, QT_NO, QT_YES };

struct qt_feature_state {
	enum qt_tri state;
	const char *reason; /* why not, or why it is not known; NULL with QT_YES */
	const char *config; /* the missing kernel option ("CONFIG_KPROBES"); NULL when there is none to name */
};

const char *qt_feature_name(enum qt_feature f);
const char *qt_feature_words(enum qt_feature f);

/* ---- opening --------------------------------------------------------------------------------------------------------- */

struct qt_target_options {
	pid_t pid; /* resolve binaries as this process sees them first; 0: no process */
	uint32_t missing; /* features to take as missing: bits 1 << enum qt_feature */
	const char *path; /* where bare program names are looked up; NULL: $PATH */
	bool record; /* remember what was asked and answered, for qt_target_save */
};

/* This machine. Never NULL; O may be NULL. */
struct qt_target *qt_target_live(const struct qt_target_options *o);

/* A folder written by qt_target_save. NULL with errno set when DIR holds no snapshot. */
struct qt_target *qt_target_snapshot(const char *dir, const struct qt_target_options *o);

/* Writes everything that was asked of T so far (and its answers) into DIR as a snapshot: made if it is not there, files of
 * an older snapshot replaced. T is a live one that records. False with errno set when that fails. */
bool qt_target_save(struct qt_target *t, const char *dir);

void qt_target_free(struct qt_target *t);
bool qt_target_is_live(const struct qt_target *t);

/* ---- reasons --------------------------------------------------------------------------------------------------------- */

enum qt_why {
	QT_WHY_NONE, /* all is well */
	QT_WHY_NOT_FOUND, /* no such file, function, tracepoint... */
	QT_WHY_NOT_RECORDED, /* the snapshot does not know; a live machine might: compiling may go on if the caller can */
	QT_WHY_PERMISSION,
	QT_WHY_DIRECTORY,
	QT_WHY_EMPTY,
	QT_WHY_SCRIPT, /* text with a #! line */
	QT_WHY_JAVA, /* .jar (zip) or .class */
	QT_WHY_NOT_ELF,
	QT_WHY_MACHINE, /* ELF of another class or machine */
	QT_WHY_DEBUG_FILE, /* debug information only: nothing runs it */
	QT_WHY_DAMAGED, /* bytes that make no sense */
	QT_WHY_IMPORTED, /* the function is only imported here */
	QT_WHY_VERSION, /* the function is here, its version is not */
	QT_WHY_NOT_CODE, /* an address or offset outside of what is executed */
	QT_WHY_AMBIGUOUS, /* several providers have that probe */
	QT_WHY_UNAVAILABLE, /* this machine lacks what would answer it (tracefs, BTF, kprobes...) */
};

struct qt_reason {
	enum qt_why why;
	const char *text; /* what is wrong: no full stop; NULL with QT_WHY_NONE */
	const char *hint; /* what works instead; NULL when nothing better is known */
};

/* Receives candidates for "did you mean": (void (*)(void *, const char *)) over qt_suggest_offer. */
typedef void (*qt_offer_fn)(void *ctx, const char *candidate);

/* ---- binaries -------------------------------------------------------------------------------------------------------- */

struct qt_binary {
	const char *path; /* canonical, as qtrace opens and attaches it; inside another mount namespace /proc/PID/root/... */
	const char *name; /* canonical as the process sees it (no /proc/PID/root) */
	const char *build_id; /* lower-case hex; "" when it has none */
	bool position_independent;
	bool executable; /* a program rather than a library */
	bool go; /* built by Go: return probes would break it */
};

struct qt_binaries {
	const struct qt_binary **items;
	unsigned count;
	struct qt_reason reason; /* when count is 0: why. With a glob also when some matches were no ELF files */
};

/* SPEC is a path, a glob (sorted; files that are no ELF are left out), or a bare name: a program in PATH, then a library of
 * the dynamic linker's cache with and without "lib", ".so" and version. With a pid, that process's maps and root come
 * first. "PID" alone is no binary. False when there is none. */
bool qt_target_binaries(struct qt_target *t, const char *spec, struct qt_binaries *out);

/* Whether a file of SPEC's name carries no machine code (a .jar, a script): OUT says what it is, and what can be probed instead. */
bool qt_target_file_kind(struct qt_target *t, const char *spec, struct qt_reason *out);

/* Names near to a bare SPEC or to the last part of a path. */
void qt_target_binary_offer(struct qt_target *t, const char *spec, qt_offer_fn offer, void *ctx);

/* ---- functions of a binary ------------------------------------------------------------------------------------------- */

struct qt_function {
	const char *name; /* the symbol without version, mangled if so; "0x401136" for a raw address */
	const char *version; /* "GLIBC_2.3.2" or NULL */
	const char *demangled; /* "ns::S::go(int)" or NULL */
	const char *library; /* imported: the DT_NEEDED library that defines it (canonical path, else its name) or NULL */
	uint64_t address; /* virtual, as nm prints it, offset included */
	uint64_t file_offset; /* where a uprobe goes, offset included */
	uint64_t size; /* 0: not known */
	bool default_version; /* no version, or name@@VER */
	bool ifunc; /* resolved at load time: the code that runs is another function */
	bool imported; /* undefined here: address and file_offset are 0 */
};

struct qt_functions {
	const struct qt_function *items;
	unsigned count;
	struct qt_reason reason; /* when count is 0, and QT_WHY_IMPORTED with the one imported function as item */
	unsigned skipped; /* of a glob: symbols that match but cannot carry a probe (imported, old versions) */
};

/* PATTERN: a symbol; name@VER; name@@VER; a glob; a demangled name with or without its parameters; 0xADDRESS. A plain name
 * is the default version, and never matches a C++ function when a symbol of that very name exists. Aliases (one address)
 * are given once. OFFSET is added to each; it must lie inside of a function whose size is known. False when nothing can be probed. */
bool qt_binary_functions(struct qt_target *t, const struct qt_binary *b, const char *pattern, uint64_t offset, struct qt_functions *out);
void qt_binary_function_offer(struct qt_target *t, const struct qt_binary *b, const char *pattern, qt_offer_fn offer, void *ctx);

/* Reverse: the function that covers a virtual address, or NULL. */
const struct qt_function *qt_binary_function_at(struct qt_target *t, const struct qt_binary *b, uint64_t address);

/* ---- USDT ------------------------------------------------------------------------------------------------------------ */

enum qt_usdt_kind {
	QT_USDT_CONST, /* value */
	QT_USDT_REG, /* (base >> shift), cut to size */
	QT_USDT_MEMORY, /* SIZE bytes at base + index * scale + value; base rip is the address of the site itself, as
			    * regs->ip holds it in a uprobe: symbols relative to rip are resolved into value */
	QT_USDT_UNSUPPORTED, /* a vector register, a segment: text says what */
};

struct qt_usdt_arg {
	enum qt_usdt_kind kind;
	uint8_t size; /* bytes: 1 2 4 8 */
	bool is_signed;
	bool is_float;
	enum qt_reg base, index; /* QT_REG_COUNT: none */
	uint8_t scale; /* 1 2 4 8 */
	uint8_t shift; /* 8 for %ah %bh %ch %dh, else 0 */
	int64_t value; /* constant, or displacement */
	const char *text; /* as written in the note: "-4@-136(%rbp)" */
};

struct qt_usdt_site {
	const char *provider, *name;
	uint64_t address; /* virtual, adjusted by .stapsdt.base */
	uint64_t file_offset;
	uint64_t semaphore; /* virtual; 0: none */
	uint64_t semaphore_offset; /* in the file, for ref_ctr_offset; 0: none */
	const struct qt_usdt_arg *args;
	unsigned nargs;
};

struct qt_usdt {
	const struct qt_usdt_site *sites; /* by provider, name, address */
	unsigned count;
	struct qt_reason reason; /* count 0: why; QT_WHY_DAMAGED beside sites when some notes made no sense */
};

/* PROVIDER may be NULL (any; QT_WHY_AMBIGUOUS when plain NAME exists in several) or a glob, NAME may be a glob. */
bool qt_binary_usdt(struct qt_target *t, const struct qt_binary *b, const char *provider, const char *name, struct qt_usdt *out);
void qt_binary_usdt_offer(struct qt_target *t, const struct qt_binary *b, qt_offer_fn offer, void *ctx); /* names and provider:name */

/* Parses one operand ("-4@-8(%rbp)"). SITE is the address of its probe; SYMBOL looks up a symbol's address (false: unknown;
 * may be NULL). Text is copied by reference. False (and kind UNSUPPORTED) when it makes no sense. */
typedef bool (*qt_symbol_fn)(void *ctx, const char *name, uint64_t *address);
bool qt_usdt_parse_arg(const char *text, uint64_t site, qt_symbol_fn symbol, void *ctx, struct qt_usdt_arg *out);

/* ---- C types --------------------------------------------------------------------------------------------------------- */

enum qt_ctype_kind { QT_CTYPE_VOID, QT_CTYPE_INT, QT_CTYPE_BOOL, QT_CTYPE_ENUM, QT_CTYPE_POINTER, QT_CTYPE_STRUCT, QT_CTYPE_ARRAY, QT_CTYPE_OTHER };

struct qt_ctype {
	enum qt_ctype_kind kind;
	uint32_t size; /* bytes; of an array: the whole */
	bool is_signed;
	const char *text; /* "const char *", "unsigned long", "struct file" */
	const char *pointee; /* pointer: the struct or union it points to ("struct file"), "char", or NULL */
	uint32_t element; /* array: bytes of one element */
	bool is_text; /* array of char or pointer to char */
	bool is_user; /* a pointer into the process (the __user mark, or known) */
};

struct qt_param {
	const char *name; /* "" when it has none */
	struct qt_ctype type;
};

/* ---- tracepoints ----------------------------------------------------------------------------------------------------- */

struct qt_record_field {
	const char *name;
	struct qt_ctype type;
	uint32_t offset; /* into the record that a tracepoint program gets as its context */
	uint32_t size; /* of its slot: may be wider than type.size (system call arguments) */
	bool data_loc; /* the slot is (length << 16 | offset) of the value; type is that of the value */
	bool rel_loc; /* as data_loc, offset counted from the end of the slot */
	bool common; /* one of the common_ fields */
};

struct qt_tracepoint {
	const char *category, *name;
	uint32_t id; /* of this boot; 0 in a snapshot */
	const struct qt_record_field *fields;
	unsigned nfields;
};

const struct qt_tracepoint *qt_target_tracepoint(struct qt_target *t, const char *category, const char *name, struct qt_reason *why);
const struct qt_record_field *qt_tracepoint_field(const struct qt_tracepoint *tp, const char *name);

struct qt_names {
	const char **items; /* "category:name" of tracepoints; sorted */
	unsigned count;
	struct qt_reason reason; /* when count is 0 */
};
/* Patterns may be NULL: all. */
bool qt_target_tracepoints(struct qt_target *t, const char *category, const char *name, struct qt_names *out);
void qt_target_tracepoint_offer(struct qt_target *t, qt_offer_fn offer, void *ctx); /* "category:name" */

/* An open folder of tracefs (close-on-exec, the target's own) or -1: where tracefs is not mounted, root gets a mount of its
 * own that nobody else sees. */
int qt_target_tracefs(struct qt_target *t);

/* ---- system calls ---------------------------------------------------------------------------------------------------- */

struct qt_syscall {
	const char *name; /* as tracefs has it: "newfstat"; asking for "fstat" finds it too */
	const struct qt_param *args; /* types as the kernel declares them; char pointers are user text */
	unsigned nargs;
	const struct qt_tracepoint *enter, *exit; /* their records: arguments are 8-byte slots; field "ret" */
};

const struct qt_syscall *qt_target_syscall(struct qt_target *t, const char *name, struct qt_reason *why);
bool qt_target_syscalls(struct qt_target *t, const char *pattern, struct qt_names *out);
void qt_target_syscall_offer(struct qt_target *t, qt_offer_fn offer, void *ctx);

/* ---- kernel functions, raw tracepoints, types ------------------------------------------------------------------------ */

struct qt_prototype {
	const char *name;
	struct qt_ctype ret; /* VOID: none */
	const struct qt_param *params;
	unsigned nparams;
	bool typed; /* false: no BTF for it; params are not known */
};

const struct qt_prototype *qt_target_raw_tracepoint(struct qt_target *t, const char *name, struct qt_reason *why);
bool qt_target_raw_tracepoints(struct qt_target *t, const char *pattern, struct qt_names *out);
void qt_target_raw_tracepoint_offer(struct qt_target *t, qt_offer_fn offer, void *ctx);

struct qt_kernel_function {
	struct qt_prototype proto;
	enum qt_tri listed; /* in /proc/kallsyms, which is read only for what BTF does not have (QT_UNKNOWN: not readable) */
	uint32_t btf_id; /* of its FUNC in vmlinux; 0: none, or a snapshot */
	const char *module; /* NULL: vmlinux */
};

const struct qt_kernel_function *qt_target_kernel_function(struct qt_target *t, const char *name, struct qt_reason *why);
bool qt_target_kernel_functions(struct qt_target *t, const char *pattern, struct qt_names *out);
void qt_target_kernel_function_offer(struct qt_target *t, qt_offer_fn offer, void *ctx);

/* The probe that carries the same event as a kernel function where that cannot be probed: "syscall:read" and words, or
 * NULLs. A fixed table: needs no machine. */
struct qt_alternative {
	const char *probe; /* what to write instead: "tracepoint:tcp:tcp_retransmit_skb" */
	const char *note; /* what differs; "" when nothing does */
};
struct qt_alternative qt_kernel_alternative(const char *function);

struct qt_struct_field {
	struct qt_ctype type;
	uint32_t offset; /* bytes from the start of the outer type */
	uint32_t bit_offset, bit_size; /* bitfield: bits inside of the bytes at offset; bit_size 0: none */
};

/* PATH is "f_path.dentry" inside of TYPE "struct file" (or a typedef's name): pointers are not followed. */
bool qt_target_struct_field(struct qt_target *t, const char *type, const char *path, struct qt_struct_field *out, struct qt_reason *why);
void qt_target_struct_field_offer(struct qt_target *t, const char *type, qt_offer_fn offer, void *ctx);
/* Size of a type by its name ("struct task_struct", "pid_t", "unsigned int"); false when unknown. */
bool qt_target_type(struct qt_target *t, const char *name, struct qt_ctype *out);

/* ---- names of addresses ---------------------------------------------------------------------------------------------- */

struct qt_symbol_at {
	const char *name; /* readable: C++ and Rust names demangled */
	uint64_t address; /* where it begins */
	const char *module; /* of the kernel; NULL: vmlinux, or a binary's */
};

/* What covers a kernel address; false when kallsyms does not tell. */
bool qt_target_kernel_symbol(struct qt_target *t, uint64_t address, struct qt_symbol_at *out);
/* The address of a kernel symbol, code or data. */
bool qt_target_kernel_address(struct qt_target *t, const char *name, uint64_t *address);
/* The function that covers virtual ADDRESS of B. */
bool qt_binary_symbol_at(struct qt_target *t, const struct qt_binary *b, uint64_t address, struct qt_symbol_at *out);
/* The virtual address of a byte of the file that is executed. */
bool qt_binary_address(const struct qt_binary *b, uint64_t file_offset, uint64_t *address);
/* The binary at PATH, called NAME in messages; NULL when it is none. */
const struct qt_binary *qt_target_binary_file(struct qt_target *t, const char *path, const char *name);
/* The address and size (0: not known) of symbol NAME, code or data, of the binary at PATH. */
bool qt_target_symbol(struct qt_target *t, const char *path, const char *name, uint64_t *address, uint64_t *size);
/* The virtual address of byte OFFSET of the binary at PATH, where it is executed. */
bool qt_target_file_address(struct qt_target *t, const char *path, uint64_t offset, uint64_t *address);
/* The library that the kernel maps into every process; NULL: none. */
const struct qt_binary *qt_target_vdso(struct qt_target *t);

/* ---- kernel and privileges ------------------------------------------------------------------------------------------- */

/* Tried only when asked (fentry loads and attaches nothing: it loads one program of two instructions), then kept. */
struct qt_feature_state qt_target_feature(struct qt_target *t, enum qt_feature f);

struct qt_kernel_info {
	const char *release; /* "6.1.0-57-cloud-amd64" */
	uint32_t version; /* major << 16 | minor << 8 | patch, patch cut to 255 */
	const char *machine; /* "x86_64" */
	unsigned cpus; /* possible CPUs: per-CPU maps have that many values */
	const char *lockdown; /* "none", "integrity", "confidentiality", "" when not readable */
	bool root, cap_bpf, cap_perfmon; /* cap_* also true with CAP_SYS_ADMIN */
};
const struct qt_kernel_info *qt_target_kernel(struct qt_target *t);

/* ---- qtrace list ----------------------------------------------------------------------------------------------------- */

struct qt_listed {
	const char *probe; /* text that can be written in a script, quoted where it must be */
	const char *args; /* "int fd, char *buf, size_t count"; "" when none or not known (only with details) */
};
/* Return false to stop. */
typedef bool (*qt_list_fn)(void *ctx, const struct qt_listed *probe);

/* PROVIDER: uprobe uretprobe usdt tracepoint syscall rawtracepoint kprobe kretprobe fentry fexit software hardware. BINARY: for
 * uprobe, uretprobe and usdt. PATTERN: a glob over what follows ("sched:sched_*", "provider:name", "vfs_*"); NULL: all. The
 * count of what was listed; WHY (may be NULL) tells why it is 0. */
unsigned qt_target_list(struct qt_target *t, const char *provider, const char *binary, const char *pattern, bool details, qt_list_fn fn, void *ctx,
			struct qt_reason *why);

#endif
