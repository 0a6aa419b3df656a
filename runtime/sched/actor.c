/* Actors: clocks, locks and segments of threads and fibers; clocks of addresses. */
#include "sched/detector.h"

#include "sched/lockset.h"
#include "sched/pool.h"
#include "sched/shadow.h"
#include "sched/table.h"

struct dh_actor *dh_actors;

/* Components of vector clocks that nobody uses any longer, with the last time of their owner. */
struct retired {
	uint32_t slot, clock;
};
static struct retired *retired;
static uint32_t nretired, retired_cap;
static uint32_t nslots;

#define RETIRED_LOOK 64 /* how many are tried before a new component is made */

/* A component is used again only by somebody who knows all that its last owner did: then nothing
 * of the old owner can race with the new one. */
static uint32_t take_slot(const struct dh_vc *known, uint32_t *ret_clock)
{
	for (uint32_t i = nretired; i > 0 && nretired - i < RETIRED_LOOK; i--) {
		struct retired *r = &retired[i - 1];

		if (dh_vc_get(known, r->slot) >= r->clock) {
			uint32_t slot = r->slot;

			*ret_clock = r->clock;
			*r = retired[--nretired];
			return slot;
		}
	}
	*ret_clock = 0;
	return nslots++;
}

static void retire_slot(uint32_t slot, uint32_t clock)
{
	retired = dh_pool_grow(retired, &retired_cap, nretired + 1, sizeof *retired);
	retired[nretired++] = (struct retired){slot, clock};
}

static void place(struct dh_actor *a, uint32_t number)
{
	if (a->cell)
		*a->cell = (uint64_t)number << DH_CELL_SEGMENT;
}

static uint32_t segment_now(struct dh_actor *a)
{
	const struct dh_segment s = {.clock = dh_actor_clock(a),
		.lockset = a->lockset,
		.thread = a->thread,
		.slot = a->slot};

	return dh_segment_number(&a->cache, &s);
}

/* All numbers are used: everything so far is forgotten, which is counted and said. */
static void start_over(void)
{
	dh_ctl->result.lost_history++;
	dh_shadow_flush();
	dh_segments_reset();
	for (struct dh_actor *a = dh_actors; a; a = a->next)
		a->cache = (struct dh_segment_cache){0};
	for (struct dh_actor *a = dh_actors; a; a = a->next)
		place(a, segment_now(a));
}

void dh_actor_renew(struct dh_actor *a)
{
	uint32_t number;

	if (dh_look != DH_LOOK_SCREEN)
		return;
	number = segment_now(a);
	if (number)
		place(a, number);
	else
		start_over();
}

struct dh_actor *dh_actor_new(struct dh_actor *parent, uint32_t thread)
{
	struct dh_actor *a = dh_pool_alloc(sizeof *a);
	uint32_t clock;

	if (parent) {
		dh_vc_copy(&a->vc, &parent->vc);
		dh_vc_copy(&a->born, &parent->vc);
	}
	a->slot = take_slot(&a->vc, &clock);
	a->thread = thread;
	dh_vc_set(&a->vc, a->slot, clock + 1);
	if (parent) {
		parent->vc.c[parent->slot]++;
		dh_actor_renew(parent);
	}
	a->next = dh_actors;
	dh_actors = a;
	return a;
}

void dh_actor_free(struct dh_actor *a)
{
	struct dh_actor **link = &dh_actors;

	while (*link && *link != a)
		link = &(*link)->next;
	if (*link)
		*link = a->next;
	retire_slot(a->slot, dh_actor_clock(a));
	dh_vc_release(&a->vc);
	dh_vc_release(&a->published);
	dh_vc_release(&a->seen);
	dh_vc_release(&a->born);
	dh_pool_free(a, sizeof *a);
}

void dh_actor_bind(struct dh_actor *a, struct dh_thread *self)
{
	self->detect = a;
	a->cell = &self->cell;
	a->frames = &dh_frames;
	dh_actor_renew(a);
}

