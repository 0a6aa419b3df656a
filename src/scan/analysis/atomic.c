/* Atomics that order: a flag stored with release and seen with acquire, a word that is a lock, a
 * counter of references whose last holder is alone. */
#include "scan/analysis/call.h"
#include "scan/analysis/run.h"
#include "scan/analysis/turn.h"
#include "scan/analysis/value.h"

enum { READ_ACQUIRE = 1, CLEARED = 2 };

static void note(struct dh_scan_run *run, uint32_t addr, uint64_t how)
{
	uint32_t key = dh_sym_any_index(&run->syms, addr);
	uint64_t was = 0;

	dh_map_get(&run->atomics, key, &was);
	if (was != (was | how))
		dh_map_set(&run->atomics, key, was | how);
}

static uint64_t noted(struct dh_scan_run *run, uint32_t addr)
{
	uint64_t was = 0;

	dh_map_get(&run->atomics, dh_sym_any_index(&run->syms, addr), &was);
	return was;
}

static bool acquires(uint8_t order)
{
	return order == DH_SCAN_ACQUIRE || order == DH_SCAN_ACQ_REL || order == DH_SCAN_SEQ_CST ||
	       order == DH_SCAN_CONSUME;
}

static bool releases(uint8_t order)
{
	return order == DH_SCAN_RELEASE || order == DH_SCAN_ACQ_REL || order == DH_SCAN_SEQ_CST;
}

void dh_scan_atomic_read(struct dh_scan_run *run, uint32_t addr, uint8_t order)
{
	if (acquires(order))
		note(run, addr, READ_ACQUIRE);
}

void dh_scan_atomic_write(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t addr, uint32_t value)
{
	const struct dh_scan_stmt *st = &f->body->stmts[stmt];
	uint32_t held = dh_scan_lock_held(run, s, addr), event = dh_sym_any_index(&run->syms, addr);
	int64_t v = 1;

	s->concurrent = true;
	if (!releases(st->order) || st->op != DH_SCAN_WRITE)
		return;
	dh_scan_is_const(run->p, value, &v);
	if (v == 0) {
		note(run, addr, CLEARED);
		if (held)
			dh_scan_lock_release(run, f, s, stmt, addr);
		return;
	}
	s->signalled = dh_lockset_add(run->sets, s->signalled, event);
	dh_scan_note_signal(run, event, f->thread);
}

/* A word that is set to something by one atomic step and cleared by a store elsewhere is a lock.
 * The result decides which of the two states the path is in. */
void dh_scan_atomic_update(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_item *it, uint32_t stmt)
{
	const struct dh_scan_stmt *st = &f->body->stmts[stmt];
	struct dh_scan_state *s = &it->state, got;
	uint32_t addr = dh_scan_eval(run, f, s, st->addr);
	uint32_t value = st->value ? dh_scan_eval(run, f, s, st->value) : 0;
	uint32_t cell = dh_scan_make(run, f, s, stmt, DH_SYM_RESULT);
	bool swap = st->flags & DH_SCAN_WEAK;
	int64_t v = 0;

	dh_scan_state_forget(s, cell);
	s->concurrent = true;
	if (addr && !swap)
		dh_scan_own_update(run, s, addr, value, cell);
	if (!addr || !acquires(st->order) || !(noted(run, addr) & CLEARED) ||
		!dh_scan_is_const(run->p, value, &v) || v == 0 || dh_scan_lock_held(run, s, addr))
		return;
	dh_scan_state_copy(&got, s);
	dh_scan_state_note(&got, cell,
		swap ? (struct dh_scan_range){INT64_MIN, INT64_MAX, true}
		     : (struct dh_scan_range){0, 0, false});
	dh_scan_state_note(s, cell,
		swap ? (struct dh_scan_range){0, 0, false}
		     : (struct dh_scan_range){INT64_MIN, INT64_MAX, true});
	dh_scan_lock_acquire(run, f, &got, stmt, addr, DH_SW_SPIN, false);
	dh_scan_fork(run, f, it, &got);
}

/* The loads and results that a condition looks at. */
static void learn(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s, uint32_t node)
{
	struct dh_scan_node n = *dh_scan_node(run->p, node);
	const struct dh_sym *y = dh_sym_of(&run->syms, node);
	struct dh_scan_range r;

	if (n.op == DH_SCAN_COMPARE || n.op == DH_SCAN_BINARY) {
		learn(run, f, s, n.a);
		learn(run, f, s, n.b);
		return;
	}
	r = dh_scan_state_range(run, s, node);
	if (n.op == DH_SCAN_LOAD)
		dh_scan_learn_turn(run, s, node, r);
	/* Not what it was in the beginning: somebody has stored it, and all that came before. */
	if (n.op == DH_SCAN_LOAD && (r.ne || r.lo > 0) &&
		(noted(run, n.a) & READ_ACQUIRE || dh_scan_is_turn(run, n.a)))
		s->waited = dh_lockset_add(run->sets, s->waited, dh_sym_any_index(&run->syms, n.a));
	if (!y || y->kind != DH_SYM_RESULT || y->fn != f->fn || r.lo != r.hi ||
		y->at >= f->body->n_stmts || f->body->stmts[y->at].op != DH_SCAN_UPDATE ||
		r.lo < 0 || r.lo > 1)
		return;
	/* The last reference is gone: the object is nobody else's. */
	uint32_t addr = dh_scan_eval(run, f, s, f->body->stmts[y->at].addr);
	uint32_t base = addr ? dh_scan_base(run->p, addr) : 0;

	if (base && dh_sym_of(&run->syms, base) && !dh_scan_lock_held(run, s, addr) &&
		dh_sym_is_placed(&run->syms, addr) && dh_sym_last_field(run->p, addr))
		s->fresh = dh_lockset_add(run->sets, s->fresh, base);
}

void dh_scan_atomic_learn(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t condition)
{
	if (condition)
		learn(run, f, s, condition);
}
