/* What is met on the way: accesses, lock orders, mistakes.  Each situation is kept once; only the
 * last pass is recorded, when all threads and pointers are known. */
#include <stdlib.h>

#include "base/alloc.h"
#include "scan/analysis/run.h"

/* What comes first is scattered before the next is added: small numbers must not cancel out. */
static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h + 1) * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ h >> 31 ^ v) * UINT64_C(0xff51afd7ed558ccd);
	return h ^ h >> 31;
}

static bool is_code(struct dh_scan_run *run, uint32_t addr)
{
	const struct dh_scan_node *n = dh_scan_node(run->p, addr);
	const struct dh_scan_symbol *y = n->op == DH_SCAN_GLOBAL ? &run->p->symbols[n->a] : NULL;

	return n->op == DH_SCAN_STRING || n->op == DH_SCAN_CONST ||
	       (y && y->flags & DH_SCAN_SYM_FUNCTION);
}

/* Memory that no other thread can name: thread-local, per processor, constant. */
static bool is_private(struct dh_scan_run *run, uint32_t addr)
{
	const struct dh_scan_node *n = dh_scan_node(run->p, dh_scan_object(run->p, addr));

	if (n->op == DH_SCAN_GLOBAL && dh_map_get(&run->lent, n->a, NULL))
		return false;

	return n->op == DH_SCAN_GLOBAL &&
	       run->p->symbols[n->a].flags &
		       (DH_SCAN_SYM_THREAD | DH_SCAN_SYM_CONST | DH_SCAN_SYM_PERCPU);
}

/* Whether elements of the array were handed out, and not by the loop that counts with this name. */
static bool is_handed_out(
	struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t element, uint32_t name)
{
	uint32_t array = dh_sym_any_index(&run->syms, element);
	size_t n;

	dh_lockset_locks(run->sets, s->shared, &n);
	for (size_t i = 0; i < n; i++) {
		uint32_t at = dh_lockset_locks(run->sets, s->shared, &n)[i];
		uint32_t index = dh_scan_node(run->p, at)->b;
		const struct dh_sym *y = dh_sym_of(&run->syms, index);

		if (y && y->kind == DH_SYM_OLD)
			index = run->syms.rows[y->other].node;
		if (index != name && dh_sym_any_index(&run->syms, at) == array)
			return true;
	}
	return false;
}

/* An element that the loop will hand to a thread, but has not yet. */
static bool is_own_element(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t addr)
{
	int64_t v;

	for (uint32_t at = addr; at;) {
		struct dh_scan_node n = *dh_scan_node(run->p, at);

		if (n.op == DH_SCAN_INDEX && !dh_scan_is_const(run->p, n.b, &v) && n.b &&
			dh_sym_kind(&run->syms, n.b) == DH_SYM_PHI)
			return !dh_lockset_contains(run->sets, s->shared, at) &&
			       !is_handed_out(run, s, at, n.b);
		if (n.op != DH_SCAN_FIELD && n.op != DH_SCAN_INDEX && n.op != DH_SCAN_OFFSET)
			break;
		at = n.a;
	}
	return false;
}

static uint32_t own_locks(
	struct dh_scan_run *run, const struct dh_scan_frame *f, const struct dh_scan_state *s)
{
	uint32_t list[DH_SCAN_MAX_HELD], n = 0;

	for (uint32_t i = 0; i < s->n_held && n < DH_ARRAY_SIZE(list); i++)
		if (s->held[i].fn == f->fn)
			list[n++] = s->held[i].lock;
	return dh_lockset_of(run->sets, list, n);
}

/* Memory that stands in a table, with the lock of its row held: the row's name says which lock is
 * the right one, the memory's own does not. */
static uint32_t by_row(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t addr)
{
	uint32_t object = dh_scan_object(run->p, addr);

	if (dh_sym_kind(&run->syms, object) != DH_SYM_HEAP || !dh_scan_holds_row(run, s))
		return addr;
	for (uint32_t i = 0; i < s->n_cells; i++)
		if (s->cells[i].value == object && dh_scan_lock_of_row(run, s, s->cells[i].addr))
			return dh_sym_subst(
				&run->syms, addr, object, dh_scan_load(run->p, s->cells[i].addr));
	return addr;
}

