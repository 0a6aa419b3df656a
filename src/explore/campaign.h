/* Private to this folder: one exploration of a recording while it is under way.
 *
 *   baseline.c   what is normal: undisturbed executions, and those in the recorded order
 *   verdict.c    what the executions of one branch say about its race
 *   levels.c     the histories that races are taken from: the recording, and branches of it
 *   validate.c   which branch is run when, several at a time
 *
 * One thread. */
#pragma once
#include "base/map.h"
#include "explore/branch.h"
#include "explore/decided.h"
#include "explore/outcome.h"
#include "explore/race.h"
#include "explore/validate.h"

struct dh_run_options;

#define DH_JOBS_MAX 64

/* Our own folders must not look different in every execution. */
struct hidden {
	char *ours, *recording;
	const char *list[3];
};

/* Executions that others are held against. */
struct baseline {
	struct dh_outcome *runs;
	const struct dh_outcome **list; /* pointers to these */
	struct dh_expectation expect;
};

/* One race, and the executions of its branch. */
struct slot {
	struct dh_run *run; /* NULL: free */
	struct level *level;
	size_t race; /* in the level's */
	char key[DH_DECIDED_KEY];
	struct dh_branch branch;
	struct dh_verdict verdict;
	struct dh_verdict left_alone; /* with verdict.ordered: what came of it before */
	char *dir, *again;            /* recordings of the first try, and of the others */
};

struct campaign {
	const struct dh_explore_options *o;
	struct dh_explore_summary *sum;
	struct dh_error *err;
	struct dh_decided decided;
	struct baseline undisturbed, kept; /* kept.expect.n == 0: not needed */
	regex_t errors;
	bool has_errors;
	char *input;
	struct hidden hidden;
	double began, timeout;
	const char *phase;
	size_t run, runs;       /* of the baseline: this one, of so many; 0: it is there */
	struct dh_map failures; /* hash of a failure -> 1, once a race was blamed for it */
	struct level *levels, **last_level;
	struct level *next_level;
	size_t started, n;  /* n: to decide, with what is decided */
	struct dh_map seen; /* signatures of races in any history -> the call that came first, and
			       those of combinations */
	struct dh_map harmful; /* signatures of races */
	struct slot slots[DH_JOBS_MAX];
	int n_busy;
};

/* A history and its races; the first one is the caller's. */
struct level {
	struct level *next;
	struct dh_trial at;   /* race: NULL */
	struct dh_trial from; /* the flip that it came of; at.before points here unless it is the
				 first */
	struct dh_history *own_history;
	struct dh_races own_races;
	const struct dh_races *races;
	char *dir, *key; /* key: of the flip, of the checks for the first */
	struct dh_branch_order *orders;
	uint32_t depth;
	uint64_t *signatures;         /* by race */
	uint64_t flips;               /* signatures of what was turned around, added up */
	size_t n_new;                 /* races that no history before had; they come first */
	size_t next_race, next_known; /* next_known: from n_new on */
	size_t skipped;               /* known races that are harmful by themselves */
	bool *done;                   /* by race: decided by an earlier run */
};

/* baseline.c */
int dh_campaign_begin(struct campaign *c, const struct dh_history *h);
void dh_campaign_end(struct campaign *c);
struct dh_run_options dh_campaign_run(const struct campaign *c, const char *dir);
/* What branches are held against. */
const struct dh_expectation *dh_campaign_expect(const struct campaign *c);
void dh_campaign_progress(const struct campaign *c);

/* verdict.c */
/* Takes in one execution of the slot's branch. */
void dh_slot_judge(struct campaign *c, struct slot *s, const struct dh_outcome *o);
/* Whether one more execution could change the verdict. */
bool dh_slot_needs_more(const struct campaign *c, const struct slot *s);
/* Whether it broke nothing because of how the rest happened to go on: then the branch is changed so
 * that the rest keeps the recorded order, and the executions begin anew. */
bool dh_slot_reorder(const struct campaign *c, struct slot *s);
/* The last word: what stands in the verdict is final then. */
void dh_slot_conclude(struct campaign *c, struct slot *s);
/* Notes the failure of a harmful verdict; whether another race was blamed for it before. */
bool dh_campaign_blamed(struct campaign *c, const struct dh_verdict *v);

/* levels.c */
struct level *dh_level_first(
	struct campaign *c, const struct dh_history *h, const struct dh_races *races);
/* The races that a branch has and no history before it had, and behind these the others, which
 * nobody has turned around together with this flip: 0, or -errno with words.  A branch without any
 * adds no level. */
int dh_level_add(struct campaign *c, const struct level *from, size_t race, const char *dir,
	const char *key);
void dh_levels_free(struct campaign *c);
/* What `decided` and the branch get for a race of the level. */
struct dh_trial dh_level_trial(const struct level *l, size_t race);
