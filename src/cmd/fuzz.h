/* Private to deadheat fuzz: its options, and the parts that have a file of their own. */
#pragma once
#include "base/forward.h"
#include "base/opt.h"
#include "cmd/output.h"

struct dh_campaign;
struct dh_findings;

extern struct dh_fuzz_opt {
	uint64_t seeds, first_seed, schedules, jobs, depth;
	double time, timeout;
	int strategy, fail_on;
	bool compare, all_seeds, all_accesses, happens_before, from_store, gdb, binary;
	const char *check, *replay, *db;
	struct dh_opt_list pairs, logs;
	struct dh_output out;
} dh_fuzz_opt;

/* The words on stderr at the end: how many schedules, what they came to, what was lost. */
void dh_fuzz_summary(const struct dh_campaign *c, const struct dh_findings *found);
/* What is in the store becomes suspects of the campaign. */
int dh_fuzz_from_store(struct dh_campaign *c, struct dh_error *err);
/* The races and cycles of locks in the reports of --tsan-log become suspects, too. */
int dh_fuzz_from_logs(struct dh_campaign *c, struct dh_error *err);
/* --replay: argv is the program to use in place of the stored one, if any.  The exit status. */
int dh_fuzz_replay(char **argv, int argc, struct dh_error *err);
/* "deadheat fuzz --replay", with the store when that is not the default one; to be freed. */
char *dh_fuzz_replay_command(void);
