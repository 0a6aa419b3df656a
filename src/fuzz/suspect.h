/* A suspect: statements that a prediction thinks can go wrong together, and what trying came to.
 * Predictions name machine addresses; one statement of the source may be several of them, so a
 * suspect collects all that stand on the same lines. */
#pragma once
#include "base/forward.h"
#include "fuzz/failure.h"
#include "model/finding.h"
#include "wire/sched.h"

struct dh_order;
struct dh_symbols;

#define DH_SUSPECT_TARGETS 48
/* A probability from fewer schedules than this would say little. */
#define DH_SUSPECT_ENOUGH 20

/* A run that failed, kept so that it can be run again. */
struct dh_failing {
	bool have;
	struct dh_fuzz_failure failure;
	struct dh_sched_ask ask;
	struct dh_sched_step *steps;
	size_t n_steps;
	uint64_t preemptions;
	uint64_t chosen_from; /* preemptions that the schedule had before it was made small */
	bool fewest;          /* no smaller set of them fails */
	bool none_can_go;     /* at least, without any one of the rest it does not fail */
	bool replays;         /* the steps, in replay, bring it back; else the ask alone does */
	struct dh_sched_outcome *outcome; /* of that run */
};

struct dh_suspect {
	enum dh_sched_candidate_kind kind;
	uint64_t id;                    /* of the lines */
	struct dh_sched_candidate seen; /* as it was predicted first, with stacks */
	struct dh_sched_target targets[DH_SUSPECT_TARGETS];
	size_t n_targets;
	bool predicted; /* in this campaign: the locks that were held are known */
	/* What came of it. */
	uint64_t tries;     /* schedules */
	uint64_t created;   /* ... in which it was made to happen */
	uint64_t failed;    /* ... of which so many broke the program */
	uint64_t orders[2]; /* how often either side went first */
	uint64_t differed;  /* created, not failed, but with another output */
	uint64_t undecided; /* runs that say nothing */
	bool have_hit;
	struct dh_sched_hit hit; /* the first one */
	struct dh_failing failing;
	/* A schedule that brings it about without a failure, for --replay. */
	bool have_seed;
	struct dh_sched_ask creating;
	struct dh_finding *from; /* the finding in the store that it came from; owned */
};

struct dh_suspects {
	struct dh_suspect **items;
	size_t n, cap;
};

void dh_suspects_release(struct dh_suspects *s);
/* Adds the candidates that are not known; how many were new. */
size_t dh_suspects_add(struct dh_suspects *s, const struct dh_sched_candidate *c, size_t n,
	struct dh_symbols *sym);
struct dh_suspect *dh_suspects_new(struct dh_suspects *s, enum dh_sched_candidate_kind kind);
/* A target at pc; false when there is no room, or no module there. */
bool dh_suspect_target(struct dh_suspect *s, uint64_t pc, enum dh_sched_role role, uint16_t index,
	const struct dh_symbols *sym);
/* Most worth trying first. */
void dh_suspects_sort(struct dh_suspects *s);
/* How much its outcome is worth a look: the higher, the more of its tries failed or created it. */
double dh_suspect_score(const struct dh_suspect *s);
/* Most worth telling first. */
void dh_suspects_rank(struct dh_suspects *s);

/* The strategy that tries suspects of this kind. */
enum dh_sched_strategy dh_suspect_strategy(enum dh_sched_candidate_kind kind);
/* What the counts say.  budget: the tries that a refutation needs. */
enum dh_level dh_suspect_level(const struct dh_suspect *s, uint64_t budget);
/* Nothing more to learn from further seeds. */
bool dh_suspect_decided(const struct dh_suspect *s, uint64_t budget);

void dh_failing_release(struct dh_failing *f);