static void note_one(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t stmt, uint32_t addr, uint32_t size, uint16_t flags)
{
	uint64_t place = (uint64_t)f->fn << 32 | stmt, count = 0, key;

	if (!addr || is_code(run, addr) || is_private(run, addr))
		return;
	addr = by_row(run, s, addr);
	key = mix(place, addr);
	dh_scan_section_access(run, f, s, addr);
	flags |= s->concurrent ? DH_SA_CONCURRENT : 0;
	if (is_own_element(run, s, addr))
		flags |= DH_SA_OWN_ELEMENT;
	key = mix(mix(mix(key, s->locks), f->thread), flags);
	key = mix(mix(mix(mix(key, s->live), s->joined), s->waited), s->signalled);
	key = mix(key, s->turns);
	if (dh_map_get(&run->access_index, key, &count))
		return;
	dh_map_set(&run->access_index, key, 1);
	dh_map_get(&run->access_count, place, &count);
	if (count >= run->limits.accesses) {
		run->counts.cut_accesses++;
		return;
	}
	dh_map_set(&run->access_count, place, count + 1);
	DH_GROW(run->accesses, run->n_accesses, run->cap_accesses);
	run->accesses[run->n_accesses++] = (struct dh_scan_access){.addr = addr,
		.fn = f->fn,
		.stmt = stmt,
		.context = f->context,
		.locks = s->locks,
		.live = s->live,
		.joined = s->joined,
		.waited = s->waited,
		.signalled = s->signalled,
		.own = own_locks(run, f, s),
		.turns = s->turns,
		.thread = f->thread,
		.size = size,
		.flags = flags};
}

/* The locks as they are when the choice was for this object: who has locked p->lock of one of two
 * has locked that of the one whose member it is. */
static uint32_t locks_for(struct dh_scan_run *run, uint32_t locks, uint32_t choice, uint32_t addr)
{
	uint32_t list[DH_SCAN_MAX_HELD];
	size_t n;

	dh_lockset_locks(run->sets, locks, &n);
	if (!choice || n > DH_ARRAY_SIZE(list))
		return locks;
	for (size_t i = 0; i < n; i++) {
		struct dh_scan_lock l = run->locks[dh_lockset_locks(run->sets, locks, &n)[i]];
		const struct dh_sym *y = dh_sym_of(&run->syms, l.node);

		list[i] = dh_lockset_locks(run->sets, locks, &n)[i];
		for (uint32_t k = 0;
			y && y->kind == DH_SYM_SET && y->other == choice && k < y->n_values; k++)
			if (dh_scan_object(run->p, y->values[k]) == dh_scan_object(run->p, addr))
				list[i] = dh_scan_lock_get(run, y->values[k], l.read, l.words);
	}
	return dh_lockset_of(run->sets, list, n);
}

void dh_scan_note_access(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t stmt, uint32_t addr, uint32_t size, uint16_t flags)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, addr);

	if (!run->last)
		return;
	if (!y || y->kind != DH_SYM_SET) {
		note_one(run, f, s, stmt, addr, size, flags);
		return;
	}
	for (uint32_t i = 0; i < y->n_values; i++) {
		uint32_t v = y->values[i];
		struct dh_scan_state with = *s;

		if (dh_sym_of(&run->syms, dh_scan_base(run->p, v)) &&
			dh_lockset_contains(run->sets, s->fresh, dh_scan_base(run->p, v)))
			continue;
		with.locks = locks_for(run, s->locks, y->other, v);
		note_one(run, f, &with, stmt, v, size, flags | DH_SA_MAYBE);
	}
}

/* Whether the lock was taken in a function that has returned since. */
static bool came_up(
	const struct dh_scan_run *run, const struct dh_scan_frame *f, const struct dh_scan_held *h)
{
	const struct dh_scan_frame *at = run->fns[h->fn].n_active ? f : f->bottom;

	while (at != f->bottom && at->fn != h->fn)
		at = at->up;
	return at->fn != h->fn &&
	       (run->fns[at->fn].outer_fn != h->fn || run->fns[at->fn].outer_stmt != h->stmt);
}

