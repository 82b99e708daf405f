/* The types and lines of a plan's object (.BTF, .BTF.ext). Format: Documentation/bpf/btf.rst; the head of .BTF.ext as in libbpf's btf.h, which is not of
 * the kernel's interface. */
#include "plan/object_internal.h"

#include "base/arena.h"
#include "base/btf_kind.h"
#include "base/check.h"

#include <stdlib.h>

#define DEPTH_MAX 32 /* types inside of types: as many as libbpf follows */

/* What a type refers to, and whether it contains that. */
struct types {
	struct qt_bytes all, texts;
	uint32_t *offsets; /* by id; on the heap */
	uint8_t *seen; /* 0: not yet, 1: looking, 2: sound */
	uint32_t count;
};

static bool get_type(const struct types *t, uint32_t id, struct btf_type *out)
{
	return id && id < t->count && qt_bytes_get(t->all, t->offsets[id], out, sizeof(*out));
}

/* The part behind the head: member I of SIZE bytes, with FIXED bytes before all members. */
static bool get_member(const struct types *t, uint32_t id, uint32_t i, void *out, uint32_t size)
{
	return qt_bytes_get(t->all, (uint64_t)t->offsets[id] + sizeof(struct btf_type) + (uint64_t)i * size, out, size);
}

static uint32_t kind_of(const struct types *t, uint32_t id)
{
	struct btf_type type;

	return get_type(t, id, &type) ? BTF_INFO_KIND(type.info) : BTF_KIND_UNKN;
}

static bool is_name(const struct types *t, uint32_t offset)
{
	return offset < t->texts.size;
}

/* 0 is void. */
static bool is_type(const struct types *t, uint32_t id)
{
	return id < t->count;
}

/* ---- each type ------------------------------------------------------------------------------------------------------- */

static bool sound(struct types *t, uint32_t id, unsigned depth);

static bool sound_int(const struct types *t, uint32_t id, const struct btf_type *type)
{
	uint32_t bits;

	if (!get_member(t, id, 0, &bits, sizeof(bits)) || BTF_INFO_VLEN(type->info))
		return false;
	return type->size && type->size <= 16 && !(type->size & (type->size - 1)) && BTF_INT_OFFSET(bits) + BTF_INT_BITS(bits) <= 8 * type->size;
}

static bool sound_array(struct types *t, uint32_t id, unsigned depth)
{
	struct btf_array a;

	return get_member(t, id, 0, &a, sizeof(a)) && a.type && is_type(t, a.index_type) && kind_of(t, a.index_type) == BTF_KIND_INT &&
	       sound(t, a.type, depth);
}

static bool sound_members(struct types *t, uint32_t id, const struct btf_type *type, unsigned depth)
{
	struct btf_member m;

	for (uint32_t i = 0; i < BTF_INFO_VLEN(type->info); i++)
		if (!get_member(t, id, i, &m, sizeof(m)) || !is_name(t, m.name_off) || !m.type || !sound(t, m.type, depth))
			return false;
	return true;
}

static bool sound_enum(const struct types *t, uint32_t id, const struct btf_type *type)
{
	struct btf_enum e;

	for (uint32_t i = 0; i < BTF_INFO_VLEN(type->info); i++)
		if (!get_member(t, id, i, &e, sizeof(e)) || !is_name(t, e.name_off))
			return false;
	return type->size && type->size <= 8;
}

static bool sound_prototype(const struct types *t, uint32_t id, const struct btf_type *type)
{
	struct btf_param p;

	for (uint32_t i = 0; i < BTF_INFO_VLEN(type->info); i++)
		if (!get_member(t, id, i, &p, sizeof(p)) || !is_name(t, p.name_off) || !is_type(t, p.type))
			return false;
	return is_type(t, type->type);
}

static bool sound_section(const struct types *t, uint32_t id, const struct btf_type *type)
{
	struct btf_var_secinfo v;

	for (uint32_t i = 0; i < BTF_INFO_VLEN(type->info); i++)
		if (!get_member(t, id, i, &v, sizeof(v)) || kind_of(t, v.type) != BTF_KIND_VAR)
			return false;
	return type->name_off;
}

