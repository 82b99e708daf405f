/* One operand of a USDT probe, in the GNU assembler's x86-64 syntax as sys/sdt.h leaves it in the note:
 *   [N[f]@] $CONSTANT | %REGISTER | [DISP|SYMBOL[+-N]|N+SYMBOL](%BASE[,%INDEX[,SCALE]]) | SYMBOL[(%rip)]
 * N is the size in bytes, negative when signed. Every byte of the text is checked. */
#include "target/target_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	const char *p;
	uint64_t site;
	qt_symbol_fn symbol;
	void *ctx;
};

static bool name_start(char c)
{
	return c == '_' || c == '.' || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static bool name_char(char c)
{
	return name_start(c) || (c >= '0' && c <= '9') || c == '$' || c == '@';
}

/* ---- registers ---- */

struct reg_name {
	const char *name;
	enum qt_reg reg;
	uint8_t size, shift;
};

#define LEGACY(l, reg) { "r" l, reg, 8, 0 }, { "e" l, reg, 4, 0 }, { l, reg, 2, 0 }

/* r8 to r15 follow a rule and have no rows: r9 r9d r9w r9b. */
/* clang-format off */
static const struct reg_name reg_names[] = {
	LEGACY("ax", QT_REG_rax), { "al", QT_REG_rax, 1, 0 }, { "ah", QT_REG_rax, 1, 8 },
	LEGACY("bx", QT_REG_rbx), { "bl", QT_REG_rbx, 1, 0 }, { "bh", QT_REG_rbx, 1, 8 },
	LEGACY("cx", QT_REG_rcx), { "cl", QT_REG_rcx, 1, 0 }, { "ch", QT_REG_rcx, 1, 8 },
	LEGACY("dx", QT_REG_rdx), { "dl", QT_REG_rdx, 1, 0 }, { "dh", QT_REG_rdx, 1, 8 },
	LEGACY("si", QT_REG_rsi), { "sil", QT_REG_rsi, 1, 0 },
	LEGACY("di", QT_REG_rdi), { "dil", QT_REG_rdi, 1, 0 },
	LEGACY("bp", QT_REG_rbp), { "bpl", QT_REG_rbp, 1, 0 },
	LEGACY("sp", QT_REG_rsp), { "spl", QT_REG_rsp, 1, 0 },
	LEGACY("ip", QT_REG_rip),
};
/* clang-format on */

static bool numbered_register(const char *s, size_t n, struct reg_name *out)
{
	size_t digits = s[0] == 'r' ? strspn(s + 1, "0123456789") : 0;
	char name[4] = { 'r' }, suffix;

	if (digits < 1 || digits > 2 || n < 1 + digits || n > 2 + digits)
		return false;
	memcpy(name + 1, s + 1, digits);
	suffix = n == 1 + digits ? 0 : s[n - 1];
	if (suffix && !strchr("dwbl", suffix))
		return false;
	out->reg = qt_reg_find(name);
	out->size = !suffix ? 8 : suffix == 'd' ? 4 : suffix == 'w' ? 2 : 1;
	out->shift = 0;
	return out->reg != QT_REG_COUNT;
}

static bool read_register(struct reader *r, struct reg_name *out)
{
	const char *s = r->p + 1;
	size_t n = 0;

	if (*r->p != '%')
		return false;
	while (name_start(s[n]) || (s[n] >= '0' && s[n] <= '9'))
		n++;
	r->p = s + n;
	for (unsigned i = 0; i < sizeof(reg_names) / sizeof(reg_names[0]); i++) {
		if (strlen(reg_names[i].name) == n && strncmp(reg_names[i].name, s, n) == 0) {
			*out = reg_names[i];
			return true;
		}
	}
	return numbered_register(s, n, out);
}

/* ---- sums of numbers and symbols ---- */

struct sum {
	uint64_t value;
	bool any, symbol; /* something was there; a symbol was among it */
};

static bool read_number(struct reader *r, uint64_t *out)
{
	char *end;

	if (*r->p < '0' || *r->p > '9')
		return false;
	errno = 0;
	*out = strtoull(r->p, &end, 0);
	r->p = end;
	return errno == 0;
}

static bool read_symbol(struct reader *r, uint64_t *out)
{
	const char *s = r->p;
	char name[512];
	size_t n = 0;

	while (name_char(s[n]))
		n++;
	if (!n || n >= sizeof(name) || !r->symbol)
		return false;
	memcpy(name, s, n);
	name[n] = 0;
	r->p += n;
	if (strchr(name, '@'))
		*strchr(name, '@') = 0; /* @GOTPCREL and the like stand for the symbol */
	return r->symbol(r->ctx, name, out);
}

/* TERM { (+|-) TERM }; empty is allowed. */
static bool read_sum(struct reader *r, struct sum *out)
{
	*out = (struct sum){ 0 };
	for (;;) {
		bool minus = *r->p == '-';
		uint64_t v;

		if (*r->p == '-' || *r->p == '+')
			r->p++;
		else if (out->any)
			return true;
		if (name_start(*r->p)) {
			if (!read_symbol(r, &v))
				return false;
			out->symbol = true;
		} else if (*r->p == '(') {
			return !out->any && !minus;
		} else if (!read_number(r, &v)) {
			return false;
		}
		out->value += minus ? -v : v;
		out->any = true;
	}
}

/* ---- operands ---- */

static bool read_size(struct reader *r, struct qt_usdt_arg *a)
{
	static const char known[] = "1248";
	const char *at = strchr(r->p, '@'), *p = r->p;

	if (!at || strcspn(r->p, "%$(") < (size_t)(at - r->p))
		return true;
	a->is_signed = *p == '-';
	p += a->is_signed;
	if (!strchr(known, *p) || !*p)
		return false;
	a->size = (uint8_t)(*p++ - '0');
	if (*p == 'f')
		a->is_float = *p++;
	r->p = at + 1;
	return p == at;
}

/* A constant as the C type of the argument holds it. */
static int64_t narrow(uint64_t v, unsigned size, bool is_signed)
{
	unsigned unused = 64 - 8 * size;

	return is_signed ? (int64_t)(v << unused) >> unused : (int64_t)(v << unused >> unused);
}

static bool constant(struct reader *r, struct qt_usdt_arg *a)
{
	struct sum sum;

	r->p++;
	if (!read_sum(r, &sum) || !sum.any || *r->p)
		return false;
	if (!a->size)
		a->size = 8;
	a->kind = QT_USDT_CONST;
	a->value = narrow(sum.value, a->size, a->is_signed);
	return true;
}

static bool in_register(struct reader *r, struct qt_usdt_arg *a)
{
	struct reg_name reg;

	if (!read_register(r, &reg) || *r->p)
		return false;
	if (!a->size)
		a->size = reg.size;
	if (a->size > reg.size)
		a->size = reg.size;
	a->kind = QT_USDT_REG;
	a->base = reg.reg;
	a->shift = reg.shift;
	return true;
}

static bool read_scale(struct reader *r, struct qt_usdt_arg *a)
{
	uint64_t scale;

	if (*r->p != ',')
		return true;
	r->p++;
	if (!read_number(r, &scale) || (scale != 1 && scale != 2 && scale != 4 && scale != 8))
		return false;
	a->scale = (uint8_t)scale;
	return true;
}

/* (%BASE), (%BASE,%INDEX), (%BASE,%INDEX,SCALE), (,%INDEX,SCALE) */
static bool read_address(struct reader *r, struct qt_usdt_arg *a)
{
	struct reg_name reg;

	if (*r->p++ != '(')
		return false;
	if (*r->p == '%') {
		if (!read_register(r, &reg) || reg.size != 8)
			return false;
		a->base = reg.reg;
	}
	if (*r->p == ',') {
		r->p++;
		if (!read_register(r, &reg) || reg.size != 8 || reg.reg == QT_REG_rip || reg.reg == QT_REG_rsp)
			return false;
		a->index = reg.reg;
		if (!read_scale(r, a))
			return false;
	}
	return *r->p++ == ')' && !*r->p && (a->base != QT_REG_COUNT || a->index != QT_REG_COUNT);
}

static bool memory(struct reader *r, struct qt_usdt_arg *a)
{
	struct sum sum;

	if (!read_sum(r, &sum))
		return false;
	a->kind = QT_USDT_MEMORY;
	a->value = (int64_t)sum.value;
	if (!a->size)
		a->size = 8;
	if (!*r->p && sum.symbol) { /* a bare symbol is the same place */
		a->base = QT_REG_rip;
	} else if (!read_address(r, a)) {
		return false;
	}
	if (a->base == QT_REG_rip) {
		if (!sum.symbol || a->index != QT_REG_COUNT)
			return false;
		a->value = (int64_t)(sum.value - r->site);
	}
	return true;
}

bool qt_usdt_parse_arg(const char *text, uint64_t site, qt_symbol_fn symbol, void *ctx, struct qt_usdt_arg *out)
{
	struct reader r = { text, site, symbol, ctx };
	bool ok;

	*out = (struct qt_usdt_arg){ .kind = QT_USDT_UNSUPPORTED, .base = QT_REG_COUNT, .index = QT_REG_COUNT, .scale = 1, .text = text };
	ok = read_size(&r, out);
	if (ok && *r.p == '$')
		ok = constant(&r, out);
	else if (ok && *r.p == '%')
		ok = in_register(&r, out);
	else if (ok)
		ok = memory(&r, out);
	if (!ok)
		out->kind = QT_USDT_UNSUPPORTED;
	return ok;
}
