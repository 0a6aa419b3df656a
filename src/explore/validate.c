#include "explore/validate.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/map.h"
#include "explore/branch.h"
#include "explore/decided.h"
#include "explore/history.h"
#include "explore/input.h"
#include "explore/race.h"
#include "explore/run.h"
#include "sandbox/sandbox.h"

#define JOBS_MAX 64
/* A branch that failed is run again: evidence is what happens twice. */
#define TRIES 3
#define HITS  2
/* A run takes this many times the slowest undisturbed one, and some more, before it hangs. */
#define HANG_FACTOR 5.0
#define HANG_LEAST  10.0
#define FIRST_LIMIT 600.0

/* Our own folders must not look different in every execution. */
struct hidden {
	char *ours, *recording;
	const char *list[3];
};

struct slot {
	struct dh_run *run; /* NULL: free */
	size_t race;
	struct dh_branch branch;
	struct dh_verdict verdict;
	char *dir, *again; /* recordings of the first try, and of the others */
};

struct campaign {
	const struct dh_explore_options *o;
	const struct dh_history *h;
	const struct dh_races *races;
	struct dh_explore_summary *sum;
	struct dh_error *err;
	struct dh_decided decided;
	struct dh_outcome *undisturbed;
	const struct dh_outcome **list; /* pointers to these */
	struct dh_expectation expect;
	regex_t errors;
	bool has_errors;
	char *input;
	struct dh_map failures; /* hash of a failure -> the first race that led to it */
	struct hidden hidden;
	double began, timeout;
	size_t next, started, n; /* n: to decide */
	struct slot slots[JOBS_MAX];
	int n_busy;
};

static void hide_init(struct hidden *h, const struct dh_explore_options *o)
{
	DH_FREE char *cwd = o->cwd ? dh_strdup(o->cwd) : getcwd(NULL, 0);

	h->ours = dh_asprintf("%s/.deadheat", cwd ? cwd : "");
	h->recording = realpath(o->dir, NULL);
	h->list[0] = h->ours;
	h->list[1] = h->recording;
	h->list[2] = NULL;
}

static void hide_release(struct hidden *h)
{
	free(h->ours);
	free(h->recording);
}

void dh_explore_summary_release(struct dh_explore_summary *s)
{
	dh_buf_release(&s->flaky);
	dh_buf_release(&s->failing);
}

static bool stopped(const struct campaign *c)
{
	return (c->o->stop && *c->o->stop) ||
	       (c->o->time > 0 && dh_clock_seconds() - c->began > c->o->time);
}

static size_t n_done(const struct dh_explore_summary *s)
{
	return s->harmful + s->benign + s->diverged + s->failed;
}

static void say_progress(const struct campaign *c, const char *phase)
{
	const struct dh_explore_summary *s = c->sum;
	size_t fresh = n_done(s) - s->again;
	struct dh_explore_progress p = {.n = c->n,
		.done = n_done(s),
		.harmful = s->harmful,
		.benign = s->benign,
		.diverged = s->diverged,
		.failed = s->failed,
		.seconds = dh_clock_seconds() - c->began,
		.left = -1,
		.phase = phase};

	if (fresh && c->n > p.done)
		p.left = p.seconds / (double)fresh * (double)(c->n - p.done);
	if (c->o->progress)
		c->o->progress(c->o->cookie, &p);
}

static struct dh_run_options run_options(const struct campaign *c, const char *dir)
{
	return (struct dh_run_options){.argv = c->o->argv,
		.cwd = c->o->cwd,
		.dir = dir,
		.input = c->input,
		.timeout = c->timeout,
		.check = c->o->check,
		.same = c->o->same,
		.n_same = c->o->n_same,
		.on_disk = c->o->on_disk,
		.hide = c->hidden.list};
}

/* Undisturbed executions */

