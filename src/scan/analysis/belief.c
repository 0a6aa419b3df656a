/* Is a semaphore a lock, or does one thread wait for another with it?  RacerX 5.1: true locks are
 * released about as often as they are acquired and hardly ever released without having been
 * acquired; a semaphore that is unlike them, with a probability below 0.17, is none. */
#include "scan/analysis/run.h"
#include "scan/analysis/stats.h"

#define THRESHOLD 0.17

struct totals {
	double acquired, released, errors;
};

static bool is_semaphore(struct dh_scan_run *run, uint32_t node)
{
	uint64_t no;

	return dh_map_get(&run->lock_index, (uint64_t)node << 1, &no) &&
	       run->locks[no].words & DH_SW_SEM;
}

static struct totals count_locks(struct dh_scan_run *run)
{
	/* A few well-behaved locks, for programs that have none. */
	struct totals t = {.acquired = 20, .released = 20, .errors = 0.4};

	for (uint32_t i = 0; i < run->n_usages; i++) {
		const struct dh_scan_usage *u = &run->usages[i];

		if (is_semaphore(run, u->node) || !u->acquired)
			continue;
		t.acquired += u->acquired;
		t.released += u->released;
		t.errors += u->errors;
	}
	return t;
}

static void judge(struct dh_scan_usage *u, const struct totals *t)
{
	double ratio = t->released / t->acquired, mistakes = t->errors / (t->released + t->errors);
	double p1 = dh_scan_p_low(u->released, u->acquired, ratio > 0.95 ? 0.95 : ratio);
	double p2 = dh_scan_p_high(
		u->errors, u->released + u->errors, mistakes < 0.05 ? 0.05 : mistakes);

	u->decided = true;
	u->p = p1 * p2;
	u->is_lock = u->p >= THRESHOLD;
	/* What it starts with says more than any statistic. */
	if (u->initial == 0)
		u->is_lock = false;
	if (u->initial > 1)
		u->is_lock = false;
	if (u->initial == 1 && u->released >= u->errors)
		u->is_lock = true;
}

void dh_scan_judge_semaphores(struct dh_scan_run *run)
{
	struct totals t = count_locks(run);

	for (uint32_t i = 0; i < run->n_usages; i++)
		judge(&run->usages[i], &t);
}
