/* A shop on an embedded database, for the demonstration: sqlite-workload FILE makes the database and runs nine kinds of statements on it,
 * each with cold caches (the library's own and, where the file system allows, the kernel's).
 * It also counts the truth, with no tracer: SQLite's reads come through the pread64 defined here, which charges them to the statement
 * that the program knows to be running (sqlite3_trace_v2 tells inside a script of several statements). With $TRUTH set, the sums are
 * written there: reads, bytes and text, tab-separated. */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CUSTOMERS = 1009, ORDERS = 20011, LOOKUPS = 211, MAX_LABELS = 64 };

static const char housekeeping[] = "(nobody asked: housekeeping)", schema[] = "(reading the schema)";

/* What the reads of this moment are for, and the sums by that. The program has one thread. */
static const char *label = housekeeping;
static struct sums {
	char *text;
	long reads, bytes;
} sums[MAX_LABELS];

static void charge(const char *text, ssize_t bytes)
{
	struct sums *s = sums;

	while (s->text && strcmp(s->text, text))
		s++;
	if (s >= sums + MAX_LABELS - 1)
		abort();
	if (!s->text)
		s->text = strdup(text);
	s->reads++;
	s->bytes += bytes;
}

/* Takes the place of the C library's for SQLite too: the executable's symbols come first. */
ssize_t pread64(int fd, void *buf, size_t size, off64_t offset)
{
	ssize_t got = syscall(SYS_pread64, fd, buf, size, offset);

	if (got > 0)
		charge(label, got);
	return got;
}

static sqlite3 *db;
static const char *db_path;
static int db_fd = -1; /* kept open: closing it would drop SQLite's locks */

static void die(const char *what)
{
	fprintf(stderr, "sqlite-workload: %s: %s\n", what, sqlite3_errmsg(db));
	exit(1);
}

static void drop_caches(void)
{
	sqlite3_db_release_memory(db);
	fsync(db_fd);
	posix_fadvise(db_fd, 0, 0, POSIX_FADV_DONTNEED);
}

static sqlite3_stmt *prepare(const char *sql)
{
	sqlite3_stmt *s = NULL;

	label = schema;
	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
		die(sql);
	label = housekeeping;
	return s;
}

/* Steps to the end; the text that is charged is SQLite's own copy of it. */
static void run(sqlite3_stmt *s)
{
	int rc;

	do {
		label = sqlite3_sql(s);
		rc = sqlite3_step(s);
		label = housekeeping;
	} while (rc == SQLITE_ROW);
	if (rc != SQLITE_DONE)
		die(sqlite3_sql(s));
	sqlite3_reset(s);
}

static void query(const char *sql)
{
	sqlite3_stmt *s = prepare(sql);

	run(s);
	sqlite3_finalize(s);
}

/* Inside a script SQLite says which of its statements runs; those that it runs inside of another one are part of that. */
static int on_trace(unsigned what, void *unused, void *stmt, void *extra)
{
	static void *outermost;

	(void)unused, (void)extra;
	if (what == SQLITE_TRACE_STMT && !outermost) {
		outermost = stmt;
		label = sqlite3_sql(stmt);
	} else if (what == SQLITE_TRACE_PROFILE && outermost == stmt) {
		outermost = NULL;
		label = schema;
	}
	return 0;
}

static void script(const char *sql)
{
	sqlite3_trace_v2(db, SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE, on_trace, NULL);
	label = schema;
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		die(sql);
	label = housekeeping;
	sqlite3_trace_v2(db, 0, NULL, NULL);
}

static void open_database(void)
{
	if (sqlite3_open(db_path, &db) != SQLITE_OK)
		die(db_path);
	query("PRAGMA cache_size = -256");
}

/* Deterministic numbers that look like chance. */
static int scattered(int i, int below)
{
	return (int)(((unsigned)i * 2654435761u >> 7) % (unsigned)below);
}

static void fill(void)
{
	sqlite3_stmt *customer, *order;

	script("CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT);"
	       "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INT, cents INT, note TEXT);");
	query("BEGIN");
	customer = prepare("INSERT INTO customer VALUES (?1, 'customer ' || ?1, 'city ' || (?1 % 97))");
	order = prepare("INSERT INTO orders VALUES (?1, ?2, ?3, hex(zeroblob(90)))");
	for (int i = 1; i <= CUSTOMERS; i++) {
		sqlite3_bind_int(customer, 1, i);
		run(customer);
	}
	for (int i = 1; i <= ORDERS; i++) {
		sqlite3_bind_int(order, 1, i);
		sqlite3_bind_int(order, 2, 1 + scattered(i, CUSTOMERS));
		sqlite3_bind_int(order, 3, 100 + scattered(i, 50000));
		run(order);
	}
	sqlite3_finalize(customer);
	sqlite3_finalize(order);
	query("COMMIT");
}

/* One statement, prepared once and used often. */
static void look_up(void)
{
	sqlite3_stmt *s = prepare("SELECT note FROM orders WHERE id = ?");

	for (int i = 0; i < LOOKUPS; i++) {
		sqlite3_bind_int(s, 1, 1 + scattered(i, ORDERS));
		run(s);
	}
	sqlite3_finalize(s);
}

static void work(void)
{
	static const char *const queries[] = {
		"SELECT sum(length(note)) FROM orders",
		"SELECT c.city, count(*) FROM orders o JOIN customer c ON c.id = o.customer WHERE o.cents > 40000 GROUP BY c.city",
		"SELECT customer, sum(cents) AS total FROM orders GROUP BY customer ORDER BY total DESC LIMIT 10",
		"CREATE INDEX orders_by_customer ON orders (customer)",
		"SELECT count(*) FROM orders WHERE customer = 17",
	};

	look_up();
	for (unsigned i = 0; i < sizeof(queries) / sizeof(*queries); i++) {
		drop_caches();
		query(queries[i]);
	}
	drop_caches();
	script("BEGIN; INSERT INTO orders SELECT id + 100000, customer, cents, note FROM orders WHERE id % 997 = 0; COMMIT;\n"
	       "UPDATE orders SET cents = cents + 1 WHERE customer BETWEEN 100 AND 110; -- a discount\n"
	       "DELETE FROM orders WHERE id % 1009 = 5;");
	query("SELECT count(*) FROM customer WHERE city LIKE 'city 4%'");
}

static void tell_truth(void)
{
	const char *path = getenv("TRUTH");
	FILE *f = path ? fopen(path, "w") : NULL;

	for (struct sums *s = sums; f && s->text; s++) {
		fprintf(f, "%ld\t%ld\t", s->reads, s->bytes);
		for (const char *c = s->text; *c; c++)
			fprintf(f, *c == '\n' ? "\\n" : "%c", *c);
		fputc('\n', f);
	}
	if (f)
		fclose(f);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fputs("usage: sqlite-workload FILE (made anew)\n", stderr);
		return 2;
	}
	db_path = argv[1];
	unlink(db_path);
	open_database();
	fill();
	sqlite3_close(db);
	db_fd = open(db_path, O_RDONLY | O_CLOEXEC);
	open_database();
	drop_caches();
	work();
	sqlite3_close(db);
	tell_truth();
	return 0;
}