/* A kernel's function that gives locks back came back with one all the same: rather a path that is
 * none. */
static bool is_doubtful(
	struct dh_scan_run *run, const struct dh_scan_frame *f, const struct dh_scan_held *h)
{
	return run->kernel && came_up(run, f, h) && dh_scan_prepare(run, h->fn)->releases;
}

static void note_edge(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t stmt, const struct dh_scan_held *h, uint32_t taken,
	bool try, bool again)
{
	uint64_t key = mix((uint64_t)h->lock << 32 | taken, (uint64_t)f->fn << 32 | stmt), known;
	int32_t sorted = dh_scan_sorted(run, s, run->locks[h->lock].node, run->locks[taken].node);

	key = mix(mix(mix(mix(key, f->thread), s->live), s->joined), (uint64_t)sorted);
	key = mix(mix(key, s->locks), (uint64_t)h->fn << 32 | h->stmt);
	if (dh_map_get(&run->edge_index, key, &known))
		return;
	dh_map_set(&run->edge_index, key, 1);
	DH_GROW(run->edges, run->n_edges, run->cap_edges);
	run->edges[run->n_edges++] = (struct dh_scan_order_edge){.held = h->lock,
		.taken = taken,
		.fn = f->fn,
		.stmt = stmt,
		.from_fn = h->fn,
		.from_stmt = h->stmt,
		.context = f->context,
		.others = s->locks,
		.live = s->live,
		.joined = s->joined,
		.thread = f->thread,
		.waited = s->waited,
		.signalled = s->signalled,
		.conds = h->conds,
		.calls = h->calls,
		.blocking = run->locks[taken].words & DH_SW_BLOCK,
		.try = try,
		.again = again,
		.upward = came_up(run, f, h),
		.sorted = sorted};
}

/* The end of a thread is like a lock that it has from its beginning on: see dh_scan_await(). */
static void note_until_end(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t stmt, uint32_t taken)
{
	uint32_t end = dh_sym_get(&run->syms, DH_SYM_THREAD, 0, f->thread, 0);
	struct dh_scan_held h = {
		.lock = dh_scan_lock_get(run, end, false, 0), .fn = run->threads[f->thread].fn};

	if (dh_sym_kind(&run->syms, run->locks[taken].node) != DH_SYM_THREAD)
		note_edge(run, f, s, stmt, &h, taken, false, false);
}

/* One lock of several is one of them each time. */
static uint32_t alternatives(struct dh_scan_run *run, uint32_t lock, uint32_t *ret, uint32_t max)
{
	struct dh_scan_lock l = run->locks[lock];
	uint32_t n = 0, no = dh_scan_node(run->p, l.node)->a;

	if (dh_sym_kind(&run->syms, l.node) != DH_SYM_SET) {
		ret[0] = lock;
		return 1;
	}
	for (uint32_t i = 0; i < run->syms.rows[no].n_values && n < max; i++)
		ret[n++] = dh_scan_lock_get(run, run->syms.rows[no].values[i], l.read, l.words);
	return n;
}

static void note_edges(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t stmt, const struct dh_scan_held *h, uint32_t taken,
	bool try, bool again)
{
	uint32_t from[8], to[8], n = alternatives(run, h->lock, from, DH_ARRAY_SIZE(from)),
				 m = alternatives(run, taken, to, DH_ARRAY_SIZE(to));

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < m; j++) {
			struct dh_scan_held one = *h;

			one.lock = from[i];
			if (from[i] != to[j])
				note_edge(run, f, s, stmt, &one, to[j], try, again);
		}
}

void dh_scan_note_order(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t stmt, uint32_t taken, bool try, bool again)
{
	if (!run->last)
		return;
	for (uint32_t i = 0; i < s->n_held; i++) {
		const struct dh_scan_held *h = &s->held[i];
		uint16_t words = run->locks[h->lock].words;

		/* Who sleeps lets go of a release-on-block lock (RacerX 5.2). */
		if (h->lock == taken || words & DH_SW_NO_ORDER ||
			(words & DH_SW_ROB && run->locks[taken].words & DH_SW_BLOCK) ||
			(run->downward_only && came_up(run, f, h)) || is_doubtful(run, f, h))
			continue;
		note_edges(run, f, s, stmt, h, taken, try, again);
	}
	if (run->threads[f->thread].awaited && !try)
		note_until_end(run, f, s, stmt, taken);
}