/* Kinds that qtrace makes; what is not here is refused. */
static bool sound_kind(struct types *t, uint32_t id, const struct btf_type *type, unsigned depth)
{
	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT:
		return sound_int(t, id, type);
	case BTF_KIND_PTR:
		return is_type(t, type->type);
	case BTF_KIND_ARRAY:
		return sound_array(t, id, depth);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return sound_members(t, id, type, depth);
	case BTF_KIND_ENUM:
		return sound_enum(t, id, type);
	case BTF_KIND_FWD:
		return true;
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
		return !type->type || sound(t, type->type, depth);
	case BTF_KIND_FUNC:
		return type->name_off && BTF_INFO_VLEN(type->info) <= BTF_FUNC_GLOBAL && kind_of(t, type->type) == BTF_KIND_FUNC_PROTO;
	case BTF_KIND_FUNC_PROTO:
		return sound_prototype(t, id, type);
	case BTF_KIND_VAR:
		return type->name_off && type->type && sound(t, type->type, depth);
	case BTF_KIND_DATASEC:
		return sound_section(t, id, type);
	default:
		return false;
	}
}

/* No type contains itself: its reader follows members, elements and aliases. */
static bool sound(struct types *t, uint32_t id, unsigned depth)
{
	struct btf_type type;

	if (id && id < t->count && t->seen[id] == 2)
		return true;
	if (!get_type(t, id, &type) || depth > DEPTH_MAX || t->seen[id] == 1 || !is_name(t, type.name_off))
		return false;
	t->seen[id] = 1;
	if (!sound_kind(t, id, &type, depth + 1))
		return false;
	t->seen[id] = 2;
	return true;
}

/* ---- all types ------------------------------------------------------------------------------------------------------- */

static bool find_types(struct types *t)
{
	struct btf_type type;
	uint32_t size;

	t->offsets = qt_xcalloc(t->all.size / sizeof(type) + 2, sizeof(*t->offsets));
	t->seen = qt_xcalloc(t->all.size / sizeof(type) + 2, 1);
	t->count = 1;
	for (uint64_t at = 0; at < t->all.size; at += size) {
		if (!qt_bytes_get(t->all, at, &type, sizeof(type)) || !qt_btf_type_size(&type, &size) || size > t->all.size - at)
			return false;
		t->offsets[t->count++] = (uint32_t)at;
	}
	return true;
}

static const char *check_btf(struct types *t, struct qt_bytes btf)
{
	struct btf_header h;

	if (!qt_bytes_get(btf, 0, &h, sizeof(h)) || h.magic != BTF_MAGIC || h.version != BTF_VERSION || h.flags || h.hdr_len != sizeof(h))
		return "the head of its types";
	if (h.type_off || h.str_off != h.type_len || h.type_len % 4 || (uint64_t)h.str_off + h.str_len != btf.size - sizeof(h) ||
	    !qt_bytes_part(btf, sizeof(h), h.type_len, &t->all) || !qt_bytes_part(btf, sizeof(h) + (uint64_t)h.str_off, h.str_len, &t->texts) ||
	    !qt_bytes_are_texts(t->texts))
		return "its types lie outside of their section";
	if (!find_types(t))
		return "a type of no known kind";
	for (uint32_t id = 1; id < t->count; id++)
		if (!sound(t, id, 0))
			return "a type that makes no sense";
	return NULL;
}

/* ---- maps: variables in the section .maps, described by structs ------------------------------------------------------ */

static bool is_map_member(const struct types *t, const struct btf_member *m)
{
	static const char *const known[] = { "type", "key_size", "value_size", "max_entries", "map_flags", "key", "value" };

	for (size_t i = 0; i < QT_COUNT(known); i++)
		if (strcmp((const char *)t->texts.at + m->name_off, known[i]) == 0)
			return kind_of(t, m->type) == BTF_KIND_PTR;
	return false;
}

static bool is_map(const struct types *t, uint32_t var)
{
	struct btf_type v, def;
	struct btf_member m;

	if (!get_type(t, var, &v) || !get_type(t, v.type, &def) || BTF_INFO_KIND(def.info) != BTF_KIND_STRUCT)
		return false;
	for (uint32_t i = 0; i < BTF_INFO_VLEN(def.info); i++)
		if (!get_member(t, v.type, i, &m, sizeof(m)) || !is_map_member(t, &m))
			return false;
	return true;
}

