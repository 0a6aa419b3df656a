/* Interned locksets: a set of locks is a small number, equal numbers are equal sets, and every
 * operation is remembered, since programs hold few different sets and ask the same questions over
 * and over (Eraser, section 3.2).  Locks are numbers too; the caller gives them meaning.
 * The table owns all sets.  One thread only. */
#pragma once
#include "base/forward.h"

struct dh_locksets;

/* The empty set, in every table. */
#define DH_LOCKSET_EMPTY UINT32_C(0)

struct dh_locksets *dh_locksets_new(void);
void dh_locksets_free(struct dh_locksets *t);

/* Any order, duplicates allowed. */
uint32_t dh_lockset_of(struct dh_locksets *t, const uint32_t *locks, size_t n);
uint32_t dh_lockset_add(struct dh_locksets *t, uint32_t set, uint32_t lock);
uint32_t dh_lockset_remove(struct dh_locksets *t, uint32_t set, uint32_t lock);
uint32_t dh_lockset_intersect(struct dh_locksets *t, uint32_t a, uint32_t b);
uint32_t dh_lockset_union(struct dh_locksets *t, uint32_t a, uint32_t b);
bool dh_lockset_contains(const struct dh_locksets *t, uint32_t set, uint32_t lock);
/* Is every lock of a in b? */
bool dh_lockset_subset(struct dh_locksets *t, uint32_t a, uint32_t b);

/* The locks, ascending; borrowed until the next call that may make a new set. */
const uint32_t *dh_lockset_locks(const struct dh_locksets *t, uint32_t set, size_t *ret_n);
/* How many different sets there are, the empty one included. */
size_t dh_locksets_count(const struct dh_locksets *t);
