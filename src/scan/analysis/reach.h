/* What of the caller's memory a callee can get at through its arguments, and what of it is another
 * afterwards. */
#pragma once
#include "scan/analysis/state.h"

#define DH_SCAN_MAX_REACH 96

/* Bottoms of objects that a callee can get at through its arguments. */
struct dh_scan_reach {
	uint32_t bases[DH_SCAN_MAX_REACH];
	uint32_t n;
};

void dh_scan_find_reach(struct dh_scan_run *run, const struct dh_scan_state *s,
	const uint32_t *values, uint32_t n, struct dh_scan_reach *r);
/* Of the private memory, what is reached, or what is not. */
uint32_t dh_scan_keep_fresh(
	struct dh_scan_run *run, uint32_t fresh, const struct dh_scan_reach *r, bool inside);
/* What is known of memory that is reached goes to the other state. */
void dh_scan_pass_reached(struct dh_scan_run *run, const struct dh_scan_state *from,
	const struct dh_scan_reach *r, struct dh_scan_state *to);
/* The same for what is reachable from the values. */
void dh_scan_pass_cells(struct dh_scan_run *run, const struct dh_scan_state *from,
	const uint32_t *values, uint32_t n, struct dh_scan_state *to);

struct dh_scan_kill {
	struct dh_scan_run *run;
	const struct dh_scan_reach *reach; /* NULL: none */
	uint64_t writes;
};

/* Whether a callee that writes such things may have changed the cell or the value.  arg: the struct
 * above; for dh_scan_state_filter(). */
bool dh_scan_is_killed(void *arg, uint32_t node);
