/* Accesses by the place that they are to, and whether two of them meet: between race.c, rank.c and
 * what they ask. */
#pragma once
#include "scan/analysis/event.h"

/* bucket.c: accesses by the place that they are to. */
struct dh_scan_bucket {
	uint64_t key;
	uint32_t place; /* node, or 0: a member of objects that are not known */
	uint32_t field;
	uint32_t *items; /* accesses */
	uint32_t n, cap;
};

struct dh_scan_buckets {
	struct dh_scan_bucket *rows;
	uint32_t n, cap;
	struct dh_map index;
};

void dh_scan_buckets_fill(struct dh_scan_run *run, struct dh_scan_buckets *b);
void dh_scan_buckets_release(struct dh_scan_buckets *b);

/* In how many critical sections a variable is the only, the first, the last thing (section.c). */
struct dh_scan_usage_section {
	uint32_t only, first, last;
};

struct dh_scan_usage_section dh_scan_sections_of(
	struct dh_scan_run *run, const struct dh_scan_bucket *b);

/* alias.c */
/* Whether two accesses to the same place, as far as names go, are certainly to different objects.
 */
bool dh_scan_disjoint(
	struct dh_scan_run *run, const struct dh_scan_access *a, const struct dh_scan_access *b);
/* The lock that keeps them apart, or 0. */
uint32_t dh_scan_common_lock(
	struct dh_scan_run *run, const struct dh_scan_access *a, const struct dh_scan_access *b);