static int run_undisturbed(struct campaign *c)
{
	DH_FREE char *dir = dh_asprintf("%s/explore/undisturbed", c->o->dir);
	size_t n = (size_t)DH_MAX(c->o->undisturbed, 1);

	c->undisturbed = dh_zalloc(n * sizeof(*c->undisturbed));
	c->list = dh_zalloc(n * sizeof(*c->list));
	c->timeout = c->o->timeout > 0 ? c->o->timeout : FIRST_LIMIT;
	for (size_t i = 0; i < n; i++) {
		struct dh_run_options ro = run_options(c, dir);
		struct dh_outcome *out = &c->undisturbed[i];
		int r;

		say_progress(c, "undisturbed");
		dh_remove_tree(dir);
		r = dh_run(&ro, out, c->err);
		dh_remove_tree(dir);
		if (r < 0)
			return r;
		c->list[i] = out;
		c->expect.n = i + 1;
		if (out->end == DH_END_FAILED)
			return dh_error_set(c->err, EIO, "an undisturbed run failed: %s", out->why);
		c->sum->undisturbed = DH_MAX(c->sum->undisturbed, out->seconds);
		if (c->o->stop && *c->o->stop)
			return -EINTR;
	}
	return 0;
}

/* What is wrong without any help. */
static void note_own_failures(struct campaign *c)
{
	const struct dh_outcome *o = c->list[0];

	c->sum->unsteady = dh_outcome_unsteady(&c->expect);
	dh_outcome_flaky(&c->expect, &c->sum->flaky);
	if (o->end == DH_END_HUNG)
		dh_buf_addf(
			&c->sum->failing, "undisturbed, it is not over after %.0f s\n", o->seconds);
	else if (o->status != 0)
		dh_buf_adds(&c->sum->failing, "undisturbed, the command fails\n");
	if (o->check_status != -1 && o->check_status != 0)
		dh_buf_adds(&c->sum->failing, "undisturbed, the check fails\n");
}

static void set_timeout(struct campaign *c)
{
	c->timeout =
		c->o->timeout > 0 ? c->o->timeout : HANG_LEAST + HANG_FACTOR * c->sum->undisturbed;
}

/* Branches */

static bool in_shard(const struct campaign *c, size_t i)
{
	return c->o->shards < 2 || i % c->o->shards == c->o->shard - 1;
}

static void count(struct campaign *c, const struct dh_verdict *v)
{
	size_t *counters[DH_VERDICT_COUNT] = {[DH_VERDICT_DIVERGED] = &c->sum->diverged,
		[DH_VERDICT_BENIGN] = &c->sum->benign,
		[DH_VERDICT_HARMFUL] = &c->sum->harmful,
		[DH_VERDICT_FAILED] = &c->sum->failed};

	(*counters[v->kind])++;
	c->sum->again += v->again;
}

/* A divergence is explained by a race that is nearer: the same first call against an earlier one of
 * the other process (RacePro, section 6.2). */
static size_t find_tighter(const struct campaign *c, const struct dh_race *race)
{
	const struct dh_porder *o = &c->h->order;
	uint32_t first = race->calls[0], second = race->calls[1], best = UINT32_MAX;
	size_t found = DH_NO_RACE;

	for (size_t i = 0; i < c->races->n; i++) {
		const struct dh_race *r = &c->races->races[i];
		uint32_t other = r->calls[0] == first ? r->calls[1] : r->calls[0];

		if (r == race || (r->calls[0] != first && r->calls[1] != first) ||
			o->calls[other].task != o->calls[second].task ||
			o->calls[other].index >= o->calls[second].index)
			continue;
		if (o->calls[other].index < best) {
			best = o->calls[other].index;
			found = i;
		}
	}
	return found;
}

/* Once is no evidence against this race: what runs free has more than one order. */
static void excuse(struct dh_verdict *v)
{
	DH_FREE char *what = dh_strdup(v->detail);

	v->kind = DH_VERDICT_BENIGN;
	snprintf(v->detail, sizeof(v->detail), "failed in %d of %d executions: %.400s", v->hits,
		v->tries, what);
}

static uint64_t failure_key(const struct dh_verdict *v)
{
	DH_FREE char *what = dh_asprintf("%d %s", v->failure, v->detail);

	return XXH3_64bits(what, strlen(what));
}

/* The very failure has been seen twice already: no need to see it again. */
static bool is_known(const struct campaign *c, const struct dh_verdict *v)
{
	return dh_map_get(&c->failures, failure_key(v), NULL);
}

