/* Runs of calls that follow no call of another task and that none of another task follows: whatever
 * the order is, nobody is held for them.  So the task may make them without being asked about each.
 */
#include <stdlib.h>
#include <sys/syscall.h>

#include "base/alloc.h"
#include "explore/enforcer.h"

/* Both ends of what one task must wait for in another. */
static void mark_order(const struct dh_porder *o, uint32_t first, uint32_t then, bool *held)
{
	if (o->calls[first].task != o->calls[then].task)
		held[first] = held[then] = true;
}

/* Who strikes, and where its target must be. */
static void mark_strike(const struct dh_porder *o, const struct dh_porder_strike *s, bool *held)
{
	uint32_t at = dh_porder_find(o, s->task, s->index);
	uint32_t last = s->reached ? dh_porder_find(o, s->task, s->reached - 1) : DH_NO_CALL;

	held[s->sender] = true;
	if (at != DH_NO_CALL)
		held[at] = true;
	if (last != DH_NO_CALL)
		held[last] = true;
}

static bool *find_held(const struct dh_history *h, const struct dh_branch *b)
{
	bool *held = dh_zalloc(h->n_calls + 1);

	for (uint32_t i = 0; i < h->n_calls; i++) {
		size_t n;
		const uint32_t *deps = dh_porder_deps(&h->order, i, &n);

		for (size_t k = 0; k < n; k++)
			mark_order(&h->order, deps[k], i, held);
		/* Random bytes from a file.  Other calls that are fed stop anyway (gate.h). */
		held[i] |= h->calls[i].given && h->calls[i].ev->nr == SYS_read;
	}
	for (uint32_t i = 0; i < b->n_anchors; i++)
		held[b->anchors[i]] = true;
	for (size_t i = 0; i < h->order.n_strikes; i++)
		mark_strike(&h->order, &h->order.strikes[i], held);
	for (uint32_t i = 0; i < b->n_orders; i++)
		mark_order(&h->order, b->orders[i].first, b->orders[i].then, held);
	return held;
}

uint32_t *dh_runs_find(const struct dh_history *h, const struct dh_branch *b)
{
	uint32_t *runs = dh_zalloc((h->n_calls + 1) * sizeof(*runs));
	DH_FREE uint32_t *behind = dh_zalloc((h->n_tasks + 1) * sizeof(*behind));
	DH_FREE bool *held = find_held(h, b);

	for (uint32_t i = h->n_calls; i-- > 0;) {
		uint32_t task = h->calls[i].task;

		runs[i] = held[i] ? 0 : behind[task] + 1;
		behind[task] = runs[i];
	}
	return runs;
}

/* A task may leave out as many recorded calls as a match looks ahead: it is asked again so much
 * before the call that it may be held at. */
uint32_t dh_enforcer_allows(void *cookie, uint32_t task)
{
	const struct dh_enforcer *e = cookie;
	const struct live *t = dh_map_getp(&e->tasks, task);
	const struct dh_branch *b = e->opt.branch;
	uint32_t call, n;

	if (!t || !b || e->diverged || t->task == DH_NO_TASK || t->departed)
		return 0;
	call = dh_porder_find(&e->opt.history->order, t->task, t->index);
	if (call == DH_NO_CALL)
		return 0;
	n = e->runs[call];
	if (!e->live)
		n = t->index < b->cut[t->task] ? DH_MIN(n, b->cut[t->task] - t->index) : 0;
	return n > RESYNC_MAX ? n - RESYNC_MAX : 0;
}
