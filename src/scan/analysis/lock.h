/* Locks: their numbers, which one is meant, and what taking and giving back does.
 * The run owns them; numbers stay as they are to its end. */
#pragma once
#include "scan/analysis/state.h"

struct dh_scan_frame;

/* A lock: its address, and whether it is taken for reading. */
struct dh_scan_lock {
	uint32_t node;
	bool read;
	uint16_t words; /* enum dh_scan_word, of the rules that took it */
};

uint32_t dh_scan_lock_get(struct dh_scan_run *run, uint32_t node, bool read, uint16_t words);
/* The lock at the other address; 0 when the node is unknown. */
uint32_t dh_scan_lock_rename(struct dh_scan_run *run, uint32_t lock, uint32_t from, uint32_t to);
/* Held in either mode: the lock's number, or 0. */
uint32_t dh_scan_lock_held(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t node);
/* A lock of which there is one: two threads that name it mean the same. */
bool dh_scan_lock_is_unique(struct dh_scan_run *run, uint32_t lock);
/* What locks of a kind have in common: the member, or the variable; 0: not known. */
uint32_t dh_scan_lock_kind(struct dh_scan_run *run, uint32_t node);
uint32_t dh_scan_field_kind(struct dh_scan_run *run, uint32_t field);
/* Interrupts off, RCU: it keeps handlers or reclaim away, not other threads. */
bool dh_scan_lock_is_local(struct dh_scan_run *run, uint32_t lock);
void dh_scan_lock_acquire(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t node, uint16_t words, bool try);
void dh_scan_lock_release(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t node);
/* Whether a lock is held that is one of several. */
bool dh_scan_holds_row(struct dh_scan_run *run, const struct dh_scan_state *s);
/* Whether a lock is held that is one of several, at the index of this element. */
bool dh_scan_lock_of_row(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t element);
/* "p->lock", for people. */
const char *dh_scan_lock_name(struct dh_scan_run *run, uint32_t lock);
