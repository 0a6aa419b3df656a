/* From a schedule that fails to the smallest one that fails in the same way: delta debugging over
 * the entries of its log (after Choi and Zeller, Isolating failure-inducing thread schedules), then
 * single preemptions and small sets of them, as far as the tests go. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "fuzz/ddmin.h"
#include "fuzz/internal.h"

#define MAX_TESTS   400
#define LEAST_TESTS UINT64_C(3)
/* So many preemptions need no other schedule to begin with, and so many of these are tried. */
#define FEW          2
#define STEADY_TESTS 4
/* Those that are told first get more than their share: one part in so many. */
#define FIRST_PART  4
#define MAX_SECONDS 10.0
/* Preemptions from which on a single one that leads to the failing thread is tried first, with one
 * in so many of the tests. */
#define MANY          6
#define STRAIGHT_PART 3

/* Before and behind the search: that it fails at all, and that what is left does. */
#define SURE_TESTS UINT64_C(2)

struct shrink {
	struct dh_campaign *c;
	struct dh_failing *f;
	struct dh_order order;
	struct dh_sched_step *steps; /* room for all of them */
	double end;
	bool late;
	size_t tests, max_tests;
	int failed;           /* -errno: give up */
	uint64_t preemptions; /* of the last run that failed alike */
	struct dh_fuzz_failure failure;
	struct dh_sched_outcome *outcome;
};

/* True when the order makes the program fail as it did. */
static bool fails_again(struct shrink *s)
{
	struct dh_campaign *c = s->c;
	struct dh_campaign_totals before = c->t;
	struct dh_fuzz_failure f;
	int r = dh_pool_one(c->pool, &s->order, &c->run, NULL);

	if (r < 0) {
		s->failed = r;
		return false;
	}
	dh_campaign_judge(c, dh_pool_first(c->pool), &c->run, &f);
	c->t = before; /* these runs are no part of the search */
	c->t.minimising++;
	if (!dh_failed(&f) || f.key != s->f->failure.key)
		return false;
	s->preemptions = c->run.result.preemptions;
	s->failure = f;
	*s->outcome = c->run.outcome;
	return true;
}

static bool test(void *arg, const uint8_t *keep)
{
	struct shrink *s = arg;
	size_t n = 0;

	s->late |= s->tests++ && dh_clock_seconds() > s->end;
	if (s->failed || s->late)
		return false;
	for (size_t i = 0; i < s->f->n_steps; i++) {
		if (keep[i])
			s->steps[n++] = s->f->steps[i];
	}
	s->order.steps = s->steps;
	s->order.n_steps = n;
	return fails_again(s);
}

static bool is_directed(const struct dh_sched_ask *ask)
{
	return ask->strategy == DH_SCHED_RACE || ask->strategy == DH_SCHED_DEADLOCK ||
	       ask->strategy == DH_SCHED_ATOMICITY || ask->strategy == DH_SCHED_ORDER;
}

/* The suspect once more, with threads that go on until one of its statements, or until they have to
 * wait: a schedule that fails so has few preemptions to begin with.  How many were run. */
static size_t begin_steady(struct shrink *s)
{
	struct dh_failing *f = s->f;
	size_t n = 0;

	if (!is_directed(&f->ask) || s->max_tests < STEADY_TESTS + LEAST_TESTS)
		return 0;
	s->order.ask.flags |= DH_ASK_STEADY;
	while (n < STEADY_TESTS && f->preemptions > FEW && !s->failed &&
		dh_clock_seconds() < s->end) {
		n++;
		s->order.ask.seed++;
		if (fails_again(s) &&
			(s->c->run.result.hits_total || f->ask.strategy == DH_SCHED_DEADLOCK))
			dh_failing_keep(
				f, &s->failure, &s->order, dh_pool_first(s->c->pool), &s->c->run);
	}
	return n;
}

static bool at_target(const struct shrink *s, const struct dh_sched_step *step)
{
	for (size_t i = 0; i < s->order.n_targets; i++) {
		if (step->pc && s->order.targets[i].pc == step->pc)
			return true;
	}
	return false;
}

/* The preemptions of the log, those that promise most first: at the statements of the suspect, then
 * the last before the failure. */
static size_t list_preemptions(const struct shrink *s, size_t *ret)
{
	size_t n = 0;

	for (int turn = 0; turn < 2; turn++) {
		for (size_t i = s->f->n_steps; i-- > 0;) {
			const struct dh_sched_step *step = &s->f->steps[i];

			if (step->flags & DH_STEP_PREEMPT && at_target(s, step) == (turn == 0))
				ret[n++] = i;
		}
	}
	return n;
}

/* Beside the first test of all, that it fails again. */
static size_t left(const struct shrink *s)
{
	return s->max_tests + 1 > s->tests ? s->max_tests + 1 - s->tests : 0;
}

/* Preemptions are what a person has to understand, so they go first; then whatever else is not
 * needed to say how it goes on where threads block. */
static void reduce(struct shrink *s, uint8_t *keep)
{
	size_t n = s->f->n_steps, tests = left(s), listed;
	DH_FREE size_t *preemptions = dh_new_n(size_t, n + 1);
	DH_FREE uint8_t *fixed = dh_zalloc(n + 1);
	bool all = false, none_can_go;

	for (size_t i = 0; i < n; i++)
		fixed[i] = !(s->f->steps[i].flags & DH_STEP_PREEMPT);
	listed = list_preemptions(s, preemptions);
	none_can_go = dh_ddmin(n, keep, fixed, test, s, tests) < tests;
	dh_fewest(n, keep, preemptions, listed, test, s, left(s) / 2, &all);
	s->f->chosen_from = listed;
	s->f->fewest = all && !s->late;
	s->f->none_can_go = none_can_go && !s->late;
	for (size_t i = 0; i < n; i++)
		fixed[i] = !fixed[i] && keep[i];
	dh_ddmin(n, keep, fixed, test, s, left(s));
}