/* Many races lead to one failure: the first one that did, which ranks higher. */
static size_t find_like(struct campaign *c, const struct dh_verdict *v, size_t race)
{
	uint64_t first;

	if (dh_map_get(&c->failures, failure_key(v), &first))
		return (size_t)first;
	dh_map_set(&c->failures, failure_key(v), race);
	return DH_NO_RACE;
}

static void decide(struct campaign *c, struct slot *s)
{
	const struct dh_race *race = &c->races->races[s->race];
	struct dh_verdict *v = &s->verdict;

	if (v->kind == DH_VERDICT_HARMFUL && v->hits < HITS && !is_known(c, v))
		excuse(v);
	v->tighter = v->kind == DH_VERDICT_DIVERGED ? find_tighter(c, race) : DH_NO_RACE;
	v->like = v->kind == DH_VERDICT_HARMFUL ? find_like(c, v, s->race) : DH_NO_RACE;
	dh_remove_tree(s->again);
	if (v->kind == DH_VERDICT_HARMFUL)
		snprintf(v->recording, sizeof(v->recording), "%s", s->dir);
	else if (!c->o->keep_all)
		dh_remove_tree(s->dir);
	dh_decided_add(&c->decided, race, v);
	count(c, v);
	c->o->decided(c->o->cookie, race, v);
	dh_branch_release(&s->branch);
	free(s->dir);
	free(s->again);
	*s = (struct slot){0};
	say_progress(c, "validating");
}

static int start_run(struct campaign *c, struct slot *s)
{
	const char *dir = s->verdict.tries ? s->again : s->dir;
	struct dh_run_options ro;
	int r;

	dh_remove_tree(dir);
	ro = run_options(c, dir);
	ro.history = c->h;
	ro.branch = &s->branch;
	r = dh_run_start(&ro, &s->run, c->err);
	if (r == 0)
		c->n_busy++;
	return r;
}

/* The next race that nobody has decided yet; -ENOENT when there is none. */
static int start_next(struct campaign *c, struct slot *s)
{
	while (c->next < c->races->n) {
		size_t i = c->next++;
		const struct dh_race *race = &c->races->races[i];
		char key[128];
		double t;
		int r;

		if (!in_shard(c, i) || dh_decided_find(&c->decided, race))
			continue;
		if (c->o->races && c->started >= c->o->races)
			return -ENOENT;
		c->started++;
		dh_decided_key(race, key, sizeof(key));
		*s = (struct slot){.race = i};
		s->dir = dh_asprintf("%s/branches/%s", c->decided.dir, key);
		s->again = dh_asprintf("%s-again", s->dir);
		t = dh_clock_seconds();
		r = dh_branch_make(&c->h->order, race, &s->branch);
		s->verdict.generate = dh_clock_seconds() - t;
		c->sum->generated += s->verdict.generate;
		if (r == 0)
			return start_run(c, s);
		s->verdict.kind = DH_VERDICT_DIVERGED;
		snprintf(s->verdict.detail, sizeof(s->verdict.detail),
			"the calls cannot be turned around");
		decide(c, s);
	}
	return -ENOENT;
}

static void judge(struct campaign *c, struct slot *s, const struct dh_outcome *o)
{
	DH_BUF struct dh_buf what = DH_BUF_INIT;
	struct dh_verdict *v = &s->verdict;
	enum dh_outcome_failure f;

	v->tries++;
	v->seconds = o->seconds;
	c->sum->validated += o->seconds;
	c->sum->n_validated++;
	if (o->end == DH_END_DIVERGED || o->end == DH_END_FAILED) {
		if (v->hits) /* the first try has shown what there is */
			return;
		v->kind = o->end == DH_END_FAILED ? DH_VERDICT_FAILED : DH_VERDICT_DIVERGED;
		snprintf(v->detail, sizeof(v->detail), "%s", o->why);
		return;
	}
	f = dh_outcome_judge(&c->expect, o, &what);
	if (f == DH_FAILURE_NONE) {
		if (!v->hits)
			v->kind = c->sum->unsteady ? DH_VERDICT_FAILED : DH_VERDICT_BENIGN;
		if (!v->hits && c->sum->unsteady)
			snprintf(v->detail, sizeof(v->detail),
				"undisturbed runs end in more than one way by themselves");
		return;
	}
	if (v->hits) { /* the first one is described and kept */
		v->hits++;
		return;
	}
	v->kind = DH_VERDICT_HARMFUL;
	v->failure = f;
	v->hits++;
	snprintf(v->detail, sizeof(v->detail), "%s", dh_buf_str(&what));
}

