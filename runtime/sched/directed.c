/* Scheduling that is directed by target statements.  The race strategy is Algorithm 1 and 2 of
 * RaceFuzzer (section 2.2) as they stand, with its section 4: switches before synchronisation
 * operations and at the racing pair only, and monitors that release threads, in logical time.
 * The other strategies keep its shape: postpone a thread before a target, until another thread
 * arrives at a statement that makes something of it. */
#include "sched/core.h"

#include "common/mem.h"
#include "sched/detect.h"

#define TABLE    1024
#define MUST_MAX 256
/* A target in a hot loop would switch each time: from here on it does so ever more rarely. */
#define ARRIVALS 256
/* Of those that do not, one in so many lets the dice say who goes on. */
#define OTHERS_EVERY 64

static struct {
	struct {
		uintptr_t pc;
		uint16_t roles;
	} table[TABLE];
	struct dh_task *must[MUST_MAX];
	uint32_t nmust;
	uint64_t arrivals;
} d;

static void watch(uintptr_t pc, unsigned roles)
{
	uint32_t i = (uint32_t)(pc ^ pc >> 10) % TABLE;

	while (d.table[i].pc && d.table[i].pc != pc)
		i = (i + 1) % TABLE;
	d.table[i].pc = pc;
	d.table[i].roles |= (uint16_t)roles;
}

void dh_directed_watch(bool all)
{
	all |= (dh_ctl->ask.flags & DH_ASK_ALL_ACCESSES) != 0;
	for (uint32_t i = 0; i < DH_WATCH_SIZE; i++)
		dh_watch[i] = all;
	for (uint32_t i = 0; i < TABLE; i++)
		if (d.table[i].pc)
			dh_watch[(d.table[i].pc ^ d.table[i].pc >> 12) % DH_WATCH_SIZE] = 1;
}

void dh_directed_add_targets(void)
{
	uint32_t n = dh_ctl->ask.ntargets;

	for (uint32_t i = 0; i < n && i < DH_SCHED_TARGETS_MAX; i++) {
		const struct dh_sched_target *t = &dh_ctl->target[i];

		if (t->pc && t->role != DH_TARGET_NONE && t->role <= DH_TARGET_WATCH)
			watch((uintptr_t)t->pc, 1u << t->role);
	}
	dh_directed_watch(false);
}

void dh_directed_start(void)
{
	for (uint32_t i = 0; i < TABLE; i++)
		d.table[i].pc = d.table[i].roles = 0;
	d.nmust = 0;
	d.arrivals = 0;
	dh_directed_add_targets();
}

unsigned dh_directed_roles(uintptr_t pc)
{
	uint32_t i = (uint32_t)(pc ^ pc >> 10) % TABLE;

	for (; d.table[i].pc; i = (i + 1) % TABLE)
		if (d.table[i].pc == pc)
			return d.table[i].roles;
	return 0;
}

/* -- the queue of those that execute their statement next, whatever the dice say */

static void must(struct dh_task *t)
{
	dh_task_set_state(t, DH_TASK_READY);
	if (t->must || d.nmust == MUST_MAX)
		return;
	t->must = true;
	d.must[d.nmust++] = t;
}

struct dh_task *dh_directed_must(void)
{
	while (d.nmust > 0) {
		struct dh_task *t = d.must[0];

		d.nmust--;
		for (uint32_t i = 0; i < d.nmust; i++)
			d.must[i] = d.must[i + 1];
		t->must = false;
		if (t->set == &dh_core.ready)
			return t;
	}
	return NULL;
}

static void postpone(struct dh_task *t)
{
	t->blocked_since = dh_core.waited;
	dh_task_set_state(t, DH_TASK_POSTPONED);
}

static void release(struct dh_task *t)
{
	dh_ctl->result.released++;
	dh_task_set_state(t, DH_TASK_READY);
}

/* Lines 26 to 28 of Algorithm 1. */
void dh_directed_release_one(void)
{
	release(dh_core.postponed.at[dh_random_below(dh_core.postponed.count)]);
}

