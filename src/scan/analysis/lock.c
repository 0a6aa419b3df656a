#include <stdlib.h>

#include "base/alloc.h"
#include "scan/analysis/run.h"
#include "scan/analysis/turn.h"
#include "scan/analysis/value.h"

uint32_t dh_scan_lock_get(struct dh_scan_run *run, uint32_t node, bool read, uint16_t words)
{
	uint64_t key = (uint64_t)node << 1 | read, no;

	if (!node)
		return 0;
	if (dh_map_get(&run->lock_index, key, &no)) {
		run->locks[no].words |= words;
		return (uint32_t)no;
	}
	if (!run->n_locks) {
		DH_GROW(run->locks, run->n_locks, run->cap_locks);
		run->locks[run->n_locks++] = (struct dh_scan_lock){0};
	}
	DH_GROW(run->locks, run->n_locks, run->cap_locks);
	run->locks[run->n_locks] = (struct dh_scan_lock){node, read, words};
	dh_map_set(&run->lock_index, key, run->n_locks);
	return run->n_locks++;
}

uint32_t dh_scan_lock_rename(struct dh_scan_run *run, uint32_t lock, uint32_t from, uint32_t to)
{
	struct dh_scan_lock l = run->locks[lock];
	uint32_t node = dh_sym_subst(&run->syms, l.node, from, to);

	return node == l.node ? lock : dh_scan_lock_get(run, node, l.read, l.words);
}

uint32_t dh_scan_lock_held(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t node)
{
	size_t n;
	const uint32_t *held = dh_lockset_locks(run->sets, s->locks, &n);

	for (size_t i = 0; i < n; i++)
		if (run->locks[held[i]].node == node)
			return held[i];
	return 0;
}

bool dh_scan_lock_is_unique(struct dh_scan_run *run, uint32_t lock)
{
	uint32_t node = run->locks[lock].node, base = dh_scan_base(run->p, node);
	const struct dh_sym *y = dh_sym_of(&run->syms, base);

	/* An index that is not constant, an old generation, a choice: not certain. */
	for (uint32_t at = node; at != base;) {
		const struct dh_scan_node *n = dh_scan_node(run->p, at);
		int64_t v;

		if (n->op == DH_SCAN_INDEX && !dh_scan_is_const(run->p, n->b, &v))
			return false;
		at = n->a;
	}
	if (y &&
		(y->n_values > 1 || (y->n_values == 1 && y->values[0] <= run->n_threads &&
					    run->threads[y->values[0] - 1].many)) &&
		(y->kind == DH_SYM_HEAP || y->kind == DH_SYM_FRAME))
		return false; /* every thread makes its own */
	if (y && y->kind == DH_SYM_THREAD)
		return !run->threads[y->at].many;
	/* What the only object of its kind points to is taken for one, as with global variables. */
	if (y)
		return !y->many && (y->kind == DH_SYM_HEAP ||
					   ((y->kind == DH_SYM_FRAME || y->kind == DH_SYM_NAMED) &&
						   dh_sym_is_placed(&run->syms, node)));
	return dh_scan_node(run->p, base)->op == DH_SCAN_GLOBAL;
}

uint32_t dh_scan_field_kind(struct dh_scan_run *run, uint32_t field)
{
	return dh_scan_field_of(run->p, dh_sym_get(&run->syms, DH_SYM_OUTER, 0, 0, field), field);
}

uint32_t dh_scan_lock_kind(struct dh_scan_run *run, uint32_t node)
{
	uint32_t field = dh_sym_last_field(run->p, node), at = dh_scan_object(run->p, node);

	if (field)
		return dh_scan_field_kind(run, field);
	return dh_scan_node(run->p, at)->op == DH_SCAN_GLOBAL ||
			       dh_sym_kind(&run->syms, at) == DH_SYM_NAMED
		       ? at
		       : 0;
}

bool dh_scan_lock_is_local(struct dh_scan_run *run, uint32_t lock)
{
	const struct dh_scan_lock *l = &run->locks[lock];
	const struct dh_sym *y = dh_sym_of(&run->syms, l->node);

	return y && y->kind == DH_SYM_NAMED && y->fn == 0 && l->words & DH_SW_NO_ORDER &&
	       l->words & DH_SW_RECURSIVE && run->kernel;
}

/* How often an owner may take a recursive lock again before scan loses count. */
#define MAX_AGAIN 4

/* A recursive lock that is taken for the n-th time again: a place that no member has. */
static uint32_t again(struct dh_scan_run *run, uint32_t node, unsigned n)
{
	return dh_scan_offset(run->p, node, 0x600000 + n);
}

static void acquire_again(struct dh_scan_run *run, struct dh_scan_state *s, uint32_t node)
{
	unsigned n = 1;

	while (n < MAX_AGAIN && dh_scan_lock_held(run, s, again(run, node, n)))
		n++;
	s->locks = dh_lockset_add(run->sets, s->locks,
		dh_scan_lock_get(run, again(run, node, n), false, DH_SW_NO_ORDER));
}

