/* What the files of target/ share: the target itself, recorded facts as rows of text, byte images of files, ELF binaries. */
#ifndef QT_TARGET_INTERNAL_H
#define QT_TARGET_INTERNAL_H

#include "base/arena.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "target/target.h"

#include <elf.h>

/* ---- rows: facts as lines of tab-separated fields, the form of a snapshot's files ------------------------------------- */

struct qt_row {
	const char **fields; /* the first one is the kind; nfields >= 1 */
	unsigned nfields;
};

struct qt_rows {
	QT_VEC(struct qt_row) list;
	struct qt_map seen; /* interned whole lines: a fact is kept once */
};

/* Adds kind, ... (NULL ends the fields) unless the very same row is there. */
void qt_rows_add(struct qt_target *t, const char *kind, ...) __attribute__((sentinel));
void qt_rows_add_fields(struct qt_target *t, const char **fields, unsigned nfields);
/* The first row of KIND whose next fields are A and B (NULL: any), or NULL. */
const struct qt_row *qt_rows_find(const struct qt_target *t, const char *kind, const char *a, const char *b);
const char *qt_row_field(const struct qt_row *r, unsigned i); /* "" beyond the end */
uint64_t qt_row_number(const struct qt_row *r, unsigned i);
bool qt_rows_read(struct qt_target *t, const char *path);
bool qt_rows_write(const struct qt_target *t, const char *path);

#define QT_ROWS_EACH(r, t) qt_vec_each (r, &(t)->rows.list)
#define QT_ROW_IS(r, k) (strcmp((r)->fields[0], (k)) == 0)

/* ---- the target ------------------------------------------------------------------------------------------------------ */

struct qt_image {
	const uint8_t *data;
	size_t size;
};

struct qt_btf;
struct qt_kallsyms;

struct qt_elf;

/* Names by their addresses (symbolize.c). */
struct qt_named {
	uint64_t address, size; /* size 0: up to the next one */
	const char *name; /* of the kernel: with "\t[module]" behind */
	unsigned rank; /* of several at one address: the lowest is the best */
};
struct qt_name_table {
	QT_VEC(struct qt_named) list; /* sorted */
};

struct qt_name_list {
	const char **items;
	uint32_t len, cap;
};

/* The text of a tracepoint's format file, kept for a snapshot. */
struct qt_format_text {
	const char *category, *name, *text;
};

struct qt_target {
	struct qt_arena *arena;
	struct qt_interns *names;
	struct qt_target_options options;
	bool live;
	const char *folder; /* of a snapshot */
	const char *root; /* "/proc/PID/root" when the process has another root, else "" */
	struct qt_rows rows; /* live: what was asked and answered; snapshot: what is known */

	QT_VEC(struct qt_elf *) elfs;
	struct qt_image ld_cache;
	bool ld_cache_read;

	int tracefs; /* -1: none */
	int tracefs_error; /* errno of why there is none */
	bool tracefs_tried;
	QT_VEC(struct qt_format_text) formats;
	struct qt_name_list events; /* "category:name", sorted */
	bool events_read;
	struct qt_map tracepoints, syscalls, functions, raw_tracepoints; /* answers by interned name */

	struct qt_btf *btf;
	bool btf_tried;
	struct qt_kallsyms *kallsyms;
	struct qt_name_table *kernel_by_address; /* NULL until asked */
	struct qt_feature_state features[QT_FEATURE_COUNT];
	bool feature_known[QT_FEATURE_COUNT];
	struct qt_kernel_info kernel;
	bool kernel_known;
};

#define QT_JAVA_HINT                                                                                                                                   \
	"Java methods live in memory that the JVM makes, not in a file: probe libjvm.so (usdt:libjvm:hotspot:*, with java "                            \
	"-XX:+ExtendedDTraceProbes) or the native functions that the program calls"

bool qt_why_set(struct qt_target *t, struct qt_reason *r, enum qt_why why, const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 5, 6))); /* r may be NULL; returns false */
void qt_why_clear(struct qt_reason *r);
/* No answer for KEY, and why (R). A live target remembers that. In a snapshot R becomes what was remembered; stays as it is when a row
 * "complete KIND [BEGIN]" says that all keys of this kind (that begin so) are there; else says that WHAT is not recorded. Returns false. */
bool qt_absent(struct qt_target *t, const char *kind, const char *key, const char *what, struct qt_reason *r);

/* Whole files. Mapped ones are given back by qt_image_close; read ones live on the target's arena. */
bool qt_image_map(const char *path, struct qt_image *out); /* errno set */
void qt_image_close(struct qt_image *i);
char *qt_read_text(struct qt_target *t, int dirfd, const char *path, size_t limit, size_t *len); /* NUL behind; NULL with errno */

void qt_names_sort(struct qt_name_list *l); /* and drops equal ones */
bool qt_names_match(struct qt_target *t, const struct qt_name_list *all, const char *pattern, struct qt_names *out);

/* ---- paths (path.c, ldcache.c) --------------------------------------------------------------------------------------- */