void dh_directed_patience(void)
{
	for (uint32_t i = dh_core.postponed.count; i-- > 0;) {
		struct dh_task *t = dh_core.postponed.at[i];

		if (dh_core.waited - t->blocked_since > dh_ctl->ask.patience || dh_fair())
			release(t);
	}
}

/* -- hits */

static void fill_site(
	struct dh_sched_site *site, const struct dh_task *t, const struct dh_next *next)
{
	site->pc = next->pc;
	site->address = next->address;
	site->size = next->size;
	site->thread = t->thread.id;
	site->access = next->access;
	site->op = (uint8_t)next->op;
	site->object = next->obj ? next->obj->id : 0;
	site->stack.thread = t->thread.id;
	site->stack.count =
		dh_detect_stack(&t->thread, next->pc, site->stack.pc, DH_SCHED_FRAMES_MAX);
}

/* A task may have been interrupted by a handler where it was postponed: then both are the same. */
static void record_hit(const struct dh_task *last, const struct dh_task *postponed, unsigned kind,
	unsigned resolved)
{
	struct dh_sched_result *r = &dh_ctl->result;
	struct dh_sched_hit *hit;

	r->hits_total++;
	if (r->nhits >= DH_SCHED_HITS_MAX)
		return;
	hit = &dh_ctl->hit[r->nhits];
	hit->time = dh_core.points;
	hit->kind = kind;
	hit->resolved = resolved;
	fill_site(&hit->site[0], last, &last->next);
	fill_site(&hit->site[1], postponed,
		postponed == last ? &last->interrupted : &postponed->next);
	r->nhits++;
}

/* -- Racing(s, t, postponed), Algorithm 2 */

static bool overlap(const struct dh_next *a, const struct dh_next *b)
{
	return a->address && a->address < b->address + b->size && b->address < a->address + a->size;
}

static bool races(const struct dh_next *a, const struct dh_next *b)
{
	return overlap(a, b) && (a->access | b->access) & DH_SCHED_WRITE &&
	       !(a->access & b->access & DH_SCHED_ATOMIC);
}

static uint32_t racing(const struct dh_task *t, struct dh_task **ret, uint32_t max)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < dh_core.postponed.count && n < max; i++)
		if (races(&t->next, &dh_core.postponed.at[i]->next))
			ret[n++] = dh_core.postponed.at[i];
	return n;
}

/* Lines 6 to 22 of Algorithm 1. */
static void race_at(struct dh_task *t)
{
	struct dh_task *r[MUST_MAX];
	uint32_t n = racing(t, r, MUST_MAX);
	bool t_first;

	if (n == 0) {
		postpone(t);
		return;
	}
	t_first = dh_random() >> 63;
	for (uint32_t i = 0; i < n; i++)
		record_hit(t, r[i], DH_CAND_RACE, !t_first);
	if (t_first) {
		must(t);
		return;
	}
	postpone(t);
	for (uint32_t i = 0; i < n; i++)
		must(r[i]);
}

/* -- deadlock: all members of a cycle stand before the acquisition that closes it */

static struct dh_object *wanted(const struct dh_task *t)
{
	if (t->state == DH_TASK_BLOCKED)
		return t->blocked_on;
	return t->state == DH_TASK_POSTPONED ? t->next.obj : NULL;
}

/* The task that stands behind t in the chain of owners, or NULL. */
static struct dh_task *owner_of_wanted(const struct dh_object *obj)
{
	return obj && obj->owner ? dh_task_of(obj->owner) : NULL;
}

static void deadlock_at(struct dh_task *self)
{
	struct dh_task *t = owner_of_wanted(self->next.obj), *before = NULL;
	uint32_t n = 0;

	if (self->held == 0) {
		must(self);
		return;
	}
	for (; t && t != self && n++ < DH_SCHED_SITES_MAX; t = owner_of_wanted(wanted(t)))
		before = t;
	if (t != self || !before) {
		postpone(self);
		return;
	}
	record_hit(self, before, DH_CAND_DEADLOCK, 0);
	must(self);
	for (t = owner_of_wanted(self->next.obj); t && t != self;) {
		struct dh_task *next = owner_of_wanted(wanted(t));

		if (t->state == DH_TASK_POSTPONED)
			must(t);
		t = next;
	}
}

