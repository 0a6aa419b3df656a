/* The third phase: each suspect, schedule by schedule (RaceFuzzer section 2.2, phase 2).
 *
 * The runtime holds threads back at the suspect's statements until they meet, and lets either go
 * first; here the seeds are dealt out and the outcomes counted.  Suspects take turns, a few seeds
 * each at first, so that a short time is not spent on the first of them alone. */
#include <stdio.h>
#include <string.h>

#include "fuzz/internal.h"
#include "fuzz/symbols.h"

static const uint64_t rounds[] = {2, 5, 20, 100, 1000, UINT64_MAX};

struct trial {
	struct dh_campaign *c;
	struct dh_suspect *s;
	uint64_t first; /* seed of run 0 of this batch */
	uint64_t done, total;
};

/* Of all schedules a part is kept: to make a failing one small, or where nothing has failed yet,
 * for those without a suspect. */
static uint64_t left(const struct dh_campaign *c)
{
	bool explores = c->o.strategy == DH_PORTFOLIO && !c->o.no_exploring;
	uint64_t n = c->o.schedules;

	return dh_campaign_left(c, dh_campaign_failed(c) ? n / 4 : explores ? n * 3 / 10 : n / 20);
}

static void fill(void *arg, uint64_t i, struct dh_order *ret)
{
	struct trial *t = arg;
	struct dh_campaign *c = t->c;

	*ret = (struct dh_order){.ask = dh_campaign_ask(c, dh_suspect_strategy(t->s->kind),
					 c->o.first_seed + t->first + i),
		.targets = t->s->targets,
		.n_targets = t->s->n_targets};
	/* Algorithm 1 draws anew at each point; every other schedule has few switches beside those
	 * at the suspect's statements, which is faster and easier to understand. */
	if ((t->first + i) % 2)
		ret->ask.flags |= DH_ASK_SELDOM;
}

/* Which of the two statements went first: of one statement with itself, the thread that came last
 * or the one that had waited. */
static unsigned order_of(const struct dh_suspect *s, const struct dh_sched_hit *h)
{
	const struct dh_sched_site *first = &h->site[h->resolved ? 1 : 0];
	const struct dh_sched_site *second = &h->site[h->resolved ? 0 : 1];
	uint16_t a = 0, b = 0;

	for (size_t i = 0; i < s->n_targets; i++) {
		if (s->targets[i].pc == first->pc)
			a = s->targets[i].index;
		if (s->targets[i].pc == second->pc)
			b = s->targets[i].index;
	}
	return a == b ? h->resolved != 0 : a > b;
}

static void count_hits(struct dh_suspect *s, const struct dh_run *run)
{
	for (size_t i = 0; i < run->n_hits; i++)
		s->orders[order_of(s, &run->hits[i])]++;
	if (run->n_hits && !s->have_hit) {
		s->hit = run->hits[0];
		s->have_hit = true;
	}
}

/* A deadlock is a finding of its own, whatever race was being tried; and what happens undisturbed,
 * and in every other schedule, is not this suspect's doing. */
static bool belongs(const struct dh_campaign *c, const struct dh_suspect *s,
	const struct dh_fuzz_failure *f, bool created)
{
	if (f->key == c->calm_key && !c->t.passed)
		return false;
	if (s->kind == DH_CAND_DEADLOCK)
		return f->kind == DH_FAILURE_DEADLOCK;
	return created && f->kind != DH_FAILURE_DEADLOCK;
}

static bool done(void *arg, uint64_t i, struct dh_server *srv, const struct dh_run *run)
{
	struct trial *t = arg;
	struct dh_suspect *s = t->s;
	struct dh_fuzz_failure f;
	struct dh_order order;
	bool created = run->result.hits_total > 0;

	fill(t, i, &order);
	dh_campaign_judge(t->c, srv, run, &f);
	s->tries++;
	s->undecided += f.kind == DH_FAILURE_UNDECIDED;
	if (dh_failed(&f) && belongs(t->c, s, &f, created)) {
		created = true;
		s->failed++;
		dh_failing_keep(&s->failing, &f, &order, srv, run);
	} else if (dh_failed(&f)) {
		dh_campaign_stray(t->c, &f, &order, srv, run, t->c->t.runs);
	}
	s->created += created;
	s->differed += created && f.kind == DH_FAILURE_NONE && dh_campaign_differs(t->c, run);
	count_hits(s, run);
	if (created && !s->have_seed) {
		s->have_seed = true;
		s->creating = order.ask;
	}
	dh_campaign_tick(t->c, ++t->done, NULL);
	return dh_campaign_out_of_time(t->c) || !left(t->c) ||
	       (!t->c->o.all_seeds && dh_suspect_decided(s, t->c->o.seeds));
}

static bool asked_for(const struct dh_campaign *c, const struct dh_suspect *s)
{
	/* A lock that was misused was misused: there is nothing to be tried. */
	if (s->kind == DH_CAND_MISUSE)
		return false;
	return c->o.strategy == DH_PORTFOLIO ||
	       (enum dh_sched_strategy)c->o.strategy == dh_suspect_strategy(s->kind);
}

static int try_one(struct trial *t, uint64_t upto, struct dh_error *err)
{
	struct dh_pool_batch b = {.arg = t, .fill = fill, .done = done};

	t->first = t->s->tries;
	b.n = DH_MIN(upto - t->first, left(t->c));
	return dh_pool_run(t->c->pool, &b, err);
}

/* Those that did not get all that they were to get. */
static void count_short(struct dh_campaign *c)
{
	for (size_t i = 0; i < c->suspects.n; i++) {
		const struct dh_suspect *s = c->suspects.items[i];

		if (!asked_for(c, s) || s->tries >= c->o.seeds ||
			(!c->o.all_seeds && dh_suspect_decided(s, c->o.seeds)))
			continue;
		c->t.untried += !s->tries;
		c->t.out_of_schedules |= !left(c);
	}
}

int dh_campaign_confirm(struct dh_campaign *c, struct dh_error *err)
{
	struct trial t = {.c = c};
	int r = 0;

	for (size_t i = 0; i < c->suspects.n; i++)
		t.total += asked_for(c, c->suspects.items[i]) ? c->o.seeds : 0;
	if (!t.total)
		return 0;
	dh_campaign_phase(c, "confirming", DH_MIN(t.total, left(c)));
	for (size_t round = 0; r == 0 && (!round || rounds[round - 1] < c->o.seeds); round++) {
		uint64_t upto = DH_MIN(rounds[round], c->o.seeds);

		for (size_t i = 0; r == 0 && i < c->suspects.n; i++) {
			t.s = c->suspects.items[i];
			if (!asked_for(c, t.s) || t.s->tries >= upto ||
				(!c->o.all_seeds && dh_suspect_decided(t.s, c->o.seeds)))
				continue;
			if (!dh_campaign_out_of_time(c) && left(c))
				r = try_one(&t, upto, err);
		}
	}
	count_short(c);
	return r;
}
