/* One execution of a command in a sandbox: recorded, watched, and made to follow a branch when
 * there is one.  Several can be under way at a time; one thread drives them all. */
#pragma once
#include "base/forward.h"
#include "explore/outcome.h"

struct dh_branch;
struct dh_history;
struct dh_run;
struct pollfd;

struct dh_run_options {
	char *const *argv;
	const char *cwd;                  /* NULL: the working directory */
	const char *dir;                  /* the recording: a directory to make */
	const char *input;                /* file for standard input; NULL: nothing to read */
	const struct dh_history *history; /* with a branch */
	const struct dh_branch *branch;   /* NULL: undisturbed */
	double timeout;                   /* 0: none */
	const char *check;                /* shell command to run afterwards; NULL: none */
	const char *during;               /* the same, beside it while it is live; NULL: none */
	char *const *same;                /* files whose contents matter, at most DH_OUTCOME_SAME */
	size_t n_same;
	bool on_disk;            /* see sandbox.h */
	const char *const *hide; /* the same */
	/* For dh_run(): now and then while it waits; what it returns other than 0 (-errno) ends the
	 * run, and is returned.  May be NULL. */
	int (*waiting)(void *cookie);
	/* What the recorder has to say, when the run is over; may be NULL. */
	void (*warn)(void *cookie, const char *text);
	void *cookie;
};

/* 0 or -errno with words.  Everything in opt must last until the run is finished. */
int dh_run_start(const struct dh_run_options *opt, struct dh_run **ret, struct dh_error *err);
/* Fills in what to poll for; at most 3. */
int dh_run_poll_fds(struct dh_run *r, struct pollfd *p);
/* After poll: takes in output.  True when the run has ended. */
bool dh_run_pump(struct dh_run *r);
/* Waits for the end, frees.  0: *ret filled (also when the run failed: end DH_END_FAILED), or
 * -errno with words when there can be no run at all here. */
int dh_run_finish(struct dh_run *r, struct dh_outcome *ret, struct dh_error *err);
/* Ends it and frees; the recording so far is removed. */
void dh_run_abort(struct dh_run *r);

/* Start, wait, finish.  As these, or what `waiting` said. */
int dh_run(const struct dh_run_options *opt, struct dh_outcome *ret, struct dh_error *err);
