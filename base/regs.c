/* The table behind regs.h. */
#include "base/regs.h"

#include <string.h>

static const struct {
	const char *name;
	unsigned offset;
} regs[] = {
#define REG(name, offset) { #name, offset },
#include "base/regs.def"
#undef REG
};

const enum qt_reg qt_reg_args[QT_REG_ARGS] = { QT_REG_rdi, QT_REG_rsi, QT_REG_rdx, QT_REG_rcx, QT_REG_r8, QT_REG_r9 };

const char *qt_reg_name(enum qt_reg r)
{
	return regs[r].name;
}

unsigned qt_reg_offset(enum qt_reg r)
{
	return regs[r].offset;
}

enum qt_reg qt_reg_find(const char *name)
{
	for (unsigned i = 0; i < QT_REG_COUNT; i++) {
		if (strcmp(regs[i].name, name) == 0)
			return (enum qt_reg)i;
	}
	return QT_REG_COUNT;
}
