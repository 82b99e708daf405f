/* Files that carry no machine code by their name: what runs them, and what of that can be probed. Asked when the file itself is not at hand; one
 * that is there is judged by its bytes. First fitting row wins. */
#include "target/target_internal.h"

#include <string.h>
#include <strings.h>

static const struct {
	const char *suffixes; /* separated by blanks */
	enum qt_why why;
	const char *what, *instead;
} rows[] = {
	{ "jar war ear class jmod java", QT_WHY_JAVA, "Java, whose methods live in memory that the JVM makes", QT_JAVA_HINT },
	{ "py pyc pyo", QT_WHY_SCRIPT, "Python, which an interpreter runs",
	  "probe the interpreter: usdt:python3:function__entry (a Python built with --with-dtrace has it), or uprobe:python3:FUNCTION" },
	{ "sh bash ksh zsh", QT_WHY_SCRIPT, "a shell script, which an interpreter runs",
	  "probe what it does: syscall:execve for the programs that it starts, or functions of the shell: uprobe:bash:FUNCTION" },
	{ "rb", QT_WHY_SCRIPT, "Ruby, which an interpreter runs", "probe the interpreter: usdt:ruby:method__entry (a Ruby built with --enable-dtrace has it)" },
	{ "php phar", QT_WHY_SCRIPT, "PHP, which an interpreter runs",
	  "probe the interpreter: usdt:php:function__entry (a PHP built with --enable-dtrace has it, with USE_ZEND_DTRACE=1 set)" },
	{ "pl pm", QT_WHY_SCRIPT, "Perl, which an interpreter runs", "probe the interpreter: usdt:perl:sub__entry (a Perl built with -Dusedtrace has it)" },
	{ "js mjs cjs ts", QT_WHY_SCRIPT, "JavaScript, which an engine compiles into memory",
	  "probe the engine or its native modules: uprobe:node:FUNCTION, or the system calls that it makes" },
	{ "lua tcl r jl ex exs erl beam", QT_WHY_SCRIPT, "a script, which an interpreter runs", "probe functions of the interpreter: uprobe:INTERPRETER:FUNCTION" },
	{ "wasm", QT_WHY_NOT_ELF, "WebAssembly, which an engine compiles into memory", "probe functions of the engine: uprobe:ENGINE:FUNCTION" },
	{ "exe dll", QT_WHY_NOT_ELF, "a program for Windows or .NET, which another program runs", "probe functions of the program that runs it: uprobe:PROGRAM:FUNCTION" },
	{ "ko", QT_WHY_NOT_ELF, "a kernel module", "its functions are kernel functions: kprobe:FUNCTION" },
	{ "c h cc cpp cxx hpp rs go", QT_WHY_NOT_ELF, "source text", "give the program or library that was made from it" },
};

/* Whether SUFFIX (N bytes) is one of the words in LIST. */
static bool is_in(const char *list, const char *suffix, size_t n)
{
	for (const char *p = list; *p; p += strcspn(p, " "), p += *p == ' ') {
		if (strcspn(p, " ") == n && strncasecmp(p, suffix, n) == 0)
			return true;
	}
	return false;
}

bool qt_target_file_kind(struct qt_target *t, const char *spec, struct qt_reason *out)
{
	const char *dot = strrchr(spec, '.');

	if (!dot || strchr(dot, '/') || dot == spec)
		return false;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!is_in(rows[i].suffixes, dot + 1, strlen(dot + 1)))
			continue;
		qt_why_set(t, out, rows[i].why, rows[i].instead, "%s cannot carry a probe: it is %s", spec, rows[i].what);
		return true;
	}
	return false;
}
