/* Second run of a prediction: all that happens in the granules where threads conflicted in the
 * first one.  For each granule every statement of every thread is kept, with its locks and stack,
 * and each access is held against all of them.
 *
 * Races: as in the first run, with both stacks.
 * Order: the first write to a byte, and a read of it by somebody who is not ordered behind it, with
 * or without locks: the read could have come first.  Likewise the end of a heap block and its uses.
 * Atomicity: two accesses of one thread that follow each other there, and one of another thread
 * that could come between them, so that no serial order gives the same (the four patterns of
 * section 1's atomicity violations: RWR, WWR, WRW, RWW).  Locks prevent it only when one is held
 * from the first to the second without a break, and by the other thread too. */
#include "sched/candidate.h"
#include "sched/cell.h"
#include "sched/detector.h"
#include "sched/lockset.h"
#include "sched/pool.h"
#include "sched/table.h"

#define ENTRIES_MAX 128u
#define LOCALS_MAX  128u
#define SAME_MAX    4u /* threads of which one statement is kept */
#define HELD_KEPT   4u /* locks of an entry whose acquisition is remembered, outermost first */

struct acquisition {
	uint32_t lock;
	uintptr_t pc;
};

/* A statement of a thread, with one set of locks. */
struct entry {
	uintptr_t pc, address;
	uint32_t thread, slot;
	uint32_t clock; /* of the last time: what is unordered with any time is so with this */
	uint32_t lockset, stack;
	uint8_t bytes, access;
	bool first;     /* wrote before anybody touched these bytes */
	uintptr_t from; /* in a handler: where its signal was sent; 0: not known */
	uint32_t nheld;
	struct acquisition held[HELD_KEPT];
};

/* Two accesses of one thread, one right behind the other. */
struct local {
	uint16_t before, behind; /* entries */
	uint32_t throughout;     /* locks held from one to the other */
	uint32_t breaks;         /* locks taken and given back in between */
	bool same_call;          /* in one call of one function */
};

/* The last access of a thread to these bytes. */
struct last {
	uint32_t thread, entry, time, depth;
	uint64_t when;
	uintptr_t frame;
	uint8_t bytes;
};

struct history {
	uintptr_t granule;
	struct entry *entry;
	struct local *local;
	struct last *last;
	uint32_t nentries, entry_cap, nlocals, local_cap, nlast, last_cap;
	uint64_t accesses;
	uint8_t touched; /* bytes that somebody accessed */
};

uint8_t dh_granules[DH_GRANULE_BITS / 8];
static struct dh_table histories; /* granule, plus one, to struct history */

static void empty(struct history *h)
{
	h->nentries = h->nlocals = h->nlast = 0;
	h->touched = 0;
}

static void watch(uintptr_t granule)
{
	struct history *h = dh_pool_alloc(sizeof *h);
	uint32_t hash = (uint32_t)((granule >> 3) * 0x9e3779b1u) >> 16;

	h->granule = granule;
	dh_granules[hash / 8] |= (uint8_t)(1u << hash % 8);
	*dh_table_add(&histories, granule + 1) = (uintptr_t)h;
}

void dh_history_start(void)
{
	uint32_t n = dh_ctl->ngranules;

	dh_table_release(&histories);
	for (uint32_t i = 0; i < sizeof dh_granules; i++)
		dh_granules[i] = 0;
	for (uint32_t i = 0; i < n && i < DH_SCHED_GRANULES_MAX; i++) {
		uintptr_t granule = dh_ctl->granule[i] & ~(uintptr_t)(DH_GRANULE - 1);

		if (!dh_table_find(&histories, granule + 1))
			watch(granule);
	}
}

static struct history *history_of(uintptr_t address)
{
	const uint64_t *v = dh_table_find(&histories, (address & ~(uintptr_t)(DH_GRANULE - 1)) + 1);

	return v ? (struct history *)*v : NULL;
}

