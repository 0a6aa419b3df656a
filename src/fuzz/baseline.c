/* The first phase: the program as it is, then once under the scheduler without any disturbance. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "fuzz/internal.h"
#include "fuzz/launch.h"
#include "fuzz/symbols.h"

#define NATIVE_RUNS 3
/* A run that takes so many times as long as the undisturbed one will not end. */
#define PATIENCE      100
#define LEAST_TIMEOUT 2.0
/* Schedules that may show that a --check can be passed. */
#define CHECKED_RUNS 20
/* A shell's status from which on a signal has ended the program. */
#define FIRST_SIGNAL 128

struct native {
	int status; /* as a shell has it */
	struct dh_buf output;
};

static int rewind_input(const struct dh_campaign *c)
{
	return c->o.server.input >= 0 ? (int)lseek(c->o.server.input, 0, SEEK_SET) : 0;
}

/* -ETIMEDOUT, -EINTR. */
static int wait_native(struct dh_launched *p, double timeout, int *ret)
{
	double end = dh_clock_seconds() + timeout;
	struct pollfd fd = {p->from, POLLIN, 0};

	while (poll(&fd, 1, DH_SERVER_TICK) <= 0) {
		bool late = dh_clock_seconds() > end;

		if (!late && !dh_server_stopped())
			continue;
		dh_launched_kill(p, 0);
		return late ? -ETIMEDOUT : -EINTR;
	}
	*ret = dh_shell_status(dh_launched_wait(p));
	return 0;
}

static int run_native(
	struct dh_campaign *c, double timeout, struct native *ret, struct dh_error *err)
{
	DH_FD int out = memfd_create("deadheat-stdout", MFD_CLOEXEC);
	DH_FD int errors = memfd_create("deadheat-stderr", MFD_CLOEXEC);
	struct dh_launch l = {.program = c->o.server.program,
		.argv = c->o.server.argv,
		.input = c->o.server.input,
		.output = out,
		.errors = errors};
	struct dh_launched p = DH_LAUNCHED_INIT;
	DH_BUF struct dh_buf ours = DH_BUF_INIT;
	int r;

	if (out < 0 || errors < 0)
		return dh_error_set(err, errno, "cannot keep the output: %s", strerror(errno));
	rewind_input(c);
	dh_launch_adopt(&ours);
	r = dh_launch(&l, &p, err);
	if (r == 0)
		r = wait_native(&p, timeout, &ret->status);
	dh_launch_end_adopted(&ours);
	if (r == -ETIMEDOUT)
		return r;
	if (r == -EINTR)
		return dh_error_set(err, EINTR, "interrupted");
	if (r == 0 && lseek(out, 0, SEEK_SET) == 0)
		r = dh_read_fd(out, c->o.server.max_output, &ret->output);
	return r;
}

static int unstable(struct dh_error *err)
{
	return dh_error_set(err, EINVAL,
		"--compare-output: the output is not the same when the same schedule is run twice; "
		"say with --check what a good run is");
}

static int endless(const struct dh_campaign *c, struct dh_error *err)
{
	return dh_error_set(err, ETIMEDOUT,
		"%s did not end by itself within %g s, and fuzzing needs runs that end: "
		"give it input or arguments with which it does, or a longer --timeout",
		c->o.server.argv[0], c->o.server.timeout);
}

static bool same_output(const struct dh_buf *a, const struct dh_buf *b)
{
	return a->len == b->len && (!a->len || memcmp(a->data, b->data, a->len) == 0);
}

/* What the program does when nobody interferes depends on the machine and on what else runs there,
 * so it is told, but decides little: a run that ends well shows that one can. */
static int run_natives(struct dh_campaign *c, double timeout, struct dh_error *err)
{
	int r = 0;

	for (int i = 0; r == 0 && i < NATIVE_RUNS; i++) {
		struct native n = {0};

		r = run_native(c, timeout, &n, err);
		c->t.native++;
		if (r == -ETIMEDOUT) {
			c->t.native_failed++;
			c->t.native_hung++;
			r = 0;
			i++; /* waiting for one more is enough */
		} else if (r == 0) {
			c->t.native_failed += n.status != 0;
			c->t.native_differed += !same_output(&n.output, &c->base_output);
			if (n.status == 0 || (!c->base.known && n.status < FIRST_SIGNAL)) {
				c->base.known = true;
				c->base.status = n.status;
			}
		}
		dh_buf_release(&n.output);
	}
	return r;
}

/* The run that keeps to the order in which threads are made and block is the same on every machine:
 * its status and its output are what others are held against. */
static void take_calm(struct dh_campaign *c)
{
	dh_server_output(dh_pool_first(c->pool), 1, c->o.server.max_output, &c->base_output);
	c->base.compare = c->o.compare;
	c->base.output_size = c->base_output.len;
	c->base.output_hash = XXH3_64bits(dh_buf_str(&c->base_output), c->base_output.len);
	if (c->run.outcome.end != DH_END_EXIT)
		return;
	c->base.status = c->run.outcome.status & 0xff;
	c->base.known = true;
}

static bool ends_by_itself(const struct dh_campaign *c)
{
	return c->t.native_hung < c->t.native ||
	       (c->run.cut == DH_CUT_NONE && c->run.outcome.end != DH_END_LIVELOCK);
}

static int run_again(struct dh_campaign *c, enum dh_sched_strategy strategy, uint64_t seed,
	struct dh_fuzz_failure *ret, struct dh_error *err)
{
	struct dh_order order = {.ask = dh_campaign_ask(c, strategy, seed)};
	int r = dh_pool_one(c->pool, &order, &c->run, err);

