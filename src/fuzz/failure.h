/* Whether a run failed, and how: what the runtime, the kernel and the output say, held against the
 * undisturbed run.  Pure. */
#pragma once
#include "base/forward.h"

struct dh_run;

enum dh_failure_kind {
	DH_FAILURE_NONE,
	DH_FAILURE_CRASH,
	DH_FAILURE_ASSERTION,
	DH_FAILURE_REPORTED, /* deadheat_fail() */
	DH_FAILURE_EXIT,
	DH_FAILURE_DEADLOCK,
	DH_FAILURE_HANG,
	DH_FAILURE_LIVELOCK,
	DH_FAILURE_HEAP,
	DH_FAILURE_OVERFLOW,
	DH_FAILURE_OUTPUT,
	DH_FAILURE_CHECK,
	DH_FAILURE_UNDECIDED, /* the run says nothing: cut off, or given up */
	DH_FAILURE_COUNT,
};

struct dh_fuzz_failure {
	enum dh_failure_kind kind;
	int status;       /* as a shell has it: 134 for SIGABRT */
	uint64_t key;     /* the same failure has the same key */
	char detail[480]; /* one line */
};

/* What a good run is: what the undisturbed one did.  A status other than 0 is forgiven when that
 * one had it, too; a crash, a failed assertion or a deadlock never is. */
struct dh_baseline {
	bool known;
	int status;   /* as a shell has it */
	bool compare; /* the output must be the same */
	uint64_t output_hash;
	size_t output_size;
};

/* base may be NULL: then any status but 0 is a failure. */
void dh_failure_of(
	const struct dh_run *run, const struct dh_baseline *base, struct dh_fuzz_failure *ret);
/* Broken in a way that a person has to mend. */
static inline bool dh_failed(const struct dh_fuzz_failure *f)
{
	return f->kind != DH_FAILURE_NONE && f->kind != DH_FAILURE_UNDECIDED;
}
/* "crash", "assertion", ...: what the finding and its JSON say. */
const char *dh_failure_name(enum dh_failure_kind kind);
int dh_shell_status(int wait_status);
