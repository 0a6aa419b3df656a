/* Races found, scored and told: between race.c, pair.c, rank.c and tell.c. */
#pragma once
#include "base/buf.h"
#include "scan/analysis/bucket.h"
#include "scan/analysis/run.h"

struct dh_scan_pair {
	uint32_t a, b; /* accesses */
};

/* Why a race has its score: a row of the table of scores, with the numbers that go into its words.
 */
struct dh_scan_reason {
	uint8_t score; /* enum dh_scan_score */
	double n, m;
};

/* The lock that protects a variable, as far as the code tells. */
struct dh_scan_guard {
	uint32_t kind;          /* dh_scan_lock_kind(); 0: none */
	uint32_t with, without; /* functions that take it around the variable, and do not hold it */
	double z;               /* how far from chance: RacerX 8.4 */
	bool said;              /* by an attribute: no guess */
};

struct dh_scan_race {
	struct dh_scan_bucket bucket; /* borrowed */
	struct dh_scan_pair *pairs;   /* the one to show first is the first */
	uint32_t n_pairs, cap_pairs;
	struct dh_scan_reason *reasons;
	uint32_t n_reasons, cap_reasons;
	double score;
	struct dh_scan_guard guard;
	uint32_t before;                   /* an earlier race on the same member, plus 1; 0: none */
	bool concurrent;                   /* locking was met on the way to one side */
	uint32_t example_fn, example_stmt; /* where the variable is used with a lock; 0: nowhere */
	uint32_t example_locks;
	uint32_t difficulty;   /* conditionals and calls, a call counts as three */
	struct dh_buf members; /* others of the same object, in the same code */
	uint32_t n_members;
	bool merged; /* told with another member */
};

struct dh_scan_races {
	struct dh_scan_race *rows;
	uint32_t n, cap;
};

/* pair.c */
/* Pairs until every access that can race is in one.  True: not all accesses were compared. */
bool dh_scan_find_pairs(
	struct dh_scan_run *run, const struct dh_scan_bucket *b, struct dh_scan_race *r);
/* As many as are told. */
void dh_scan_add_pair(struct dh_scan_race *r, uint32_t a, uint32_t b);
/* Whether the place of the access is in a pair already. */
bool dh_scan_is_covered(struct dh_scan_run *run, const struct dh_scan_race *r, uint32_t access);

/* guard.c */
struct dh_scan_guard dh_scan_guard_of(struct dh_scan_run *run, const struct dh_scan_bucket *b);
bool dh_scan_holds_kind(struct dh_scan_run *run, uint32_t locks, uint32_t kind);
/* It only reads, and in a way that is in order beside writers: under RCU, or looking again. */
bool dh_scan_is_reader(struct dh_scan_run *run, const struct dh_scan_access *a);

/* Fills in scores and reasons, and puts the best pair of each first. */
void dh_scan_rank_races(
	struct dh_scan_run *run, const struct dh_scan_buckets *b, struct dh_scan_races *all);
void dh_scan_tell_race(struct dh_scan_run *run, const struct dh_scan_race *r);
