/* SipHash-1-3 (Aumasson, Bernstein: "SipHash: a fast short-input PRF", 2012; one compression and three finalisation rounds) over texts: what makes their ids. */
#include "plan/wire.h"

#include <string.h>

struct state {
	uint64_t v0, v1, v2, v3;
};

static uint64_t rotate(uint64_t x, unsigned n)
{
	return x << n | x >> (64 - n);
}

static void mix(struct state *s)
{
	s->v0 += s->v1;
	s->v2 += s->v3;
	s->v1 = rotate(s->v1, 13) ^ s->v0;
	s->v3 = rotate(s->v3, 16) ^ s->v2;
	s->v0 = rotate(s->v0, 32) + s->v3;
	s->v2 += s->v1;
	s->v3 = rotate(s->v3, 21) ^ s->v0;
	s->v1 = rotate(s->v1, 17) ^ s->v2;
	s->v2 = rotate(s->v2, 32);
}

static void absorb(struct state *s, uint64_t word)
{
	s->v3 ^= word;
	mix(s);
	s->v0 ^= word;
}

static uint64_t finish(struct state *s)
{
	s->v2 ^= 0xff;
	for (int i = 0; i < 3; i++)
		mix(s);
	return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

static uint64_t siphash13(const unsigned char *p, uint64_t len, uint64_t k0, uint64_t k1)
{
	struct state s = { k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573 };
	uint64_t word, left = len;

	for (; left >= 8; left -= 8, p += 8) {
		memcpy(&word, p, 8);
		absorb(&s, word);
	}
	word = 0;
	if (left)
		memcpy(&word, p, left);
	absorb(&s, word | len << 56);
	return finish(&s);
}

uint64_t qt_text_id(const void *bytes, uint64_t len, uint64_t seed0, uint64_t seed1)
{
	uint64_t id = siphash13(bytes, len, seed0, seed1);

	return id < QT_ID_FIRST ? id + QT_ID_FIRST : id;
}
