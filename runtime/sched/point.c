/* Scheduling points, as the rest of the runtime asks for them. */
#include <errno.h>

#include "sched/core.h"
#include "sched/detect.h"
#include "sched/real.h"

/* How often the same thing has to be seen again until it counts as waiting in a loop. */
#define SPINS 4
/* So many plain accesses in a loop count as one look. */
#define PLAIN_LOOKS 10
/* What an access takes in logical time, where nothing but accesses happens. */
#define ACCESS_NS 10
/* Time passes faster for a thread that does nothing else for long: it may wait for a timer. */
#define FASTER_MAX 6
/* So many sleeps in a row, with nobody else who could run, are a livelock. */
#define NAPS 3000

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t x = (a ^ b * 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;

	return x ^ x >> 31;
}

/* The task sees nothing but what it has seen just before. */
static bool sees_the_same(struct dh_task *self, uint64_t key, uint64_t value)
{
	uint64_t seen = mix(key, value);
	bool again = false;

	for (unsigned i = 0; i < DH_SPIN_WINDOW; i++)
		again |= self->spin[i] == seen;
	if (!again) {
		self->spin[self->spin_at++ % DH_SPIN_WINDOW] = seen;
		self->spins = 0;
		return false;
	}
	return ++self->spins >= SPINS;
}

void dh_looked(struct dh_task *self, uint32_t looks)
{
	dh_core.waited += 1000ull * looks;
	dh_core.idle += looks;
	dh_core.spun++;
	if (dh_core.idle > dh_ctl->result.idle)
		dh_ctl->result.idle = dh_core.idle;
	dh_strategy_yielded(self);
}

bool dh_spin(struct dh_task *self, uint64_t key, uint64_t value)
{
	bool same = sees_the_same(self, key, value);

	if (same)
		dh_looked(self, 1);
	return same;
}

static uint64_t load(const volatile void *address, size_t size)
{
	return size >= 8   ? *(const volatile uint64_t *)address
	       : size >= 4 ? *(const volatile uint32_t *)address
	       : size >= 2 ? *(const volatile uint16_t *)address
			   : *(const volatile uint8_t *)address;
}

/* What is there before the access.  If that is where the program crashes, it is the program's
 * crash.
 */
static uint64_t value_at(
	struct dh_task *self, uintptr_t pc, const volatile void *address, size_t size)
{
	uint64_t value;

	self->probing = pc;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	value = load(address, size);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	self->probing = 0;
	return value;
}

/* Operations that show that the program gets on. */
static bool is_progress(enum dh_sched_op op)
{
	return op != DH_OP_ATOMIC && op != DH_OP_YIELD && op != DH_OP_SLEEP && op != DH_OP_TIME &&
	       op != DH_OP_TRYLOCK && op != DH_OP_FENCE;
}

static unsigned roles_at(uintptr_t pc)
{
	return dh_likely(!dh_watched(pc)) ? 0 : dh_directed_roles(pc) & ~(1u << DH_TARGET_WATCH);
}

void dh_sched_point(enum dh_sched_op op, struct dh_object *obj, uintptr_t pc)
{
	struct dh_task *self = dh_task_of(dh_self);
	struct dh_next next = {
		.op = op,
		.obj = obj,
		.pc = pc,
		.address = obj ? obj->address : 0,
		.size = 1,
		.access = DH_SCHED_WRITE,
		.write = op != DH_OP_RDLOCK,
	};
	enum dh_object_kind kind = obj ? obj->kind : DH_OBJECT_NONE;
	int keep = errno;

	/* What a call does to its buffer is a statement of its own, beside this point. */
	next.roles = (uint16_t)(op == DH_OP_IO ? 0 : roles_at(pc));
	/* Beside its beginning and its end, all that is done to an object are uses. */
	if (next.roles & 1u << DH_TARGET_RACE)
		next.access = 0;
	if (is_progress(op))
		dh_core.idle = 0;
	self->thread.inside++;
	dh_point(self, &next);
	self->thread.inside--;
	if (next.address)
		dh_detect_object_used(next.address, kind, pc);
	errno = keep;
}

/* Plain accesses may be a loop that waits, too.  They are also what computing is made of, so one
 * look counts for little.  A handler of the program's own may expect a fault at its statement only.
 */
static void look_at(struct dh_task *self, const struct dh_next *next)
{
	const void *at = (const void *)(uintptr_t)next->address;

	if (dh_core.handlers)
		return;
	if (!sees_the_same(
		    self, mix(next->pc, next->address), value_at(self, next->pc, at, next->size)))
		dh_core.idle = 0;
	else if (++self->plain_looks % PLAIN_LOOKS == 0)
		dh_looked(self, 1);
}

/* The C library calls functions that are taken over here, such as free(), with locks of its own
 * that no scheduler knows: nobody may be stopped there. */
static bool in_libc(uintptr_t pc)
{
	static uintptr_t low, high;

	for (uint32_t i = 0; !high && i < dh_ctl->result.nmodules && i < DH_SCHED_MODULES_MAX;
		i++) {
		const struct dh_sched_module *m = &dh_ctl->module[i];

		if ((uintptr_t)dh_real()->_exit - m->low < m->high - m->low) {
			low = (uintptr_t)m->low;
			high = (uintptr_t)m->high;
		}
	}
	return pc - low < high - low;
}

