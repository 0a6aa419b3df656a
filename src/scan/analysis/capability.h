/* What clang's attributes for thread safety say of functions: which locks a caller has to hold
 * (requires_capability), and which functions are lock operations themselves (acquire_capability,
 * release_capability and the like).  guard.c has what they say of variables.
 *
 * A function that says that it takes a lock and shows how, with operations that are known, is
 * followed like any other; only of one that does not, its word is taken. */
#pragma once
#include "scan/analysis/run.h"

/* The rule that the attributes of a function amount to, or NULL. */
const struct dh_scan_rule *dh_scan_said_rule(struct dh_scan_run *run, uint32_t symbol);
/* A call: notes a mistake for each lock that the callee requires and the caller does not hold. */
void dh_scan_check_required(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t stmt, uint32_t symbol, const uint32_t *args,
	uint32_t n_args);
/* A function that is called from outside: its callers are believed to hold what it requires. */
void dh_scan_hold_required(struct dh_scan_run *run, uint32_t fn, struct dh_scan_state *s);