/* -- atomicity: a remote access comes between two local ones */

/* A signal brings its handler to wherever the thread is. */
static bool same_place(const struct dh_next *a, const struct dh_next *b)
{
	if (a->op == DH_OP_SIGNAL || b->op == DH_OP_SIGNAL)
		return true;
	if (a->obj || b->obj)
		return a->obj == b->obj;
	return overlap(a, b);
}

static struct dh_task *postponed_at(const struct dh_task *self, unsigned role)
{
	for (uint32_t i = 0; i < dh_core.postponed.count; i++) {
		struct dh_task *t = dh_core.postponed.at[i];

		if (t->next.roles & 1u << role && same_place(&t->next, &self->next))
			return t;
	}
	return NULL;
}

/* Did this task do the first access of the pair?  For critical sections it is the same lock. */
static bool did_first(const struct dh_task *t)
{
	uint64_t at = t->next.obj ? t->next.obj->address : t->next.address;

	return t->first_address && (t->next.obj || at < t->first_address + t->first_size) &&
	       (t->next.obj || t->first_address < at + t->next.size);
}

static void atomicity_at(struct dh_task *self)
{
	unsigned roles = self->next.roles;
	struct dh_task *other;

	if (roles & 1u << DH_TARGET_SECOND && did_first(self)) {
		other = postponed_at(self, DH_TARGET_REMOTE);
		self->first_address = 0;
		postpone(self);
		if (other) {
			record_hit(self, other, DH_CAND_ATOMICITY, 1);
			must(other);
		}
		return;
	}
	if (roles & 1u << DH_TARGET_REMOTE) {
		other = postponed_at(self, DH_TARGET_SECOND);
		if (other) {
			record_hit(self, other, DH_CAND_ATOMICITY, 0);
			must(self);
			return;
		}
	}
	if (roles & 1u << DH_TARGET_FIRST) {
		self->first_address = self->next.address ? self->next.address : 1;
		self->first_size = self->next.size;
		must(self);
		return;
	}
	if (roles & 1u << DH_TARGET_REMOTE)
		postpone(self);
	else
		must(self);
}

/* -- order: what came first is held back until the second was executed */

static void order_at(struct dh_task *self)
{
	unsigned roles = self->next.roles;
	struct dh_task *other;

	if (roles & 1u << DH_TARGET_SECOND) {
		other = postponed_at(self, DH_TARGET_FIRST);
		if (!other && self->interrupted.roles & 1u << DH_TARGET_FIRST &&
			same_place(&self->interrupted, &self->next))
			other = self;
		if (other) {
			record_hit(self, other, DH_CAND_ORDER, 0);
			must(self);
			must(other);
			return;
		}
	}
	/* A signal comes but once: not always before the first statement of several. */
	if (roles & 1u << DH_TARGET_FIRST && !(dh_core.handlers && dh_random() >> 63))
		postpone(self);
	else
		must(self);
}

/* Whether this arrival is one of the many of a hot loop that are let pass. */
static bool passes(void)
{
	uint64_t times = d.arrivals++ / ARRIVALS;

	return times > 0 && dh_random_below(times > 65536 ? 65536 : (uint32_t)times) != 0;
}

void dh_directed_at_target(struct dh_task *self)
{
	self->state = DH_TASK_READY;
	if (dh_fair() || dh_ctl->ask.strategy == DH_SCHED_REPLAY)
		return;
	if (passes()) {
		/* The loop may wait for a thread that is ready. */
		if (d.arrivals % OTHERS_EVERY)
			must(self);
		return;
	}
	switch (dh_ctl->ask.strategy) {
	case DH_SCHED_RACE:
		race_at(self);
		break;
	case DH_SCHED_DEADLOCK:
		deadlock_at(self);
		break;
	case DH_SCHED_ATOMICITY:
		atomicity_at(self);
		break;
	case DH_SCHED_ORDER:
		order_at(self);
		break;
	}
}
