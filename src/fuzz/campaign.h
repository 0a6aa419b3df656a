/* A campaign: everything that one `deadheat fuzz` does to one program.
 *
 *   baseline   what the program does when nothing disturbs it
 *   predict    runs that record what could go wrong (RaceFuzzer, phase 1, and beyond)
 *   confirm    schedules that try to bring each suspect about (phase 2, Algorithm 1)
 *   explore    schedules without a suspect in mind: pct, pos, random, round
 *   conclude   failing schedules made small; findings with their evidence
 *
 * The caller runs the phases in this order and may leave some out.  Nothing here prints: the
 * listener hears of progress. */
#pragma once
#include "base/forward.h"
#include "fuzz/server.h"
#include "model/findings.h"

struct dh_campaign;

#define DH_PORTFOLIO (-1)

struct dh_campaign_options {
	struct dh_server_options server;
	int strategy;        /* enum dh_sched_strategy, or DH_PORTFOLIO */
	uint64_t seeds;      /* schedules for each suspect */
	uint64_t first_seed; /* the others follow from it */
	uint64_t schedules;  /* at most so many in all; 0: no limit */
	double time;         /* seconds for all of it; 0: no limit */
	size_t jobs;
	uint32_t depth;      /* of pct */
	bool compare;        /* the output must be the same */
	const char *check;   /* shell command that decides, or NULL */
	bool all_seeds;      /* no early end */
	bool no_exploring;   /* suspects only */
	bool happens_before; /* predict only what was unordered in the run itself */
	bool all_accesses;   /* every access is a scheduling point */
	uint64_t program_hash, input_hash, input_size; /* for the stored schedules */
	const char *replay; /* the command that takes an id: "deadheat fuzz --replay" */
};

struct dh_campaign_listener {
	void *arg;
	void (*phase)(void *arg, const char *what, uint64_t total);
	void (*tick)(void *arg, uint64_t done, const char *note);
};

/* Counts for the summary. */
struct dh_campaign_totals {
	uint64_t runs; /* schedules, without those that made a failing one small */
	uint64_t predicting, minimising, passed;
	uint64_t differed;      /* passed, but with another output than the undisturbed run */
	uint64_t first_failure; /* which of the runs was the first to fail; 0: none */
	uint64_t native, native_failed, native_hung, native_differed;
	uint64_t suspects, undecided, outside, lost_candidates, lost_steps, lost_history;
	uint64_t unrepeatable;   /* failures that did not come back */
	uint64_t untried;        /* suspects that neither time nor schedules reached */
	uint64_t elsewhere;      /* suspects of which not both sides are in the program */
	double seconds, running; /* running: in the schedules alone */
	bool out_of_time, out_of_schedules, interrupted, forks;
	int native_status; /* that is no failure, since the undisturbed run has it */
	uint32_t threads;  /* of the undisturbed run under the scheduler, and handlers as one */
	char note[256];    /* why a run was given up, or "" */
};

int dh_campaign_new(const struct dh_campaign_options *o, const struct dh_campaign_listener *l,
	struct dh_campaign **ret, struct dh_error *err);
void dh_campaign_free(struct dh_campaign *c);

/* -ETIMEDOUT: the program does not end by itself. */
int dh_campaign_baseline(struct dh_campaign *c, struct dh_error *err);
int dh_campaign_predict(struct dh_campaign *c, struct dh_error *err);
/* In place of a prediction: takes a finding of the store as a suspect, and owns it.  0, or -ENOENT,
 * -ENOTSUP with words: it is not in this program, or nothing for a scheduler.  When all are there,
 * dh_campaign_ready(). */
int dh_campaign_suspect(struct dh_campaign *c, struct dh_finding *f, struct dh_error *err);
/* The same for two places given by hand: "bank.c:12,bank.c:30" or "0x1234,lib.so+0x88".  -EINVAL:
 * no such places. */
int dh_campaign_pair(struct dh_campaign *c, const char *pair, struct dh_error *err);
void dh_campaign_ready(struct dh_campaign *c);
int dh_campaign_confirm(struct dh_campaign *c, struct dh_error *err);
int dh_campaign_explore(struct dh_campaign *c, struct dh_error *err);
/* The user has stopped a phase: what was found is to be concluded without delay. */
void dh_campaign_hurry(struct dh_campaign *c);
/* Appends findings, sealed and with evidence, the most urgent first. */
int dh_campaign_conclude(struct dh_campaign *c, struct dh_findings *ret, struct dh_error *err);
struct dh_campaign_totals dh_campaign_totals(const struct dh_campaign *c);
