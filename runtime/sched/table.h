/* Hash tables of the runtime: 64-bit keys to 64-bit values, open addressing, in its own memory.
 * Key 0 is not allowed.  Only the thread that has the turn may call. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct dh_table {
	uint64_t *key, *value;
	uint32_t n, cap;
};

static inline uint64_t dh_mix(uint64_t x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	return x ^ x >> 32;
}

static inline uint64_t dh_mix2(uint64_t a, uint64_t b)
{
	return dh_mix(a * 0x9e3779b97f4a7c15u + dh_mix(b) + 1);
}

/* NULL when it is not there.  The place moves with the next addition. */
uint64_t *dh_table_find(const struct dh_table *t, uint64_t key);
/* The place of the value, which is 0 when the key is new. */
uint64_t *dh_table_add(struct dh_table *t, uint64_t key);
void dh_table_remove(struct dh_table *t, uint64_t key);
void dh_table_release(struct dh_table *t);