void dh_scan_note_mistake(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_state *s, enum dh_scan_mistake_kind kind, uint32_t stmt, uint32_t lock,
	uint32_t what)
{
	const struct dh_scan_held *h = dh_scan_state_held(s, lock);
	uint64_t key = mix(mix((uint64_t)f->fn << 32 | stmt, kind), lock), known;

	if (!run->last || (h && is_doubtful(run, f, h)) ||
		dh_map_get(&run->mistake_index, key, &known))
		return;
	dh_map_set(&run->mistake_index, key, 1);
	DH_GROW(run->mistakes, run->n_mistakes, run->cap_mistakes);
	run->mistakes[run->n_mistakes++] = (struct dh_scan_mistake){.kind = kind,
		.lock = lock,
		.fn = f->fn,
		.stmt = stmt,
		.from_fn = h ? h->fn : 0,
		.from_stmt = h ? h->stmt : 0,
		.context = f->context,
		.thread = f->thread,
		.what = what,
		.conds = h ? h->conds : 0,
		.calls = h ? h->calls : 0};
}

void dh_scan_may_block(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t stmt, const char *what)
{
	if (!run->last)
		return;
	for (uint32_t i = 0; i < s->n_held; i++) {
		uint32_t lock = s->held[i].lock;

		if (is_doubtful(run, f, &s->held[i]))
			continue;
		enum dh_sym_kind kind = dh_sym_kind(&run->syms, run->locks[lock].node);
		bool off = kind == DH_SYM_NAMED && run->locks[lock].words & DH_SW_NO_ORDER &&
			   !run->locks[lock].read && run->kernel;

		if (run->locks[lock].words & DH_SW_SPIN || off) {
			dh_scan_note_mistake(run, f, s, DH_MISTAKE_BLOCKING, stmt, lock,
				dh_scan_str(run->p, what));
			return;
		}
	}
}

struct dh_scan_usage *dh_scan_usage_of(struct dh_scan_run *run, uint32_t node)
{
	uint32_t at = dh_sym_any_index(&run->syms, node);
	uint32_t field = dh_sym_is_placed(&run->syms, at) ? 0 : dh_sym_last_field(run->p, at);
	/* Members of unknown objects are of one kind. */
	uint64_t key = field ? UINT64_C(1) << 32 | field : at, no;

	if (dh_map_get(&run->usage_index, key, &no))
		return &run->usages[no];
	dh_map_set(&run->usage_index, key, run->n_usages);
	DH_GROW(run->usages, run->n_usages, run->cap_usages);
	run->usages[run->n_usages] = (struct dh_scan_usage){.node = at, .initial = -1};
	return &run->usages[run->n_usages++];
}

void dh_scan_note_usage(
	struct dh_scan_run *run, struct dh_scan_frame *f, uint32_t stmt, uint32_t node, int what)
{
	uint64_t key = mix(mix((uint64_t)f->fn << 32 | stmt, node), (uint64_t)(what + 1)), known;
	struct dh_scan_usage *u;

	/* A place in the code counts once, however often it is reached (RacerX 8.5). */
	if (run->last || dh_map_get(&run->usage_sites, key, &known))
		return;
	dh_map_set(&run->usage_sites, key, 1);
	u = dh_scan_usage_of(run, node);
	u->acquired += what > 0;
	u->released += what < 0;
	u->errors += what == 0;
}

void dh_scan_note_signal(struct dh_scan_run *run, uint32_t event, uint32_t thread)
{
	uint64_t set = DH_LOCKSET_EMPTY;

	dh_map_get(&run->signallers, event, &set);
	dh_map_set(&run->signallers, event, dh_lockset_add(run->sets, (uint32_t)set, thread));
}

uint32_t dh_scan_signallers(struct dh_scan_run *run, uint32_t event)
{
	uint64_t set = DH_LOCKSET_EMPTY;

	dh_map_get(&run->signallers, event, &set);
	return (uint32_t)set;
}
