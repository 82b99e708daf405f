/* The ring buffer's reader on memory that is laid out as the kernel does it, sound and unsound. */
#include "runtime/ring.h"

#include "tests/unit/test.h"

#include <errno.h>
#include <string.h>

#define SIZE 256u
#define BUSY (1u << 31)
#define DISCARD (1u << 30)

struct fixture {
	uint64_t consumer, producer;
	_Alignas(8) uint8_t data[2 * SIZE];
	struct qt_ring ring;
	unsigned count; /* records that were given */
	uint64_t sum; /* of their first words */
	uint32_t last; /* size of the last one */
};

static void begin(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->ring = (struct qt_ring){ .consumer = &f->consumer, .producer = &f->producer, .data = f->data, .size = SIZE };
}

static void store(struct fixture *f, uint64_t at, const void *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		f->data[(at + i) % SIZE] = f->data[(at + i) % SIZE + SIZE] = ((const uint8_t *)bytes)[i];
}

static void put(struct fixture *f, uint32_t flags, uint32_t len, uint64_t word)
{
	uint32_t head[2] = { len | flags, 0 };

	store(f, f->producer, head, sizeof(head));
	store(f, f->producer + 8, &word, len < 8 ? len : 8);
	f->producer += (len + 8 + 7) / 8 * 8;
}

static void take(void *ctx, const void *record, uint32_t size)
{
	struct fixture *f = ctx;
	uint64_t word = 0;

	memcpy(&word, record, size < 8 ? size : 8);
	f->count++;
	f->sum += word;
	f->last = size;
}

QT_TEST(records_in_order)
{
	struct fixture f;

	begin(&f);
	QT_EQ_INT(qt_ring_read(&f.ring, 100, take, &f), 0);
	put(&f, 0, 8, 11);
	put(&f, DISCARD, 8, 1000);
	put(&f, 0, 13, 17);
	QT_EQ_INT(qt_ring_waiting(&f.ring), 16 + 16 + 24);
	QT_EQ_INT(qt_ring_read(&f.ring, 100, take, &f), 3);
	QT_EQ_INT(f.count, 2);
	QT_EQ_INT(f.sum, 28);
	QT_EQ_INT(f.last, 13);
	QT_EQ_INT(f.consumer, f.producer);
	QT_EQ_INT(qt_ring_waiting(&f.ring), 0);
}

QT_TEST(batches_end_where_they_should)
{
	struct fixture f;

	begin(&f);
	for (int i = 0; i < 7; i++)
		put(&f, 0, 8, 1);
	QT_EQ_INT(qt_ring_read(&f.ring, 5, take, &f), 5);
	QT_EQ_INT(f.consumer, 5 * 16);
	QT_EQ_INT(qt_ring_read(&f.ring, 5, take, &f), 2);
	QT_EQ_INT(f.sum, 7);
}

QT_TEST(unfinished_records_are_waited_for)
{
	struct fixture f;
	uint32_t head = 8;

	begin(&f);
	put(&f, 0, 8, 3);
	put(&f, BUSY, 8, 5);
	put(&f, 0, 8, 7);
	QT_EQ_INT(qt_ring_read(&f.ring, 100, take, &f), 1);
	QT_EQ_INT(f.consumer, 16);
	store(&f, 16, &head, sizeof(head));
	QT_EQ_INT(qt_ring_read(&f.ring, 100, take, &f), 2);
	QT_EQ_INT(f.sum, 15);
}

QT_TEST(records_over_the_end)
{
	struct fixture f;

	begin(&f);
	f.consumer = f.producer = SIZE * 5 - 16;
	put(&f, 0, 40, 0x0102030405060708);
	QT_EQ_INT(qt_ring_read(&f.ring, 100, take, &f), 1);
	QT_EQ_INT(f.sum, 0x0102030405060708);
	QT_EQ_INT(f.last, 40);
}

QT_TEST(positions_wrap_never)
{
	struct fixture f;

	begin(&f);
	for (int i = 0; i < 1009; i++) {
		put(&f, 0, 24, 1);
		QT_NEED(qt_ring_read(&f.ring, 1, take, &f) == 1);
	}
	QT_EQ_INT(f.sum, 1009);
	QT_EQ_INT(f.consumer, 1009 * 32);
}

QT_TEST(a_length_beyond_the_producer_is_refused)
{
	struct fixture f;
	uint32_t long_one = 24, huge = 0x3fffffff;

	begin(&f);
	put(&f, 0, 8, 1);
	store(&f, 0, &long_one, sizeof(long_one));
	QT_EQ_INT(qt_ring_read(&f.ring, 100, take, &f), -EBADMSG);
	store(&f, 0, &huge, sizeof(huge));
	QT_EQ_INT(qt_ring_read(&f.ring, 100, take, &f), -EBADMSG);
	QT_EQ_INT(f.count, 0);
}

QT_TEST(a_length_beyond_the_ring_is_refused)
{
	struct fixture f;
	uint32_t len = 2 * SIZE;

	begin(&f);
	f.producer = 10 * SIZE;
	store(&f, 0, &len, sizeof(len));
	QT_EQ_INT(qt_ring_read(&f.ring, 100, take, &f), -EBADMSG);
	QT_EQ_INT(f.count, 0);
}
