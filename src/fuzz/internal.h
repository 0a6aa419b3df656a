/* Private to this folder: the campaign and what its phases share. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
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
	struct dh_buf base_output; /* when it is compared */
	uint64_t length;           /* points of an undisturbed run */
	const char **modules;
	size_t n_modules;
	struct dh_suspects suspects;
	struct dh_stray *strays;
	size_t n_strays, cap_strays;
	struct dh_campaign_totals t;
	double began;
	struct dh_run run; /* large: not on the stack */
};

double dh_campaign_now(void);
bool dh_campaign_out_of_time(struct dh_campaign *c);
void dh_campaign_phase(struct dh_campaign *c, const char *what, uint64_t total);
void dh_campaign_tick(struct dh_campaign *c, uint64_t done, const char *note);

/* What all runs have in common. */
struct dh_sched_ask dh_campaign_ask(
	const struct dh_campaign *c, enum dh_sched_strategy strategy, uint64_t seed);
/* Counts the run, and says whether it failed, --check included. */
void dh_campaign_judge(struct dh_campaign *c, struct dh_server *s, const struct dh_run *run,
	struct dh_fuzz_failure *ret);
/* Keeps a failing run when it is the first or has fewer preemptions than the one that is kept. */
void dh_failing_keep(struct dh_failing *f, const struct dh_fuzz_failure *failure,
	const struct dh_order *order, struct dh_server *s, const struct dh_run *run);
/* A failure that no suspect explains; the same one is kept once. */
void dh_campaign_stray(struct dh_campaign *c, const struct dh_fuzz_failure *failure,
	const struct dh_order *order, struct dh_server *s, const struct dh_run *run,
	uint64_t tries);

/* Makes the kept schedule of a failure small, and sure: 0 when it fails again as it did, -EAGAIN
 * when it does not. */
int dh_campaign_minimise(struct dh_campaign *c, struct dh_failing *f,
	const struct dh_sched_target *targets, size_t n_targets);
/* The steps of a finding: which thread ran what, with the failing schedule run once more. */
int dh_campaign_interleave(struct dh_campaign *c, const struct dh_failing *f,
	const struct dh_sched_target *targets, size_t n_targets, struct dh_finding *finding,
	struct dh_error *err);
/* What to call a lock or another object: its variable, or "mutex 3". */
const char *dh_object_name(
	struct dh_campaign *c, enum dh_sched_op op, uint32_t object, uint64_t address);
/* A finding of a suspect, of a stray failure; NULL when there is nothing to say. */
struct dh_finding *dh_campaign_finding(struct dh_campaign *c, struct dh_suspect *s);
struct dh_finding *dh_campaign_stray_finding(struct dh_campaign *c, const struct dh_stray *s);