	if (r == 0)
		dh_campaign_judge(c, dh_pool_first(c->pool), &c->run, ret);
	return r;
}

/* A check that no schedule passes says nothing about schedules. */
static int check_passes(struct dh_campaign *c, struct dh_error *err)
{
	struct dh_fuzz_failure f = {.kind = DH_FAILURE_CHECK};

	for (uint64_t i = 0; f.kind != DH_FAILURE_NONE && i < CHECKED_RUNS; i++) {
		int r = run_again(c, DH_SCHED_RANDOM, c->o.first_seed + i, &f, err);

		if (r < 0)
			return r;
	}
	if (f.kind == DH_FAILURE_NONE)
		return 0;
	return dh_error_set(err, EINVAL,
		"the --check fails on an undisturbed run, and on %d others: %s", CHECKED_RUNS,
		c->o.check);
}

/* A run that keeps to the natural order and fails nevertheless has found something already. */
static int judge_calm(struct dh_campaign *c, const struct dh_order *order, struct dh_error *err)
{
	struct dh_server *s = dh_pool_first(c->pool);
	struct dh_fuzz_failure f;

	dh_campaign_judge(c, s, &c->run, &f);
	if (c->run.outcome.end == DH_END_GIVEN_UP)
		return dh_error_set(
			err, ENOTSUP, "the scheduler cannot run this program: %s", f.detail);
	if (f.kind == DH_FAILURE_UNDECIDED && c->run.cut == DH_CUT_TIME)
		return dh_error_set(err, ETIMEDOUT,
			"%s ends by itself, but under the scheduler it was %s; try a longer "
			"--timeout, or less input",
			c->o.server.argv[0], f.detail);
	/* That is not the program's mistake: whoever has the turn sleeps, and does not say so. */
	if (f.kind == DH_FAILURE_HANG && c->run.cut == DH_CUT_TIME && !c->t.native_hung)
		return dh_error_set(err, ENOTSUP,
			"%s ends by itself, but under the scheduler it %s: its threads wait for "
			"each other by system calls of their own, which nobody sees (gcc's OpenMP "
			"does; OMP_NUM_THREADS=1 does without)",
			c->o.server.argv[0], f.detail);
	if (!dh_failed(&f))
		return 0;
	c->calm_key = f.key;
	dh_campaign_stray(c, &f, order, s, &c->run, 1);
	return f.kind == DH_FAILURE_CHECK ? check_passes(c, err) : 0;
}

/* Output means something only when the same schedule gives the same one again. */
static int check_stable(struct dh_campaign *c, struct dh_error *err)
{
	struct dh_fuzz_failure f;
	int r = c->base.output_size || c->o.compare
			? run_again(c, DH_SCHED_CALM, c->o.first_seed, &f, err)
			: 0;

	if (r < 0)
		return r;
	c->stable = !c->base.output_size || (c->run.output_hash == c->base.output_hash &&
						    c->run.output_size == c->base.output_size);
	return c->o.compare && !c->stable ? unstable(err) : 0;
}

int dh_campaign_recheck(struct dh_campaign *c, struct dh_error *err)
{
	struct dh_order order = {.ask = dh_campaign_ask(c, DH_SCHED_CALM, c->o.first_seed)};
	struct dh_fuzz_failure f;
	int r;

	if (!c->forgiven)
		return 0;
	c->forgiven = 0;
	r = run_again(c, DH_SCHED_CALM, c->o.first_seed, &f, err);
	if (r == 0 && dh_failed(&f)) {
		c->calm_key = f.key;
		dh_campaign_stray(c, &f, &order, dh_pool_first(c->pool), &c->run, c->t.runs);
	}
	return r;
}

/* How long a run may take, once it is known how long an undisturbed one does. */
static double enough_time(const struct dh_campaign *c)
{
	return DH_MIN(c->o.server.timeout, DH_MAX(LEAST_TIMEOUT, c->run.seconds * PATIENCE));
}

static void learn_program(struct dh_campaign *c)
{
	struct dh_server *s = dh_pool_first(c->pool);
	char path[PATH_MAX];

	/* A script has become what it started. */
	c->sym = dh_symbols_new(dh_server_program(s, path, sizeof(path)));
	dh_symbols_update(c->sym, dh_server_block(s));
	dh_pool_timeout(c->pool, enough_time(c));
	c->length = c->run.result.points;
	c->accesses = c->run.result.accesses;
	c->idle = c->run.result.idle;
	/* Handlers of signals can come between anything, like a thread. */
	c->t.threads = c->run.result.nthreads + (c->run.result.handlers > 0);
	c->t.forks = dh_server_forks(s);
}

int dh_campaign_baseline(struct dh_campaign *c, struct dh_error *err)
{
	struct dh_order order = {.ask = dh_campaign_ask(c, DH_SCHED_CALM, c->o.first_seed)};
	int r;

	dh_campaign_phase(c, "looking at undisturbed runs", 0);
	r = dh_pool_new(&c->o.server, c->o.jobs, &c->pool, err);
	if (r == 0)
		r = dh_pool_one(c->pool, &order, &c->run, err);
	if (r < 0)
		return r;
	take_calm(c);
	r = run_natives(c, enough_time(c), err);
	if (r < 0)
		return r;
	learn_program(c);
	if (!ends_by_itself(c))
		return endless(c, err);
	r = judge_calm(c, &order, err);
	return r < 0 ? r : check_stable(c, err);
}
