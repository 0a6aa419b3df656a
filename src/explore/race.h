/* A process race: two or three calls whose order the system did not guarantee (RacePro, section
 * 5.3), on which object, and why it is worth a look.  Calls and objects are numbers in the history
 * (history.h) that the race was found in; texts are in its arena.  Plain data, owned by a list. */
#pragma once
#include "base/forward.h"

enum dh_race_kind {
	DH_RACE_LOAD_STORE,   /* two calls access the same place, at least one changes it */
	DH_RACE_WAIT_WAKEUPS, /* one wait, two wakeups that it could have got */
	DH_RACE_WAKEUP_WAITS, /* one wakeup, two waits that could have got it */
	DH_RACE_SIGNAL,       /* a signal, and a call of its target that it came before or after */
	DH_RACE_KIND_COUNT,
};

/* What the place is, for ranking and for --skip; names are stable. */
enum dh_race_what {
	DH_RACE_NAME,    /* a name in a directory */
	DH_RACE_LIST,    /* the names of a directory */
	DH_RACE_DATA,    /* bytes of a file */
	DH_RACE_META,    /* mode, owner, times, size, attributes */
	DH_RACE_OFFSET,  /* the position of an open file that processes share */
	DH_RACE_STREAM,  /* pipes, sockets, message queues */
	DH_RACE_TTY,     /* terminals */
	DH_RACE_LOG,     /* files that are only appended to */
	DH_RACE_PROCESS, /* what /proc, kill and getppid say of a process */
	DH_RACE_WAIT,    /* ends of children */
	DH_RACE_SIGNALS,
	DH_RACE_GLOBAL, /* hostname, mounts, time, System V objects */
	DH_RACE_WHAT_COUNT,
};

#define DH_RACE_CALLS   3
#define DH_RACE_REASONS 6

struct dh_race {
	enum dh_race_kind kind;
	enum dh_race_what what;
	/* load-store: as they happened, the earlier one first.
	 * wait-wakeups: the wait, the wakeup that it got, the other one; or, when there are two
	 * only, a wakeup and the wait that could have gone on without it.
	 * wakeup-waits: the wakeup, the wait that got it, the other one; or the two waits.
	 * signal: the sender, and the call of the target. */
	uint32_t calls[DH_RACE_CALLS];
	uint32_t n_calls;
	bool late;         /* signal: it came after the call; the branch brings it earlier */
	uint32_t object;   /* in the history */
	uint64_t from, to; /* the bytes that both touch, where that has a meaning; else 0, 0 */
	uint32_t distance; /* calls between them */
	bool sync;         /* both are made for being raced: exclusive creation, locks */
	double score;      /* higher: try first */
	const char *reasons[DH_RACE_REASONS];
	uint32_t n_reasons;
};

struct dh_races {
	struct dh_race *races; /* the most promising first once they are ranked */
	size_t n, cap;
	uint64_t dropped; /* found, and beyond the limit of one object */
};

struct dh_history;

/* All races of a recorded execution, in near-linear time, each pair of calls once. */
void dh_races_detect(const struct dh_history *h, struct dh_races *ret);
/* Gives scores and reasons, sorts, and takes out those whose kind of place is in `skip` (bits), and
 * unless `all` those that are nobody's mistake: what is made for being raced, and terminals. */
void dh_races_rank(struct dh_history *h, struct dh_races *r, unsigned skip, bool all);

/* Whether, behind the racing calls, both sides go on to use the object, and one changes it: then
 * what runs free behind them has a race of its own, and one execution does not say all. */
bool dh_race_goes_on(const struct dh_history *h, const struct dh_race *r);

void dh_races_release(struct dh_races *r);

/* "load-store", "wait-wakeups", "wakeup-waits", "signal". */
const char *dh_race_kind_name(enum dh_race_kind kind);
/* "name", "data", "tty", ...: the choices of --skip; and back, or -1. */
const char *dh_race_what_name(enum dh_race_what what);
int dh_race_what_parse(const char *name, size_t len);
