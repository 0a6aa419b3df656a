/* Locks of the creator.  A thread that is created with a lock held and has ended before the creator
 * gives the lock back runs its whole life under it, as do those that it creates: the lock covers
 * them.  A thread that is created with a lock held and takes it itself comes behind all that its
 * creator does until it first lets go of it.
 *
 * HELD(lock, thread) stands for two things, in sets of different kind: in a thread's cover, that
 * this thread holds the lock around it; in what a state has waited for or signalled, that the lock
 * was taken behind the creation of this thread, or that its creator has given it back since. */
#include "scan/analysis/run.h"

static uint32_t held_by(struct dh_scan_run *run, uint32_t lock, uint32_t thread)
{
	return dh_sym_get(&run->syms, DH_SYM_HELD, 0, lock, thread);
}

static bool contains(struct dh_scan_run *run, uint32_t set, uint32_t item)
{
	return dh_lockset_contains(run->sets, set, item);
}

/* Only who has it gives it back, and there is one of it. */
static bool keeps_apart(struct dh_scan_run *run, uint32_t lock)
{
	const struct dh_scan_lock *l = &run->locks[lock];

	return !l->read && !(l->words & (DH_SW_SEM | DH_SW_NO_ORDER | DH_SW_ROB)) &&
	       dh_scan_lock_is_unique(run, lock);
}

void dh_scan_under_create(struct dh_scan_run *run, const struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t thread, bool first)
{
	const struct dh_scan_thread *by = &run->threads[f->thread];
	uint32_t under = DH_LOCKSET_EMPTY, cover = by->cover;
	struct dh_scan_thread *t = &run->threads[thread];
	size_t n;

	dh_lockset_locks(run->sets, s->locks, &n);
	for (size_t i = 0; i < n; i++) {
		uint32_t lock = dh_lockset_locks(run->sets, s->locks, &n)[i];

		if (!keeps_apart(run, lock))
			continue;
		under = dh_lockset_add(run->sets, under, lock);
		cover = dh_lockset_add(run->sets, cover, held_by(run, lock, f->thread));
	}
	t->under = first ? under : dh_lockset_intersect(run->sets, t->under, under);
	t->cover = first ? cover : dh_lockset_intersect(run->sets, t->cover, cover);
	run->under |= under != DH_LOCKSET_EMPTY;
	t->let_go = dh_lockset_union(
		run->sets, t->let_go, dh_lockset_union(run->sets, by->let_go, s->signalled));
}

/* Whether the thread may run where this is the state. */
static bool may_run(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t thread)
{
	size_t n;

	if (contains(run, s->live, thread))
		return true;
	if (contains(run, s->joined, thread) && !dh_scan_is_many(run, thread))
		return false;
	dh_lockset_locks(run->sets, s->live, &n);
	for (size_t i = 0; i < n; i++)
		if (dh_scan_is_descendant(run, thread, dh_lockset_locks(run->sets, s->live, &n)[i]))
			return true;
	return false;
}

void dh_scan_under_release(struct dh_scan_run *run, const struct dh_scan_frame *f,
	struct dh_scan_state *s, uint32_t lock)
{
	for (uint32_t t = 0; run->under && t < run->n_threads; t++) {
		struct dh_scan_thread *th = &run->threads[t];

		if (th->cover != DH_LOCKSET_EMPTY &&
			contains(run, th->cover, held_by(run, lock, f->thread)) &&
			may_run(run, s, t))
			th->bared =
				dh_lockset_add(run->sets, th->bared, held_by(run, lock, f->thread));
		if (contains(run, th->was_under, lock) && contains(run, th->parents, f->thread) &&
			(contains(run, s->live, t) || contains(run, s->joined, t)))
			s->signalled =
				dh_lockset_add(run->sets, s->signalled, held_by(run, lock, t));
	}
}

void dh_scan_under_acquire(struct dh_scan_run *run, const struct dh_scan_frame *f,
	struct dh_scan_state *s, uint32_t lock)
{
	for (uint32_t t = 0; run->under && t < run->n_threads; t++)
		if (contains(run, run->threads[t].was_under, lock) &&
			(t == f->thread || dh_scan_is_descendant(run, f->thread, t)))
			s->waited = dh_lockset_add(run->sets, s->waited, held_by(run, lock, t));
}