/* Whether it was one of several releases: the lock is still held. */
static bool release_again(struct dh_scan_run *run, struct dh_scan_state *s, uint32_t node)
{
	for (unsigned n = MAX_AGAIN; n > 0; n--) {
		uint32_t held = dh_scan_lock_held(run, s, again(run, node, n));

		if (!held)
			continue;
		s->locks = dh_lockset_remove(run->sets, s->locks, held);
		return true;
	}
	return false;
}

/* Behind a mistake either the program is wrong or the analysis is: what is ordered across it says
 * nothing (RacerX 6.1).  Which locks are held still matters for races. */
static void cut_error_path(struct dh_scan_run *run, struct dh_scan_state *s)
{
	if (!run->error_paths)
		s->n_held = 0;
}

static void acquire_known(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t lock, bool try)
{
	struct dh_scan_held h = {.lock = lock, .fn = f->fn, .stmt = stmt};
	uint32_t held = dh_scan_lock_held(run, s, run->locks[lock].node);
	uint16_t words = run->locks[lock].words;
	uint64_t recursive = 0;

	if (dh_map_get(&run->recursive, dh_sym_any_index(&run->syms, run->locks[lock].node),
		    &recursive))
		words |= DH_SW_RECURSIVE;
	s->concurrent = true;
	if (held && words & DH_SW_RECURSIVE && !(words & DH_SW_NO_ORDER)) {
		acquire_again(run, s, run->locks[lock].node);
		return;
	}
	if (held && !try && !(words & (DH_SW_RECURSIVE | DH_SW_NO_ORDER)) &&
		!(run->locks[lock].read && run->locks[held].read)) {
		/* That is said once: from here on it counts as taken twice. */
		dh_scan_note_mistake(run, f, s, DH_MISTAKE_DOUBLE, stmt, held, 0);
		cut_error_path(run, s);
		if (run->locks[lock].read == run->locks[held].read) {
			acquire_again(run, s, run->locks[lock].node);
			return;
		}
	}
	if (!held && !(words & DH_SW_NO_ORDER))
		dh_scan_note_order(run, f, s, stmt, lock, try, false);
	s->locks = dh_lockset_add(run->sets, s->locks, lock);
	dh_scan_under_acquire(run, f, s, lock);
	dh_scan_state_hold(s, &h);
}

/* Whether one of the same two is held, chosen somewhere else. */
static bool holds_other_of(
	struct dh_scan_run *run, const struct dh_scan_state *s, const struct dh_sym *y)
{
	size_t n;
	const uint32_t *held = dh_lockset_locks(run->sets, s->locks, &n);

	for (size_t i = 0; i < n; i++) {
		const struct dh_sym *z = dh_sym_of(&run->syms, run->locks[held[i]].node);

		if (z && z->kind == DH_SYM_SET && z->n_values == 2 &&
			z->values[0] == y->values[0] && z->values[1] == y->values[1])
			return true;
	}
	return false;
}

/* Two locks, taken in the order of their addresses: which is first is not known, but both are held.
 */
static bool acquire_both(
	struct dh_scan_run *run, struct dh_scan_state *s, uint32_t node, uint16_t words)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, node);

	if (!y || y->kind != DH_SYM_SET || y->n_values != 2 || !holds_other_of(run, s, y))
		return false;
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t one = dh_sym_of(&run->syms, node)->values[i];

		s->locks = dh_lockset_add(
			run->sets, s->locks, dh_scan_lock_get(run, one, words & DH_SW_READ, words));
	}
	return true;
}

static void let_go(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s, uint32_t held)
{
	dh_scan_under_release(run, f, s, held);
	s->locks = dh_lockset_remove(run->sets, s->locks, held);
}

static void release_both(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s, uint32_t node)
{
	for (uint32_t i = 0; dh_sym_kind(&run->syms, node) == DH_SYM_SET &&
			     i < dh_sym_of(&run->syms, node)->n_values;
		i++) {
		uint32_t held = dh_scan_lock_held(run, s, dh_sym_of(&run->syms, node)->values[i]);

		if (held)
			let_go(run, f, s, held);
	}
}

/* Whether the two may be the same element of an array. */
static bool may_be_element(
	struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t a, uint32_t b)
{
	struct dh_scan_range x = dh_scan_state_range(run, s, dh_scan_node(run->p, a)->b);
	struct dh_scan_range y = dh_scan_state_range(run, s, dh_scan_node(run->p, b)->b);

	return dh_sym_any_index(&run->syms, a) == dh_sym_any_index(&run->syms, b) && x.lo <= y.hi &&
	       y.lo <= x.hi;
}

