/* What is normal: executions that nobody disturbs, and, where these disagree, executions that keep
 * the recorded order to the end. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/fd.h"
#include "explore/campaign.h"
#include "explore/history.h"
#include "explore/input.h"
#include "explore/run.h"
#include "sandbox/sandbox.h"

/* A run takes this many times the slowest undisturbed one, and some more, before it hangs. */
#define HANG_FACTOR 5.0
#define HANG_LEAST  10.0
#define FIRST_LIMIT 600.0

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

static int waiting(void *cookie)
{
	const struct campaign *c = cookie;

	dh_campaign_progress(c);
	return c->o->stop && *c->o->stop ? -EINTR : 0;
}

static void warn(void *cookie, const char *text)
{
	const struct campaign *c = cookie;

	if (c->o->warn)
		c->o->warn(c->o->cookie, text);
}

struct dh_run_options dh_campaign_run(const struct campaign *c, const char *dir)
{
	return (struct dh_run_options){.argv = c->o->argv,
		.cwd = c->o->cwd,
		.dir = dir,
		.input = c->input,
		.timeout = c->timeout,
		.check = c->o->check,
		.during = c->o->during,
		.same = c->o->same,
		.n_same = c->o->n_same,
		.on_disk = c->o->on_disk,
		.hide = c->hidden.list,
		.waiting = waiting,
		.warn = warn,
		.cookie = (void *)(uintptr_t)c};
}

static void release(struct baseline *b)
{
	for (size_t i = 0; i < b->expect.n; i++)
		dh_outcome_release(&b->runs[i]);
	free(b->runs);
	free(b->list);
}

/* n executions, in the branch's order if there is one. */
static int run_all(struct campaign *c, struct baseline *b, const char *phase,
	const struct dh_history *h, const struct dh_branch *branch)
{
	DH_FREE char *dir = dh_asprintf("%s/explore/undisturbed", c->o->dir);
	size_t n = (size_t)DH_MAX(c->o->undisturbed, branch ? 2 : 1);

	c->phase = phase;
	c->runs = n;
	b->runs = dh_zalloc(n * sizeof(*b->runs));
	b->list = dh_zalloc(n * sizeof(*b->list));
	b->expect = (struct dh_expectation){.undisturbed = b->list,
		.same = c->o->same,
		.n_same = c->o->n_same,
		.errors = c->has_errors ? &c->errors : NULL};
	for (size_t i = 0; i < n; i++) {
		struct dh_run_options ro = dh_campaign_run(c, dir);
		struct dh_outcome *out = &b->runs[i];
		int r;

		ro.history = h;
		ro.branch = branch;
		c->run = i;
		dh_campaign_progress(c);
		dh_remove_tree(dir);
		r = dh_run(&ro, out, c->err);
		dh_remove_tree(dir);
		if (r < 0)
			return r;
		b->list[i] = out;
		b->expect.n = i + 1;
		if (out->end == DH_END_FAILED)
			return dh_error_set(c->err, EIO, "an %s run failed: %s", phase, out->why);
		c->sum->undisturbed = DH_MAX(c->sum->undisturbed, out->seconds);
	}
	c->runs = 0;
	return 0;
}

static int run_kept(struct campaign *c, const struct dh_history *h)
{
	struct dh_branch branch;
	int r;

	dh_branch_make_kept(&h->order, &branch);
	r = run_all(c, &c->kept, "ordered", h, &branch);
	dh_branch_release(&branch);
	c->sum->kept = c->kept.expect.n;
	if (r < 0)
		return r;
	c->sum->unsteady = dh_outcome_unsteady(&c->kept.expect);
	dh_outcome_flaky(&c->kept.expect, "in the recorded order too", &c->sum->flaky);
	return r;
}

const struct dh_expectation *dh_campaign_expect(const struct campaign *c)
{
	return c->kept.expect.n ? &c->kept.expect : &c->undisturbed.expect;
}

static size_t n_done(const struct dh_explore_summary *s)
{
	return s->harmful + s->benign + s->diverged + s->failed;
}

void dh_campaign_progress(const struct campaign *c)
{
	const struct dh_explore_summary *s = c->sum;
	size_t n = c->n - s->again;
	struct dh_explore_progress p = {.phase = c->phase,
		.seconds = dh_clock_seconds() - c->began,
		.n = c->o->races ? DH_MIN(n, c->o->races) : n,
		.done = n_done(s) - s->again,
		.harmful = s->harmful,
		.benign = s->benign,
		.diverged = s->diverged,
		.failed = s->failed};

	if (c->runs) { /* of the baseline */
		p.n = c->runs;
		p.done = c->run;
	}
	if (c->o->progress)
		c->o->progress(c->o->cookie, &p);
}

