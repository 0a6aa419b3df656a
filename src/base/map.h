/* Flat hash tables (open addressing, linear probing) with 64-bit or string keys.
 * Values are 64-bit words or pointers; the table does not own what they point to.
 * Iterating is in table order, which is not stable: sort before showing to a person. */
#pragma once
#include "base/forward.h"

struct dh_map_slot {
	uint64_t key;
	uint64_t value;
	uint8_t used; /* 0 empty, 1 used, 2 deleted */
};

struct dh_map {
	struct dh_map_slot *slots;
	size_t n, filled, cap; /* filled counts used and deleted */
};

#define DH_MAP_INIT ((struct dh_map){0})

void dh_map_release(struct dh_map *m);
void dh_map_clear(struct dh_map *m);
bool dh_map_get(const struct dh_map *m, uint64_t key, uint64_t *ret);
void *dh_map_getp(const struct dh_map *m, uint64_t key); /* NULL when absent */
void dh_map_set(struct dh_map *m, uint64_t key, uint64_t value);
void dh_map_setp(struct dh_map *m, uint64_t key, void *p);
bool dh_map_del(struct dh_map *m, uint64_t key);

#define dh_map_foreach(slot, m)                                                                    \
	for (struct dh_map_slot *slot = (m)->slots; slot && slot < (m)->slots + (m)->cap; slot++)  \
		if (slot->used == 1)

/* Strings to dense ids 0..n-1 and back.  The set owns copies of the strings. */
struct dh_strset {
	struct dh_arena *arena;
	struct dh_map by_hash; /* hash -> first id; chains through next */
	const char **strings;
	uint32_t *next;
	size_t n, cap;
};

void dh_strset_init(struct dh_strset *s);
void dh_strset_release(struct dh_strset *s);
/* The id, new or old. */
uint32_t dh_strset_add(struct dh_strset *s, const char *str);
/* The id or -1. */
int64_t dh_strset_find(const struct dh_strset *s, const char *str);
const char *dh_strset_get(const struct dh_strset *s, uint32_t id);