static int finish_run(struct campaign *c, struct slot *s)
{
	struct dh_outcome o = {0};
	int r = dh_run_finish(s->run, &o, c->err);

	s->run = NULL;
	c->n_busy--;
	if (r < 0)
		return r;
	judge(c, s, &o);
	dh_outcome_release(&o);
	/* The first try must fail: its recording is the one that is kept. */
	if (s->verdict.hits && s->verdict.hits < HITS && s->verdict.tries < TRIES &&
		!is_known(c, &s->verdict) && !stopped(c))
		return start_run(c, s);
	decide(c, s);
	return 0;
}

static bool is_idle(void)
{
	double load = 0;
	FILE *f = fopen("/proc/loadavg", "re");
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (!f)
		return true;
	if (fscanf(f, "%lf", &load) != 1)
		load = 0;
	fclose(f);
	return load < 0.5 * (double)DH_MAX(cpus, 1);
}

static int fill_slots(struct campaign *c, int jobs)
{
	for (int i = 0; i < jobs; i++) {
		int r;

		if (c->slots[i].run)
			continue;
		if (c->o->when_idle && !is_idle()) {
			if (c->n_busy == 0)
				poll(NULL, 0, 5000);
			return 0;
		}
		r = start_next(c, &c->slots[i]);
		if (r < 0)
			return r == -ENOENT ? 1 : r;
	}
	return 0;
}

static int pump_slots(struct campaign *c, int jobs)
{
	struct pollfd p[3 * JOBS_MAX];
	int n = 0, r = 0;

	for (int i = 0; i < jobs; i++)
		if (c->slots[i].run)
			n += dh_run_poll_fds(c->slots[i].run, p + n);
	if (n)
		poll(p, (nfds_t)n, 500);
	for (int i = 0; i < jobs && r == 0; i++)
		if (c->slots[i].run && dh_run_pump(c->slots[i].run))
			r = finish_run(c, &c->slots[i]);
	return r;
}

static void abort_slots(struct campaign *c)
{
	for (int i = 0; i < JOBS_MAX; i++) {
		struct slot *s = &c->slots[i];

		dh_run_abort(s->run);
		dh_branch_release(&s->branch);
		if (s->dir)
			dh_remove_tree(s->dir);
		free(s->dir);
		free(s->again);
		*s = (struct slot){0};
	}
	c->n_busy = 0;
}

static int run_branches(struct campaign *c)
{
	int jobs = DH_MIN(DH_MAX(c->o->jobs, 1), JOBS_MAX), r = 0;
	bool all_started = false;

	while (r == 0 && !stopped(c) && !(all_started && c->n_busy == 0)) {
		if (!all_started)
			r = fill_slots(c, jobs);
		if (r == 1) {
			all_started = true;
			r = 0;
		}
		if (r == 0)
			r = pump_slots(c, jobs);
	}
	abort_slots(c);
	return r;
}

/* Tells what earlier runs have decided, and counts what is to do. */
static void take_decided(struct campaign *c)
{
	size_t open = 0;

	for (size_t i = 0; i < c->races->n; i++) {
		const struct dh_verdict *v = dh_decided_find(&c->decided, &c->races->races[i]);

		if (!v) {
			open += in_shard(c, i);
			continue;
		}
		struct dh_verdict known = *v;

		if (v->kind == DH_VERDICT_HARMFUL)
			known.like = find_like(c, v, i);
		count(c, &known);
		c->o->decided(c->o->cookie, &c->races->races[i], &known);
	}
	if (c->o->races)
		open = DH_MIN(open, c->o->races);
	c->n = open + n_done(c->sum);
}

