/* Hostile bytes as a compiled object: the check refuses them, or libbpf opens them without harm. */
#include "plan/object.h"

#include <bpf/libbpf.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int say_nothing(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level, (void)format, (void)args;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bpf_object *o;

	if (qt_object_check(data, size))
		return 0;
	libbpf_set_print(say_nothing);
	o = bpf_object__open_mem(data, size, NULL);
	if (o)
		bpf_object__close(o);
	return 0;
}
