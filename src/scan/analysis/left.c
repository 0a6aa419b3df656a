/* Locks that a function leaves held on a minority of its ways out (RacerX 6.1): an early return
 * that forgets the unlock.  A function whose purpose is to leave a lock held looks alike; what it
 * returns tells them apart.  Nobody releases a lock that an exception has left behind. */
#include "base/alloc.h"
#include "scan/analysis/find.h"
#include "scan/analysis/run.h"

/* Whether the way out is one of failure, or, where nothing is returned, one of few. */
static bool is_failure(struct dh_scan_run *run, const struct dh_scan_context *c, uint32_t exit)
{
	uint32_t value = dh_scan_state_get(&c->exits[exit].state, dh_scan_return_cell(run, c->fn));
	uint32_t others = 0;
	int64_t v;

	if (c->exits[exit].way == DH_WAY_THROW)
		return true;
	if (value)
		return dh_scan_is_const(run->p, value, &v) && v < 0;
	for (uint32_t i = 0; i < c->n_exits; i++)
		others += i == exit ? 0 : c->exits[i].edges;
	return c->exits[exit].edges <= others;
}

static bool is_released_elsewhere(
	struct dh_scan_run *run, const struct dh_scan_context *c, uint32_t exit, uint32_t lock)
{
	for (uint32_t i = 0; i < c->n_exits; i++)
		if (i != exit && !dh_lockset_contains(run->sets, c->exits[i].state.locks, lock))
			return true;
	return false;
}

static void note_left(
	struct dh_scan_run *run, uint32_t context, const struct dh_scan_held *h, uint32_t exit)
{
	const struct dh_scan_context *c = &run->contexts[context];

	/* What the caller held already is the caller's business. */
	if (h->fn != c->fn || dh_lockset_contains(run->sets, c->entry.locks, h->lock) ||
		c->exits[exit].way == DH_WAY_JUMP ||
		(c->exits[exit].way == DH_WAY_RETURN &&
			!is_released_elsewhere(run, c, exit, h->lock)) ||
		!is_failure(run, c, exit))
		return;
	DH_GROW(run->mistakes, run->n_mistakes, run->cap_mistakes);
	run->mistakes[run->n_mistakes++] = (struct dh_scan_mistake){.kind = DH_MISTAKE_LEFT,
		.lock = h->lock,
		.fn = h->fn,
		.stmt = h->stmt,
		.context = context,
		.thread = c->thread};
}

/* Whether the thread begins with this function. */
static bool is_beginning(const struct dh_scan_run *run, const struct dh_scan_context *c)
{
	const struct dh_scan_thread *t = &run->threads[c->thread];

	return t->kind == DH_THREAD_NORMAL && t->fn == c->fn &&
	       (!c->by || run->contexts[c->by].thread != c->thread);
}

/* Locks that the thread keeps whichever way it ends. */
static void find_kept(struct dh_scan_run *run, uint32_t context)
{
	const struct dh_scan_context *c = &run->contexts[context];
	uint32_t kept = 0, n = 0, last = 0;

	for (uint32_t e = 0; e < c->n_exits; e++) {
		if (c->exits[e].way != DH_WAY_RETURN)
			continue;
		kept = n++ ? dh_lockset_intersect(run->sets, kept, c->exits[e].state.locks)
			   : c->exits[e].state.locks;
		last = e;
	}
	for (uint32_t h = 0; n && h < c->exits[last].state.n_held; h++) {
		const struct dh_scan_held *held = &c->exits[last].state.held[h];

		if (!dh_lockset_contains(run->sets, kept, held->lock) ||
			run->locks[held->lock].words & (DH_SW_NO_ORDER | DH_SW_SEM) ||
			dh_map_get(&run->robust, run->locks[held->lock].node, NULL) ||
			!dh_scan_lock_is_unique(run, held->lock))
			continue;
		DH_GROW(run->mistakes, run->n_mistakes, run->cap_mistakes);
		run->mistakes[run->n_mistakes++] =
			(struct dh_scan_mistake){.kind = DH_MISTAKE_ENDED,
				.lock = held->lock,
				.fn = held->fn,
				.stmt = held->stmt,
				.context = context,
				.thread = c->thread};
	}
}

void dh_scan_find_left(struct dh_scan_run *run)
{
	for (uint32_t i = 1; i < run->n_contexts; i++) {
		const struct dh_scan_context *c = &run->contexts[i];

		if (is_beginning(run, c))
			find_kept(run, i);
		if (!dh_scan_prepare(run, c->fn)->releases)
			continue;
		for (uint32_t e = 0; e < c->n_exits; e++)
			for (uint32_t h = 0; h < c->exits[e].state.n_held; h++)
				note_left(run, i, &c->exits[e].state.held[h], e);
	}
}
