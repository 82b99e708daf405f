/* C types as text: those of tracepoint formats and of snapshots. Knows the kernel's usual scalar names by itself and asks BTF (or a
 * snapshot's "type" rows) for the others. */
#include "target/target_internal.h"

#include <stdlib.h>
#include <string.h>

struct scalar {
	const char *name;
	enum qt_ctype_kind kind;
	uint8_t size;
	bool is_signed;
};

#define S(name, size) { name, QT_CTYPE_INT, size, true }
#define U(name, size) { name, QT_CTYPE_INT, size, false }

static const struct scalar scalars[] = {
	{ "void", QT_CTYPE_VOID, 0, false },
	{ "bool", QT_CTYPE_BOOL, 1, false },
	{ "_Bool", QT_CTYPE_BOOL, 1, false },
	S("char", 1),
	S("signed char", 1),
	U("unsigned char", 1),
	S("short", 2),
	S("short int", 2),
	U("unsigned short", 2),
	U("short unsigned int", 2),
	S("int", 4),
	S("signed int", 4),
	U("unsigned int", 4),
	U("unsigned", 4),
	S("long", 8),
	S("long int", 8),
	U("unsigned long", 8),
	U("long unsigned int", 8),
	S("long long", 8),
	S("long long int", 8),
	U("unsigned long long", 8),
	U("long long unsigned int", 8),
	S("s8", 1),
	S("s16", 2),
	S("s32", 4),
	S("s64", 8),
	U("u8", 1),
	U("u16", 2),
	U("u32", 4),
	U("u64", 8),
	S("__s8", 1),
	S("__s16", 2),
	S("__s32", 4),
	S("__s64", 8),
	U("__u8", 1),
	U("__u16", 2),
	U("__u32", 4),
	U("__u64", 8),
	S("int8_t", 1),
	S("int16_t", 2),
	S("int32_t", 4),
	S("int64_t", 8),
	U("uint8_t", 1),
	U("uint16_t", 2),
	U("uint32_t", 4),
	U("uint64_t", 8),
	U("uint", 4),
	U("ulong", 8),
	U("size_t", 8),
	S("ssize_t", 8),
	S("loff_t", 8),
	S("off_t", 8),
	S("pid_t", 4),
	U("uid_t", 4),
	U("gid_t", 4),
	U("umode_t", 2),
	U("dev_t", 4),
	U("sector_t", 8),
	U("ino_t", 8),
	U("gfp_t", 4),
	U("fmode_t", 4),
	S("key_t", 4),
	S("mqd_t", 4),
	S("clockid_t", 4),
	S("timer_t", 4),
	U("qid_t", 4),
	S("key_serial_t", 4),
	U("aio_context_t", 8),
	S("rwf_t", 4),
	S("time64_t", 8),
	U("uintptr_t", 8),
	S("ktime_t", 8),
	U("vm_flags_t", 8),
	U("phys_addr_t", 8),
	U("dma_addr_t", 8),
};

#undef S
#undef U

/* ---- text ---- */

/* Words that say nothing about the value. */
static bool noise(const char *word, size_t n)
{
	static const char *const words[] = { "const", "volatile", "restrict", "__restrict", "__user", "__rcu", "__percpu", "__iomem", "__seg_gs" };

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i]) == n && strncmp(words[i], word, n) == 0)
			return true;
	}
	return false;
}

struct shape {
	char base[256]; /* "unsigned int" */
	unsigned stars;
	bool is_array, is_user;
	uint32_t count; /* of the array; 0: not told */
};

static void add_word(struct shape *s, const char *word, size_t n)
{
	size_t used = strlen(s->base);

	if (noise(word, n)) {
		s->is_user |= n == 6 && strncmp(word, "__user", 6) == 0;
		return;
	}
	if (used + n + 2 > sizeof(s->base))
		return;
	if (used)
		s->base[used++] = ' ';
	memcpy(s->base + used, word, n);
	s->base[used + n] = 0;
}

/* Base words, stars, at most one array bound. */
static void read_shape(const char *p, struct shape *s)
{
	*s = (struct shape){ 0 };
	while (*p) {
		size_t n = strcspn(p, " *[");

		if (n) {
			add_word(s, p, n);
			p += n;
		} else if (*p == '*') {
			s->stars++;
			p++;
		} else if (*p == '[') {
			s->is_array = true;
			s->count = (uint32_t)strtoul(p + 1, NULL, 0);
			p += strcspn(p, "]");
			p += *p == ']';
		} else {
			p++;
		}
	}
}

/* ---- names ---- */

static bool from_row(struct qt_target *t, const char *name, struct qt_ctype *out)
{
	const struct qt_row *r = qt_rows_find(t, "type", name, NULL);
	static const char *const kinds[] = { "void", "int", "bool", "enum", "pointer", "struct", "array", "other" };

	for (unsigned i = 0; r && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(qt_row_field(r, 2), kinds[i]))
			continue;
		*out = (struct qt_ctype){ .kind = (enum qt_ctype_kind)i,
					  .size = (uint32_t)qt_row_number(r, 3),
					  .is_signed = strcmp(qt_row_field(r, 4), "signed") == 0,
					  .text = qt_row_field(r, 1) };
		return true;
	}
	return false;
}

