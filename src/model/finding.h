/* A finding: what every detector writes and every validator moves up the ladder of evidence.
 * A finding and all that hangs on it live in one arena, which the finding owns.
 * Names of kinds and levels are stable strings that scripts rely on: added, never renamed. */
#pragma once
#include "base/arena.h"
#include "model/site.h"

enum dh_kind {
	DH_KIND_DATA_RACE,
	DH_KIND_DEADLOCK,
	DH_KIND_LOCK_MISUSE,
	DH_KIND_BLOCKING_IN_ATOMIC,
	DH_KIND_ATOMICITY_VIOLATION,
	DH_KIND_SIGNAL_RACE,
	DH_KIND_PROCESS_RACE,
	DH_KIND_ORDER_VIOLATION,
	DH_KIND_COUNT,
};

/* Ordered by strength: when steps contradict each other the strongest one is shown.
 * A refutation is weaker than any positive evidence but a bare prediction. */
enum dh_level {
	DH_LEVEL_PREDICTED,
	DH_LEVEL_REFUTED,
	DH_LEVEL_OBSERVED,
	DH_LEVEL_CONFIRMED,
	DH_LEVEL_BENIGN,
	DH_LEVEL_HARMFUL,
	DH_LEVEL_EXPLAINED,
	DH_LEVEL_COUNT,
};

/* One side of a race, or one lock operation of a deadlock. */
struct dh_site {
	const char *role; /* "first", "second", "holds", "wants", ... */
	struct dh_frame at;
	const char *text; /* the source line as it was, when the detector knew it */
	struct dh_access access;
	const char *who; /* "thread 2 (worker)", "process 311 (sh -c ...)", "handler of SIGALRM" */
	const char **locks;
	size_t n_locks;
	struct dh_stack stack;
	struct dh_stack created; /* where the thread or process was created */
	const char *order;       /* "runs first in the failing order", or NULL */
};

/* One rung: who said so, when, how hard was tried, how to see it again. */
struct dh_evidence {
	enum dh_level level;
	const char *by;        /* the command: "scan", "fuzz", ... */
	int64_t when;          /* seconds since 1970: the first time that this was said */
	int64_t last;          /* ... and the last time; 0: only once */
	const char *budget;    /* JSON object as text, e.g. {"seeds":100}; NULL: none */
	uint64_t tries, hits;  /* 0, 0: not counted */
	const char *reproduce; /* command line; required from confirmed up */
	const char *note;
};

/* One mark on the timeline that the report draws: lanes are threads or processes. */
enum dh_step_kind {
	DH_STEP_ACCESS,
	DH_STEP_LOCK,
	DH_STEP_UNLOCK,
	DH_STEP_WAIT,
	DH_STEP_WAKE,
	DH_STEP_SIGNAL,
	DH_STEP_SYSCALL,
	DH_STEP_CREATE,
	DH_STEP_EXIT,
	DH_STEP_FAILURE,
	DH_STEP_COUNT,
};

struct dh_step {
	const char *lane; /* same strings as dh_site.who */
	enum dh_step_kind kind;
	const char *label; /* "write 4 counter", "lock m" */
	const char *file;
	uint32_t line;
	int site; /* index into sites when this step is one of the racing sides, else -1 */
};

struct dh_failure {
	const char *what; /* "assertion", "crash", "hang", "output", "exit", "check"; NULL: none */
	const char *detail;
	int status; /* as wait(2) gives it to a shell: 134 for SIGABRT */
};

struct dh_finding {
	struct dh_arena arena;
	char id[20]; /* short, stable; derived from the fingerprint */
	enum dh_kind kind;
	enum dh_level level; /* the strongest of the evidence */
	const char *title;   /* one line */
	const char *variable;
	const char *object; /* "heap block of 64 bytes allocated at ...", "/tmp/x.pid" */
	struct dh_stack allocated;
	double score; /* higher is more worth a look */
	const char **reasons;
	size_t n_reasons;
	struct dh_site *sites;
	size_t n_sites;
	struct dh_step *steps; /* oldest first */
	size_t n_steps;
	struct dh_evidence *evidence; /* oldest first */
	size_t n_evidence;
	struct dh_failure failure;
	const char *schedule; /* opaque text of the engine that can replay it, or NULL */
	const char *mend;     /* what to do about this very one, in sentences; NULL: as its kind */
	char fingerprint[33]; /* 128 bits, hex */
	bool suppressed;
};

struct dh_finding *dh_finding_new(enum dh_kind kind);
void dh_finding_free(struct dh_finding *f);

/* Adding copies strings and arrays into the finding's arena.  Arrays grow by these functions
 * only; plain fields are assigned, their strings copied by dh_finding_strdup(). */
void dh_finding_set_title(struct dh_finding *f, const char *fmt, ...) DH_PRINTF(2, 3);
void dh_finding_add_reason(struct dh_finding *f, const char *fmt, ...) DH_PRINTF(2, 3);
struct dh_site *dh_finding_add_site(struct dh_finding *f, const struct dh_site *site);
/* Whether it is where a lock was taken that is held elsewhere. */
bool dh_site_is_held(const struct dh_site *site);
void dh_finding_add_step(struct dh_finding *f, const struct dh_step *step);
/* Keeps level in step, and the order by time.  0, or -EINVAL when the level needs a reproducing
 * command and has none, or when nobody (by) said so. */
int dh_finding_add_evidence(struct dh_finding *f, const struct dh_evidence *e);
/* NULL stays NULL. */
const char *dh_finding_strdup(struct dh_finding *f, const char *s);

/* The reproducing command of the strongest evidence that has one, the latest of equals, or NULL. */
const char *dh_finding_reproduce(const struct dh_finding *f);
/* The evidence that decides the level, the latest of equals; NULL when there is none. */
const struct dh_evidence *dh_finding_strongest(const struct dh_finding *f);

/* Fills fingerprint and id: see fingerprint.c for what goes into them.  Independent of the order
 * of the sides, of addresses and pids, of absolute paths and of shifts of lines. */
void dh_finding_seal(struct dh_finding *f);
/* Fills id from a fingerprint that is known already. */
void dh_finding_name(struct dh_finding *f);

/* For sorting: the most worth a look first.  By the level's urgency, then the score, then the
 * fingerprint, so that the order is total. */
int dh_finding_compare(const struct dh_finding *a, const struct dh_finding *b);

const char *dh_kind_name(enum dh_kind kind);
/* The names, ended by NULL, in the order of the enum: choices for an option table. */
const char *const *dh_kind_names(void);
int dh_kind_parse(const char *name); /* the kind or -1 */
const char *dh_level_name(enum dh_level level);
const char *const *dh_level_names(void);
int dh_level_parse(const char *name);
const char *dh_step_kind_name(enum dh_step_kind kind);
int dh_step_kind_parse(const char *name);

/* How much a finding of this level wants a person's eyes, 0 the least: what is settled (refuted,
 * benign) comes last, then the ladder from predicted to explained. */
unsigned dh_level_urgency(enum dh_level level);
/* True unless the level says that there is nothing to mend: benign or refuted. */
bool dh_level_is_open(enum dh_level level);
/* From this level up, evidence must carry its reproducing command. */
bool dh_level_needs_command(enum dh_level level);
