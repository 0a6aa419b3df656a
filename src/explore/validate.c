/* Which branch is run when: several at a time, the most promising first. */
#include "explore/validate.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/fd.h"
#include "explore/campaign.h"
#include "explore/history.h"
#include "explore/race.h"
#include "explore/run.h"

static bool stopped(const struct campaign *c)
{
	return (c->o->stop && *c->o->stop) ||
	       (c->o->time > 0 && dh_clock_seconds() - c->began > c->o->time);
}

static bool in_shard(const struct campaign *c, const struct level *l, size_t i)
{
	return c->o->shards < 2 || l->depth || i % c->o->shards == c->o->shard - 1;
}

static void tell(struct campaign *c, const struct level *l, size_t race, const struct dh_verdict *v)
{
	size_t *counters[DH_VERDICT_COUNT] = {[DH_VERDICT_DIVERGED] = &c->sum->diverged,
		[DH_VERDICT_BENIGN] = &c->sum->benign,
		[DH_VERDICT_HARMFUL] = &c->sum->harmful,
		[DH_VERDICT_FAILED] = &c->sum->failed};
	struct dh_trial t = dh_level_trial(l, race);

	(*counters[v->kind])++;
	if (v->kind == DH_VERDICT_HARMFUL)
		dh_map_set(&c->harmful, l->signatures[race], 1);
	c->sum->again += v->again;
	c->sum->deeper += l->depth > 0;
	c->o->decided(c->o->cookie, &t, v);
}

/* Whether the branch of a race that broke nothing is looked at in turn. */
static bool goes_deeper(const struct campaign *c, const struct level *l, const struct dh_verdict *v)
{
	return v->kind == DH_VERDICT_BENIGN && l->depth + 1 < c->o->recursive;
}

static int take_known(struct campaign *c, struct level *l);

static int look_deeper(
	struct campaign *c, const struct level *l, size_t race, const char *dir, const char *key)
{
	struct level **end = c->last_level;
	int r = dh_level_add(c, l, race, dir, key);

	return r == 0 && *end ? take_known(c, *end) : r;
}

/* What an earlier run has decided of the race; false when it must be done again. */
static bool take_decided(struct campaign *c, const struct level *l, size_t race, int *ret_error)
{
	DH_FREE char *dir = NULL;
	const struct dh_verdict *known;
	struct dh_verdict v;
	char key[DH_DECIDED_KEY];

	dh_decided_key(l->key, &l->races->races[race], key);
	known = dh_decided_find(&c->decided, key);
	if (!known)
		return false;
	v = *known;
	dir = dh_asprintf("%s/branches/%s", c->decided.dir, key);
	if (goes_deeper(c, l, &v) && access(dir, F_OK) < 0)
		return false; /* nobody has asked for its branch then */
	v.like = v.kind == DH_VERDICT_HARMFUL && dh_campaign_blamed(c, &v);
	if (v.recorded)
		snprintf(v.recording, sizeof(v.recording), "%s", l->at.dir);
	tell(c, l, race, &v);
	if (goes_deeper(c, l, &v))
		*ret_error = look_deeper(c, l, race, dir, key);
	return true;
}

/* What earlier runs have decided is told, and what is left to do is counted. */
static int take_known(struct campaign *c, struct level *l)
{
	int r = 0;

	l->done = dh_zalloc(l->races->n + 1);
	for (size_t i = 0; i < l->races->n && r == 0; i++) {
		l->done[i] = take_decided(c, l, i, &r);
		c->n += l->done[i] || in_shard(c, l, i);
	}
	return r;
}

static void slot_release(struct slot *s)
{
	dh_branch_release(&s->branch);
	free(s->dir);
	free(s->again);
	*s = (struct slot){0};
}

static int decide(struct campaign *c, struct slot *s)
{
	struct dh_verdict *v = &s->verdict;
	bool deeper;
	int r = 0;

	dh_slot_conclude(c, s);
	deeper = goes_deeper(c, s->level, v);
	dh_remove_tree(s->again);
	if (v->kind == DH_VERDICT_HARMFUL)
		snprintf(v->recording, sizeof(v->recording), "%s",
			v->recorded ? s->level->at.dir : s->dir);
	if (!deeper && !c->o->keep_all && (v->kind != DH_VERDICT_HARMFUL || v->recorded))
		dh_remove_tree(s->dir);
	dh_decided_add(&c->decided, s->key, v);
	tell(c, s->level, s->race, v);
	if (deeper)
		r = look_deeper(c, s->level, s->race, s->dir, s->key);
	slot_release(s);
	dh_campaign_progress(c);
	return r;
}

