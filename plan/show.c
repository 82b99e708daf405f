/* Values that user space shows, in the form that needs no machine: addresses as numbers, bytes of networks as they are written. */
#include "plan/fields.h"

#include "base/check.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <string.h>

static uint64_t word_at(const void *bytes, uint32_t i)
{
	uint64_t w;

	memcpy(&w, (const char *)bytes + i * sizeof(w), sizeof(w));
	return w;
}

static bool show_stack(const void *bytes, uint32_t len, struct qt_buf *out)
{
	if (len < 16 || len % 8)
		return false;
	for (uint32_t i = 2; i < len / 8; i++) {
		qt_buf_printf(out, "0x%" PRIx64 "\n", word_at(bytes, i));
		if (i == 2 && word_at(bytes, 1))
			qt_buf_printf(out, "0x%" PRIx64 "\n", word_at(bytes, 1));
	}
	return true;
}

static bool show_address(const void *bytes, uint32_t len, struct qt_buf *out)
{
	if (len == 8 || len == 16)
		qt_buf_printf(out, "0x%" PRIx64, word_at(bytes, len / 8 - 1));
	return len == 8 || len == 16;
}

static bool show_number(const void *bytes, uint32_t len, struct qt_buf *out)
{
	if (len == 8)
		qt_buf_printf(out, "%" PRIu64, word_at(bytes, 0));
	return len == 8;
}

static bool show_inet(const void *bytes, uint32_t len, struct qt_buf *out)
{
	char text[INET6_ADDRSTRLEN];

	if (len != 4 && len != 16)
		return false;
	qt_buf_adds(out, inet_ntop(len == 4 ? AF_INET : AF_INET6, bytes, text, sizeof(text)));
	return true;
}

static bool show_mac(const void *bytes, uint32_t len, struct qt_buf *out)
{
	const unsigned char *b = bytes;

	for (uint32_t i = 0; len == 6 && i < len; i++)
		qt_buf_printf(out, "%s%02X", i ? ":" : "", b[i]);
	return len == 6;
}

static bool (*const shows[QT_SHOWN_COUNT])(const void *bytes, uint32_t len, struct qt_buf *out) = {
	[QT_SHOWN_stack] = show_stack,	 [QT_SHOWN_ksym] = show_address, [QT_SHOWN_usym] = show_address, [QT_SHOWN_user] = show_number,
	[QT_SHOWN_cgroup] = show_number, [QT_SHOWN_inet] = show_inet,	 [QT_SHOWN_mac] = show_mac,
};

void qt_show_plainly(enum qt_shown shown, const void *bytes, uint32_t len, struct qt_buf *out)
{
	QT_ASSERT(shown < QT_SHOWN_COUNT && shows[shown]);
	if (!shows[shown](bytes, len, out))
		qt_buf_addc(out, '?');
}
