/* Between deadlock.c, which finds cycles of lock orders, and deadlock_tell.c. */
#pragma once
#include "base/forward.h"

struct dh_finding;
struct dh_scan_run;

/* Not a lock, but the end of a thread that is joined: see dh_scan_await(). */
bool dh_scan_is_end(struct dh_scan_run *run, uint32_t lock);
/* Adds the places of the cycle, by numbers of its lock orders, to the finding. */
void dh_scan_deadlock_sites(
	struct dh_scan_run *run, struct dh_finding *f, const uint32_t *cycle, uint32_t n);
