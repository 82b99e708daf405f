/* What a type of BTF means: its text, size and sign; parameters of functions; fields by path. Every walk has a depth limit, since types may
 * refer to each other in circles. */
#include "target/target_internal.h"

#include <bpf/btf.h>
#include <string.h>

#define MAX_DEPTH 24

/* ---- text ---- */

static void add_text(struct qt_buf *out, const struct qt_btf *b, uint32_t id, unsigned depth);

static void add_tagged(struct qt_buf *out, const struct qt_btf *b, const struct btf_type *type, const char *tag)
{
	const char *name = qt_btf_string(b, type->name_off);

	qt_buf_printf(out, "%s%s", tag, *name ? name : "{...}");
}

static void add_pointer(struct qt_buf *out, const struct qt_btf *b, const struct btf_type *type, unsigned depth)
{
	const struct btf_type *to = qt_btf_type(b, type->type);

	if (to && btf_is_func_proto(to)) {
		qt_buf_adds(out, "void (*)()");
		return;
	}
	add_text(out, b, type->type, depth + 1);
	if (out->len && out->ptr[out->len - 1] != '*')
		qt_buf_addc(out, ' ');
	qt_buf_addc(out, '*');
}

/* "T const" is written behind a pointer, in front of everything else. */
static void add_qualified(struct qt_buf *out, const struct qt_btf *b, const struct btf_type *type, const char *word, unsigned depth)
{
	const struct btf_type *to = qt_btf_type(b, type->type);

	if (!to || !btf_is_ptr(to))
		qt_buf_printf(out, "%s ", word);
	add_text(out, b, type->type, depth + 1);
	if (to && btf_is_ptr(to))
		qt_buf_adds(out, word);
}

static void add_text(struct qt_buf *out, const struct qt_btf *b, uint32_t id, unsigned depth)
{
	const struct btf_type *type = qt_btf_type(b, id);

	if (!type || depth > MAX_DEPTH) {
		qt_buf_adds(out, "void");
		return;
	}
	switch (btf_kind(type)) {
	case BTF_KIND_PTR:
		add_pointer(out, b, type, depth);
		break;
	case BTF_KIND_CONST:
		add_qualified(out, b, type, "const", depth);
		break;
	case BTF_KIND_VOLATILE:
		add_qualified(out, b, type, "volatile", depth);
		break;
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		add_text(out, b, type->type, depth + 1);
		break;
	case BTF_KIND_ARRAY:
		add_text(out, b, btf_array(type)->type, depth + 1);
		qt_buf_printf(out, "[%u]", btf_array(type)->nelems);
		break;
	case BTF_KIND_STRUCT:
		add_tagged(out, b, type, "struct ");
		break;
	case BTF_KIND_FWD:
		add_tagged(out, b, type, btf_kflag(type) ? "union " : "struct ");
		break;
	case BTF_KIND_UNION:
		add_tagged(out, b, type, "union ");
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		add_tagged(out, b, type, "enum ");
		break;
	default:
		add_tagged(out, b, type, "");
	}
}

static const char *text_of(struct qt_target *t, const struct qt_btf *b, uint32_t id)
{
	struct qt_buf buf = { 0 };
	const char *text;

	add_text(&buf, b, id, 0);
	text = qt_intern(t->names, buf.ptr);
	qt_buf_free(&buf);
	return text;
}

/* ---- meaning ---- */

/* Takes off what does not change the value. */
static uint32_t strip(const struct qt_btf *b, uint32_t id, bool names_too)
{
	for (unsigned depth = 0; depth < MAX_DEPTH; depth++) {
		const struct btf_type *type = qt_btf_type(b, id);

		if (!type || !(btf_is_mod(type) || btf_is_type_tag(type) || (names_too && btf_is_typedef(type))))
			return id;
		id = type->type;
	}
	return 0;
}

