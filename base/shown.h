/* Values whose text only user space can make (symbols, stacks, names of users ...): one row each in shown.def. */
#ifndef QT_BASE_SHOWN_H
#define QT_BASE_SHOWN_H

#include <stdbool.h>
#include <stdint.h>

enum qt_shown {
#define SHOWN(name, words, bytes, text) QT_SHOWN_##name,
#include "base/shown.def"
#undef SHOWN
	QT_SHOWN_COUNT
};

struct qt_shown_info {
	const char *name, *words;
	bool bytes; /* kept under an id, as texts are; else a word in place */
	const char *text;
};
const struct qt_shown_info *qt_shown_info(enum qt_shown s);

/* What the bytes of a stack, and of a symbol of a process, begin with. Of a stack a word follows that is 0, or the frame that belongs behind the innermost one: at its first
 * instruction a function has no frame of its own yet, and the kernel may not see who called it. Then the addresses follow. */
#define QT_STACK_PID(head) ((uint32_t)(head)) /* process; of a stack in the kernel 0 */
#define QT_STACK_USER (UINT64_C(1) << 32)
#define QT_STACK_MODE_SHIFT 33 /* enum qt_stack_mode */
#define QT_STACK_MODE(head) ((enum qt_stack_mode)((head) >> QT_STACK_MODE_SHIFT & 3))
enum qt_stack_mode { QT_STACK_NAMES /* name+offset */, QT_STACK_PERF /* address name+offset (file) */, QT_STACK_RAW /* addresses */ };

#endif
