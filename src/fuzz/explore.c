/* The fourth phase: schedules with no suspect in mind.  What a prediction cannot see (a check that
 * is wrong under every lock, a lost wake-up, a condition in the program's own terms) is left to
 * chance, with several kinds of chance taking turns. */
#include <string.h>

#include "fuzz/internal.h"

/* pct with few changes finds most bugs that need an order; pos those that need a rare interleaving
 * of many short operations; random and round are cheap insurance against the habits of both. */
static const struct {
	enum dh_sched_strategy strategy;
	uint32_t depth; /* 0: as asked */
	uint32_t flags;
} portfolio[] = {
	{DH_SCHED_PCT, 2, 0},
	{DH_SCHED_RANDOM, 0, 0},
	{DH_SCHED_PCT, 3, 0},
	{DH_SCHED_POS, 0, 0},
	{DH_SCHED_PCT, 2, DH_ASK_ALL_ACCESSES},
	{DH_SCHED_ROUND, 0, 0},
	{DH_SCHED_RANDOM, 0, DH_ASK_SPURIOUS},
	{DH_SCHED_PCT, 4, DH_ASK_SPURIOUS},
	{DH_SCHED_POS, 0, DH_ASK_ALL_ACCESSES},
	{DH_SCHED_PCT, 3, DH_ASK_ALL_ACCESSES},
};

struct tour {
	struct dh_campaign *c;
	uint64_t done;
	bool failed;
};

static void fill(void *arg, uint64_t i, struct dh_order *ret)
{
	struct tour *t = arg;
	struct dh_campaign *c = t->c;
	size_t row = i % DH_ARRAY_SIZE(portfolio);

	if (c->o.strategy != DH_PORTFOLIO) {
		*ret = (struct dh_order){
			.ask = dh_campaign_ask(
				c, (enum dh_sched_strategy)c->o.strategy, c->o.first_seed + i)};
		return;
	}
	*ret = (struct dh_order){.ask = dh_campaign_ask(c, portfolio[row].strategy,
					 c->o.first_seed + i / DH_ARRAY_SIZE(portfolio))};
	ret->ask.flags |= portfolio[row].flags;
	if (portfolio[row].depth)
		ret->ask.depth = portfolio[row].depth;
}

static bool done(void *arg, uint64_t i, struct dh_server *s, const struct dh_run *run)
{
	struct tour *t = arg;
	struct dh_fuzz_failure f;
	struct dh_order order;

	fill(t, i, &order);
	dh_campaign_judge(t->c, s, run, &f);
	if (dh_failed(&f)) {
		dh_campaign_stray(t->c, &f, &order, s, run, t->c->t.runs);
		t->failed = true;
	}
	dh_campaign_tick(t->c, ++t->done, NULL);
	return dh_campaign_out_of_time(t->c) || (t->failed && !t->c->o.all_seeds);
}

int dh_campaign_explore(struct dh_campaign *c, struct dh_error *err)
{
	struct tour t = {.c = c};
	struct dh_pool_batch b = {.arg = &t, .fill = fill, .done = done};
	bool all = c->o.strategy == DH_PORTFOLIO;
	bool directed = c->o.strategy >= DH_SCHED_RACE && c->o.strategy <= DH_SCHED_ORDER;
	int r = dh_campaign_recheck(c, err);

	/* Something is broken, and all suspects are decided: more of the same helps nobody. */
	if (r < 0 || directed || c->o.no_exploring || dh_campaign_out_of_time(c) ||
		(all && !c->o.all_seeds && dh_campaign_failed(c)))
		return r;
	b.n = dh_campaign_left(c, c->o.schedules / 20);
	if (!b.n)
		return 0;
	dh_campaign_phase(c, "exploring", b.n);
	return dh_pool_run(c->pool, &b, err);
}
