/* Private to deadheat explore: its options, and the parts that have a file of their own. */
#pragma once
#include "base/opt.h"
#include "cmd/output.h"
#include "explore/validate.h"

struct dh_finding;
struct dh_trial;

extern struct dh_explore_opt {
	const char *check, *during, *log_errors, *skip, *shard, *replay, *db, *dir;
	struct dh_opt_list same;
	double time, timeout;
	uint64_t races, jobs, undisturbed, limit, recursive;
	bool all, list, when_idle, gdb;
	struct dh_output out;
} dh_explore_opt;

/* The finding of a race, with what was decided about it (v may be NULL) and how to do it again. */
struct dh_finding *dh_explore_finding(const struct dh_trial *t, const struct dh_verdict *v);
/* --replay ID: the exit status. */
int dh_explore_replay(char *const *gdb_args, struct dh_error *err);
/* The first run, into eo->dir, which is removed again on failure.  0 or -errno with words. */
int dh_explore_first(struct dh_explore_options *eo, struct dh_error *err);
/* Whether the arguments are a recording and no program; -errno with words for another directory. */
int dh_explore_is_recording(int n, char *const *argv, struct dh_error *err);
/* Fills in what the options say; dir is the recording. */
void dh_explore_fill(struct dh_explore_options *ret, const char *dir);
