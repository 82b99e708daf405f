/* From the kernel to the sink: records of the ring in their order (printed text, tables to print or to empty), tables, losses. What one report
 * needs lies in an arena of its own that ends with it, so that a long run does not grow. */
#include "base/text.h"
#include "runtime/runtime_internal.h"
#include "runtime/shell.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define CAT_BYTES 65536
#define BATCH 8192 /* records, before the session looks at its other events */

/* ---- tables ---------------------------------------------------------------------------------------------------------- */

static void give_table(struct qt_collector *c, uint32_t table)
{
	struct qt_arena *arena = qt_arena_new();
	struct qt_result_table result = { 0 };
	int err = qt_decode_table(c->run->plan, &c->store->store, table, arena, &result);

	if (err)
		qt_diag_run(c->run, QT_E0613, "the table %s could not be read: %s", c->run->plan->tables.items[table].name,
			    qt_errno_text(c->run, err));
	else if (c->run->sink->table && !c->silent)
		c->run->sink->table(c->run->sink->ctx, &result);
	c->unflushed = true;
	qt_arena_free(arena);
}

void qt_collect_tables(struct qt_collector *c, bool take)
{
	c->store->taking = take;
	for (uint32_t i = 0; i < c->run->plan->tables.len; i++)
		give_table(c, i);
	c->store->taking = false;
	qt_store_forget(c->store);
}

static void clear_table(struct qt_collector *c, uint32_t table)
{
	const struct qt_plan_table *t = &c->run->plan->tables.items[table];
	int err = c->store->store.clear(c->store, t->map);

	if (err)
		qt_diag_run(c->run, QT_E0613, "the table %s could not be emptied: %s", t->name, qt_errno_text(c->run, err));
	c->store->taking = true;
	if (t->untagged >= 0)
		c->store->store.counter(c->store, (uint32_t)t->untagged);
	c->store->taking = false;
}

/* ---- records --------------------------------------------------------------------------------------------------------- */

static bool on_printf(struct qt_collector *c, const void *record, uint32_t size, uint32_t index)
{
	(void)index;
	qt_buf_clear(&c->text);
	if (!qt_decode_printf(c->run->plan, &c->store->store, record, size, c->run->options->raw_text ? QT_PRINTF_UNESCAPED | QT_PRINTF_PLAIN : 0, &c->text))
		return false;
	if (c->run->sink->printed && !c->silent)
		c->run->sink->printed(c->run->sink->ctx, (struct qt_str){ c->text.ptr ? c->text.ptr : "", c->text.len });
	c->unflushed = true;
	return true;
}

/* ---- commands and files ---- */

/* What a command or a file says may hold traced text, and is no more to be trusted. */
static void give_piece(void *ctx, struct qt_str piece)
{
	struct qt_collector *c = ctx;
	struct qt_buf text = { 0 };

	if (c->run->options->raw_text)
		qt_buf_add(&text, piece.ptr, piece.len);
	else
		qt_text_escape(&text, piece.ptr, piece.len, QT_ESCAPE_STREAM);
	if (c->run->sink->printed && !c->silent && text.len)
		c->run->sink->printed(c->run->sink->ctx, (struct qt_str){ text.ptr, text.len });
	c->unflushed = true;
	qt_buf_free(&text);
}

static bool on_system(struct qt_collector *c, const void *record, uint32_t size, uint32_t index)
{
	struct qt_buf command = { 0 }, params = { 0 };
	uint32_t nparams = 0;
	bool ok = qt_decode_command(c->run->plan, &c->store->store, record, size, &command, &params, &nparams);
	int err;

	(void)index;
	qt_collect_flush(c);
	err = ok ? qt_shell_run(command.ptr ? command.ptr : "", &params, nparams, give_piece, c) : 0;
	if (err)
		qt_message(c->run, 0, "system(): no shell could be started: %s\n", qt_errno_text(c->run, err));
	qt_buf_free(&command);
	qt_buf_free(&params);
	return ok;
}

