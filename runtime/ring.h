/* Reading the BPF ring buffer. Its layout is the kernel's (Documentation/bpf/ringbuf.rst): two pages with the consumer's and the
 * producer's position, then the data, mapped twice in a row; each record has 8 bytes of head: length with two flag bits, page offset. */
#ifndef QT_RUNTIME_RING_H
#define QT_RUNTIME_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qt_ring {
	volatile uint64_t *consumer;
	const volatile uint64_t *producer;
	const uint8_t *data; /* 2 * size bytes */
	uint64_t size; /* a power of two */
	uint64_t page; /* bytes of a page; 0: not mapped by qt_ring_open */
};

/* Maps the ring of map FD with SIZE bytes. 0 or a negative errno. */
int qt_ring_open(struct qt_ring *r, int fd, uint64_t size);
void qt_ring_close(struct qt_ring *r);

/* A record: 8-byte aligned, valid until FN returns. */
typedef void (*qt_ring_fn)(void *ctx, const void *record, uint32_t size);

/* Gives at most MAX records to FN, oldest first. How many positions were passed (discarded ones included), or -EBADMSG when the
 * ring's contents make no sense. */
long qt_ring_read(struct qt_ring *r, long max, qt_ring_fn fn, void *ctx);

/* Bytes that wait. */
uint64_t qt_ring_waiting(const struct qt_ring *r);

#endif
