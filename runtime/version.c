/* The version of libbpf, for --version. */
#include "runtime/session.h"

#include <bpf/libbpf.h>

const char *qt_session_libbpf_version(void)
{
	const char *s = libbpf_version_string();

	return *s == 'v' ? s + 1 : s;
}
