/* Machine registers by name and by their place in struct pt_regs; one row each in regs.def. */
#ifndef QT_BASE_REGS_H
#define QT_BASE_REGS_H

enum qt_reg {
#define REG(name, offset) QT_REG_##name,
#include "base/regs.def"
#undef REG
	QT_REG_COUNT
};

/* Arguments that travel in registers. */
#define QT_REG_ARGS 6
extern const enum qt_reg qt_reg_args[QT_REG_ARGS];

const char *qt_reg_name(enum qt_reg r);
/* Byte offset in struct pt_regs. */
unsigned qt_reg_offset(enum qt_reg r);
/* QT_REG_COUNT when there is no register of that name. */
enum qt_reg qt_reg_find(const char *name);

#endif