static void pointer(struct qt_target *t, const struct qt_btf *b, const struct btf_type *type, struct qt_ctype *out)
{
	const struct btf_type *tag = qt_btf_type(b, type->type), *to;
	uint32_t id = strip(b, type->type, false);

	out->kind = QT_CTYPE_POINTER;
	out->size = 8;
	out->is_user = tag && btf_is_type_tag(tag) && strcmp(qt_btf_string(b, tag->name_off), "user") == 0;
	to = qt_btf_type(b, id);
	if (!to || btf_is_ptr(to) || btf_is_func_proto(to) || !to->name_off)
		return;
	out->pointee = text_of(t, b, id);
	out->is_text = strcmp(out->pointee, "char") == 0;
}

static void array(struct qt_target *t, const struct qt_btf *b, const struct btf_type *type, struct qt_ctype *out)
{
	struct qt_ctype element = { 0 };
	uint32_t id = strip(b, btf_array(type)->type, true);
	const struct btf_type *to = qt_btf_type(b, id);

	out->kind = QT_CTYPE_ARRAY;
	if (!to || btf_is_array(to))
		return;
	qt_btf_ctype(t, b, id, &element);
	out->element = element.size;
	out->size = element.size * btf_array(type)->nelems;
	out->is_signed = element.is_signed;
	out->is_text = element.size == 1 && strcmp(element.text, "char") == 0;
}

static void number(const struct qt_btf *b, const struct btf_type *type, struct qt_ctype *out)
{
	uint8_t encoding = btf_int_encoding(type);

	out->kind = encoding & BTF_INT_BOOL ? QT_CTYPE_BOOL : QT_CTYPE_INT;
	out->size = type->size;
	out->is_signed = (encoding & BTF_INT_SIGNED) != 0;
	if (strcmp(qt_btf_string(b, type->name_off), "char") == 0)
		out->is_signed = true; /* compilers leave the mark off plain char */
}

void qt_btf_ctype(struct qt_target *t, const struct qt_btf *b, uint32_t id, struct qt_ctype *out)
{
	const struct btf_type *type = qt_btf_type(b, strip(b, id, true));

	*out = (struct qt_ctype){ .text = text_of(t, b, id) };
	if (!type)
		return;
	switch (btf_kind(type)) {
	case BTF_KIND_INT:
		number(b, type, out);
		break;
	case BTF_KIND_PTR:
		pointer(t, b, type, out);
		break;
	case BTF_KIND_ARRAY:
		array(t, b, type, out);
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		out->kind = QT_CTYPE_ENUM;
		out->size = type->size;
		out->is_signed = btf_kflag(type);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		out->kind = QT_CTYPE_STRUCT;
		out->size = type->size;
		break;
	default:
		out->kind = QT_CTYPE_OTHER;
	}
}

/* ---- by name ---- */

static const struct {
	const char *prefix;
	uint32_t kinds[2];
} prefixes[] = {
	{ "struct ", { BTF_KIND_STRUCT, 0 } },	    { "union ", { BTF_KIND_UNION, 0 } },	 { "enum ", { BTF_KIND_ENUM, BTF_KIND_ENUM64 } },
	{ "", { BTF_KIND_TYPEDEF, BTF_KIND_INT } }, { "", { BTF_KIND_STRUCT, BTF_KIND_UNION } },
};

uint32_t qt_btf_find_named(struct qt_btf *b, const char *name)
{
	for (unsigned i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t n = strlen(prefixes[i].prefix);

		for (unsigned k = 0; k < 2 && strncmp(name, prefixes[i].prefix, n) == 0; k++) {
			uint32_t id = prefixes[i].kinds[k] ? qt_btf_find(b, name + n, prefixes[i].kinds[k]) : 0;

			if (id)
				return id;
		}
	}
	return 0;
}

bool qt_btf_named_type(struct qt_target *t, const char *name, struct qt_ctype *out)
{
	struct qt_btf *b = qt_btf_get(t);
	uint32_t id = b ? qt_btf_find_named(b, name) : 0;

	if (id)
		qt_btf_ctype(t, b, id, out);
	return id != 0;
}

/* ---- functions ---- */

