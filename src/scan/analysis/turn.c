/* Variables that say whose turn it is: threads look at them under a lock (or atomically), go on
 * only if they have a certain value, and pass the turn on by writing another one.  Who has seen
 * that it is his turn keeps it until he writes himself, if the others write only when it is theirs.
 *
 * Such a variable also publishes: who has seen that it is not 0 any more comes behind all that its
 * only writer did before it wrote. */
#include <stdlib.h>

#include "base/alloc.h"
#include "scan/analysis/run.h"
#include "scan/analysis/turn.h"
#include "scan/analysis/value.h"

/* How a variable is used, over all that is known of it: kept from the first pass on. */
enum { ORDERED = 1, BARE = 2 };

struct dh_scan_turn_write {
	uint32_t thread, turns;
	uint32_t next; /* of the same variable, plus 1 */
};

static bool is_variable(struct dh_scan_run *run, uint32_t addr)
{
	uint32_t base = dh_scan_base(run->p, addr);

	return !run->kernel && dh_scan_node(run->p, base)->op == DH_SCAN_GLOBAL &&
	       dh_sym_is_placed(&run->syms, addr) && dh_sym_any_index(&run->syms, addr) == addr;
}

void dh_scan_note_turn(struct dh_scan_run *run, const struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t addr, uint16_t flags)
{
	uint64_t was = 0, now;

	if (!is_variable(run, addr))
		return;
	/* Whoever is alone needs no lock. */
	if (run->threads[f->thread].kind == DH_THREAD_MAIN && s->live == DH_LOCKSET_EMPTY)
		return;
	now = s->locks != DH_LOCKSET_EMPTY ||
			      (flags & (DH_SA_ATOMIC | DH_SA_RELAXED)) == DH_SA_ATOMIC
		      ? ORDERED
		      : BARE;
	dh_map_get(&run->turns, addr, &was);
	if (was != (was | now))
		dh_map_set(&run->turns, addr, was | now);
}

bool dh_scan_is_turn(struct dh_scan_run *run, uint32_t addr)
{
	uint64_t how = 0;

	return run->last && dh_map_get(&run->turns, addr, &how) && how == ORDERED;
}

/* The set without what it says of the variable. */
static uint32_t without(struct dh_scan_run *run, uint32_t turns, uint32_t addr)
{
	size_t n;

	dh_lockset_locks(run->sets, turns, &n);
	for (size_t i = n; i-- > 0;) {
		uint32_t fact = dh_lockset_locks(run->sets, turns, &n)[i];
		struct dh_scan_node c = *dh_scan_node(run->p, fact);

		if (dh_scan_node(run->p, c.a)->a == addr)
			turns = dh_lockset_remove(run->sets, turns, fact);
	}
	return turns;
}

void dh_scan_learn_turn(
	struct dh_scan_run *run, struct dh_scan_state *s, uint32_t load, struct dh_scan_range range)
{
	uint32_t addr = dh_scan_node(run->p, load)->a;

	if (range.lo != range.hi || !dh_scan_is_turn(run, addr))
		return;
	s->turns = dh_lockset_add(run->sets, without(run, s->turns, addr),
		dh_scan_compare(run->p, DH_SCAN_EQ, load, dh_scan_const(run->p, range.lo)));
}

void dh_scan_note_turn_write(struct dh_scan_run *run, const struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t addr)
{
	uint64_t first = 0;
	uint32_t turns = s->turns;

	if (!dh_scan_is_turn(run, addr) ||
		(run->threads[f->thread].kind == DH_THREAD_MAIN && s->live == DH_LOCKSET_EMPTY))
		return;
	dh_map_get(&run->turn_index, addr, &first);
	for (uint64_t i = first; i; i = run->turn_writes[i - 1].next)
		if (run->turn_writes[i - 1].thread == f->thread &&
			run->turn_writes[i - 1].turns == turns)
			return;
	DH_GROW(run->turn_writes, run->n_turn_writes, run->cap_turn_writes);
	run->turn_writes[run->n_turn_writes++] =
		(struct dh_scan_turn_write){f->thread, turns, (uint32_t)first};
	dh_map_set(&run->turn_index, addr, run->n_turn_writes);
}

/* What the set knows of the variable; false: nothing. */
static bool value_of(struct dh_scan_run *run, uint32_t turns, uint32_t addr, uint32_t *ret)
{
	size_t n;
	const uint32_t *items = dh_lockset_locks(run->sets, turns, &n);

	for (size_t i = 0; i < n; i++) {
		const struct dh_scan_node *c = dh_scan_node(run->p, items[i]);

		if (dh_scan_node(run->p, c->a)->a == addr) {
			*ret = c->b;
			return true;
		}
	}
	return false;
}

/* Whether nobody but the thread writes the variable while it has the value. */
static bool keeps(struct dh_scan_run *run, uint32_t addr, uint32_t value, uint32_t thread)
{
	uint64_t at = 0;
	uint32_t seen;

	if (run->threads[thread].many)
		return false;
	dh_map_get(&run->turn_index, addr, &at);
	for (; at; at = run->turn_writes[at - 1].next) {
		const struct dh_scan_turn_write *w = &run->turn_writes[at - 1];

		if (w->thread != thread && (!value_of(run, w->turns, addr, &seen) || seen == value))
			return false;
	}
	return true;
}

void dh_scan_pass_turn(struct dh_scan_run *run, const struct dh_scan_frame *f,
	struct dh_scan_state *s, uint32_t addr, uint32_t value)
{
	int64_t v = 1;
	uint64_t first;

	if (!dh_scan_is_turn(run, addr))
		return;
	s->turns = without(run, s->turns, addr);
	dh_scan_is_const(run->p, value, &v);
	if (v == 0 || dh_map_get(&run->initial, addr, &first))
		return;
	s->signalled = dh_lockset_add(run->sets, s->signalled, addr);
	dh_scan_note_signal(run, addr, f->thread);
}

struct others {
	struct dh_scan_run *run;
	uint32_t thread;
};

static bool is_of_others(void *arg, uint32_t node)
{
	const struct others *o = arg;
	struct dh_scan_node n = *dh_scan_node(o->run->p, node);

	switch (n.op) {
	case DH_SCAN_LOAD:
		return is_of_others(arg, n.a);
	case DH_SCAN_COMPARE:
	case DH_SCAN_BINARY:
		return is_of_others(arg, n.a) || is_of_others(arg, n.b);
	default:
		return dh_scan_is_turn(o->run, node) && !dh_scan_is_stable(o->run, node, o->thread);
	}
}

void dh_scan_forget_turns(
	struct dh_scan_run *run, const struct dh_scan_frame *f, struct dh_scan_state *s)
{
	struct others o = {run, f->thread};

	if (run->last && !run->kernel && s->n_cells + s->n_known)
		dh_scan_state_filter(s, is_of_others, &o);
}

bool dh_scan_take_turns(
	struct dh_scan_run *run, const struct dh_scan_access *a, const struct dh_scan_access *b)
{
	size_t n;
	const uint32_t *items = dh_lockset_locks(run->sets, a->turns, &n);

	for (size_t i = 0; b->turns != DH_LOCKSET_EMPTY && i < n; i++) {
		struct dh_scan_node c = *dh_scan_node(run->p, items[i]);
		uint32_t addr = dh_scan_node(run->p, c.a)->a, other;

		if (a->thread != b->thread && value_of(run, b->turns, addr, &other) &&
			other != c.b && keeps(run, addr, c.b, a->thread) &&
			keeps(run, addr, other, b->thread))
			return true;
	}
	return false;
}