uint32_t dh_actor_held_since(const struct dh_actor *a, uint32_t time)
{
	uint32_t set = DH_LOCKSET_EMPTY;

	for (uint32_t i = 0; i < a->nheld; i++) {
		if (a->held[i].since <= time)
			set = dh_lockset_add(
				set, dh_lock_member(a->held[i].lock, a->held[i].shared));
	}
	return set;
}

uint32_t dh_actor_change(struct dh_actor *a, uint32_t member, bool add)
{
	struct dh_change *c = &a->change[(member ^ add) % DH_CHANGES];

	if (c->from != a->lockset || c->member != member || c->add != add)
		*c = (struct dh_change){.from = a->lockset,
			.member = member,
			.to = add ? dh_lockset_add(a->lockset, member)
				  : dh_lockset_remove(a->lockset, member),
			.add = add};
	return c->to;
}

void dh_actor_hold(struct dh_actor *a, uint32_t lock, bool shared, uintptr_t pc)
{
	a->time++;
	if (a->nheld < DH_HELD_MAX)
		a->held[a->nheld++] = (struct dh_held){
			.lock = lock, .since = a->time, .shared = shared, .pc = pc};
	a->lockset = dh_actor_change(a, dh_lock_member(lock, shared), true);
}

bool dh_actor_let_go(struct dh_actor *a, uint32_t lock, bool shared)
{
	uint32_t i = a->nheld;

	while (i > 0 && a->held[i - 1].lock != lock)
		i--;
	if (i > 0) {
		shared = a->held[i - 1].shared;
		for (; i < a->nheld; i++)
			a->held[i - 1] = a->held[i];
		a->nheld--;
	}
	a->time++;
	a->lockset = dh_actor_change(a, dh_lock_member(lock, shared), false);
	return shared;
}

void dh_actor_send(struct dh_actor *a, struct dh_vc *to)
{
	if (a->ignore_sync)
		return;
	dh_vc_join(to, &a->vc);
	a->vc.c[a->slot]++;
	dh_actor_renew(a);
}

void dh_actor_receive(struct dh_actor *a, const struct dh_vc *from)
{
	if (!a->ignore_sync)
		dh_vc_join(&a->vc, from);
}

static struct dh_table syncs; /* address to struct dh_sync */
/* How many of them are in pages of this hash: most memory that is freed has none. */
#define SYNC_PAGES 4096u
static uint32_t sync_pages[SYNC_PAGES];

struct dh_sync *dh_sync_at(uintptr_t address, bool make)
{
	uint64_t *v = make ? dh_table_add(&syncs, address) : dh_table_find(&syncs, address);

	if (!v)
		return NULL;
	if (!*v) {
		*v = (uintptr_t)dh_pool_alloc(sizeof(struct dh_sync));
		sync_pages[(address >> 12) % SYNC_PAGES]++;
	}
	return (struct dh_sync *)*v;
}

static void sync_remove(uintptr_t address)
{
	uint64_t *v = dh_table_find(&syncs, address);
	struct dh_sync *s;

	if (!v)
		return;
	s = (struct dh_sync *)*v;
	dh_vc_release(&s->vc);
	dh_vc_release(&s->readers);
	dh_vc_release(&s->said);
	dh_pool_free(s, sizeof *s);
	dh_table_remove(&syncs, address);
	sync_pages[(address >> 12) % SYNC_PAGES]--;
}

/* Whichever is shorter: the memory or the table. */
void dh_sync_clear(uintptr_t address, size_t size)
{
	if (!syncs.n)
		return;
	if (size < syncs.cap) {
		for (uintptr_t p = address; p < address + size; p++) {
			if (sync_pages[(p >> 12) % SYNC_PAGES])
				sync_remove(p);
			else
				p |= 4095;
		}
		return;
	}
	for (uint32_t i = 0; i < syncs.cap;) {
		if (syncs.key[i] && syncs.key[i] - address < size)
			sync_remove(syncs.key[i]); /* another one may move to this place */
		else
			i++;
	}
}

static struct dh_table lock_addresses;

void dh_lock_note(const struct dh_object *lock)
{
	*dh_table_add(&lock_addresses, lock->id) = lock->address;
}

uint64_t dh_lock_address(uint32_t lock)
{
	const uint64_t *v = dh_table_find(&lock_addresses, lock);

	return v ? *v : 0;
}
