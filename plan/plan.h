/* The plan: all that the runtime needs to run a program, and all that it sees. Made by the lowering (layouts) and the code generator (object); one plain value that can be
 * saved, validated and run on another host. Everything in it is owned by its arena. */
#ifndef QT_PLAN_PLAN_H
#define QT_PLAN_PLAN_H

#include "base/ask.h"
#include "base/hook.h"
#include "base/metric.h"
#include "base/shown.h"
#include "base/str.h"
#include "base/unit.h"
#include "base/vec.h"
#include "plan/wire.h"

#include <stdbool.h>
#include <stdio.h>

enum qt_loss {
#define LOSS(cause, text, advice) QT_LOSS_##cause,
#include "plan/loss.def"
#undef LOSS
	QT_LOSS_COUNT,
	QT_NOT_A_LOSS = QT_LOSS_COUNT, /* a counter of untagged events */
};

struct qt_loss_info {
	const char *cause, *text, *advice;
};
const struct qt_loss_info *qt_loss_info(enum qt_loss l);

/* How the bytes of a field are shown. */
enum qt_field_kind {
	QT_FIELD_INT, /* signed word */
	QT_FIELD_UINT,
	QT_FIELD_TEXT, /* id of a text */
	QT_FIELD_COMM, /* 16 bytes in place, two words */
	QT_FIELD_PROBE, /* index into plan.probes */
	QT_FIELD_FUNC, /* the same, its function's name */
	QT_FIELD_SHOWN, /* a word, or the id of bytes; user space makes a text of it */
	QT_FIELD_METRIC, /* words as metrics.def says */
	QT_FIELD_KINDS
};

struct qt_field {
	const char *name;
	enum qt_field_kind kind;
	enum qt_metric metric; /* METRIC */
	enum qt_shown shown; /* SHOWN */
	bool is_signed; /* METRIC: of its argument */
	enum qt_unit unit;
	uint32_t offset; /* bytes, in its key or value */
};

enum qt_map_kind {
	QT_MAP_HASH, /* shared by the CPUs */
	QT_MAP_PERCPU_HASH,
	QT_MAP_PERCPU_ARRAY,
	QT_MAP_TASK_STORAGE,
	QT_MAP_RINGBUF,
	QT_MAP_ARRAY, /* shared by the CPUs */
	QT_MAP_KINDS
};

struct qt_plan_map {
	const char *name; /* a C identifier of at most 15 bytes, unique: its name in the object */
	enum qt_map_kind kind;
	uint32_t key_size, value_size; /* bytes, multiples of 8 (array keys: 4) */
	uint32_t max_entries; /* ring: bytes */
	bool no_prealloc;
};

/* The maps that every plan has first, in this order; unused ones have max_entries 0 and are not in the object. */
enum qt_fixed_map { QT_MAP_COUNTERS, QT_MAP_STRINGS, QT_MAP_CONTEXT, QT_MAP_SCRATCH, QT_MAP_RING, QT_MAP_FILTER, QT_MAP_THREADS, QT_MAP_FIXED };

enum qt_prog_role {
	QT_ROLE_RULE,
	QT_ROLE_ENTRY /* pushes a frame for a return rule */,
	QT_ROLE_FORK /* keeps the process tree of -c */,
	QT_ROLE_PROC_EXIT,
	QT_ROLE_THREAD_GONE /* frees what the map `threads` keeps for a thread */
};

struct qt_plan_prog {
	const char *name; /* its function in the object */
	enum qt_hook hook;
	enum qt_prog_role role;
	const char *attach_to; /* FENTRY, FEXIT: kernel function; raw tracepoint: event; else NULL */
	const char *probe; /* as written, for messages */
	const char *file; /* where the rule stands */
	uint32_t line, column;
};

/* One place to attach. Points of one program may be thousands. */
struct qt_plan_point {
	uint32_t prog;
	uint32_t probe; /* index into probes, also the attach cookie */
	const char *path; /* uprobe family: file */
	const char *build_id; /* of that file when the plan was made, hexadecimal; NULL: it has none */
	const char *event; /* kernel function, category/name, raw tracepoint */
	uint64_t offset, ref_ctr;
	uint64_t period_ns;
};