bool dh_scan_is_gate(struct dh_scan_run *run, uint32_t thread, uint32_t lock)
{
	for (uint32_t t = 0; run->under && t < run->n_threads; t++)
		if (contains(run, run->threads[t].was_under, lock) &&
			(t == thread || dh_scan_is_descendant(run, thread, t)))
			return true;
	return false;
}

static bool holds(struct dh_scan_run *run, uint32_t locks, uint32_t lock)
{
	uint32_t read;

	if (contains(run, locks, lock))
		return true;
	read = dh_scan_lock_get(run, run->locks[lock].node, true, 0);
	return contains(run, locks, read);
}

/* Whether another thread than the holder has the lock, or runs under it, at b. */
static bool is_with(struct dh_scan_run *run, const struct dh_sym *y, const struct dh_scan_when *b)
{
	const struct dh_scan_thread *t = &run->threads[b->thread];
	uint32_t lock = y->at, holder = y->other;
	size_t n;

	if (b->thread != holder && holds(run, b->locks, lock))
		return true;
	dh_lockset_locks(run->sets, t->cover, &n);
	for (size_t i = 0; i < n; i++) {
		uint32_t item = dh_lockset_locks(run->sets, t->cover, &n)[i];
		const struct dh_sym *z = dh_sym_of(&run->syms, item);

		if (z->at == lock && z->other != holder && !contains(run, t->bared, item))
			return true;
	}
	return false;
}

/* Whether a runs under a lock that b has to itself. */
static bool is_covered(
	struct dh_scan_run *run, const struct dh_scan_when *a, const struct dh_scan_when *b)
{
	const struct dh_scan_thread *t = &run->threads[a->thread];
	size_t n;

	dh_lockset_locks(run->sets, t->cover, &n);
	for (size_t i = 0; i < n; i++) {
		uint32_t item = dh_lockset_locks(run->sets, t->cover, &n)[i];
		struct dh_sym y = *dh_sym_of(&run->syms, item);

		if (!contains(run, t->bared, item) && is_with(run, &y, b))
			return true;
	}
	return false;
}

/* Whether a is in the section in which the thread of the event was created. */
static bool is_inside(struct dh_scan_run *run, const struct dh_scan_when *a, uint32_t event)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, event);
	uint32_t lock = y->at, parents = run->threads[y->other].parents, creator;
	const struct dh_scan_thread *t = &run->threads[a->thread];
	size_t n;

	dh_lockset_locks(run->sets, parents, &n);
	creator = n == 1 ? dh_lockset_locks(run->sets, parents, &n)[0] : 0;
	if (n != 1 || run->threads[creator].many ||
		!contains(run, run->threads[y->other].under, lock))
		return false;
	if (a->thread == creator)
		return contains(run, a->locks, lock) && !contains(run, a->signalled, event);
	uint32_t item = held_by(run, lock, creator);

	return contains(run, t->cover, item) && !contains(run, t->bared, item) &&
	       !contains(run, t->let_go, event);
}

/* Whether b has taken a lock that was held around a since b's thread was created. */
static bool comes_behind(
	struct dh_scan_run *run, const struct dh_scan_when *a, const struct dh_scan_when *b)
{
	size_t n;

	dh_lockset_locks(run->sets, b->waited, &n);
	for (size_t i = 0; i < n; i++) {
		uint32_t event = dh_lockset_locks(run->sets, b->waited, &n)[i];

		if (dh_sym_kind(&run->syms, event) == DH_SYM_HELD && is_inside(run, a, event))
			return true;
	}
	return false;
}

bool dh_scan_under_apart(
	struct dh_scan_run *run, const struct dh_scan_when *a, const struct dh_scan_when *b)
{
	return run->under && (is_covered(run, a, b) || is_covered(run, b, a) ||
				     comes_behind(run, a, b) || comes_behind(run, b, a));
}
