/* An execution branch: how to run the recorded execution again so that one race ends the other way
 * (RacePro, section 6.1).  Up to a consistent cut, found by merging the clocks of the racing calls,
 * calls that conflict keep their recorded order; then the racing calls (the anchors) run one by
 * one, turned around; then everything runs free.
 *
 * Whoever enforces it holds a task at the entry of call number `index` while
 *   index < cut[task]:  until all calls that dh_branch_waits_for() lists for it are over;
 *   it is an anchor:    until those and all anchors before it are over;
 *   otherwise:          until the last anchor is over.
 * A branch that keeps the order also holds, behind the anchors, each call that it still recognises
 * until those that it followed in the recording are over, as long as these can still come.
 * Pure: tests feed it by hand.  A branch borrows from the order that it was made from. */
#pragma once
#include "explore/porder.h"

struct dh_race;

/* Call `then` waits for call `first`: what branches before this one have turned around. */
struct dh_branch_order {
	uint32_t first, then;
};

struct dh_branch {
	const struct dh_porder *order;
	uint32_t *cut; /* for each task, how many of its calls lie before the cut */
	uint32_t n_tasks;
	uint32_t anchors[3]; /* in the order in which they are to run */
	uint32_t n_anchors;
	uint32_t postponed; /* the anchor that came first in the recording, or DH_NO_CALL */
	bool keep;          /* the recorded order behind the anchors, too */
	const struct dh_branch_order *orders;
	uint32_t n_orders;
};

/* 0, or -EINVAL when the calls are not concurrent, so that no order turns them around.  orders
 * (n of them) last as long as the branch. */
int dh_branch_make(const struct dh_porder *o, const struct dh_race *race,
	const struct dh_branch_order *orders, uint32_t n, struct dh_branch *ret);
/* Turns nothing around: the recorded order from the first call on. */
void dh_branch_make_kept(const struct dh_porder *o, struct dh_branch *ret);
void dh_branch_release(struct dh_branch *b);

/* The calls that must be over before c, which lies before the cut or is an anchor, may begin.
 * Writes at most max of them; the count. */
size_t dh_branch_waits_for(const struct dh_branch *b, uint32_t c, uint32_t *ret, size_t max);
/* Whether c lies before the cut (anchors do not). */
bool dh_branch_contains(const struct dh_branch *b, uint32_t c);