static int start_run(struct campaign *c, struct slot *s)
{
	const char *dir = s->verdict.tries ? s->again : s->dir;
	struct dh_run_options ro;
	int r;

	dh_remove_tree(dir);
	ro = dh_campaign_run(c, dir);
	ro.history = s->level->at.h;
	ro.branch = &s->branch;
	r = dh_run_start(&ro, &s->run, c->err);
	if (r == 0)
		c->n_busy++;
	return r;
}

static int make_branch(const struct campaign *c, const struct dh_trial *t, struct dh_branch *ret)
{
	int r = dh_branch_make(&t->h->order, t->race, t->orders, t->n_orders, ret);

	if (r == 0)
		ret->keep = c->kept.expect.n > 0 || c->o->ordered;
	return r;
}

/* 0, or 1 when it could be decided without any execution, or -errno. */
static int start_race(struct campaign *c, struct slot *s, struct level *l, size_t race)
{
	struct dh_trial t = dh_level_trial(l, race);
	double began = dh_clock_seconds();
	int r;

	*s = (struct slot){.level = l, .race = race};
	dh_decided_key(l->key, t.race, s->key);
	s->dir = dh_asprintf("%s/branches/%s", c->decided.dir, s->key);
	s->again = dh_asprintf("%s-again", s->dir);
	r = make_branch(c, &t, &s->branch);
	s->verdict.generate = dh_clock_seconds() - began;
	c->sum->generated += s->verdict.generate;
	if (r == 0)
		return start_run(c, s);
	s->verdict.kind = DH_VERDICT_DIVERGED;
	snprintf(s->verdict.detail, sizeof(s->verdict.detail), "the calls cannot be turned around");
	r = decide(c, s);
	return r < 0 ? r : 1;
}

/* The next race that no history before had and nobody has decided. */
static struct level *next_new(struct campaign *c, size_t *ret_race)
{
	for (struct level *l = c->next_level; l; l = l->next) {
		c->next_level = l;
		while (l->next_race < l->n_new) {
			*ret_race = l->next_race++;
			if (!l->done[*ret_race] && in_shard(c, l, *ret_race))
				return l;
		}
	}
	return NULL;
}

/* Then races that are known, on top of others.  What breaks by itself says nothing there. */
static struct level *next_combination(struct campaign *c, size_t *ret_race)
{
	for (struct level *l = c->levels; l; l = l->next) {
		while (l->next_known < l->races->n) {
			size_t race = *ret_race = l->next_known++;

			if (l->done[race])
				continue;
			if (!dh_map_get(&c->harmful, l->signatures[race], NULL))
				return l;
			l->skipped++;
			c->n--;
		}
	}
	return NULL;
}

/* The next race that nobody has decided yet; -ENOENT when there is none. */
static int start_next(struct campaign *c, struct slot *s)
{
	int r = 1;

	while (r == 1 && (!c->o->races || c->started < c->o->races)) {
		size_t race;
		struct level *l = next_new(c, &race);

		if (!l)
			l = next_combination(c, &race);
		if (!l)
			return -ENOENT;
		c->started++;
		r = start_race(c, s, l, race);
	}
	return r == 1 ? -ENOENT : r;
}

static int finish_run(struct campaign *c, struct slot *s)
{
	struct dh_outcome o = {0};
	int r = dh_run_finish(s->run, &o, c->err);

	s->run = NULL;
	c->n_busy--;
	if (r < 0)
		return r;
	dh_slot_judge(c, s, &o);
	dh_outcome_release(&o);
	if (!stopped(c) && (dh_slot_needs_more(c, s) || dh_slot_reorder(c, s)))
		return start_run(c, s);
	return decide(c, s);
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

/* 1: there is nothing left to start, unless one that runs finds more. */
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
	struct pollfd p[3 * DH_JOBS_MAX];
	int n = 0, r = 0;

	for (int i = 0; i < jobs; i++)
		if (c->slots[i].run)
			n += dh_run_poll_fds(c->slots[i].run, p + n);
	if (n)
		poll(p, (nfds_t)n, 500);
	dh_campaign_progress(c);
	for (int i = 0; i < jobs && r == 0; i++)
		if (c->slots[i].run && dh_run_pump(c->slots[i].run))
			r = finish_run(c, &c->slots[i]);
	return r;
}

