#include "explore/branch.h"

#include <errno.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "explore/race.h"

void dh_branch_release(struct dh_branch *b)
{
	free(b->cut);
	*b = (struct dh_branch){0};
}

/* What must have happened before call c can be over; `begins`: before it can begin, which for a
 * wait leaves out who woke it up. */
static uint32_t needs(const struct dh_porder *o, uint32_t c, bool begins, uint32_t task)
{
	if (begins || task == o->calls[c].task)
		return dh_porder_known_before(o, c, task);
	return dh_porder_known(o, c, task);
}

/* The anchors of each kind of race in their new order, as places in race->calls.  The last one is
 * that which came first in the recording. */
struct recipe {
	uint8_t n;
	uint8_t order[3];
	bool waits[3]; /* of those: what woke it up in the recording is not what will */
};

static const struct recipe recipes[DH_RACE_KIND_COUNT] = {
	[DH_RACE_WAIT_WAKEUPS] = {3, {2, 0, 1}, {false, true, false}},
	[DH_RACE_WAKEUP_WAITS] = {3, {0, 2, 1}, {false, true, true}},
};

/* The same with two calls only. */
static const struct recipe pairs[DH_RACE_KIND_COUNT] = {
	[DH_RACE_LOAD_STORE] = {2, {1, 0}, {false}},
	[DH_RACE_SIGNAL] = {2, {1, 0}, {true, false}},
	[DH_RACE_WAIT_WAKEUPS] = {2, {1, 0}, {true, false}},
	[DH_RACE_WAKEUP_WAITS] = {2, {1, 0}, {true, true}},
};

static const struct recipe late_signal = {2, {0, 1}, {false, true}};

static void choose_anchors(const struct dh_race *r, const struct recipe *how, struct dh_branch *b)
{
	for (b->n_anchors = 0; b->n_anchors < how->n; b->n_anchors++)
		b->anchors[b->n_anchors] = r->calls[how->order[b->n_anchors]];
	b->postponed = b->anchors[b->n_anchors - 1];
}

static bool is_anchor(const struct dh_branch *b, uint32_t c)
{
	for (uint32_t i = 0; i < b->n_anchors; i++) {
		if (b->anchors[i] == c)
			return true;
	}
	return false;
}

/* The cut: the latest clock of any anchor for each task, without the anchors themselves. */
static void merge(const struct dh_porder *o, const struct recipe *how, struct dh_branch *b)
{
	for (uint32_t t = 0; t < b->n_tasks; t++) {
		for (uint32_t i = 0; i < b->n_anchors; i++)
			b->cut[t] = DH_MAX(b->cut[t], needs(o, b->anchors[i], how->waits[i], t));
	}
}

/* What was turned around before must be so again: with one call of such an order before the cut,
 * the one that it waits for is, too. */
static void extend(const struct dh_porder *o, struct dh_branch *b)
{
	for (uint32_t rounds = 0; rounds < b->n_orders; rounds++) { /* one may bring in another */
		for (uint32_t i = 0; i < b->n_orders; i++) {
			const struct dh_branch_order *x = &b->orders[i];

			for (uint32_t t = 0; t < b->n_tasks && dh_branch_contains(b, x->then); t++)
				b->cut[t] = DH_MAX(b->cut[t], dh_porder_known(o, x->first, t));
		}
	}
}

/* Takes call c and what it needs into the cut, unless that would take an anchor in. */
static bool take_in(const struct dh_porder *o, struct dh_branch *b, uint32_t c)
{
	for (uint32_t i = 0; i < b->n_anchors; i++) {
		const struct dh_porder_call *a = &o->calls[b->anchors[i]];

		if (dh_porder_known(o, c, a->task) > a->index)
			return false;
	}
	for (uint32_t t = 0; t < b->n_tasks; t++)
		b->cut[t] = DH_MAX(b->cut[t], dh_porder_known(o, c, t));
	return true;
}

/* A signal that is sent before the cut finds its target where it was then, not at the point to
 * which the racing calls alone would have let it come: that would be one more order turned around.
 */
static void keep_strikes(const struct dh_porder *o, struct dh_branch *b)
{
	bool more = true;

	while (more) { /* what is taken in may send others */
		more = false;
		for (size_t i = 0; i < o->n_strikes; i++) {
			const struct dh_porder_strike *s = &o->strikes[i];
			uint32_t made = s->reached + s->inside;

			if (made > b->cut[s->task] && dh_branch_contains(b, s->sender))
				more |= take_in(o, b, dh_porder_find(o, s->task, made - 1));
		}
	}
}

int dh_branch_make(const struct dh_porder *o, const struct dh_race *race,
	const struct dh_branch_order *orders, uint32_t n, struct dh_branch *ret)
{
	const struct recipe *how = race->n_calls == 3 ? &recipes[race->kind] : &pairs[race->kind];
	struct dh_branch b = {.order = o, .n_tasks = o->n_tasks, .orders = orders, .n_orders = n};

	if (race->kind == DH_RACE_SIGNAL && race->late)
		how = &late_signal;
	if (!how->n)
		return -EINVAL;
	choose_anchors(race, how, &b);
	b.cut = dh_zalloc(b.n_tasks * sizeof(*b.cut));
	merge(o, how, &b);
	extend(o, &b);
	for (uint32_t i = 0; i < b.n_anchors; i++) {
		const struct dh_porder_call *c = &o->calls[b.anchors[i]];

		/* An anchor that another one needs cannot come behind it. */
		if (b.cut[c->task] > c->index) {
			dh_branch_release(&b);
			return -EINVAL;
		}
	}
	keep_strikes(o, &b);
	*ret = b;
	return 0;
}

void dh_branch_make_kept(const struct dh_porder *o, struct dh_branch *ret)
{
	*ret = (struct dh_branch){
		.order = o, .n_tasks = o->n_tasks, .postponed = DH_NO_CALL, .keep = true};
	ret->cut = dh_zalloc((ret->n_tasks + 1) * sizeof(*ret->cut));
}

bool dh_branch_contains(const struct dh_branch *b, uint32_t c)
{
	const struct dh_porder_call *call = &b->order->calls[c];

	return call->index < b->cut[call->task];
}

size_t dh_branch_waits_for(const struct dh_branch *b, uint32_t c, uint32_t *ret, size_t max)
{
	size_t n, kept = 0;
	const uint32_t *deps = dh_porder_deps(b->order, c, &n);

	for (size_t i = 0; i < n && kept < max; i++) {
		/* What lies beyond the cut, or waits for us, cannot come first any more. */
		if (dh_branch_contains(b, deps[i]))
			ret[kept++] = deps[i];
	}
	for (uint32_t i = 0; i < b->n_orders && kept < max; i++) {
		if (b->orders[i].then == c && dh_branch_contains(b, b->orders[i].first))
			ret[kept++] = b->orders[i].first;
	}
	for (uint32_t i = 0; i < b->n_anchors && is_anchor(b, c) && kept < max; i++) {
		if (b->anchors[i] == c)
			break;
		ret[kept++] = b->anchors[i];
	}
	return kept;
}