static void give_file(struct qt_collector *c, const char *path)
{
	char bytes[CAT_BYTES];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes));

	if (n < 0)
		qt_message(c->run, 0, "cat(): %s: %s\n", path, qt_errno_text(c->run, errno));
	else
		give_piece(c, (struct qt_str){ bytes, (size_t)n });
	if (fd >= 0)
		close(fd);
}

static bool on_cat(struct qt_collector *c, const void *record, uint32_t size, uint32_t index)
{
	(void)index;
	qt_buf_clear(&c->text);
	if (!qt_decode_printf(c->run->plan, &c->store->store, record, size, QT_PRINTF_UNESCAPED, &c->text))
		return false;
	give_file(c, c->text.ptr ? c->text.ptr : "");
	return true;
}

static bool on_print(struct qt_collector *c, const void *record, uint32_t size, uint32_t index)
{
	(void)record, (void)size;
	if (index >= c->run->plan->tables.len)
		return false;
	give_table(c, index);
	qt_store_forget(c->store);
	return true;
}

static bool on_clear(struct qt_collector *c, const void *record, uint32_t size, uint32_t index)
{
	(void)record, (void)size;
	if (index >= c->run->plan->tables.len)
		return false;
	clear_table(c, index);
	return true;
}

static bool (*const on_kind[QT_RECORD_KINDS])(struct qt_collector *c, const void *record, uint32_t size, uint32_t index) = {
	[QT_RECORD_PRINTF] = on_printf,
	[QT_RECORD_SYSTEM] = on_system,
	[QT_RECORD_CAT] = on_cat,
	[QT_RECORD_PRINT] = on_print,
	[QT_RECORD_CLEAR] = on_clear,
};

static void on_record(void *ctx, const void *record, uint32_t size)
{
	const struct qt_record_head *head = record;
	struct qt_collector *c = ctx;

	if (size < sizeof(*head) || head->size < sizeof(*head) || head->size > size || head->kind >= QT_RECORD_KINDS ||
	    !on_kind[head->kind](c, record, head->size, head->index))
		qt_diag_run(c->run, QT_E0613, "a record of %u bytes does not fit the plan", size);
}

bool qt_collect(struct qt_collector *c)
{
	long got = c->has_ring ? qt_ring_read(&c->ring, BATCH, on_record, c) : 0;

	if (got < 0) {
		qt_diag_run(c->run, QT_E0613, "the ring buffer makes no sense");
		c->has_ring = false;
	}
	return got == BATCH;
}

/* ---- the end --------------------------------------------------------------------------------------------------------- */

bool qt_collect_losses(struct qt_collector *c, uint64_t missed)
{
	struct qt_arena *arena = qt_arena_new();
	struct qt_result_losses losses = { 0 };
	bool any = false;

	qt_decode_losses(c->run->plan, &c->store->store, missed, arena, &losses);
	for (unsigned i = 0; i < QT_LOSS_COUNT; i++)
		any |= losses.total[i] != 0;
	if (c->run->sink->losses && !c->silent)
		c->run->sink->losses(c->run->sink->ctx, &losses);
	c->unflushed = true;
	qt_arena_free(arena);
	return any;
}

void qt_collect_flush(struct qt_collector *c)
{
	if (c->unflushed && c->run->sink->flush && !c->silent)
		c->run->sink->flush(c->run->sink->ctx);
	c->unflushed = false;
}

int qt_collector_open(struct qt_collector *c, const struct qt_run *run, struct qt_kernel_store *store, const struct qt_loaded *loaded)
{
	int fd = loaded->map_fds[QT_MAP_RING], err = 0;

	*c = (struct qt_collector){ .run = run, .store = store };
	if (fd >= 0) {
		err = qt_ring_open(&c->ring, fd, run->plan->maps.items[QT_MAP_RING].max_entries);
		c->has_ring = !err;
	}
	return err;
}

void qt_collector_close(struct qt_collector *c)
{
	qt_ring_close(&c->ring);
	qt_buf_free(&c->text);
	c->has_ring = false;
}
