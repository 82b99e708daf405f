/* How long a BTF type is (Documentation/bpf/btf.rst). */
#ifndef QT_BASE_BTF_KIND_H
#define QT_BASE_BTF_KIND_H

#include <linux/btf.h>
#include <stdbool.h>
#include <stdint.h>

/* Bytes of a type whose head is TYPE, members included; false for an unknown kind. Reads the head only. */
bool qt_btf_type_size(const struct btf_type *type, uint32_t *out);

#endif
