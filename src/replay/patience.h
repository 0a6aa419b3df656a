/* Private to this folder: a bound for the search for a point.  One search at a time; uses SIGALRM,
 * which interrupts the task every second. */
#pragma once
#include "base/forward.h"

#include <sys/types.h>

struct dh_patience {
	pid_t tid; /* 0: there is no bound */
	bool fast; /* a visit does not stop the task */
	uint64_t recorded, cpu, clock;
};

/* recorded_ns: the processor time that the recorded task has had since its last point. */
void dh_patience_begin(struct dh_patience *p, pid_t tid, uint64_t recorded_ns, bool fast);
void dh_patience_end(struct dh_patience *p);
bool dh_patience_over(const struct dh_patience *p, double *ret_seconds);