/* What is wrong without any help. */
static void note_own_failures(struct campaign *c)
{
	const struct dh_expectation *e = &c->undisturbed.expect;
	size_t hung = 0, failed = 0, checks = 0, during = 0;

	for (size_t i = 0; i < e->n; i++) {
		const struct dh_outcome *o = e->undisturbed[i];

		hung += o->end == DH_END_HUNG;
		failed += o->end != DH_END_HUNG && o->status != 0;
		checks += o->check.status != -1 && o->check.status != 0;
		during += o->during.status != -1 && o->during.status != 0;
	}
	if (hung)
		dh_buf_addf(&c->sum->failing, "%zu of %zu are not over after %.0f s\n", hung, e->n,
			c->timeout);
	if (failed)
		dh_buf_addf(&c->sum->failing, "the command fails in %zu of %zu\n", failed, e->n);
	if (during)
		dh_buf_addf(&c->sum->failing, "the check during the run fails in %zu of %zu\n",
			during, e->n);
	if (checks)
		dh_buf_addf(&c->sum->failing, "the check fails after %zu of %zu\n", checks, e->n);
}

static int compile_errors(struct campaign *c)
{
	if (!c->o->log_errors)
		return 0;
	if (regcomp(&c->errors, c->o->log_errors, REG_EXTENDED | REG_NOSUB | REG_ICASE) != 0)
		return dh_error_set(
			c->err, EINVAL, "'%s' is no regular expression", c->o->log_errors);
	c->has_errors = true;
	return 0;
}

int dh_campaign_begin(struct campaign *c, const struct dh_history *h)
{
	int r;

	c->began = dh_clock_seconds();
	c->decided.fd = -1;
	dh_sandbox_sweep(NULL); /* what was killed could not do it */
	hide_init(&c->hidden, c->o);
	c->input = dh_input_of(c->o->dir);
	c->timeout = c->o->timeout > 0 ? c->o->timeout : FIRST_LIMIT;
	r = compile_errors(c);
	if (r == 0)
		r = dh_decided_open(c->o->dir, &c->decided, c->err);
	if (r == 0)
		r = run_all(c, &c->undisturbed, "undisturbed", NULL, NULL);
	if (r < 0)
		return r;
	note_own_failures(c);
	if (c->o->timeout <= 0)
		c->timeout = HANG_LEAST + HANG_FACTOR * c->sum->undisturbed;
	/* Where undisturbed executions say nothing, the recorded order may. */
	if (dh_outcome_flaky(&c->undisturbed.expect, "undisturbed", &c->sum->flaky) ||
		c->sum->failing.len || c->o->kept)
		r = run_kept(c, h);
	return r;
}

void dh_campaign_end(struct campaign *c)
{
	release(&c->undisturbed);
	release(&c->kept);
	free(c->input);
	hide_release(&c->hidden);
	if (c->has_errors)
		regfree(&c->errors);
	dh_decided_release(&c->decided);
	dh_map_release(&c->failures);
	dh_map_release(&c->seen);
	dh_map_release(&c->harmful);
	dh_levels_free(c);
}

struct first {
	const struct dh_explore_options *o;
	double began;
};

static int waiting_for_first(void *cookie)
{
	const struct first *f = cookie;
	struct dh_explore_progress p = {
		.phase = "recording", .seconds = dh_clock_seconds() - f->began};

	if (f->o->progress)
		f->o->progress(f->o->cookie, &p);
	return f->o->stop && *f->o->stop ? -EINTR : 0;
}

static void warn_of_first(void *cookie, const char *text)
{
	const struct first *f = cookie;

	if (f->o->warn)
		f->o->warn(f->o->cookie, text);
}

int dh_explore_record(
	const struct dh_explore_options *o, struct dh_outcome *ret, struct dh_error *err)
{
	struct dh_run_options ro = {.argv = o->argv,
		.cwd = o->cwd,
		.dir = o->dir,
		.timeout = o->timeout > 0 ? o->timeout : FIRST_LIMIT,
		.on_disk = o->on_disk,
		.warn = warn_of_first,
		.waiting = waiting_for_first};
	struct first first = {.o = o, .began = dh_clock_seconds()};
	DH_BUF struct dh_buf input = DH_BUF_INIT;
	DH_FREE char *path = NULL;
	struct hidden hidden;
	int r = dh_input_take(&input, &path, err);

	if (r == 0)
		r = dh_mkdir_p(o->dir, 0755, err);
	if (r < 0)
		return r;
	dh_sandbox_sweep(NULL);
	hide_init(&hidden, o);
	ro.input = path;
	ro.cookie = &first;
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
