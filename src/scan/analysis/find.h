/* What follows from the events of a run: each of these adds to run->findings, or trims the events
 * that the next one looks at. */
#pragma once

struct dh_scan_run;

void dh_scan_find_races(struct dh_scan_run *run);
/* unlockset.c: drops lock orders whose first lock nobody releases behind. */
void dh_scan_trim_orders(struct dh_scan_run *run);
void dh_scan_find_deadlocks(struct dh_scan_run *run);
void dh_scan_find_mistakes(struct dh_scan_run *run);
void dh_scan_infer_locks(struct dh_scan_run *run);
void dh_scan_find_left(struct dh_scan_run *run); /* left.c: adds to the mistakes */
