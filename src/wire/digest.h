/* A checksum of memory that is computed inside the recorded program as well: no vector registers
 * (which are the program's), no library.  It tells different bytes apart; it is not meant to
 * withstand anybody who looks for equal ones.  Part of the trace format. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define DH_DIGEST_FACTOR 0x9e3779b97f4a7c15u

static inline uint64_t dh_digest_word(uint64_t h, uint64_t word)
{
	h ^= word;
	return (h << 29 | h >> 35) * DH_DIGEST_FACTOR;
}

static inline uint64_t dh_digest_load(const uint8_t *p)
{
	uint64_t v;

	__builtin_memcpy(&v, p, sizeof(v));
	return v;
}

/* Goes on from h.  How the bytes are cut into calls matters. */
static inline uint64_t dh_digest(uint64_t h, const void *data, uint64_t n)
{
	const uint8_t *p = data;
	uint64_t a = h ^ n, b = h + 1, c = h + 2, d = h + 3, last = 0;

	/* Four chains beside each other: a multiplication takes some cycles. */
	for (; n >= 32; n -= 32, p += 32) {
		a = dh_digest_word(a, dh_digest_load(p));
		b = dh_digest_word(b, dh_digest_load(p + 8));
		c = dh_digest_word(c, dh_digest_load(p + 16));
		d = dh_digest_word(d, dh_digest_load(p + 24));
	}
	for (; n >= 8; n -= 8, p += 8)
		a = dh_digest_word(a, dh_digest_load(p));
	for (uint64_t i = 0; i < n; i++)
		last = last << 8 | p[i];
	a = dh_digest_word(a, last);
	a = dh_digest_word(dh_digest_word(dh_digest_word(a, b), c), d);
	return a ^ a >> 32;
}