void dh_history_clear(uintptr_t address, size_t size)
{
	if (size / DH_GRANULE > histories.cap) {
		for (uint32_t i = 0; i < histories.cap; i++) {
			if (histories.key[i] && histories.key[i] - 1 - address < size)
				empty((struct history *)histories.value[i]);
		}
		return;
	}
	for (uintptr_t p = address; p < address + size; p += DH_GRANULE) {
		struct history *h = dh_granule_followed(p) ? history_of(p) : NULL;

		if (h)
			empty(h);
	}
}

static bool writes(const struct entry *e)
{
	return e->access & DH_SCHED_WRITE;
}

static bool reads(const struct entry *e)
{
	return !(e->access & DH_SCHED_WRITE) || e->access & DH_SCHED_RMW;
}

static struct dh_side side_of(const struct entry *e, uint8_t role)
{
	return (struct dh_side){.pc = e->pc,
		.address = e->address,
		.size = (uint32_t)__builtin_popcount(e->bytes),
		.thread = e->thread,
		.access = e->access,
		.op = DH_OP_ACCESS,
		.role = role,
		.lockset = e->lockset,
		.stack = e->stack};
}

static struct dh_side lock_side(const struct entry *e, uint32_t at, uint8_t role)
{
	return (struct dh_side){.pc = e->held[at].pc,
		.address = dh_lock_address(e->held[at].lock),
		.thread = e->thread,
		.op = DH_OP_LOCK,
		.role = role,
		.object = e->held[at].lock};
}

static void found_race(const struct entry *first, const struct entry *second)
{
	struct dh_found f = {.kind = DH_CAND_RACE, .nsides = 2};

	f.side[0] = side_of(first, DH_TARGET_RACE);
	f.side[1] = side_of(second, DH_TARGET_RACE);
	dh_candidate_add(&f);
}

/* Both sides hold a lock that the other needs too: they cannot be brought together at the accesses,
 * but at the calls that take it, the outermost one.  Adds these as sides with the roles, which the
 * accesses lose. */
static void meet_at_lock(struct dh_found *f, uint32_t a, const struct entry *first, uint32_t b,
	const struct entry *second)
{
	for (uint32_t i = 0; i < first->nheld; i++) {
		for (uint32_t k = 0; k < second->nheld; k++) {
			struct dh_side *lock = &f->side[f->nsides];

			if (first->held[i].lock != second->held[k].lock)
				continue;
			lock[0] = lock_side(first, i, f->side[a].role);
			lock[1] = lock_side(second, k, f->side[b].role);
			f->side[a].role = f->side[b].role = DH_TARGET_NONE;
			f->nsides += 2;
			return;
		}
	}
}

static void found_order(const struct entry *first, const struct entry *second, uint32_t sub)
{
	struct dh_found f = {.kind = DH_CAND_ORDER, .sub = sub, .nsides = 2};

	f.side[0] = side_of(first, DH_TARGET_FIRST);
	f.side[1] = side_of(second, DH_TARGET_SECOND);
	f.score = 2;
	if (dh_lockset_protects(first->lockset, second->lockset)) {
		f.score = 1;
		meet_at_lock(&f, 0, first, 1, second);
		/* One statement opens both sections: neither is the one that should come first. */
		if (f.nsides == 4 && f.side[2].pc == f.side[3].pc && sub == DH_SUB_BEFORE_INIT)
			return;
	}
	dh_candidate_add(&f);
}

/* A thread and a handler on it: the handler could come right before the statement of the thread. It
 * comes with its signal, where it is known who sends that. */