/* The real path of PATH inside ROOT ("" or a folder), symbolic links followed inside of it, without ROOT in front; NULL with errno. */
char *qt_path_real(struct qt_target *t, const char *root, const char *path);
/* A library's path by its name, exact soname first, then with "lib" and ".so" added, any version; NULL. */
const char *qt_ldcache_find(struct qt_target *t, const char *name);
/* Every soname of the cache. */
typedef bool (*qt_ldcache_fn)(void *ctx, const char *soname, const char *path); /* false stops */
bool qt_ldcache_parse(const uint8_t *data, size_t size, qt_ldcache_fn fn, void *ctx); /* false: no such cache */
void qt_ldcache_each(struct qt_target *t, qt_ldcache_fn fn, void *ctx);
bool qt_soname_matches(const char *soname, const char *name);

/* ---- ELF (elf.c, symbols.c, debugfile.c) ------------------------------------------------------------------------------ */

struct qt_segment {
	uint64_t vaddr, offset, filesz, memsz;
	uint32_t flags; /* PF_R, PF_W, PF_X */
};

struct qt_section {
	const char *name;
	uint32_t type, link, info;
	uint64_t flags, addr, offset, size, entsize;
	const uint8_t *data; /* NULL: none in the file, or outside of it */
};

/* The parsed frame of an ELF file; nothing in it points outside of the image. */
struct qt_elf_file {
	struct qt_image image;
	Elf64_Ehdr header;
	const struct qt_segment *segments;
	unsigned nsegments;
	const struct qt_section *sections;
	unsigned nsections;
};

/* What a file is, by its first bytes and its ELF header. NONE when it is an ELF of this machine. */
enum qt_why qt_elf_classify(const struct qt_image *image);
bool qt_elf_parse(struct qt_arena *a, struct qt_image image, struct qt_elf_file *out); /* false: damaged */
const struct qt_section *qt_elf_section(const struct qt_elf_file *f, const char *name);
const struct qt_segment *qt_elf_segment(const struct qt_elf_file *f, uint64_t vaddr, uint32_t flags); /* flags all set */
bool qt_elf_offset(const struct qt_elf_file *f, uint64_t vaddr, uint64_t *offset);
const char *qt_elf_build_id(struct qt_arena *a, const struct qt_elf_file *f); /* "" when none */
const char *qt_elf_string(const struct qt_section *strings, uint64_t at); /* "" outside */
/* Walks the notes of a section: false stops. NAME is NUL-terminated or the note is skipped. */
typedef bool (*qt_note_fn)(void *ctx, const char *name, uint32_t type, const uint8_t *desc, uint32_t size);
void qt_elf_notes(const struct qt_section *s, qt_note_fn fn, void *ctx);

/* One symbol, as a table or a snapshot's row gives it. */
struct qt_symbol {
	const char *name, *version;
	uint64_t address, size;
	uint64_t file_offset; /* of a snapshot's symbol only */
	const char *library; /* likewise: where an imported one is defined */
	uint8_t type, bind; /* STT_, STB_ */
	bool defined, default_version;
};

/* A binary: its file (live), what its tables hold, and what was read from them so far. */
struct qt_elf {
	struct qt_binary pub; /* first: the public face */
	struct qt_elf_file file; /* empty in a snapshot */
	struct qt_elf_file debug, mini; /* separate debug file; unpacked .gnu_debugdata */
	struct qt_name_table *by_address; /* NULL until asked */
	bool debug_tried;
	const char *debug_problem; /* a debug file that does not belong to it */
	const struct qt_usdt_site *sites; /* all, sorted */
	unsigned nsites, bad_notes;
	bool sites_read;
};

struct qt_elf *qt_elf_of(const struct qt_binary *b);
/* Calls FN for each symbol of a file's .symtab and .dynsym; FN returns false to stop. True when all were seen. */
typedef bool (*qt_symbol_visit)(void *ctx, const struct qt_symbol *s);
bool qt_elf_symbols(const struct qt_elf_file *f, qt_symbol_visit fn, void *ctx);
/* Names of DT_NEEDED, DT_RUNPATH and so on, in order: the I-th string of dynamic tag TAG, or NULL. */
const char *qt_elf_dynamic(const struct qt_elf_file *f, int64_t tag, unsigned i);
/* Looks for the separate debug file and .gnu_debugdata once. */
void qt_elf_debug_open(struct qt_target *t, struct qt_elf *e);
void qt_elf_free(struct qt_elf *e);
/* The demangled name on the heap, or NULL when it is no mangled one. */
char *qt_demangle(const char *name);
/* The binary at PATH (as opened) that is called NAME; NULL with a reason. Snapshot: its row. */
struct qt_elf *qt_elf_open(struct qt_target *t, const char *path, const char *name, struct qt_reason *why);
/* Every symbol of a binary and of its debug files (once they are open), or those that the snapshot has. */
bool qt_binary_symbols(struct qt_target *t, struct qt_elf *e, qt_symbol_visit fn, void *ctx);
/* The path (inside of the root) of the needed library that defines SYMBOL for a binary, or its soname, or NULL. */
const char *qt_library_defining(struct qt_target *t, const struct qt_elf *user, const char *symbol);

