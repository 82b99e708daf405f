/* Hostile bytes as a printf record: decoding stays within them, in both forms. The plan has a format with texts, a thread's name and all number conversions. */
#include "plan/decode.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct qt_plan *plan_make(void)
{
	static const enum qt_field_kind kinds[] = { QT_FIELD_TEXT, QT_FIELD_INT,   QT_FIELD_COMM, QT_FIELD_UINT,
						    QT_FIELD_UINT, QT_FIELD_PROBE, QT_FIELD_TEXT };
	static const enum qt_conv convs[] = { QT_CONV_STR, QT_CONV_INT, QT_CONV_STR, QT_CONV_CHAR, QT_CONV_PTR, QT_CONV_STR, QT_CONV_STR };
	struct qt_plan *p = qt_plan_new();
	struct qt_plan_format *f = qt_vec_push(p->arena, &p->formats);
	uint32_t offset = 0;

	*qt_vec_push(p->arena, &p->probes) = (struct qt_plan_probe){ "begin", "begin" };
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		*qt_vec_push(p->arena, &f->pieces) =
			(struct qt_plan_piece){ .conv = convs[i], .width = (int32_t)i * 3 - 1, .precision = (int32_t)i - 1 };
		*qt_vec_push(p->arena, &f->args) = (struct qt_field){ .kind = kinds[i], .offset = offset };
		offset += kinds[i] == QT_FIELD_COMM ? 16 : 8;
	}
	return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct qt_plan *p;
	struct qt_buf out = { 0 };

	p = p ? p : plan_make();
	for (unsigned raw = 0; raw < 4; raw++) {
		if (qt_decode_printf(p, NULL, data, size, raw, &out) && !out.ptr)
			abort();
		qt_buf_clear(&out);
	}
	qt_buf_free(&out);
	return 0;
}
