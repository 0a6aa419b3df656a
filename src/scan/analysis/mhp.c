/* May two situations happen at the same time?  From what creates and joins threads, and from what
 * makes one wait for the other. */
#include "scan/analysis/run.h"

static bool contains(struct dh_scan_run *run, uint32_t set, uint32_t item)
{
	return dh_lockset_contains(run->sets, set, item);
}

/* Whether thread t, or an ancestor through which it came to be, is in the set. */
static bool is_live(struct dh_scan_run *run, uint32_t live, uint32_t t)
{
	size_t n;
	const uint32_t *items = dh_lockset_locks(run->sets, live, &n);

	for (size_t i = 0; i < n; i++)
		if (items[i] == t)
			return true;
	for (size_t i = 0; i < n; i++) {
		uint32_t of = dh_lockset_locks(run->sets, live, &n)[i];

		if (dh_scan_is_descendant(run, t, of))
			return true;
	}
	return false;
}

/* Whether a was alive when b was created, or somebody who created them was. */
static bool was_beside(struct dh_scan_run *run, uint32_t a, uint32_t b, int depth)
{
	size_t n;
	uint32_t parents = run->threads[b].parents;

	if (is_live(run, run->threads[b].beside, a))
		return true;
	dh_lockset_locks(run->sets, parents, &n);
	for (size_t i = 0; depth < 8 && i < n; i++) {
		uint32_t p = dh_lockset_locks(run->sets, parents, &n)[i];

		if (p != b && p != a && was_beside(run, a, p, depth + 1))
			return true;
	}
	return false;
}

static bool threads_parallel(
	struct dh_scan_run *run, const struct dh_scan_when *a, const struct dh_scan_when *b)
{
	uint32_t s = a->thread, t = b->thread;

	if (s == t)
		return run->threads[s].many;
	if (run->kernel ||
		(run->threads[s].kind == DH_THREAD_ROOT && run->threads[t].kind == DH_THREAD_ROOT))
		return true;
	if (contains(run, a->joined, t) && !is_live(run, a->live, t))
		return false;
	if (contains(run, b->joined, s) && !is_live(run, b->live, s))
		return false;
	bool t_below = dh_scan_is_descendant(run, t, s), s_below = dh_scan_is_descendant(run, s, t);

	if (t_below && is_live(run, a->live, t))
		return true;
	if (s_below && is_live(run, b->live, s))
		return true;
	if (t_below || s_below)
		/* One of several instances is not the ancestor. */
		return (t_below && run->threads[s].many) || (s_below && run->threads[t].many);
	return was_beside(run, s, t, 0) || was_beside(run, t, s, 0);
}

/* Whether a comes before b because b waits for something that only a's thread does behind a. */
static bool waits_for(
	struct dh_scan_run *run, const struct dh_scan_when *a, const struct dh_scan_when *b)
{
	size_t n;

	dh_lockset_locks(run->sets, b->waited, &n);
	for (size_t i = 0; i < n; i++) {
		uint32_t event = dh_lockset_locks(run->sets, b->waited, &n)[i];
		uint32_t signallers = dh_scan_signallers(run, event);
		struct dh_scan_usage *u;
		size_t m;

		if (dh_sym_kind(&run->syms, event) == DH_SYM_HELD)
			continue;

		/* The body of a once function is over for everybody who came by it. */
		uint32_t once = dh_sym_get(&run->syms, DH_SYM_NAMED, DH_NAMED_ONCE, event, 0);

		if (contains(run, a->locks, dh_scan_lock_get(run, once, false, 0)))
			return true;
		dh_lockset_locks(run->sets, signallers, &m);
		if (contains(run, a->signalled, event) || !contains(run, signallers, a->thread))
			continue;
		if (contains(run, signallers, b->thread)) {
			/* A barrier: all come to it before one goes on. */
			if (contains(run, b->signalled, event))
				return true;
			continue;
		}
		u = dh_scan_usage_of(run, event);
		if (u->all || (m == 1 && !run->threads[a->thread].many && u->initial <= 0))
			return true;
	}
	return false;
}

/* Whether a comes before b because b has joined a thread that a's thread creates behind a, and
 * nobody else does. */
static bool comes_before_creation(
	struct dh_scan_run *run, const struct dh_scan_when *a, const struct dh_scan_when *b)
{
	size_t n;

	if (b->joined == DH_LOCKSET_EMPTY || run->threads[a->thread].many)
		return false;
	dh_lockset_locks(run->sets, b->joined, &n);
	for (size_t i = 0; i < n; i++) {
		uint32_t t = dh_lockset_locks(run->sets, b->joined, &n)[i];

		if (run->threads[t].parents == dh_lockset_of(run->sets, &a->thread, 1) &&
			!contains(run, a->live, t) && !contains(run, a->joined, t))
			return true;
	}
	return false;
}

bool dh_scan_parallel(
	struct dh_scan_run *run, const struct dh_scan_when *a, const struct dh_scan_when *b)
{
	return threads_parallel(run, a, b) && !waits_for(run, a, b) && !waits_for(run, b, a) &&
	       !dh_scan_under_apart(run, a, b) && !comes_before_creation(run, a, b) &&
	       !comes_before_creation(run, b, a);
}
