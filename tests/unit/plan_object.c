/* The object inside of a plan: ours passes; spoiled ones are refused, or libbpf reads them without harm. */
#include "plan/object.h"

#include "tests/unit/codegen_kit.h"

#include <bpf/libbpf.h>
#include <elf.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

static bool make_object(struct kit *k)
{
	kit_begin(k, 64);
	kit_program(k, "object", QT_HOOK_raw_tracepoint);
	kit_result(k, 0, kit_arg(k, 0));
	kit_ret(k);
	return kit_compile(k);
}

static int say_nothing(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level, (void)format, (void)args;
	return 0;
}

/* Where section NAME begins in the object. */
static size_t section_at(const char *object, const char *name)
{
	const Elf64_Ehdr *h = (const Elf64_Ehdr *)object;
	const Elf64_Shdr *s = (const Elf64_Shdr *)(object + h->e_shoff);

	for (unsigned i = 0; i < h->e_shnum; i++)
		if (strcmp(object + s[h->e_shstrndx].sh_offset + s[i].sh_name, name) == 0)
			return s[i].sh_offset;
	return 0;
}

QT_TEST(an_object_of_ours_passes)
{
	struct kit k;

	if (make_object(&k))
		QT_EQ_STR(qt_object_check(k.plan->object, k.plan->object_size), NULL);
	QT_TRUE(qt_object_check("not really an object", 20) != NULL);
	QT_TRUE(qt_object_check("", 0) != NULL);
	kit_end(&k);
}

QT_TEST(a_cut_object_is_refused)
{
	struct kit k;

	QT_NEED(make_object(&k));
	for (size_t n = 0; n < k.plan->object_size; n += 7) {
		char *copy = malloc(n + 1); /* exact, so that a sanitizer sees reads behind it */

		memcpy(copy, k.plan->object, n);
		QT_TRUE(qt_object_check(copy, n) != NULL);
		free(copy);
	}
	kit_end(&k);
}

/* One wrong thing at a time, which libbpf would follow: a type outside of the types, one that contains itself, a name outside of the names. */
QT_TEST(types_that_lead_astray_are_refused)
{
	static const struct {
		size_t offset; /* behind the head of the types: the first is an int or pointer of ours, whatever: its fields are set */
		uint32_t info, type;
	} cases[] = {
		{ 0, BTF_KIND_TYPEDEF << 24, 1 }, /* an alias of itself */
		{ 0, BTF_KIND_PTR << 24, 0x7fffffff },
		{ 0, BTF_KIND_CONST << 24, 0x00ffffff },
		{ 0, 31u << 24, 1 },
		{ 0, (BTF_KIND_STRUCT << 24) | 0xffff, 1 },
	};
	struct kit k;
	size_t at;

	QT_NEED(make_object(&k));
	at = section_at(k.plan->object, ".BTF") + sizeof(struct btf_header);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *copy = malloc(k.plan->object_size);
		struct btf_type *t;

		memcpy(copy, k.plan->object, k.plan->object_size);
		t = (struct btf_type *)(copy + at + cases[i].offset);
		t->info = cases[i].info;
		t->type = cases[i].type;
		QT_TRUE(qt_object_check(copy, k.plan->object_size) != NULL);
		t->name_off = 0x7fffffff;
		QT_TRUE(qt_object_check(copy, k.plan->object_size) != NULL);
		free(copy);
	}
	kit_end(&k);
}

QT_TEST(spoiled_objects_are_refused_or_read_without_harm)
{
	struct kit k;
	char *copy;
	size_t size;

	QT_NEED(make_object(&k));
	size = k.plan->object_size;
	copy = malloc(size);
	memcpy(copy, k.plan->object, size);
	libbpf_set_print(say_nothing);
	for (size_t i = 0; i < size; i++) {
		char change = (char)(i % 3 == 0 ? 0xff : i % 3 == 1 ? 0x01 : 0x80);
		struct bpf_object *o;

		copy[i] ^= change;
		if (!qt_object_check(copy, size)) {
			o = bpf_object__open_mem(copy, size, NULL);
			if (o)
				bpf_object__close(o);
		}
		copy[i] ^= change;
	}
	free(copy);
	kit_end(&k);
}