static void abort_slots(struct campaign *c)
{
	for (int i = 0; i < DH_JOBS_MAX; i++) {
		struct slot *s = &c->slots[i];

		dh_run_abort(s->run);
		if (s->dir)
			dh_remove_tree(s->dir);
		slot_release(s);
	}
	c->n_busy = 0;
}

static int run_branches(struct campaign *c)
{
	int jobs = DH_MIN(DH_MAX(c->o->jobs, 1), DH_JOBS_MAX), r = 0;

	while (r == 0 && !stopped(c)) {
		r = fill_slots(c, jobs);
		if (r == 1 && c->n_busy == 0)
			break;
		if (r >= 0)
			r = pump_slots(c, jobs);
	}
	abort_slots(c);
	return DH_MIN(r, 0);
}

static size_t count_races(const struct campaign *c)
{
	size_t n = 0;

	for (const struct level *l = c->levels; l; l = l->next)
		n += l->races->n - l->skipped;
	return n;
}

int dh_explore_validate(const struct dh_explore_options *o, const struct dh_history *h,
	const struct dh_races *races, struct dh_explore_summary *ret, struct dh_error *err)
{
	struct campaign c = {.o = o, .sum = ret, .err = err};
	int r;

	*ret = (struct dh_explore_summary){0};
	c.next_level = dh_level_first(&c, h, races);
	r = dh_campaign_begin(&c, h);
	if (r == 0) {
		r = take_known(&c, c.levels);
		c.phase = "validating";
		dh_campaign_progress(&c);
	}
	if (r == 0)
		r = run_branches(&c);
	ret->left = count_races(&c) - ret->harmful - ret->benign - ret->diverged - ret->failed;
	if (r == 0 && o->stop && *o->stop)
		r = -EINTR;
	dh_campaign_end(&c);
	return r;
}

/* One execution of the branch, recorded in dir. */
static int run_once(struct campaign *c, const struct dh_trial *t, const struct dh_branch *b,
	const char *dir, struct dh_outcome *ret)
{
	struct dh_run_options ro = dh_campaign_run(c, dir);

	ro.history = t->h;
	ro.branch = b;
	return dh_run(&ro, ret, c->err);
}

/* The recorded order is the one that breaks: it runs once more, and is kept. */
static int show_recorded(struct campaign *c, const struct dh_trial *t, const char *dir)
{
	struct dh_outcome out = {0};
	struct dh_branch kept;
	int r;

	dh_remove_tree(dir);
	dh_branch_make_kept(&t->h->order, &kept);
	r = run_once(c, t, &kept, dir, &out);
	dh_branch_release(&kept);
	dh_outcome_release(&out);
	return r;
}

int dh_explore_again(const struct dh_explore_options *o, const struct dh_trial *t, bool recorded,
	const char *dir, struct dh_verdict *ret, struct dh_error *err)
{
	struct dh_races one = {.races = (struct dh_race *)(uintptr_t)t->race, .n = 1};
	struct dh_explore_summary sum = {0};
	struct campaign c = {.o = o, .sum = &sum, .err = err};
	struct slot s = {.level = dh_level_first(&c, t->h, &one)};
	struct dh_outcome out = {0};
	int r = dh_campaign_begin(&c, t->h);

	if (r == 0)
		r = make_branch(&c, t, &s.branch);
	if (r == 0)
		r = run_once(&c, t, &s.branch, dir, &out);
	if (r == 0) {
		dh_slot_judge(&c, &s, &out);
		*ret = s.verdict;
		snprintf(ret->recording, sizeof(ret->recording), "%s", dir);
		dh_outcome_release(&out);
	}
	if (r == 0 && recorded)
		r = show_recorded(&c, t, dir);
	dh_branch_release(&s.branch);
	dh_campaign_end(&c);
	dh_explore_summary_release(&sum);
	return r;
}
