/* Validation: each race that was found is turned around in an execution of its own, and what comes
 * of that is judged against undisturbed executions (RacePro, section 6).
 *
 * What was decided is kept in DIR/explore/decided, so that an exploration that was interrupted goes
 * on where it ended; recordings of executions that failed are kept in DIR/explore/branches.
 * One thread; several executions at a time.  Never prints. */
#pragma once
#include "base/forward.h"
#include "explore/outcome.h"

#include <signal.h>

struct dh_branch_order;
struct dh_history;
struct dh_race;
struct dh_races;

enum dh_verdict_kind {
	DH_VERDICT_DIVERGED, /* the other order could not be reached: refuted */
	DH_VERDICT_BENIGN,   /* the other order was run, and nothing failed */
	DH_VERDICT_HARMFUL,
	DH_VERDICT_FAILED, /* the tool could not tell: words in detail */
	DH_VERDICT_COUNT,
};
const char *dh_verdict_name(enum dh_verdict_kind kind);

struct dh_verdict {
	enum dh_verdict_kind kind;
	enum dh_outcome_failure failure;
	char detail[520];     /* one line: what broke, or why not */
	char recording[4096]; /* of the failing execution; "" otherwise */
	uint32_t pid;         /* the process in which it shows; 0: not known */
	int tries, hits;
	double seconds;  /* of the last try */
	double generate; /* seconds that making the branch took */
	bool like;       /* a race before it led to the same failure */
	bool again;      /* decided in an earlier run */
	bool kept;       /* held against the recorded order: the program is flaky by itself */
	bool recorded;   /* the recorded order is the one that breaks; the other one does not */
	bool ordered;    /* it breaks when what comes behind keeps the recorded order */
};

/* A race in the history that it was found in: the recording's own, or that of an execution in which
 * another race was turned around before. */
struct dh_trial {
	const struct dh_history *h;
	const struct dh_race *race;
	const char *dir;               /* of the history's recording */
	const struct dh_trial *before; /* what was turned around to get there; NULL: nothing */
	const struct dh_branch_order *orders; /* what that has put in order, in h */
	uint32_t n_orders;
};

struct dh_explore_progress {
	const char *phase; /* "recording", "undisturbed", "ordered", "validating" */
	double seconds;    /* of everything so far */
	size_t n, done;    /* executions, or races to decide that were not decided before */
	size_t harmful, benign, diverged, failed;
};

struct dh_explore_options {
	char *const *argv;
	const char *cwd;    /* NULL: the working directory */
	const char *dir;    /* the recording */
	const char *check;  /* shell command; NULL: none */
	const char *during; /* the same, beside executions while they are live */
	char *const *same;  /* files that must not differ, "-": standard output */
	size_t n_same;
	const char *log_errors; /* extended regular expression; NULL: the usual words */
	double timeout;         /* of one execution; 0: from the undisturbed ones */
	double time;            /* seconds for everything; 0: no limit */
	size_t races;           /* how many to try at most; 0: all */
	int jobs;               /* at least 1 */
	int undisturbed;        /* executions before races are blamed */
	uint32_t shard, shards; /* this one (from 1) of so many; 0, 0: all */
	uint32_t recursive;     /* how many flips may be made on top of each other; 0 is 1 */
	unsigned skip;          /* of branches, as of the recording: see dh_races_rank() */
	bool all;
	bool kept;      /* hold races against the recorded order, also when nothing is flaky */
	bool ordered;   /* dh_explore_again(): as the verdict says */
	bool when_idle; /* start executions only while the machine has nothing else to do */
	bool on_disk;
	bool keep_all;                     /* recordings of harmless executions too */
	const volatile sig_atomic_t *stop; /* set from outside: end soon; may be NULL */
	void *cookie;
	void (*progress)(void *cookie, const struct dh_explore_progress *p); /* may be NULL */
	void (*decided)(void *cookie, const struct dh_trial *t, const struct dh_verdict *v);
	/* What the recorder says of an execution, some of it of each one; may be NULL. */
	void (*warn)(void *cookie, const char *text);
};

struct dh_explore_summary {
	size_t harmful, benign, diverged, failed;
	size_t again;          /* of these, decided in an earlier run */
	size_t left;           /* not tried: limits, shards, an interruption */
	size_t deeper;         /* those of branches; they count above, too */
	double undisturbed;    /* seconds of the slowest */
	double validated;      /* seconds of all branches together */
	double generated;      /* seconds for making them */
	size_t n_validated;    /* executions */
	size_t kept;           /* executions in the recorded order that races are held against */
	bool unsteady;         /* neither end alike: nothing can be judged benign */
	struct dh_buf flaky;   /* what undisturbed executions disagree on */
	struct dh_buf failing; /* what the command does wrong by itself */
};
void dh_explore_summary_release(struct dh_explore_summary *s);

/* The first execution, recorded into o->dir with what standard input has.  ret may not be
 * initialised; the caller releases it.  0 or -errno with words; -EINTR: stopped, without words. */
int dh_explore_record(
	const struct dh_explore_options *o, struct dh_outcome *ret, struct dh_error *err);

/* 0 or -errno with words; -EINTR: stopped, with what was decided so far in *ret. */
int dh_explore_validate(const struct dh_explore_options *o, const struct dh_history *h,
	const struct dh_races *races, struct dh_explore_summary *ret, struct dh_error *err);

/* One race once more, with the executions that it is held against; the recording of the order that
 * breaks is made in dir. */
int dh_explore_again(const struct dh_explore_options *o, const struct dh_trial *t, bool recorded,
	const char *dir, struct dh_verdict *ret, struct dh_error *err);