bool qt_btf_prototype(struct qt_target *t, const struct qt_btf *b, uint32_t id, unsigned skip, struct qt_prototype *out)
{
	const struct btf_type *proto = qt_btf_type(b, id);
	const struct btf_param *p;
	struct qt_param *params;

	if (!proto || !btf_is_func_proto(proto))
		return false;
	p = btf_params(proto);
	params = QT_NEW_ARRAY(t->arena, struct qt_param, btf_vlen(proto) + 1u);
	out->nparams = 0;
	for (unsigned i = skip; i < btf_vlen(proto) && p[i].type; i++) { /* type 0 at the end: variable arguments */
		params[out->nparams].name = qt_intern(t->names, qt_btf_string(b, p[i].name_off));
		qt_btf_ctype(t, b, p[i].type, &params[out->nparams++].type);
	}
	out->params = params;
	qt_btf_ctype(t, b, proto->type, &out->ret);
	out->typed = true;
	return true;
}

/* ---- fields ---- */

struct place {
	uint32_t id; /* of the field's type */
	uint32_t bits; /* from the start of the outer type */
	uint32_t bit_size;
};

/* The member of that name, members of nameless structs and unions included. */
static bool find_member(const struct qt_btf *b, uint32_t id, const char *name, size_t n, unsigned depth, struct place *out)
{
	const struct btf_type *type = qt_btf_type(b, strip(b, id, true));
	const struct btf_member *m;

	if (!type || !btf_is_composite(type) || depth > MAX_DEPTH)
		return false;
	m = btf_members(type);
	for (unsigned i = 0; i < btf_vlen(type); i++) {
		const char *its = qt_btf_string(b, m[i].name_off);

		out->bits = btf_member_bit_offset(type, i);
		if (!*its) {
			uint32_t outer = out->bits;

			if (find_member(b, m[i].type, name, n, depth + 1, out)) {
				out->bits += outer;
				return true;
			}
		} else if (strlen(its) == n && strncmp(its, name, n) == 0) {
			out->id = m[i].type;
			out->bit_size = btf_member_bitfield_size(type, i);
			return true;
		}
	}
	return false;
}

static void set_field(struct qt_target *t, const struct qt_btf *b, const struct place *at, struct qt_struct_field *out)
{
	qt_btf_ctype(t, b, at->id, &out->type);
	out->offset = at->bits / 8;
	out->bit_offset = 0;
	out->bit_size = at->bit_size;
	if (!at->bit_size || !out->type.size)
		return;
	out->offset = at->bits / (out->type.size * 8) * out->type.size; /* the storage unit that holds it */
	out->bit_offset = at->bits - out->offset * 8;
}

bool qt_btf_field(struct qt_target *t, const struct qt_btf *b, uint32_t id, const char *path, struct qt_struct_field *out)
{
	struct place at = { .id = id };
	uint32_t bits = 0;

	for (;;) {
		size_t n = strcspn(path, ".");

		if (!n || !find_member(b, at.id, path, n, 0, &at))
			return false;
		bits += at.bits;
		if (!path[n])
			break;
		path += n + 1;
	}
	at.bits = bits;
	set_field(t, b, &at, out);
	return true;
}

void qt_btf_each_member(const struct qt_btf *b, uint32_t id, qt_btf_name_fn fn, void *ctx)
{
	const struct btf_type *type = qt_btf_type(b, strip(b, id, true));

	if (!type || !btf_is_composite(type))
		return;
	for (unsigned i = 0; i < btf_vlen(type); i++) {
		const char *name = qt_btf_string(b, btf_members(type)[i].name_off);

		if (*name && !fn(ctx, name))
			return;
	}
}

unsigned qt_btf_members(const struct qt_btf *b, uint32_t id)
{
	const struct btf_type *type = qt_btf_type(b, id);

	return type && btf_is_composite(type) ? btf_vlen(type) : 0;
}

/* The I-th member's name, and what it is. */
const char *qt_btf_member(struct qt_target *t, const struct qt_btf *b, uint32_t id, unsigned i, struct qt_struct_field *out)
{
	const struct btf_type *type = qt_btf_type(b, id);
	struct place at = { .id = btf_members(type)[i].type, .bits = btf_member_bit_offset(type, i), .bit_size = btf_member_bitfield_size(type, i) };

	set_field(t, b, &at, out);
	return qt_btf_string(b, btf_members(type)[i].name_off);
}
