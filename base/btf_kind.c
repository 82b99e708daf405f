/* The lengths of BTF types by their kind. */
#include "base/btf_kind.h"

/* Bytes behind the head of a type: fixed, and for each of its members. */
static const struct {
	uint8_t fixed, each;
} kind_sizes[] = {
	[BTF_KIND_INT] = { 4, 0 },	  [BTF_KIND_PTR] = { 0, 0 },	  [BTF_KIND_ARRAY] = { 12, 0 },	  [BTF_KIND_STRUCT] = { 0, 12 },
	[BTF_KIND_UNION] = { 0, 12 },	  [BTF_KIND_ENUM] = { 0, 8 },	  [BTF_KIND_FWD] = { 0, 0 },	  [BTF_KIND_TYPEDEF] = { 0, 0 },
	[BTF_KIND_VOLATILE] = { 0, 0 },	  [BTF_KIND_CONST] = { 0, 0 },	  [BTF_KIND_RESTRICT] = { 0, 0 }, [BTF_KIND_FUNC] = { 0, 0 },
	[BTF_KIND_FUNC_PROTO] = { 0, 8 }, [BTF_KIND_VAR] = { 4, 0 },	  [BTF_KIND_DATASEC] = { 0, 12 }, [BTF_KIND_FLOAT] = { 0, 0 },
	[BTF_KIND_DECL_TAG] = { 4, 0 },	  [BTF_KIND_TYPE_TAG] = { 0, 0 }, [BTF_KIND_ENUM64] = { 0, 12 },
};

bool qt_btf_type_size(const struct btf_type *type, uint32_t *out)
{
	unsigned kind = BTF_INFO_KIND(type->info);

	if (!kind || kind >= sizeof(kind_sizes) / sizeof(kind_sizes[0]))
		return false;
	*out = (uint32_t)sizeof(*type) + kind_sizes[kind].fixed + (uint32_t)kind_sizes[kind].each * BTF_INFO_VLEN(type->info);
	return true;
}
