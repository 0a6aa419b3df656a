/* The strategies that need no target: each one chooses among the ready tasks. */
#include "sched/core.h"

#define PCT_CHANGES_MAX    64
#define PCT_DEFAULT_LENGTH 200
/* With DH_ASK_SELDOM. */
#define SELDOM_ONE_IN 16
/* Priorities from here on are drawn; below are those that gave way. */
#define DRAWN (1ull << 32)

static struct {
	uint64_t change[PCT_CHANGES_MAX]; /* points at which the running task becomes lowest */
	uint32_t nchanges;
	uint64_t low;     /* PCT: the next priority below all others */
	uint64_t quantum; /* ROUND */
	uint64_t left;
	uint32_t yielded_by; /* id + 1 of the task that gave way at this point */
} strategy;

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

static void seed(uint64_t from)
{
	for (int i = 0; i < 4; i++)
		dh_core.random[i] = mix(from += 0x9e3779b97f4a7c15ull);
}

void dh_strategy_start(void)
{
	const struct dh_sched_ask *ask = &dh_ctl->ask;
	uint64_t length = ask->length ? ask->length : PCT_DEFAULT_LENGTH;

	seed(ask->seed);
	strategy.quantum = 1 + dh_random_below(8);
	strategy.left = strategy.quantum;
	strategy.low = DRAWN;
	strategy.nchanges = 0;
	for (uint32_t i = 1; i < ask->depth && strategy.nchanges < PCT_CHANGES_MAX; i++)
		strategy.change[strategy.nchanges++] =
			1 + dh_random_below(length > UINT32_MAX ? UINT32_MAX : (uint32_t)length);
}

void dh_strategy_created(struct dh_task *t)
{
	t->priority = dh_random() | 1ull << 63;
}

void dh_strategy_yielded(struct dh_task *t)
{
	strategy.yielded_by = t->thread.id + 1;
	/* Below all others, and behind those that gave way before. */
	if (dh_ctl->ask.strategy == DH_SCHED_PCT || dh_ctl->ask.strategy == DH_SCHED_POS)
		t->priority = --strategy.low;
}

/* The ready task that follows `id` in the ring of numbers. */
static struct dh_task *next_in_ring(uint32_t id)
{
	struct dh_task *next = NULL;
	uint32_t best = UINT32_MAX;

	for (uint32_t i = 0; i < dh_core.ready.count; i++) {
		struct dh_task *t = dh_core.ready.at[i];
		uint32_t distance = t->thread.id - id - 1;

		if (!next || distance < best) {
			next = t;
			best = distance;
		}
	}
	return next;
}

static struct dh_task *highest(void)
{
	struct dh_task *best = dh_core.ready.at[0];

	for (uint32_t i = 1; i < dh_core.ready.count; i++) {
		struct dh_task *t = dh_core.ready.at[i];

		if (t->priority > best->priority ||
			(t->priority == best->priority && t->thread.id < best->thread.id))
			best = t;
	}
	return best;
}

static bool can_go_on(const struct dh_task *self)
{
	return self->state == DH_TASK_READY && strategy.yielded_by != self->thread.id + 1;
}

static struct dh_task *choose_calm(struct dh_task *self)
{
	return can_go_on(self) ? self : next_in_ring(self->thread.id);
}

static struct dh_task *choose_random(struct dh_task *self)
{
	if (dh_ctl->ask.flags & DH_ASK_SELDOM && can_go_on(self) &&
		dh_random_below(SELDOM_ONE_IN) != 0)
		return self;
	return dh_core.ready.at[dh_random_below(dh_core.ready.count)];
}

static struct dh_task *choose_directed(struct dh_task *self)
{
	return dh_ctl->ask.flags & DH_ASK_STEADY ? choose_calm(self) : choose_random(self);
}

static struct dh_task *choose_round(struct dh_task *self)
{
	if (can_go_on(self) && --strategy.left > 0)
		return self;
	strategy.left = strategy.quantum;
	return next_in_ring(self->thread.id);
}

/* Probabilistic concurrency testing: the highest priority runs, and at each of depth - 1 random
 * points the running one falls below all others. */
static struct dh_task *choose_pct(struct dh_task *self)
{
	for (uint32_t i = 0; i < strategy.nchanges; i++)
		if (strategy.change[i] == dh_core.points)
			self->priority = --strategy.low;
	return highest();
}

static bool conflicts(const struct dh_next *a, const struct dh_next *b)
{
	bool same = a->obj ? a->obj == b->obj : a->address && a->address == b->address;

	return same && (a->write || b->write);
}

/* Partial order sampling: after an operation, those that conflict with it draw again. */
static struct dh_task *choose_pos(struct dh_task *self)
{
	struct dh_task *next;

	if (can_go_on(self))
		self->priority = dh_random() | DRAWN;
	next = highest();
	for (uint32_t i = 0; i < dh_core.ready.count; i++) {
		struct dh_task *t = dh_core.ready.at[i];

		if (t != next && t->priority >= DRAWN && conflicts(&t->next, &next->next))
			t->priority = dh_random() | DRAWN;
	}
	return next;
}

static struct dh_task *choose_replayed(struct dh_task *self)
{
	const struct dh_sched_step *step = dh_log_replay(self, DH_STEP_SWITCH);
	struct dh_task *next = step ? dh_task_by_id(step->next) : NULL;

	if (next && next->set == &dh_core.ready)
		return next;
	if (step)
		dh_ctl->result.diverged++;
	return self->state == DH_TASK_READY && !dh_fair() ? self : next_in_ring(self->thread.id);
}

static struct dh_task *(*const choose[DH_SCHED_STRATEGY_COUNT])(struct dh_task *) = {
	[DH_SCHED_CALM] = choose_calm,
	[DH_SCHED_RANDOM] = choose_random,
	[DH_SCHED_ROUND] = choose_round,
	[DH_SCHED_PCT] = choose_pct,
	[DH_SCHED_POS] = choose_pos,
	[DH_SCHED_RACE] = choose_directed,
	[DH_SCHED_DEADLOCK] = choose_directed,
	[DH_SCHED_ATOMICITY] = choose_directed,
	[DH_SCHED_ORDER] = choose_directed,
	[DH_SCHED_REPLAY] = choose_replayed,
};

struct dh_task *dh_strategy_choose(struct dh_task *self)
{
	struct dh_task *next = dh_directed_must();

	if (!next && dh_fair() && dh_ctl->ask.strategy != DH_SCHED_REPLAY)
		next = next_in_ring(self->thread.id);
	if (!next)
		next = choose[dh_ctl->ask.strategy](self);
	strategy.yielded_by = 0;
	return next;
}

uint32_t dh_choose(struct dh_task *self, uint32_t n)
{
	uint32_t chosen = 0;

	if (n < 2)
		return 0;
	if (dh_ctl->ask.strategy == DH_SCHED_REPLAY) {
		const struct dh_sched_step *step = dh_log_replay(self, DH_STEP_CHOICE);

		chosen = step && step->next < n ? step->next : 0;
	} else if (dh_ctl->ask.strategy != DH_SCHED_CALM) {
		chosen = dh_random_below(n);
	}
	dh_log_event(self, chosen, DH_STEP_CHOICE, n);
	return chosen;
}
