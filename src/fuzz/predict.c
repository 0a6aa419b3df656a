/* The second phase: runs that record what could go wrong (RaceFuzzer section 2.2, phase 1, with
 * lock orders, atomicity and order beside races).
 *
 * Each schedule is run twice: the first time to see where threads conflict at all, the second time,
 * the same schedule, with stacks for just these places. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "fuzz/internal.h"
#include "fuzz/symbols.h"

#define MAX_RUNS 8
/* Schedules in a row that show nothing new. */
#define QUIET_RUNS 3

#define ALL_KINDS                                                                                  \
	(DH_DETECT_RACES | DH_DETECT_LOCK_ORDER | DH_DETECT_ATOMICITY | DH_DETECT_ORDER |          \
		DH_DETECT_HEAP)

static uint32_t wanted(const struct dh_campaign *c)
{
	uint32_t d = ALL_KINDS;

	if (c->o.happens_before)
		d |= DH_DETECT_HB;
	return d;
}

static int run_one(struct dh_campaign *c, struct dh_order *order, struct dh_error *err)
{
	struct dh_fuzz_failure f;
	struct dh_server *s;
	int r = dh_pool_one(c->pool, order, &c->run, err);

	if (r < 0)
		return r;
	s = dh_pool_first(c->pool);
	dh_campaign_judge(c, s, &c->run, &f);
	c->t.predicting++;
	c->accesses = DH_MAX(c->accesses, c->run.result.accesses);
	if (c->run.outcome.end == DH_END_GIVEN_UP)
		return dh_error_set(err, ENOTSUP, "the prediction gave up: %s", f.detail);
	if (dh_failed(&f))
		dh_campaign_stray(c, &f, order, s, &c->run, c->t.runs);
	return 0;
}

/* What is not tried again has happened in this schedule. */
static void keep_schedule(const struct dh_suspects *all, const struct dh_sched_ask *ask)
{
	for (size_t i = 0; i < all->n; i++) {
		struct dh_suspect *s = all->items[i];

		if (s->kind != DH_CAND_MISUSE || s->have_seed)
			continue;
		s->have_seed = true;
		s->creating = *ask;
	}
}

/* How many suspects one schedule adds; -errno. */
static int predict_once(struct dh_campaign *c, uint64_t i, struct dh_error *err)
{
	struct dh_order order = {.ask = dh_campaign_ask(c, i ? DH_SCHED_RANDOM : DH_SCHED_CALM,
					 c->o.first_seed + i)};
	struct dh_sched_candidate *found;
	struct dh_block *b;
	size_t n, added;
	int r;

	order.ask.detect = wanted(c);
	r = run_one(c, &order, err);
	if (r < 0)
		return r;
	order.ask.detect |= DH_DETECT_STACKS;
	r = run_one(c, &order, err);
	if (r < 0)
		return r;
	b = dh_server_block(dh_pool_first(c->pool));
	dh_symbols_update(c->sym, b);
	dh_symbols_threads(c->sym, b);
	found = dh_block_candidates(b, &n);
	added = dh_suspects_add(&c->suspects, found, n, c->sym);
	keep_schedule(&c->suspects, &order.ask);
	free(found);
	return (int)DH_MIN(added, 1000000u);
}

/* Targets name modules by their index in the control block; all servers shall have the same. */
void dh_campaign_ready(struct dh_campaign *c)
{
	size_t n = dh_symbols_n_modules(c->sym);

	c->modules = dh_arena_alloc(&c->arena, (n + 1) * sizeof(*c->modules));
	for (size_t i = 0; i < n; i++)
		c->modules[i] = dh_arena_strdup(&c->arena, dh_symbols_module(c->sym, (uint32_t)i));
	c->n_modules = n;
	dh_pool_modules(c->pool, c->modules, n);
}

int dh_campaign_predict(struct dh_campaign *c, struct dh_error *err)
{
	unsigned quiet = 0;

	dh_campaign_phase(c, "predicting", MAX_RUNS);
	for (uint64_t i = 0; i < MAX_RUNS && quiet < QUIET_RUNS; i++) {
		int r = predict_once(c, i, err);

		if (r < 0)
			return r;
		quiet = r ? 0 : quiet + 1;
		dh_campaign_tick(c, i + 1, NULL);
		if (dh_campaign_out_of_time(c))
			break;
	}
	dh_campaign_ready(c);
	dh_suspects_sort(&c->suspects);
	return 0;
}
