/* Fuzz target: the bytes are an ELF file, then notes, then a linker cache, BTF, a tracepoint format and a USDT operand. Nothing may crash,
 * hang or read outside of them. Entry point of libFuzzer; with -DSTANDALONE a main that runs files, or N mutations of each (-n N). */
#include "target/target_internal.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool touch_symbol(void *ctx, const struct qt_symbol *s)
{
	size_t *sum = ctx;

	*sum += strlen(s->name) + (s->version ? strlen(s->version) : 0) + (size_t)s->address;
	return *sum % 4099 != 0;
}

static void touch_note(void *ctx, const char *provider, const char *name, const char *args, uint64_t pc, uint64_t semaphore)
{
	struct qt_usdt_arg a;

	*(size_t *)ctx += strlen(provider) + strlen(name) + pc + semaphore;
	qt_usdt_parse_arg(args, pc, NULL, NULL, &a);
}

static bool touch_library(void *ctx, const char *soname, const char *path)
{
	*(size_t *)ctx += strlen(soname) + strlen(path) + qt_soname_matches(soname, "libc");
	return true;
}

static void as_elf(struct qt_target *t, struct qt_image image)
{
	struct qt_elf_file f;
	size_t sum = 0;
	uint64_t offset;

	qt_elf_classify(&image);
	if (!qt_elf_parse(t->arena, image, &f))
		return;
	qt_elf_build_id(t->arena, &f);
	qt_elf_symbols(&f, touch_symbol, &sum);
	qt_elf_offset(&f, sum, &offset);
	for (unsigned i = 0; qt_elf_dynamic(&f, DT_NEEDED, i) && i < 100; i++)
		;
	for (unsigned i = 0; i < f.nsections && i < 64; i++)
		qt_usdt_notes(&f.sections[i], sum, touch_note, &sum);
}

/* The whole public way, with the file on disk: functions, USDT, offers. */
static void touch_name(void *ctx, const char *name)
{
	*(size_t *)ctx += strlen(name);
}

static void as_binary(struct qt_target *t, const uint8_t *data, size_t size)
{
	char path[] = "/tmp/qtrace-fuzz-XXXXXX";
	struct qt_functions fn;
	struct qt_binaries b;
	struct qt_usdt u;
	size_t sum = 0;
	int fd = mkstemp(path);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (!f)
		return;
	fwrite(data, 1, size, f);
	fclose(f);
	if (qt_target_binaries(t, path, &b)) {
		qt_binary_functions(t, b.items[0], "main", 3, &fn);
		qt_binary_functions(t, b.items[0], "*a*", 0, &fn);
		qt_binary_functions(t, b.items[0], "ns::f(int)", 0, &fn);
		qt_binary_usdt(t, b.items[0], "*", "*", &u);
		qt_binary_function_offer(t, b.items[0], "x", touch_name, &sum);
		qt_binary_function_at(t, b.items[0], 0x1136);
	}
	remove(path);
}

static void as_btf(struct qt_target *t, struct qt_image image)
{
	struct qt_btf b;
	struct qt_ctype c;
	struct qt_prototype p = { 0 };
	struct qt_struct_field f;

	if (!qt_btf_open(image, &b))
		return;
	for (uint32_t id = 0; id < b.count && id < 64; id++) {
		qt_btf_ctype(t, &b, id, &c);
		qt_btf_prototype(t, &b, id, 1, &p);
		qt_btf_field(t, &b, id, "a.b", &f);
	}
	free(b.offsets);
}

static void as_text(struct qt_target *t, const uint8_t *data, size_t size)
{
	char *text = qt_arena_strndup(t->arena, (const char *)data, size);
	struct qt_tracepoint tp = { 0 };
	struct qt_usdt_arg a;
	struct qt_ctype c;
	struct qt_param p;

	qt_format_parse(t, text, &tp);
	qt_usdt_parse_arg(text, 0x1000, NULL, NULL, &a);
	qt_ctype_parse(t, text, &c);
	qt_param_read(t, text, &p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct qt_target *t = qt_target_live(&(struct qt_target_options){ .missing = 1u << QT_FEATURE_BTF });
	uint8_t *copy = malloc(size ? size : 1); /* exactly as long as it is, for the sanitizer */
	struct qt_image image = { copy, size };
	size_t sum = 0;

	memcpy(copy, data, size);
	as_elf(t, image);
	as_btf(t, image);
	qt_ldcache_parse(copy, size, touch_library, &sum);
	qt_usdt_notes(&(struct qt_section){ .name = "", .data = copy, .size = size }, 0, touch_note, &sum);
	as_text(t, data, size);
	as_binary(t, data, size);
	free(copy);
	qt_target_free(t);
	return 0;
}

#ifdef STANDALONE
static uint64_t state = 88172645463325252u;

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

/* Changes a few bytes, mostly in the first kilobytes and near the end, where headers are; cuts now and then. */
static void mutate(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size);
	size_t n = next_random() % 8 + 1, len = size;

	memcpy(copy, data, size);
	while (n--) {
		size_t span = next_random() % 2 ? size : size < 4096 ? size : 4096, at = next_random() % span;

		if (next_random() % 2)
			at = size - 1 - at;
		copy[at] = next_random() % 3 ? (uint8_t)next_random() : (uint8_t)(0xff * (next_random() % 2));
	}
	if (next_random() % 8 == 0)
		len = next_random() % size;
	LLVMFuzzerTestOneInput(copy, len);
	free(copy);
}

int main(int argc, char **argv)
{
	unsigned long rounds = 0;
	int first = 1;

	if (argc > 2 && strcmp(argv[1], "-n") == 0) {
		rounds = strtoul(argv[2], NULL, 10);
		first = 3;
	}
	for (int i = first; i < argc; i++) {
		struct qt_image image;

		if (!qt_image_map(argv[i], &image) || !image.size)
			continue;
		LLVMFuzzerTestOneInput(image.data, image.size);
		for (unsigned long k = 0; k < rounds; k++)
			mutate(image.data, image.size);
		qt_image_close(&image);
	}
	return 0;
}
#endif
