/* Sets of locks, interned: one number for each set that some thread held, 0 for none.
 *
 * A member is the number of a lock, shifted left by one, with the lowest bit set when it was taken
 * as a reader.  Two accesses are protected from each other by a lock that both hold, unless both
 * hold it as readers.  Only the thread that has the turn may call. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define DH_LOCKSET_EMPTY 0u

static inline uint32_t dh_lock_member(uint32_t lock, bool shared)
{
	return lock << 1 | shared;
}

/* The set of the n members, in any order. */
uint32_t dh_lockset_of(const uint32_t *members, uint32_t n);
uint32_t dh_lockset_add(uint32_t set, uint32_t member);
uint32_t dh_lockset_remove(uint32_t set, uint32_t member);
/* Some lock is in both, and not only as a reader. */
bool dh_lockset_protects(uint32_t a, uint32_t b);
/* Every member of a is in b. */
bool dh_lockset_within(uint32_t a, uint32_t b);
/* Members in ascending order, until the next call that makes a set. */
const uint32_t *dh_lockset_members(uint32_t set, uint32_t *ret_n);
/* Back to nothing but the empty set. */
void dh_lockset_reset(void);
