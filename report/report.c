/* The table of output formats. */
#include "report/report.h"

#include "report/report_internal.h"

#include <string.h>

static const struct qt_report_format *const formats[] = {
#define FORMAT(name) &qt_format_##name,
#include "report/formats.def"
#undef FORMAT
	NULL,
};

const struct qt_report_format *const *qt_report_formats(void)
{
	return formats;
}

const struct qt_report_format *qt_report_find(const char *name)
{
	for (size_t i = 0; formats[i]; i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

void qt_report_put(struct qt_report *r, struct qt_buf *b)
{
	if (b->len)
		fwrite(b->ptr, 1, b->len, r->options.out);
	qt_buf_clear(b);
}
