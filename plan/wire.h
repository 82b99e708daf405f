/* What travels between the kernel's programs and user space: the two shared areas and the records of the ring buffer. Used by the lowering, the code
 * generator, the interpreter and the runtime; all numbers are little endian machine words. */
#ifndef QT_PLAN_WIRE_H
#define QT_PLAN_WIRE_H

#include "base/ask.h"

#include <stdint.h>

/* The `live` area (.bss, mapped by the runtime): 64-bit words. */
enum qt_live_word {
	QT_LIVE_ENABLED, /* 0: programs return at once */
	QT_LIVE_START, /* bpf_ktime_get_ns at the moment of enabling */
	QT_LIVE_EXIT, /* a program called exit(): 1 + code */
	QT_LIVE_ZERO, /* always 0, which the verifier does not know */
	QT_LIVE_STORAGE, /* some thread is kept in task storage because its place in the map `threads` was taken */
	QT_LIVE_WORDS
};

/* The `config` area (.rodata, frozen before load): 64-bit words, then the ids of the plan's literals. */
enum qt_config_word {
	QT_CONFIG_SEED0, /* SipHash key, random for each run */
	QT_CONFIG_SEED1,
	QT_CONFIG_FILTER, /* enum qt_filter_mode */
	QT_CONFIG_FILTER_PID, /* the process that passes without a look-up */
	QT_CONFIG_ASKS, /* the answer of ask k at word QT_CONFIG_ASKS + k */
	QT_CONFIG_LITERALS = QT_CONFIG_ASKS + QT_ASKS_MAX, /* id of literal k at word QT_CONFIG_LITERALS + k */
};

enum qt_filter_mode {
	QT_FILTER_NONE,
	QT_FILTER_ONE, /* only process FILTER_PID */
	QT_FILTER_TREE, /* FILTER_PID and those in the map `filter` (key and value u64: process id, 1) */
};

/* Each record of the ring begins with this. */
struct qt_record_head {
	uint16_t kind; /* enum qt_record_kind */
	uint16_t index; /* format, table ... by kind */
	uint32_t size; /* of the whole record, head included */
	uint64_t time_ns; /* bpf_ktime_get_ns */
	uint64_t pid_tgid; /* tgid << 32 | tid */
};

enum qt_record_kind {
	QT_RECORD_PRINTF, /* index: format; a word an argument, then the bytes of its texts one after another */
	QT_RECORD_PRINT, /* index: table to print */
	QT_RECORD_CLEAR, /* index: table to empty */
	QT_RECORD_SYSTEM, /* as PRINTF: a command for the shell, its texts are parameters */
	QT_RECORD_CAT, /* as PRINTF: the path of a file to print */
	QT_RECORD_KINDS
};

/* The word of a text argument in a record: length in the low 32 bits, flags above. The text's bytes follow behind the last word. COMM takes two words
 * in place. */
#define QT_TEXT_TRUNCATED (1u << 0)
#define QT_TEXT_UNREADABLE (1u << 1)
#define QT_TEXT_LINES (1u << 2) /* of a shown value only: lines, each with its end */

/* A text in scratch memory, and a value of the map `strings` (whose key is the id). */
struct qt_text {
	uint32_t len; /* bytes, without a NUL */
	uint32_t flags;
	char bytes[]; /* max_strlen, then 8 of padding that is zero up to the next word */
};

/* Id of a text: SipHash-1-3 (Aumasson, Bernstein; one compression and three finalisation rounds) of its bytes under the run's seed; the flags are not
 * part of it. A hash below QT_ID_FIRST gets QT_ID_FIRST added: the small ids are reserved. Id 0 is "no text" and prints as nothing; id 2 is text that could not be read and
 * prints as <unreadable>. */
#define QT_ID_NONE 0
#define QT_ID_UNREADABLE 2
#define QT_ID_FIRST 16
uint64_t qt_text_id(const void *bytes, uint64_t len, uint64_t seed0, uint64_t seed1);

/* The value of task storage, in words: for each context variable a pair (1 when set, value), then the frame stacks of the pairs: each stack is one word
 * of used frames (a bitmap of its QT_FRAME_DEPTH frames), then the frames: key, time, captures. */
#define QT_FRAME_DEPTH 32

/* The map `threads` stands before task storage where the value is small: an array of places, each the address of a thread's task_struct (0: free) and its ids (tgid << 32 | tid), then the value. A
 * thread's place is found by multiplying that address (Knuth's multiplicative hashing) and taking the upper bits. The ids tell a new thread from an old one whose memory it has:
 * the kernel does not tell of every end. */
#define QT_PLACE_ID 8
#define QT_PLACE_VALUE 16
#define QT_PLACE_MULTIPLIER 0x9e3779b97f4a7c15ull

#endif