static void found_in_handler(const struct entry *e, const struct entry *now)
{
	const struct entry *own = e->thread & DH_IN_HANDLER ? now : e;
	const struct entry *in_handler = own == e ? now : e;
	struct dh_found f = {.kind = DH_CAND_ORDER,
		.sub = DH_SUB_IN_HANDLER,
		.score = writes(own) ? 3 : 2,
		.nsides = 2};

	if (dh_lockset_protects(e->lockset, now->lockset))
		return;
	f.side[0] = side_of(own, DH_TARGET_FIRST);
	f.side[1] = side_of(in_handler, DH_TARGET_SECOND);
	if (in_handler->from) {
		f.side[1].role = DH_TARGET_NONE;
		f.side[f.nsides++] = (struct dh_side){
			.pc = in_handler->from, .op = DH_OP_SIGNAL, .role = DH_TARGET_SECOND};
	}
	dh_candidate_add(&f);
}

/* e was there before; both overlap and are not ordered. */
static void hold_against(const struct entry *e, const struct entry *now)
{
	bool atomic = e->access & now->access & DH_SCHED_ATOMIC;
	bool apart =
		(dh_detecting & DH_DETECT_HB) || !dh_lockset_protects(e->lockset, now->lockset);

	if (!writes(e) && !writes(now))
		return;
	if (dh_own_handler(e->thread, now->thread)) {
		if (!atomic && (dh_detecting & DH_DETECT_RACES))
			found_in_handler(e, now);
		return;
	}
	if (!atomic && apart && (dh_detecting & DH_DETECT_RACES))
		found_race(e, now);
	if (!(dh_detecting & DH_DETECT_ORDER))
		return;
	if (now->access & DH_SCHED_FREE)
		found_order(e, now, DH_SUB_USE_AFTER_FREE);
	else if (e->first && reads(now))
		found_order(e, now, DH_SUB_BEFORE_INIT);
}

/* The pattern of local, remote, local; DH_SUB_NONE: some serial order does the same. */
static uint32_t pattern(
	const struct entry *before, const struct entry *remote, const struct entry *behind)
{
	if (reads(before) && writes(remote) && writes(behind))
		return DH_SUB_RWW;
	if (reads(before) && writes(remote) && reads(behind))
		return DH_SUB_RWR;
	if (writes(before) && reads(remote) && writes(behind))
		return DH_SUB_WRW;
	if (writes(before) && writes(remote) && reads(behind))
		return DH_SUB_WWR;
	return DH_SUB_NONE;
}

/* What people mean to be atomic is near together: one call, few locks in between, in the order in
 * which it stands, and a decision followed by an action. */
static uint32_t score_of(const struct history *h, const struct local *l, uint32_t sub)
{
	uint32_t score = 1;

	score += sub == DH_SUB_RWW ? 3 : sub == DH_SUB_RWR ? 1 : 0;
	score += l->same_call ? 3 : 0;
	score += l->breaks == 0 ? 2 : l->breaks <= 2 ? 1 : 0;
	if (l->same_call && h->entry[l->behind].pc > h->entry[l->before].pc)
		score += 2;
	return score;
}

static void consider(const struct history *h, const struct local *l, const struct entry *remote)
{
	const struct entry *before = &h->entry[l->before], *behind = &h->entry[l->behind];
	struct dh_found f = {.kind = DH_CAND_ATOMICITY, .nsides = 3};

	if (!(before->bytes & behind->bytes & remote->bytes) ||
		dh_own_handler(before->thread, remote->thread))
		return;
	/* Nobody means two updates that are atomic each, or the end of a block, to be one step. */
	if (before->access & behind->access & DH_SCHED_RMW ||
		(before->access | behind->access | remote->access) &
			(DH_SCHED_FREE | DH_SCHED_OBJECT))
		return;
	/* The next round of a loop is another step. */
	if (l->same_call && behind->pc <= before->pc)
		return;
	f.sub = pattern(before, remote, behind);
	if (f.sub == DH_SUB_NONE || dh_lockset_protects(l->throughout, remote->lockset))
		return;
	f.score = score_of(h, l, f.sub);
	f.side[0] = side_of(before, DH_TARGET_FIRST);
	f.side[1] = side_of(behind, DH_TARGET_SECOND);
	f.side[2] = side_of(remote, DH_TARGET_REMOTE);
	if (dh_lockset_protects(behind->lockset, remote->lockset))
		meet_at_lock(&f, 1, behind, 2, remote);
	dh_candidate_add(&f);
}

