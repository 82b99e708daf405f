/* Reads the ring buffer in batches: one store of the consumer's position a batch of 64 records instead of one a record. Takes the mapped
 * pages, gives records; a length that does not fit what the producer wrote ends the reading with an error. */
#include "runtime/ring.h"

#include "base/check.h"

#include <errno.h>
#include <linux/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

#define STORE_EVERY 64

int qt_ring_open(struct qt_ring *r, int fd, uint64_t size)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	void *consumer, *rest;

	*r = (struct qt_ring){ .size = size, .page = page };
	consumer = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (consumer == MAP_FAILED)
		return -errno;
	rest = mmap(NULL, page + 2 * size, PROT_READ, MAP_SHARED, fd, (off_t)page);
	if (rest == MAP_FAILED) {
		int err = -errno;

		munmap(consumer, page);
		return err;
	}
	r->consumer = consumer;
	r->producer = rest;
	r->data = (const uint8_t *)rest + page;
	return 0;
}

void qt_ring_close(struct qt_ring *r)
{
	if (!r->page || !r->consumer)
		return;
	munmap((void *)r->consumer, r->page);
	munmap((void *)r->producer, r->page + 2 * r->size);
	*r = (struct qt_ring){ 0 };
}

uint64_t qt_ring_waiting(const struct qt_ring *r)
{
	return __atomic_load_n(r->producer, __ATOMIC_ACQUIRE) - __atomic_load_n(r->consumer, __ATOMIC_RELAXED);
}

long qt_ring_read(struct qt_ring *r, long max, qt_ring_fn fn, void *ctx)
{
	uint64_t at = __atomic_load_n(r->consumer, __ATOMIC_RELAXED);
	uint64_t end = __atomic_load_n(r->producer, __ATOMIC_ACQUIRE);
	long count = 0;

	while (at < end && count < max) {
		const uint8_t *head = r->data + (at & (r->size - 1));
		uint32_t word = __atomic_load_n((const uint32_t *)head, __ATOMIC_ACQUIRE);
		uint32_t len = word & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);
		uint64_t whole = QT_ALIGN((uint64_t)len + BPF_RINGBUF_HDR_SZ, 8);

		if (word & BPF_RINGBUF_BUSY_BIT)
			break; /* reserved, not yet submitted */
		if (whole > end - at || whole > r->size)
			return -EBADMSG;
		if (!(word & BPF_RINGBUF_DISCARD_BIT))
			fn(ctx, head + BPF_RINGBUF_HDR_SZ, len);
		at += whole;
		if (++count % STORE_EVERY == 0)
			__atomic_store_n(r->consumer, at, __ATOMIC_RELEASE);
	}
	__atomic_store_n(r->consumer, at, __ATOMIC_RELEASE);
	return count;
}
