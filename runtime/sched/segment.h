/* Segments: what all accesses of one thread have in common between two changes of its locks or of
 * its clock.  A shadow cell names its segment by 24 bits, in place of thread, clock and lockset.
 *
 * The same thread with the same clock and the same locks is the same segment again, so that a loop
 * over a critical section needs two of them, however long it runs.  Numbers begin with 1.
 * Only the thread that has the turn may call. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define DH_SEGMENT_BITS 24
#define DH_SEGMENT_MAX  ((1u << DH_SEGMENT_BITS) - 1)

struct dh_segment {
	uint32_t clock, lockset;
	uint32_t thread; /* id that the scheduler gave */
	uint32_t slot;   /* component in vector clocks */
};

/* Segments of the present clock of one thread. */
#define DH_SEGMENT_RECENT 8
struct dh_segment_cache {
	uint32_t clock, n;
	uint32_t lockset[DH_SEGMENT_RECENT], number[DH_SEGMENT_RECENT];
};

extern struct dh_segment *dh_segments;

/* False when there is no address space for them. */
bool dh_segments_start(void);
/* The number of the segment, or 0: all numbers are used up, and somebody must reset. */
uint32_t dh_segment_number(struct dh_segment_cache *cache, const struct dh_segment *s);
/* Forgets all; the caches must be empty again, and no cell may be left. */
void dh_segments_reset(void);