/* Whether both are one of several, and one of these is in both. */
static bool may_be_choice(struct dh_scan_run *run, uint32_t a, uint32_t b)
{
	const struct dh_sym *x = dh_sym_of(&run->syms, a), *y = dh_sym_of(&run->syms, b);

	if (!x || !y || x->kind != DH_SYM_SET || y->kind != DH_SYM_SET)
		return false;
	for (uint32_t i = 0; i < x->n_values; i++)
		for (uint32_t j = 0; j < y->n_values; j++)
			if (x->values[i] == y->values[j])
				return true;
	return false;
}

/* Whether the address may be that of the held lock, although it has another name. */
static bool may_mean(
	struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t held, uint32_t node)
{
	uint32_t places[8], n;
	uint8_t op = dh_scan_node(run->p, node)->op;

	if (op == DH_SCAN_INDEX && dh_scan_node(run->p, held)->op == DH_SCAN_INDEX)
		return may_be_element(run, s, held, node);
	if (op != DH_SCAN_LOAD)
		return may_be_choice(run, held, node);
	n = dh_scan_resolve(run, node, places, DH_ARRAY_SIZE(places));
	for (uint32_t i = 0; i < n; i++)
		if (places[i] == dh_sym_any_index(&run->syms, held))
			return true;
	/* A pointer of which nothing is known. */
	return !n;
}

/* What may be given back here by a name that is not its own is not certainly held from here on. */
static bool release_perhaps(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s, uint32_t node)
{
	uint32_t was = s->locks;
	size_t n;

	dh_lockset_locks(run->sets, was, &n);
	for (size_t i = 0; i < n && !run->kernel; i++) {
		uint32_t held = dh_lockset_locks(run->sets, was, &n)[i];
		uint32_t at = run->locks[held].node;

		if (dh_sym_kind(&run->syms, at) != DH_SYM_NAMED && may_mean(run, s, at, node))
			let_go(run, f, s, held);
	}
	return s->locks != was;
}

void dh_scan_lock_acquire(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t node, uint16_t words, bool try)
{
	s->concurrent = true;
	if (!node)
		return;
	if (acquire_both(run, s, node, words))
		return;
	uint32_t lock = dh_scan_lock_get(run, node, words & DH_SW_READ, words);

	dh_scan_note_usage(run, f, stmt, node, +1);
	if (s->locks == DH_LOCKSET_EMPTY) {
		dh_scan_forget_turns(run, f, s);
		dh_scan_forget_numbers(run, f, s);
	}
	acquire_known(run, f, s, stmt, lock, try);
	/* Within another section it is about the order of locks. */
	if (!try && !(words & DH_SW_NO_ORDER) && s->n_held == 1)
		dh_scan_check_section(run, f, s, stmt, lock);
}

/* A caller holds a lock of this kind, and here one is released: it is that one, by another name. */
static uint32_t held_outside(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t node)
{
	uint32_t field = dh_sym_last_field(run->p, node);

	if (!run->kernel || !field)
		return 0;
	return dh_scan_lock_held(run, s,
		dh_scan_field_of(run->p, dh_sym_get(&run->syms, DH_SYM_OUTER, 0, 0, field), field));
}

void dh_scan_lock_release(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t node)
{
	uint32_t held;

	s->concurrent = true;
	if (!node || release_again(run, s, node))
		return;
	release_both(run, f, s, node);
	held = dh_scan_lock_held(run, s, node);
	if (!held)
		held = held_outside(run, s, node);
	dh_scan_note_usage(run, f, stmt, node, held ? -1 : 0);
	if (!held && release_perhaps(run, f, s, node))
		return;
	if (!held) {
		dh_scan_note_mistake(run, f, s, DH_MISTAKE_NOT_HELD, stmt,
			dh_scan_lock_get(run, node, false, 0), 0);
		cut_error_path(run, s);
		return;
	}
	if (run->last)
		dh_map_set(&run->release_held, (uint64_t)f->fn << 32 | stmt, 1);
	let_go(run, f, s, held);
	dh_scan_state_drop(s, held);
}

/* The index of one of several locks; 0: there is one. */
static uint32_t variable_index(struct dh_scan_run *run, uint32_t lock)
{
	struct dh_scan_node n = *dh_scan_node(run->p, lock);
	int64_t v;

	while (dh_scan_is_step(n.op) &&
		!(n.op == DH_SCAN_INDEX && !dh_scan_is_const(run->p, n.b, &v)))
		n = *dh_scan_node(run->p, n.a);
	return n.op == DH_SCAN_INDEX ? n.b : 0;
}

bool dh_scan_holds_row(struct dh_scan_run *run, const struct dh_scan_state *s)
{
	for (uint32_t i = 0; i < s->n_held; i++)
		if (variable_index(run, run->locks[s->held[i].lock].node))
			return true;
	return false;
}

bool dh_scan_lock_of_row(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t element)
{
	const struct dh_scan_node *n = dh_scan_node(run->p, element);

	for (uint32_t i = 0; n->op == DH_SCAN_INDEX && n->b && i < s->n_held; i++)
		if (variable_index(run, run->locks[s->held[i].lock].node) == n->b)
			return true;
	return false;
}