/* What a point is called: `probe` and `func`. */
struct qt_plan_probe {
	const char *text, *func;
};

enum qt_table_kind { QT_TABLE_TAG, QT_TABLE_MAP };

struct qt_plan_table {
	enum qt_table_kind kind;
	const char *name; /* maps: with the @ */
	uint32_t map;
	QT_VEC(struct qt_field) keys;
	QT_VEC(struct qt_field) columns;
	int32_t untagged; /* counter, -1: none */
};

struct qt_plan_counter {
	enum qt_loss cause;
	const char *subject; /* map, tag or probe that it is about; NULL: none */
};

enum qt_conv {
	QT_CONV_TEXT,
	QT_CONV_INT,
	QT_CONV_UINT,
	QT_CONV_HEX,
	QT_CONV_HEX_UPPER,
	QT_CONV_OCTAL,
	QT_CONV_CHAR,
	QT_CONV_STR,
	QT_CONV_PTR,
	QT_CONV_VALUE, /* a number as print shows it: with its unit; RAW (for JSON): the plain number */
	QT_CONV_KINDS
};

struct qt_plan_piece {
	enum qt_conv conv;
	struct qt_str text; /* TEXT */
	int32_t width, precision;
	bool left, zero, plus, space, alternate;
};

struct qt_plan_format {
	QT_VEC(struct qt_plan_piece) pieces;
	QT_VEC(struct qt_field) args; /* offset: in the record, behind its head; texts: of their word */
};

struct qt_plan_ask {
	enum qt_ask kind;
	const char *text; /* "" where the kind needs none */
};

struct qt_plan {
	struct qt_arena *arena; /* owns all of it */
	const void *object; /* BPF ELF; NULL until the code generator ran */
	uint64_t object_size;
	uint32_t max_strlen;
	bool names_user; /* addresses of processes are shown by name: their mappings are noted while it runs */
	uint32_t stack_frames; /* most frames of a stack that is taken; 0: none is */
	QT_VEC(struct qt_plan_map) maps;
	QT_VEC(struct qt_plan_prog) progs;
	QT_VEC(struct qt_plan_point) points;
	QT_VEC(struct qt_plan_probe) probes;
	QT_VEC(struct qt_plan_table) tables;
	QT_VEC(struct qt_plan_counter) counters;
	QT_VEC(struct qt_plan_format) formats;
	QT_VEC(struct qt_plan_ask) asks; /* at most QT_ASKS_MAX; the answers are put into the config area */
	QT_VEC(struct qt_str) literals; /* their ids are put into the config area, their texts into `strings` */
};

/* An empty plan with an arena of its own; qt_plan_free frees both. */
struct qt_plan *qt_plan_new(void);
void qt_plan_free(struct qt_plan *p);

/* NULL when the plan is sound (indices, sizes, offsets, names; safe against hostile bytes), else what is wrong, in PLAN's arena. */
const char *qt_plan_validate(struct qt_plan *p);

/* A plan as bytes and back. Format: magic "qtplan", version, a checksum of all that follows, then the structures in order, little endian. Load validates all but
 * the object (qt_object_check); NULL and the reason added to ERROR when the bytes are not a sound plan. */
void qt_plan_save(const struct qt_plan *p, struct qt_buf *out);
/* Writes the checksum of a whole plan file into it: what qt_plan_save ends with, and what tests do that spoil the rest. */
void qt_plan_seal(void *bytes, size_t len);
struct qt_plan *qt_plan_load(const void *bytes, size_t len, struct qt_buf *error);

/* As JSON, for --dump=plan. */
void qt_plan_dump(const struct qt_plan *p, FILE *out);

/* The most bytes that a text, or what is kept as one, can have. */
uint32_t qt_plan_text_room(const struct qt_plan *p);
/* Size in bytes of a text in scratch and of a value of `strings`. */
uint32_t qt_plan_text_size(const struct qt_plan *p);

#endif
