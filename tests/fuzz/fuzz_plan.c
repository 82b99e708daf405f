/* Hostile bytes as a plan: loading refuses them or gives a sound plan, whose dump and second form are well defined, and whose object, where the check lets it
 * pass, libbpf opens without harm. The checksum is made right first: it tells damage, not malice. */
#include "plan/object.h"
#include "plan/plan.h"

#include <bpf/libbpf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static FILE *sink(void)
{
	static FILE *f;

	return f ? f : (f = fopen("/dev/null", "w"));
}

static int say_nothing(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level, (void)format, (void)args;
	return 0;
}

static void open_object(const struct qt_plan *p)
{
	struct bpf_object *o;

	if (!p->object || qt_object_check(p->object, p->object_size))
		return;
	libbpf_set_print(say_nothing);
	o = bpf_object__open_mem(p->object, p->object_size, NULL);
	if (o)
		bpf_object__close(o);
}

static void load(const uint8_t *data, size_t size)
{
	struct qt_buf error = { 0 }, again = { 0 };
	struct qt_plan *p = qt_plan_load(data, size, &error);

	if (!p != (error.len > 0))
		abort();
	if (p) {
		qt_plan_dump(p, sink());
		qt_plan_save(p, &again);
		if (again.len != size || memcmp(again.ptr, data, size))
			abort();
		open_object(p);
	}
	qt_plan_free(p);
	qt_buf_free(&error);
	qt_buf_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);

	memcpy(copy, data, size);
	load(copy, size);
	qt_plan_seal(copy, size);
	load(copy, size);
	free(copy);
	return 0;
}