void dh_sched_at_statement(uintptr_t pc, const volatile void *address, size_t size, unsigned access)
{
	struct dh_task *self = dh_task_of(dh_self);
	struct dh_next next = {
		.op = DH_OP_ACCESS,
		.pc = pc,
		.address = (uint64_t)(uintptr_t)address,
		.size = (uint32_t)size,
		.access = (uint8_t)access,
		.write = access & DH_SCHED_WRITE,
	};
	int keep;

	if (!dh_scheduled(dh_self) || in_libc(pc))
		return;
	dh_hot_sample(self, pc, (uintptr_t)address, access);
	next.roles = (uint16_t)roles_at(pc);
	if (!next.roles && !(dh_ctl->ask.flags & DH_ASK_ALL_ACCESSES))
		return;
	keep = errno;
	self->thread.inside++;
	look_at(self, &next);
	dh_point(self, &next);
	self->thread.inside--;
	errno = keep;
}

void dh_sched_atomic(uintptr_t pc, const volatile void *address, size_t size, unsigned access)
{
	struct dh_task *self = dh_task_of(dh_self);
	struct dh_next next = {
		.op = address ? DH_OP_ATOMIC : DH_OP_FENCE,
		.pc = pc,
		.address = (uint64_t)(uintptr_t)address,
		.size = (uint32_t)size,
		.access = (uint8_t)(access | DH_SCHED_ATOMIC),
		.write = access & DH_SCHED_WRITE,
	};
	int keep;

	if (!dh_scheduled(dh_self))
		return;
	next.roles = (uint16_t)roles_at(pc);
	keep = errno;
	self->thread.inside++;
	if (!address || !dh_spin(self, pc, value_at(self, pc, address, size)))
		dh_core.idle = 0;
	if (dh_core.idle > DH_LOOKS && dh_core.idle % DH_LOOKS && !next.roles)
		dh_point_past(self, &next);
	else
		dh_point(self, &next);
	self->thread.inside--;
	errno = keep;
}

/* A thread that does nothing but access memory counts as many points, and gives way. */
static void ran_long(struct dh_task *self)
{
	dh_core.points += dh_ctl->ask.budget / 100;
	dh_core.now += dh_ctl->ask.budget * ACCESS_NS
		       << (self->budgets < FASTER_MAX ? self->budgets : FASTER_MAX);
	self->budgets++;
	if (!self->waits)
		dh_core.idle = 0;
	dh_core.waited += 2000;
	dh_strategy_yielded(self);
}

void dh_sched_budget(uintptr_t pc)
{
	struct dh_task *self = dh_task_of(dh_self);
	struct dh_next next = {.op = self->npending ? DH_OP_SIGNAL : DH_OP_BUDGET, .pc = pc};
	int keep = errno;

	if (!dh_scheduled(dh_self)) {
		self->thread.budget = (int64_t)dh_ctl->ask.budget;
		return;
	}
	self->thread.inside++;
	if (next.op == DH_OP_BUDGET)
		ran_long(self);
	dh_point(self, &next);
	self->thread.inside--;
	errno = keep;
}

void dh_yield_at(uintptr_t pc)
{
	struct dh_task *self = dh_task_of(dh_self);

	self->thread.inside++;
	if (!dh_spin(self, pc, DH_OP_YIELD))
		dh_strategy_yielded(self);
	self->thread.inside--;
	dh_sched_point(DH_OP_YIELD, NULL, pc);
}

static bool alone_with_outside(void)
{
	return dh_core.io.count + dh_core.outside.count > 0 &&
	       dh_core.ready.count + dh_core.postponed.count == 1;
}

int dh_sleep_at(uint64_t nanoseconds, uintptr_t pc)
{
	struct dh_task *self = dh_task_of(dh_self);
	struct dh_next next = {.op = DH_OP_SLEEP, .pc = pc};
	uint64_t until = dh_core.now + nanoseconds;
	enum dh_wake why = DH_WAKE_TIMEOUT;
	int keep = errno;

	if (until < dh_core.now)
		until = DH_NEVER - 1;
	self->thread.inside++;
	dh_cancel_point(self);
	if (!dh_spin(self, pc, DH_OP_SLEEP))
		dh_strategy_yielded(self);
	/* The others wait for this one, which does nothing but look and sleep. */
	if (dh_core.alive > 1 && dh_core.io.count + dh_core.outside.count == 0 &&
		++dh_core.naps > NAPS)
		dh_end_limit();
	/* Sleeping orders nothing: whoever sleeps may wake at any point.  Only the calm run lets
	 * sleepers wake in the order of their deadlines; and nobody runs ahead of real time while
	 * the others wait for something real. */
	if (dh_ctl->ask.strategy == DH_SCHED_CALM || alone_with_outside())
		why = dh_block(
			self, &next, until, DH_BLOCK_CANCEL | DH_BLOCK_SIGNAL | DH_BLOCK_SLEEP);
	else
		dh_point(self, &next);
	if (why == DH_WAKE_TIMEOUT && dh_core.now < until)
		dh_core.now = until;
	dh_cancel_point(self);
	self->thread.inside--;
	errno = keep;
	return why == DH_WAKE_SIGNAL ? EINTR : 0;
}