static void record(struct qt_target *t, const char *name, const struct qt_ctype *c)
{
	static const char *const kinds[] = { "void", "int", "bool", "enum", "pointer", "struct", "array", "other" };

	qt_rows_add(t, "type", name, kinds[c->kind], qt_arena_printf(t->arena, "%u", c->size), c->is_signed ? "signed" : "unsigned", NULL);
}

static bool named(struct qt_target *t, const char *name, struct qt_ctype *out)
{
	for (unsigned i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++) {
		const struct scalar *s = &scalars[i];

		if (strcmp(s->name, name) == 0) {
			*out = (struct qt_ctype){ .kind = s->kind, .size = s->size, .is_signed = s->is_signed };
			return true;
		}
	}
	if (!t->live)
		return from_row(t, name, out);
	if (!qt_btf_named_type(t, name, out))
		return false;
	record(t, name, out);
	return true;
}

bool qt_target_type(struct qt_target *t, const char *name, struct qt_ctype *out)
{
	return qt_ctype_parse(t, name, out);
}

/* ---- the whole ---- */

static void make_pointer(struct qt_target *t, const struct shape *s, struct qt_ctype *out)
{
	*out = (struct qt_ctype){ .kind = QT_CTYPE_POINTER, .size = 8, .is_user = s->is_user };
	if (s->stars > 1 || strcmp(s->base, "void") == 0 || !*s->base)
		return;
	out->pointee = qt_intern(t->names, s->base);
	out->is_text = strcmp(s->base, "char") == 0;
}

static void make_array(const struct shape *s, struct qt_ctype *out)
{
	bool text = out->kind == QT_CTYPE_INT && strcmp(s->base, "char") == 0;

	*out = (struct qt_ctype){
		.kind = QT_CTYPE_ARRAY, .size = out->size * s->count, .element = out->size, .is_signed = out->is_signed, .is_text = text
	};
}

bool qt_ctype_parse(struct qt_target *t, const char *text, struct qt_ctype *out)
{
	struct shape s;
	bool ok = true;

	read_shape(text, &s);
	*out = (struct qt_ctype){ .kind = QT_CTYPE_OTHER };
	if (s.stars)
		make_pointer(t, &s, out);
	else
		ok = *s.base && named(t, s.base, out);
	if (ok && s.is_array)
		make_array(&s, out);
	out->text = qt_intern(t->names, text);
	return ok;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

bool qt_ctype_equal(const struct qt_ctype *a, const struct qt_ctype *b)
{
	return a->kind == b->kind && a->size == b->size && a->is_signed == b->is_signed && a->element == b->element && a->is_text == b->is_text &&
	       a->is_user == b->is_user && same_text(a->text, b->text) && same_text(a->pointee, b->pointee);
}

/* ---- in a snapshot's rows: NAME:TEXT, and {kind size signed element text user pointee} where the text does not say it ---- */

const char *qt_param_write(struct qt_target *t, const struct qt_param *p)
{
	const struct qt_ctype *c = &p->type;
	struct qt_ctype plain;

	if (qt_ctype_parse(t, c->text, &plain) && qt_ctype_equal(&plain, c))
		return qt_arena_printf(t->arena, "%s:%s", p->name, c->text);
	return qt_arena_printf(t->arena, "%s:%s{%u %u %u %u %u %u %s}", p->name, c->text, c->kind, c->size, c->is_signed, c->element, c->is_text,
			       c->is_user, c->pointee ? c->pointee : "-");
}

static void read_extra(struct qt_target *t, const char *text, struct qt_ctype *c)
{
	unsigned v[6] = { 0 };
	int end = 0;
	size_t n;

	if (sscanf(text, "{%u %u %u %u %u %u %n", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &end) != 6 || v[0] > QT_CTYPE_OTHER)
		return;
	n = strcspn(text + end, "}");
	*c = (struct qt_ctype){
		.kind = (enum qt_ctype_kind)v[0], .size = v[1], .is_signed = v[2], .element = v[3], .is_text = v[4], .is_user = v[5], .text = c->text
	};
	if (n && strncmp(text + end, "-}", 2))
		c->pointee = qt_intern_n(t->names, text + end, n);
}

bool qt_param_read(struct qt_target *t, const char *text, struct qt_param *out)
{
	const char *colon = strchr(text, ':'), *brace;

	*out = (struct qt_param){ .name = "" };
	if (!colon)
		return false;
	brace = strrchr(colon, '{');
	if (brace && text[strlen(text) - 1] != '}')
		brace = NULL;
	out->name = qt_intern_n(t->names, text, (size_t)(colon - text));
	qt_ctype_parse(t, qt_intern_n(t->names, colon + 1, brace ? (size_t)(brace - colon - 1) : strlen(colon + 1)), &out->type);
	if (brace)
		read_extra(t, brace, &out->type);
	return true;
}
