/* Monitor: a command of the user that is run beside the program, over and over, until one fails or
 * the program is over.  It is neither traced nor recorded.
 *
 * A process between the recorder and the command does the work, so that the recorder, which waits
 * for every child that it has, meets none of the command's.  Its numbers are out of the way of the
 * program's; those of processes that the command starts are not.  Inside a sandbox only: whatever
 * else the command leaves behind ends with that.  One thread. */
#pragma once
#include "base/forward.h"

#include <sched.h>

struct dh_monitor;
struct dh_sandbox_inside;

#define DH_MONITOR_OUT_MAX 4096

/* In memory that is shared with the monitor: complete when it has ended. */
struct dh_monitor_result {
	int status;    /* of the first command that failed, or of the last one; -1: none was over */
	uint32_t len;  /* of out */
	uint64_t runs; /* commands that were over before the program */
	char out[DH_MONITOR_OUT_MAX];
};

struct dh_monitor_options {
	const char *command;
	const struct dh_sandbox_inside *inside;
	const cpu_set_t *cpus;            /* where the command may run */
	struct dh_monitor_result *result; /* status must be -1 */
};

/* When it returns, the first command executes.  0 or -errno. */
int dh_monitor_start(const struct dh_monitor_options *opt, struct dh_monitor **ret);
/* Ends the command (SIGTERM, and SIGKILL when that does not help) and frees.  What it answers to
 * that is not looked at.  NULL is allowed. */
void dh_monitor_end(struct dh_monitor *m);