static const char *check_maps(const struct types *t)
{
	struct btf_var_secinfo v;
	struct btf_type type;

	for (uint32_t id = 1; id < t->count; id++) {
		if (!get_type(t, id, &type) || BTF_INFO_KIND(type.info) != BTF_KIND_DATASEC ||
		    strcmp((const char *)t->texts.at + type.name_off, ".maps") != 0)
			continue;
		for (uint32_t i = 0; i < BTF_INFO_VLEN(type.info); i++)
			if (!get_member(t, id, i, &v, sizeof(v)) || !is_map(t, v.type))
				return "a table that qtrace does not make";
	}
	return NULL;
}

/* ---- functions and lines --------------------------------------------------------------------------------------------- */

struct ext_header {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t hdr_len, func_off, func_len, line_off, line_len;
};

struct ext_section {
	uint32_t name_off, count;
};

struct func_record {
	uint32_t offset, type;
};

struct line_record {
	uint32_t offset, file, text, position;
};

static bool sound_func(const struct types *t, struct qt_bytes b, uint64_t at)
{
	struct func_record r;

	return qt_bytes_get(b, at, &r, sizeof(r)) && r.offset % 8 == 0 && kind_of(t, r.type) == BTF_KIND_FUNC;
}

static bool sound_line(const struct types *t, struct qt_bytes b, uint64_t at)
{
	struct line_record r;

	return qt_bytes_get(b, at, &r, sizeof(r)) && r.offset % 8 == 0 && is_name(t, r.file) && is_name(t, r.text);
}

/* Records of SIZE bytes, by section. */
static bool sound_records(const struct types *t, struct qt_bytes b, uint32_t size, bool (*one)(const struct types *, struct qt_bytes, uint64_t))
{
	uint32_t said;
	struct ext_section s;
	uint64_t at = sizeof(said);

	if (!b.size)
		return true;
	if (!qt_bytes_get(b, 0, &said, sizeof(said)) || said != size)
		return false;
	while (at < b.size) {
		if (!qt_bytes_get(b, at, &s, sizeof(s)) || !is_name(t, s.name_off) || !s.count || s.count > b.size / size)
			return false;
		at += sizeof(s);
		for (uint32_t i = 0; i < s.count; i++, at += size)
			if (!one(t, b, at))
				return false;
	}
	return at == b.size;
}

static const char *check_ext(const struct types *t, struct qt_bytes ext)
{
	struct qt_bytes funcs, lines;
	struct ext_header h;
	uint32_t relocations[2] = { 0 };

	if (!qt_bytes_get(ext, 0, &h, sizeof(h)) || h.magic != BTF_MAGIC || h.version != BTF_VERSION || h.flags || h.hdr_len < sizeof(h) ||
	    h.hdr_len > sizeof(h) + sizeof(relocations) || h.hdr_len % 4)
		return "the head of its lines";
	if (!qt_bytes_get(ext, sizeof(h), relocations, h.hdr_len - sizeof(h)) || relocations[1])
		return "relocations by type, which qtrace does not make";
	if (h.func_off % 4 || h.line_off % 4 || !qt_bytes_part(ext, (uint64_t)h.hdr_len + h.func_off, h.func_len, &funcs) ||
	    !qt_bytes_part(ext, (uint64_t)h.hdr_len + h.line_off, h.line_len, &lines))
		return "its lines lie outside of their section";
	if (!sound_records(t, funcs, sizeof(struct func_record), sound_func) || !sound_records(t, lines, sizeof(struct line_record), sound_line))
		return "a line that makes no sense";
	return NULL;
}

const char *qt_object_check_types(struct qt_bytes btf, struct qt_bytes ext)
{
	struct types t = { 0 };
	const char *wrong = check_btf(&t, btf);

	if (!wrong)
		wrong = check_maps(&t);
	if (!wrong)
		wrong = check_ext(&t, ext);
	free(t.offsets);
	free(t.seen);
	return wrong;
}