/* Where main waits last, and whoever is next comes first; NULL: it does not. */
static const struct dh_sched_step *main_waits(const struct dh_failing *f)
{
	for (size_t i = f->n_steps; i-- > 0;) {
		if (f->steps[i].thread == 0 && f->steps[i].flags & DH_STEP_SWITCH &&
			!(f->steps[i].flags & DH_STEP_PREEMPT))
			return &f->steps[i];
	}
	return NULL;
}

/* The thread of this preemption goes first, is stopped there, and the one that fails goes on. */
static bool fails_straight(struct shrink *s, const struct dh_sched_step *preemption)
{
	const struct dh_sched_step *before = main_waits(s->f);
	size_t n = 0;

	if (before && preemption->thread != 0) {
		s->steps[n] = *before;
		s->steps[n++].next = preemption->thread;
	}
	s->steps[n] = *preemption;
	s->steps[n++].next = s->f->outcome->thread;
	s->order.steps = s->steps;
	s->order.n_steps = n;
	s->late |= s->tests++ && dh_clock_seconds() > s->end;
	return fails_again(s);
}

/* Where many threads are preempted, most of them are only so that none of them comes to an end too
 * early: one preemption that leads straight to the failing thread may do. */
static bool straight(struct shrink *s)
{
	DH_FREE size_t *at = dh_new_n(size_t, s->f->n_steps + 1);
	size_t n = list_preemptions(s, at), most = DH_MIN(n, s->max_tests / STRAIGHT_PART);
	bool found = false;

	for (size_t i = 0; n >= MANY && i < most && !found && !s->late && !s->failed; i++) {
		const struct dh_sched_step *step = &s->f->steps[at[i]];

		found = step->thread != s->f->outcome->thread && fails_straight(s, step);
	}
	if (!found)
		return false;
	memcpy(s->f->steps, s->order.steps, s->order.n_steps * sizeof(*s->steps));
	s->f->n_steps = s->order.n_steps;
	s->f->chosen_from = n;
	return true;
}

static void take_result(struct shrink *s, const uint8_t *keep)
{
	struct dh_failing *f = s->f;
	size_t n = 0;

	for (size_t i = 0; i < f->n_steps; i++) {
		if (keep[i])
			f->steps[n++] = f->steps[i];
	}
	f->n_steps = n;
	f->ask = s->order.ask;
	f->replays = true;
}

/* The seed alone brings the failure back, where the log does not. */
static int by_seed(struct shrink *s)
{
	s->order.ask = s->f->ask;
	s->order.n_steps = 0;
	return fails_again(s) ? 0 : s->failed ? s->failed : -EAGAIN;
}

static int shrink(struct shrink *s)
{
	DH_FREE uint8_t *keep = dh_alloc(s->f->n_steps + 1);

	memset(keep, 1, s->f->n_steps);
	if (s->f->n_steps > DH_BLOCK_STEPS_IN || !test(s, keep))
		return s->failed ? s->failed : by_seed(s);
	if (!straight(s))
		reduce(s, keep);
	take_result(s, keep);
	/* The last test may have been of something smaller that did not fail. */
	memset(keep, 1, s->f->n_steps);
	s->tests = 0;
	s->late = false;
	return test(s, keep) ? 0 : s->failed ? s->failed : -EAGAIN;
}

int dh_campaign_minimise(struct dh_campaign *c, struct dh_failing *f,
	const struct dh_sched_target *targets, size_t n_targets, size_t sharing)
{
	uint64_t left = dh_campaign_left(c, 0), spare = left - DH_MIN(left, SURE_TESTS);
	uint64_t share = DH_MAX(LEAST_TESTS, spare / DH_MAX(1u, DH_MIN(sharing, FIRST_PART)));
	struct shrink s = {.c = c,
		.f = f,
		.order = {.ask = f->ask, .targets = targets, .n_targets = n_targets},
		.max_tests = (size_t)DH_MIN(DH_MIN(share, MAX_TESTS), spare),
		.end = dh_clock_seconds() + MAX_SECONDS};
	int r;

	if (left < SURE_TESTS) {
		c->t.out_of_schedules = true;
		return -ENOSPC;
	}
	/* When the time is over it need not be small, but it must still be sure. */
	if (c->t.interrupted)
		s.end = dh_clock_seconds();
	else if (c->o.time > 0)
		s.end = DH_MIN(s.end, DH_MAX(c->began + c->o.time, dh_clock_seconds() + 1));

	s.outcome = dh_memdup(f->outcome, sizeof(*f->outcome));
	s.max_tests -= begin_steady(&s);
	s.order.ask = f->ask;
	s.order.ask.strategy = DH_SCHED_REPLAY;
	s.steps = dh_new_n(struct dh_sched_step, f->n_steps + 1);
	r = s.failed ? s.failed : shrink(&s);
	if (r == 0) {
		f->preemptions = s.preemptions;
		f->failure = s.failure;
		*f->outcome = *s.outcome;
	}
	free(s.steps);
	free(s.outcome);
	return r;
}
