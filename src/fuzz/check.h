/* The user's own check of a run: a shell command. */
#pragma once
#include "base/forward.h"

struct dh_fuzz_failure;
struct dh_run;

/* Runs command with what the run wrote on standard input, its status in $DEADHEAT_STATUS, and its
 * standard error as descriptor 3.  0: the run is good; 1: it is not; -errno: the check itself could
 * not be run or did not end.  What the check says goes to ret, cut to one line. */
int dh_check_run(const char *command, int status, int out_fd, int err_fd, char *ret, size_t size);
/* The same as the failure of a run that is good but for this; untouched when the check passes. */
void dh_check_judge(const char *command, const struct dh_run *run, int out_fd, int err_fd,
	struct dh_fuzz_failure *ret);
/* The key of such a failure. */
#define DH_CHECK_KEY 2u