/* All USDT notes of a section; BASE is the address of .stapsdt.base (0: none). */
typedef void (*qt_usdt_note_fn)(void *ctx, const char *provider, const char *name, const char *args, uint64_t pc, uint64_t semaphore);
unsigned qt_usdt_notes(const struct qt_section *s, uint64_t base, qt_usdt_note_fn fn, void *ctx); /* number of bad ones */

/* ---- C types (ctype.c) ------------------------------------------------------------------------------------------------ */

/* From C text ("const char *", "unsigned int", "u8[16]"); sizes of other names come from BTF or the snapshot's rows.
 * False when the size is not known (kind OTHER). */
bool qt_ctype_parse(struct qt_target *t, const char *text, struct qt_ctype *out);
bool qt_ctype_equal(const struct qt_ctype *a, const struct qt_ctype *b);
/* "NAME:TEXT" with what the text alone does not tell added in braces; and back. */
const char *qt_param_write(struct qt_target *t, const struct qt_param *p);
bool qt_param_read(struct qt_target *t, const char *text, struct qt_param *out);

/* ---- kernel ----------------------------------------------------------------------------------------------------------- */

/* The fields of a format file; false when it is none. SYSCALL: slots of 8 bytes hold narrower types. */
bool qt_format_parse(struct qt_target *t, const char *text, struct qt_tracepoint *out);
const struct qt_name_list *qt_tracefs_events(struct qt_target *t); /* "category:name", sorted */
bool qt_no_tracefs(struct qt_target *t, struct qt_reason *r);
bool qt_formats_write(const struct qt_target *t, const char *dir);
/* Without tracefs: the record of a tracepoint from BTF, or of a system call from a table. */
bool qt_tracepoint_guess(struct qt_target *t, const char *category, const char *name, struct qt_tracepoint *out);
void qt_syscall_table_names(struct qt_target *t, struct qt_name_list *out);

/* ---- BTF (btf.c reads, btf_types.c explains) ---- */

struct btf_type;

/* Type information as it lies in memory; offsets has one entry a type, none of them outside of the bytes. */
struct qt_btf {
	struct qt_image image;
	bool mapped;
	const uint8_t *types;
	const char *strings;
	uint32_t types_len, strings_len;
	uint32_t *offsets; /* on the heap; [0] is void */
	uint32_t count; /* ids are below */
	uint32_t finds; /* how often qt_btf_find searched; many are worth an index */
	uint32_t *bucket, *next; /* the index: chains of ids by the hash of their name, on the heap; NULL: not made */
};

struct qt_btf *qt_btf_get(struct qt_target *t); /* of this kernel; NULL: none */
/* False (and nothing to free) when the bytes make no sense. The bytes stay the caller's. */
bool qt_btf_open(struct qt_image image, struct qt_btf *out);
void qt_btf_free(struct qt_btf *b);
const struct btf_type *qt_btf_type(const struct qt_btf *b, uint32_t id); /* NULL: void, or no such type */
const char *qt_btf_string(const struct qt_btf *b, uint32_t at);
uint32_t qt_btf_find(struct qt_btf *b, const char *name, uint32_t kind); /* 0: none */
typedef bool (*qt_btf_name_fn)(void *ctx, const char *name); /* false stops */
void qt_btf_names(const struct qt_btf *b, uint32_t kind, qt_btf_name_fn fn, void *ctx);

/* Explains type ID in words and numbers. */
void qt_btf_ctype(struct qt_target *t, const struct qt_btf *b, uint32_t id, struct qt_ctype *out);
bool qt_btf_named_type(struct qt_target *t, const char *name, struct qt_ctype *out);
/* Parameters of the FUNC_PROTO at ID, the first SKIP left out. */
bool qt_btf_prototype(struct qt_target *t, const struct qt_btf *b, uint32_t id, unsigned skip, struct qt_prototype *out);
uint32_t qt_btf_find_named(struct qt_btf *b, const char *name); /* "struct file", "union x", "enum y", "pid_t", "int" */
/* The field PATH of type ID. */
bool qt_btf_field(struct qt_target *t, const struct qt_btf *b, uint32_t id, const char *path, struct qt_struct_field *out);
void qt_btf_each_member(const struct qt_btf *b, uint32_t id, qt_btf_name_fn fn, void *ctx);
unsigned qt_btf_members(const struct qt_btf *b, uint32_t id);
const char *qt_btf_member(struct qt_target *t, const struct qt_btf *b, uint32_t id, unsigned i, struct qt_struct_field *out);

bool qt_no_btf(struct qt_target *t, struct qt_reason *r);

enum qt_tri qt_kallsyms_has(struct qt_target *t, const char *name, const char **module);
const char *qt_kallsyms_text(struct qt_target *t); /* whole, "" where it cannot be read */
void qt_kallsyms_free(struct qt_kallsyms *k);

#endif