static bool same_statement(const struct entry *a, const struct entry *b)
{
	return a->pc == b->pc && a->bytes == b->bytes && a->access == b->access;
}

static uint32_t find_entry(const struct history *h, const struct entry *now)
{
	for (uint32_t i = 0; i < h->nentries; i++) {
		const struct entry *e = &h->entry[i];

		if (same_statement(e, now) && e->thread == now->thread &&
			e->lockset == now->lockset)
			return i;
	}
	return ENTRIES_MAX;
}

/* Pairs that an entry was part of are gone with it. */
static void drop_locals(struct history *h, uint32_t entry)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < h->nlocals; i++) {
		if (h->local[i].before != entry && h->local[i].behind != entry)
			h->local[kept++] = h->local[i];
	}
	h->nlocals = kept;
	kept = 0;
	for (uint32_t i = 0; i < h->nlast; i++) {
		if (h->last[i].entry != entry)
			h->last[kept++] = h->last[i];
	}
	h->nlast = kept;
}

/* Where a new entry goes.  Of one statement some threads are enough; one that is ordered before the
 * new one gives way to it.  ENTRIES_MAX: there is no room, and no need. */
static uint32_t entry_place(struct history *h, const struct entry *now, const struct dh_actor *a)
{
	uint32_t same = 0, ordered = ENTRIES_MAX;

	for (uint32_t i = 0; i < h->nentries; i++) {
		const struct entry *e = &h->entry[i];

		if (!same_statement(e, now))
			continue;
		same++;
		if (e->thread != now->thread && !e->first && dh_actor_knows(a, e->slot, e->clock))
			ordered = i;
	}
	if (same >= SAME_MAX && ordered < ENTRIES_MAX)
		drop_locals(h, ordered);
	if (same >= SAME_MAX)
		return ordered;
	if (h->nentries == ENTRIES_MAX) {
		dh_ctl->result.lost_history++;
		return ENTRIES_MAX;
	}
	h->entry = dh_pool_grow(h->entry, &h->entry_cap, h->nentries + 1, sizeof *h->entry);
	return h->nentries++;
}

static void remember_locks(struct entry *e, const struct dh_actor *a)
{
	e->nheld = 0;
	for (uint32_t i = 0; i < a->nheld && e->nheld < HELD_KEPT; i++) {
		if (a->held[i].lock < DH_LOCK_OF_SIGNAL)
			e->held[e->nheld++] = (struct acquisition){a->held[i].lock, a->held[i].pc};
	}
}

/* Its place, or ENTRIES_MAX: it is only held against the others.  Completes *now either way. */
static uint32_t keep_entry(struct history *h, struct entry *now, const struct dh_actor *a)
{
	uint32_t i = find_entry(h, now);

	if (i < ENTRIES_MAX) {
		h->entry[i].clock = now->clock;
		*now = h->entry[i];
		return i;
	}
	now->stack = dh_stack_keep(a->frames, now->pc);
	now->first = writes(now) && !reads(now) && !(h->touched & now->bytes);
	remember_locks(now, a);
	i = entry_place(h, now, a);
	if (i < ENTRIES_MAX)
		h->entry[i] = *now;
	return i;
}

/* The latest access of the thread to any of the bytes; NULL: none. */
static const struct last *previous(const struct history *h, uint32_t thread, uint8_t bytes)
{
	const struct last *best = NULL;

	for (uint32_t i = 0; i < h->nlast; i++) {
		const struct last *l = &h->last[i];

		if (l->thread == thread && l->bytes & bytes && (!best || l->when > best->when))
			best = l;
	}
	return best;
}

