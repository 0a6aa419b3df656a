/* What came of one execution, and whether that is a failure: the checkers.
 * A failure is something that no undisturbed execution did: a crash, a hang, another exit status,
 * error messages, files or output that differ, a check that fails.  What undisturbed executions
 * disagree on among themselves blames nobody: the program is flaky there, which is said.
 * Plain data; an outcome owns its texts. */
#pragma once
#include "base/buf.h"
#include "base/forward.h"

#include <regex.h>

enum dh_outcome_end {
	DH_END_DONE,
	DH_END_HUNG,     /* did not end in time */
	DH_END_DIVERGED, /* a branch could not be followed */
	DH_END_FAILED,   /* the tool could not run it: words in `why` */
};

#define DH_OUTCOME_COMMAND 160
#define DH_OUTCOME_SAME    64

struct dh_outcome_process {
	uint32_t pid, parent;
	int status; /* as wait gives it; -1: still running at the end */
	char command[DH_OUTCOME_COMMAND];
};

/* A command of the user that looks whether all is well. */
struct dh_outcome_check {
	int status;        /* as wait gives it; -1: it was not made, or not over */
	struct dh_buf out; /* what it said */
};

struct dh_outcome {
	enum dh_outcome_end end;
	bool flipped; /* all anchors of the branch have run in their new order */
	int status;   /* of the first process, as wait gives it */
	struct dh_outcome_process *processes;
	size_t n_processes;
	struct dh_buf out, err;         /* standard output and error */
	uint64_t lost;                  /* bytes of these beyond what is kept */
	uint64_t same[DH_OUTCOME_SAME]; /* hashes of the files to compare; 0: not there */
	struct dh_outcome_check check;  /* behind the execution */
	struct dh_outcome_check during; /* beside it: the first that failed, or the last one */
	uint32_t diverged_at;           /* the recorded call that something else stood for */
	char why[520];                  /* of a hang, a divergence or a failure of the tool */
	double seconds;
};

void dh_outcome_release(struct dh_outcome *o);

/* The kinds of failures; names are stable. */
enum dh_outcome_failure {
	DH_FAILURE_NONE,
	DH_FAILURE_CRASH,
	DH_FAILURE_HANG,
	DH_FAILURE_STATUS,
	DH_FAILURE_CHECK,
	DH_FAILURE_FILES,
	DH_FAILURE_OUTPUT,
	DH_FAILURE_MESSAGE,
	DH_FAILURE_COUNT,
};
const char *dh_outcome_failure_name(enum dh_outcome_failure f); /* "crash", "hang", ... */

/* What outcomes are held against. */
struct dh_expectation {
	const struct dh_outcome *const *undisturbed;
	size_t n;
	char *const *same; /* names of the files, "-": standard output */
	size_t n_same;
	const regex_t *errors; /* lines that are error messages; NULL: the usual words */
};

/* The gravest thing that o did and no undisturbed execution did, with one line about it. */
enum dh_outcome_failure dh_outcome_judge(
	const struct dh_expectation *e, const struct dh_outcome *o, struct dh_buf *ret_what);
/* The process inside in which that shows: one that crashed, failed or still runs as none of the
 * undisturbed ones did; 0: none. */
uint32_t dh_outcome_culprit(const struct dh_expectation *e, const struct dh_outcome *o);
/* Whether it ended well, whatever others did: in time, with status 0, no crash, no failed check. */
bool dh_outcome_is_good(const struct dh_outcome *o);
/* Whether undisturbed executions do not even end alike: then no end of another one says anything.
 */
bool dh_outcome_unsteady(const struct dh_expectation *e);
/* Whether these executions disagree: what on, one line each, beginning with how they were made. The
 * number. */
int dh_outcome_flaky(const struct dh_expectation *e, const char *how, struct dh_buf *ret_what);
