/* Private to this folder: the campaign and what its phases share. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "fuzz/campaign.h"
#include "fuzz/failure.h"
#include "fuzz/pool.h"
#include "fuzz/suspect.h"

struct dh_symbols;

/* A failing schedule that belongs to no suspect. */
struct dh_stray {
	struct dh_failing failing;
	enum dh_sched_strategy strategy;
	uint64_t tries, hits; /* schedules of its strategy when it was found, failures like it */
	struct dh_sched_target targets[DH_SUSPECT_TARGETS]; /* that were watched in that run */
	size_t n_targets;
};

struct dh_campaign {
	struct dh_campaign_options o;
	struct dh_campaign_listener l;
	struct dh_arena arena;
	struct dh_pool *pool;
	struct dh_symbols *sym;
	struct dh_baseline base;
	struct dh_buf base_output; /* of the calm run */
	bool stable;               /* ... which is the same when it is run again */
	uint64_t calm_key;         /* of the calm run's failure; 0: it did not fail */
	int forgiven;              /* status that looked like the program's own until one had 0 */
	uint64_t length;           /* points of an undisturbed run */
	uint64_t accesses;         /* the most of one run: each may be a point in another */
	uint64_t idle;             /* how long its threads only waited in loops, in points */
	const char **modules;
	size_t n_modules;
	struct dh_suspects suspects;
	struct dh_stray *strays;
	size_t n_strays, cap_strays;
	struct dh_campaign_totals t;
	double began;
	struct dh_run run; /* large: not on the stack */
};

bool dh_campaign_out_of_time(struct dh_campaign *c);
/* How many schedules may still be run when so many are to be kept for later. */
uint64_t dh_campaign_left(const struct dh_campaign *c, uint64_t reserve);
/* Something is broken already. */
bool dh_campaign_failed(const struct dh_campaign *c);
void dh_campaign_phase(struct dh_campaign *c, const char *what, uint64_t total);
void dh_campaign_tick(struct dh_campaign *c, uint64_t done, const char *note);

/* What all runs have in common. */
struct dh_sched_ask dh_campaign_ask(
	const struct dh_campaign *c, enum dh_sched_strategy strategy, uint64_t seed);
/* Counts the run, and says whether it failed, --check included. */
void dh_campaign_judge(struct dh_campaign *c, struct dh_server *s, const struct dh_run *run,
	struct dh_fuzz_failure *ret);
/* Another output than that of the calm run, where that is always the same. */
bool dh_campaign_differs(const struct dh_campaign *c, const struct dh_run *run);
/* Keeps a failing run when it is the first or has fewer preemptions than the one that is kept. */
void dh_failing_keep(struct dh_failing *f, const struct dh_fuzz_failure *failure,
	const struct dh_order *order, struct dh_server *s, const struct dh_run *run);
/* When a status was forgiven because the calm run had it, and another schedule then ended with 0,
 * the calm one is a failure after all. */
int dh_campaign_recheck(struct dh_campaign *c, struct dh_error *err);
/* A failure that no suspect explains; the same one is kept once. */
void dh_campaign_stray(struct dh_campaign *c, const struct dh_fuzz_failure *failure,
	const struct dh_order *order, struct dh_server *s, const struct dh_run *run,
	uint64_t tries);

/* Makes the kept schedule of a failure small, and sure: 0 when it fails again as it did, -EAGAIN
 * when it does not, -ENOSPC when no schedules are left for that.  Those that are left are shared
 * among so many. */
int dh_campaign_minimise(struct dh_campaign *c, struct dh_failing *f,
	const struct dh_sched_target *targets, size_t n_targets, size_t sharing);
/* The steps of a finding: which thread ran what, with the failing schedule run once more. */
int dh_campaign_interleave(struct dh_campaign *c, const struct dh_failing *f,
	const struct dh_sched_target *targets, size_t n_targets, struct dh_finding *finding,
	struct dh_error *err);
/* What to call a lock or another object: its variable, or "mutex 3". */
const char *dh_object_name(
	struct dh_campaign *c, enum dh_sched_op op, uint32_t object, uint64_t address);
/* What a suspect is, sealed: its places and names; one of the store says that itself. */
struct dh_finding *dh_campaign_describe(struct dh_campaign *c, struct dh_suspect *s);
/* ... and what it came to. */
void dh_campaign_tell(struct dh_campaign *c, struct dh_suspect *s, struct dh_finding *f);
struct dh_finding *dh_campaign_stray_finding(struct dh_campaign *c, const struct dh_stray *s);