static void set_last(struct history *h, const struct last *now)
{
	uint32_t i = 0;

	while (i < h->nlast && (h->last[i].thread != now->thread || h->last[i].bytes != now->bytes))
		i++;
	if (i == h->nlast) {
		h->last = dh_pool_grow(h->last, &h->last_cap, h->nlast + 1, sizeof *h->last);
		h->nlast++;
	}
	h->last[i] = *now;
}

/* The pair of the previous access of this thread and this one; NULL: known, or not a pair. */
static struct local *keep_local(
	struct history *h, const struct last *before, uint32_t behind, const struct dh_actor *a)
{
	struct local *l;

	if (!before || before->entry == behind)
		return NULL;
	for (uint32_t i = 0; i < h->nlocals; i++) {
		l = &h->local[i];
		if (l->before == before->entry && l->behind == behind)
			return NULL;
	}
	if (h->nlocals == LOCALS_MAX) {
		dh_ctl->result.lost_history++;
		return NULL;
	}
	h->local = dh_pool_grow(h->local, &h->local_cap, h->nlocals + 1, sizeof *h->local);
	l = &h->local[h->nlocals++];
	*l = (struct local){.before = (uint16_t)before->entry,
		.behind = (uint16_t)behind,
		.throughout = dh_actor_held_since(a, before->time),
		.breaks = a->time - before->time,
		.same_call = a->frames->top > a->frames->base &&
			     before->frame == a->frames->top[-1].sp &&
			     before->depth == (uint32_t)(a->frames->top - a->frames->base)};
	return l;
}

static struct last last_now(struct history *h, uint32_t now, const struct dh_actor *a)
{
	return (struct last){.thread = a->thread,
		.entry = now,
		.time = a->time,
		.when = ++h->accesses,
		.bytes = h->entry[now].bytes,
		.depth = (uint32_t)(a->frames->top - a->frames->base),
		.frame = a->frames->top > a->frames->base ? a->frames->top[-1].sp : 0};
}

/* As the one that could come between two of another thread. */
static void as_remote(struct history *h, const struct entry *now, const struct dh_actor *a)
{
	for (uint32_t i = 0; i < h->nlocals; i++) {
		const struct entry *behind = &h->entry[h->local[i].behind];

		if (behind->thread != a->thread && !dh_actor_knows(a, behind->slot, behind->clock))
			consider(h, &h->local[i], now);
	}
}

/* As the second of two, between which others could come. */
static void as_local(struct history *h, uint32_t now, const struct dh_actor *a)
{
	const struct last *before = previous(h, a->thread, h->entry[now].bytes);
	const struct local *l = keep_local(h, before, now, a);
	const struct last last = last_now(h, now, a);

	for (uint32_t i = 0; l && i < h->nentries; i++) {
		const struct entry *r = &h->entry[i];

		if (r->thread != a->thread && !dh_actor_knows(a, r->slot, r->clock))
			consider(h, l, r);
	}
	set_last(h, &last);
}

void dh_history(struct dh_thread *self, const struct dh_touch *touch)
{
	const struct dh_actor *a = dh_actor_of(self);
	struct history *h = history_of(touch->address);
	struct entry now = {.pc = touch->pc,
		.address = touch->address,
		.thread = a->thread,
		.slot = a->slot,
		.clock = dh_actor_clock(a),
		.lockset = a->lockset,
		.bytes = touch->bytes,
		.access = touch->access,
		.from = a->from};
	uint32_t at;

	if (!h)
		return;
	at = keep_entry(h, &now, a);
	for (uint32_t i = 0; i < h->nentries; i++) {
		const struct entry *e = &h->entry[i];

		if (e->slot != a->slot && e->bytes & now.bytes &&
			!dh_actor_knows(a, e->slot, e->clock))
			hold_against(e, &now);
	}
	if (dh_detecting & DH_DETECT_ATOMICITY) {
		as_remote(h, &now, a);
		if (at < ENTRIES_MAX)
			as_local(h, at, a);
	}
	h->touched |= now.bytes;
	if (dh_detecting & DH_DETECT_ORDER)
		dh_visit_note(self, touch);
}