static int set_up(struct campaign *c)
{
	int r;

	c->began = dh_clock_seconds();
	dh_sandbox_sweep(NULL); /* what was killed could not do it */
	hide_init(&c->hidden, c->o);
	c->expect.same = c->o->same;
	c->expect.n_same = c->o->n_same;
	if (c->o->log_errors) {
		r = regcomp(&c->errors, c->o->log_errors, REG_EXTENDED | REG_NOSUB | REG_ICASE);
		if (r != 0)
			return dh_error_set(
				c->err, EINVAL, "'%s' is no regular expression", c->o->log_errors);
		c->has_errors = true;
		c->expect.errors = &c->errors;
	}
	c->input = dh_input_of(c->o->dir);
	r = dh_decided_open(c->o->dir, &c->decided, c->err);
	if (r == 0)
		r = run_undisturbed(c);
	if (r < 0)
		return r;
	c->expect.undisturbed = c->list;
	note_own_failures(c);
	set_timeout(c);
	return 0;
}

static void tear_down(struct campaign *c)
{
	for (size_t i = 0; i < c->expect.n; i++)
		dh_outcome_release(&c->undisturbed[i]);
	free(c->undisturbed);
	free(c->list);
	free(c->input);
	hide_release(&c->hidden);
	if (c->has_errors)
		regfree(&c->errors);
	dh_decided_release(&c->decided);
	dh_map_release(&c->failures);
}

int dh_explore_validate(const struct dh_explore_options *o, const struct dh_history *h,
	const struct dh_races *races, struct dh_explore_summary *ret, struct dh_error *err)
{
	struct campaign c = {
		.o = o, .h = h, .races = races, .sum = ret, .err = err, .decided = {.fd = -1}};
	int r;

	*ret = (struct dh_explore_summary){0};
	r = set_up(&c);
	if (r == 0) {
		take_decided(&c);
		say_progress(&c, "validating");
		r = run_branches(&c);
	}
	ret->left = races->n - n_done(ret);
	if (r == 0 && o->stop && *o->stop)
		r = -EINTR;
	tear_down(&c);
	return r;
}

int dh_explore_again(const struct dh_explore_options *o, const struct dh_history *h,
	const struct dh_race *race, const char *dir, struct dh_verdict *ret, struct dh_error *err)
{
	struct dh_races one = {.races = (struct dh_race *)race, .n = 1};
	struct dh_explore_summary sum = {0};
	struct campaign c = {
		.o = o, .h = h, .races = &one, .sum = &sum, .err = err, .decided = {.fd = -1}};
	struct slot s = {.dir = dh_strdup(dir)};
	struct dh_outcome out = {0};
	int r = set_up(&c);

	if (r == 0)
		r = dh_branch_make(&h->order, race, &s.branch);
	if (r == 0)
		r = start_run(&c, &s);
	while (r == 0 && !dh_run_pump(s.run)) {
		struct pollfd p[3];

		poll(p, (nfds_t)dh_run_poll_fds(s.run, p), -1);
	}
	if (r == 0)
		r = dh_run_finish(s.run, &out, err);
	if (r == 0) {
		judge(&c, &s, &out);
		*ret = s.verdict;
		snprintf(ret->recording, sizeof(ret->recording), "%s", dir);
		dh_outcome_release(&out);
	}
	dh_branch_release(&s.branch);
	free(s.dir);
	tear_down(&c);
	dh_explore_summary_release(&sum);
	return r;
}

int dh_explore_record(
	const struct dh_explore_options *o, struct dh_outcome *ret, struct dh_error *err)
{
	struct dh_run_options ro = {.argv = o->argv,
		.cwd = o->cwd,
		.dir = o->dir,
		.timeout = o->timeout > 0 ? o->timeout : FIRST_LIMIT,
		.on_disk = o->on_disk};
	DH_BUF struct dh_buf input = DH_BUF_INIT;
	DH_FREE char *path = NULL;
	struct hidden hidden;
	int r = dh_input_take(&input, &path, err);

	if (r == 0)
		r = dh_mkdir_p(o->dir, 0755, err);
	if (r < 0)
		return r;
	hide_init(&hidden, o);
	ro.input = path;
	ro.hide = hidden.list;
	r = dh_run(&ro, ret, err);
	hide_release(&hidden);
	if (r == 0 && ret->end == DH_END_FAILED) {
		r = dh_error_set(err, EIO, "%s", ret->why);
		dh_outcome_release(ret);
	}
	if (r == 0)
		r = dh_input_keep(o->dir, &input, err);
	return r;
}
