/* Running the stored schedule of a finding again, alone or in gdb. */
#pragma once
#include "base/buf.h"
#include "fuzz/failure.h"
#include "fuzz/server.h"

struct dh_finding;
struct dh_fuzz_schedule;
struct dh_program;

struct dh_again {
	struct dh_run run;
	struct dh_fuzz_failure failure;
	bool as_before; /* the same failure as the schedule was stored for */
	struct dh_buf output, errors;
};

/* Runs it once.  argv: in place of the stored arguments, or NULL.  check: the shell command that
 * decides, or NULL; never taken from a store, which others may have written. */
int dh_fuzz_run_again(const struct dh_fuzz_schedule *s, const struct dh_program *p,
	char *const *argv, int input, double timeout, const char *check, struct dh_again *ret,
	struct dh_error *err);
void dh_again_release(struct dh_again *a);

/* Opens gdb on it, with breakpoints at the sites of the finding; each `run` in gdb is the same
 * schedule again.  The exit status of gdb, or -errno. */
int dh_fuzz_gdb(const struct dh_fuzz_schedule *s, const struct dh_program *p, char *const *argv,
	const struct dh_finding *f, struct dh_error *err);
