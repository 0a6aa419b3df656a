/* Order that variables make: whose turn it is (turn.c), and whether threads run at all (mode.c). */
#pragma once
#include "scan/analysis/event.h"

void dh_scan_note_turn(struct dh_scan_run *run, const struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t addr, uint16_t flags);
/* Whether threads only use the variable with a lock, or atomically. */
bool dh_scan_is_turn(struct dh_scan_run *run, uint32_t addr);
/* What was loaded from such a variable is in the range. */
void dh_scan_learn_turn(struct dh_scan_run *run, struct dh_scan_state *s, uint32_t load,
	struct dh_scan_range range);
/* A store to one: the turn is somebody else's, and who sees it comes behind. */
void dh_scan_pass_turn(struct dh_scan_run *run, const struct dh_scan_frame *f,
	struct dh_scan_state *s, uint32_t addr, uint32_t value);
void dh_scan_note_turn_write(struct dh_scan_run *run, const struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t addr);
/* A lock was not held up to now: others may have changed what is only used with locks. */
void dh_scan_forget_turns(
	struct dh_scan_run *run, const struct dh_scan_frame *f, struct dh_scan_state *s);
/* Whether it is never both's turn. */
bool dh_scan_take_turns(
	struct dh_scan_run *run, const struct dh_scan_access *a, const struct dh_scan_access *b);

/* mode.c: variables that go with which threads are alive. */
void dh_scan_find_modes(struct dh_scan_run *run);
/* Once the threads are known. */
void dh_scan_find_orders(struct dh_scan_run *run);
bool dh_scan_is_mode(struct dh_scan_run *run, uint32_t addr);
void dh_scan_trust_modes(struct dh_scan_run *run, struct dh_scan_state *s);
/* What the caller knows of them, for a callee in the same thread. */
void dh_scan_begin_modes(struct dh_scan_run *run, const struct dh_scan_state *from, uint32_t thread,
	struct dh_scan_state *to);
void dh_scan_pass_modes(struct dh_scan_run *run, const struct dh_scan_state *from, uint32_t thread,
	struct dh_scan_state *to);
