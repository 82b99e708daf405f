/* Texts that are hard to read: take(text, kind) gets each kind as often as its row says. */
#include "tests/triggers/trigger.h"

#include <sys/mman.h>

PROBED void take(const char *text, int kind)
{
	(void)text, (void)kind;
	KEEP();
}

PROBED void part(const char *text, long len, int kind)
{
	(void)text, (void)len, (void)kind;
	KEEP();
}

/* A text of LEN bytes whose terminator is the last byte of a page; what follows cannot be read. */
static char *at_page_end(size_t len)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (len / page + 1) * page;
	char *m = mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(m + size, page, PROT_NONE);
	memset(m, 'x', size);
	m[size - 1] = '\0';
	return m + size - 1 - len;
}

/* A text in the page cache whose page this process has never touched. */
static const char *not_touched(void)
{
	char name[] = "/tmp/qt-strings-XXXXXX", text[4096] = "a text on a page that is not mapped in";
	int fd = mkstemp(name);
	const char *m;

	if (fd < 0 || write(fd, text, sizeof(text)) != sizeof(text))
		abort();
	unlink(name);
	m = mmap(NULL, sizeof(text), PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	return m;
}

/* Counted texts: the length may be more than there is, end at the page's end without a NUL, or be no length at all. */
static void parts(FILE *truth)
{
	const char *bare = (char *)memcpy(at_page_end(4), "hello", 5);
	const struct {
		const char *text;
		long len;
	} rows[] = {
		{ "GET", 0 }, { "GET", 2 }, { "GET", 3 }, { "GET", 100 }, { "GETX", 100 }, { bare, 5 }, { bare, 6 }, { "GET", -1 }, { NULL, 0 }
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (rows[i].text)
			(void)*(volatile const char *)rows[i].text;
		part(rows[i].text, rows[i].len, (int)i);
	}
	fprintf(truth, "parts=%zu\n", sizeof(rows) / sizeof(*rows));
}

int main(void)
{
	char *long_text = at_page_end(4999);
	const char *const gone = at_page_end(1) + 2;
	FILE *truth = truth_open();

	memcpy(long_text, "SELECT ", 7);
	const struct {
		const char *name, *text;
		int count;
	} rows[] = {
		{ "short", "SELECT 1", 17 },
		{ "empty", "", 3 },
		{ "page_end", at_page_end(63), 5 },
		{ "long", long_text, 7 },
		{ "embedded_nul", "before\0after", 11 },
		{ "unmapped", gone, 13 },
		{ "null", NULL, 19 },
		{ "hostile", "\033[2Jcaf\303\251 \377\t\"\\", 23 },
		{ "exactly_1023", at_page_end(1023), 29 },
		{ "exactly_1024", at_page_end(1024), 31 },
		{ "not_touched", NULL, 1 },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (rows[i].text && rows[i].text != gone)
			(void)*(volatile const char *)rows[i].text; /* its page is in memory */
		for (int n = 0; n < rows[i].count; n++)
			take(strcmp(rows[i].name, "not_touched") ? rows[i].text : not_touched(), (int)i);
		fprintf(truth, "kind=%u name=%s count=%d\n", i, rows[i].name, rows[i].count);
	}
	parts(truth);
	return 0;
}
