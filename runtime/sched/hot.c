/* Calls of the instrumentation that cost time and tell nothing, taken out of the program.
 *
 * A run that only schedules needs an access for two things: it may be a target, and a thread that
 * waits in a loop of plain accesses must be told from one that gets on (dh_sched_budget).  When
 * threads have made many accesses, the next ones of one thread are looked at.  A thread gets on
 * when it writes, comes to other points, or does not go the same way over and over.  Then calls
 * that go through memory in one direction, and are no targets, are no part of any waiting: the call
 * instruction is overwritten with one that does nothing.  All of this depends on the accesses of
 * the run alone, so that it is the same in every repetition. */
#include <sys/mman.h>

#include "common/syscall.h"
#include "sched/core.h"

#define SITES  256
#define SAMPLE 4096
/* As many accesses as this, one by one the same as before: the way is gone again. */
#define WAY 32
/* So many steps in one direction make a walk, none of them longer than this. */
#define WALK        64
#define STRIDE      (1 << 20)
#define BACKOFF_MAX 64
#define PAGE        4096ul
#define CALL_LENGTH 5

struct site {
	uintptr_t pc, last;
	int32_t walk, longest; /* walk < 0: downwards */
};

struct place {
	uintptr_t pc, address;
};

static struct {
	bool allowed, sampling, wrote, again;
	uint32_t thread, left, points;
	uint64_t spent;         /* accesses since the last sample */
	uint32_t samples, wait; /* in budgets, until the next one */
	uint32_t nsites;
	struct site site[SITES];
	struct place way[WAY]; /* the first accesses of the sample */
	uint32_t nway, followed;
} hot;

/* The entry points whose calls may go: the linker's names for their section. */
extern const char __start_dh_access[] DH_HIDDEN, __stop_dh_access[] DH_HIDDEN;

static const struct dh_sched_module *module_of(uintptr_t at)
{
	for (uint32_t i = 0; i < dh_ctl->result.nmodules && i < DH_SCHED_MODULES_MAX; i++)
		if (at >= dh_ctl->module[i].low && at < dh_ctl->module[i].high)
			return &dh_ctl->module[i];
	return NULL;
}

void dh_hot_start(void)
{
	const uint32_t needs_all = DH_DETECT_RACES | DH_DETECT_ATOMICITY | DH_DETECT_ORDER |
				   DH_DETECT_STACKS | DH_DETECT_LOCK_ORDER;

	hot.allowed = !(dh_ctl->ask.detect & needs_all) &&
		      !(dh_ctl->ask.flags & DH_ASK_ALL_ACCESSES) && dh_threads_before_main == 0;
	hot.sampling = false;
	hot.samples = 0;
	hot.spent = 0;
	hot.wait = 1;
}

static void begin(const struct dh_task *self)
{
	hot.samples++;
	hot.spent = 0;
	hot.wait = hot.samples < BACKOFF_MAX ? hot.samples : BACKOFF_MAX;
	hot.sampling = true;
	hot.wrote = hot.again = false;
	hot.thread = self->thread.id;
	hot.points = self->points;
	hot.left = SAMPLE;
	hot.nsites = hot.nway = hot.followed = 0;
	for (uint32_t i = 0; i < SITES; i++)
		hot.site[i] = (struct site){0};
	dh_directed_watch(true);
}

void dh_hot_spent(struct dh_task *self, uint64_t accesses)
{
	hot.spent += accesses;
	if (dh_unlikely(hot.allowed && !hot.sampling && hot.spent >= hot.wait * dh_ctl->ask.budget))
		begin(self);
}

/* -- sampling */

static struct site *site_of(uintptr_t pc)
{
	uint32_t i = (uint32_t)(pc ^ pc >> 8) % SITES;

	for (; hot.site[i].pc && hot.site[i].pc != pc; i = (i + 1) % SITES)
		;
	if (!hot.site[i].pc && hot.nsites == SITES / 2)
		return NULL;
	hot.nsites += !hot.site[i].pc;
	hot.site[i].pc = pc;
	return &hot.site[i];
}

static void step(struct site *s, uintptr_t address)
{
	intptr_t by = (intptr_t)(address - s->last);
	int32_t length;

	if (by == 0)
		return;
	s->last = address;
	if (by > STRIDE || by < -STRIDE)
		s->walk = 0;
	else if (by > 0)
		s->walk = s->walk > 0 ? s->walk + 1 : 1;
	else
		s->walk = s->walk < 0 ? s->walk - 1 : -1;
	length = s->walk < 0 ? -s->walk : s->walk;
	s->longest = length > s->longest ? length : s->longest;
}

static void follow_way(uintptr_t pc, uintptr_t address)
{
	const struct place *at = &hot.way[hot.followed];

	if (hot.nway < WAY) {
		hot.way[hot.nway++] = (struct place){pc, address};
		return;
	}
	if (at->pc != pc || at->address != address)
		hot.followed = 0;
	at = &hot.way[hot.followed];
	if (at->pc == pc && at->address == address && ++hot.followed == WAY) {
		hot.again = true;
		hot.followed = 0;
	}
}

/* -- taking a call out */

static int32_t displacement(const uint8_t *p)
{
	return (int32_t)(p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24);
}

/* Is what returns to pc a direct call, through the linkage table, of one of the entry points? */
static bool is_hook_call(uintptr_t pc)
{
	const struct dh_sched_module *m = module_of(pc);
	const uint8_t *p = (const uint8_t *)pc - CALL_LENGTH;
	uintptr_t to, slot;

	if (!m || pc < m->low + CALL_LENGTH || p[0] != 0xe8)
		return false;
	to = pc + (uintptr_t)(intptr_t)displacement(p + 1);
	if (to < m->low || to + 16 > m->high)
		return false;
	p = (const uint8_t *)to;
	if (p[0] == 0xf3 && p[1] == 0x0f && p[2] == 0x1e && p[3] == 0xfa) /* endbr64 */
		p += 4;
	if (p[0] == 0xf2) /* bnd */
		p++;
	if (p[0] != 0xff || p[1] != 0x25) /* jmp *slot(%rip) */
		return false;
	slot = (uintptr_t)p + 6 + (uintptr_t)(intptr_t)displacement(p + 2);
	if (slot < m->low || slot + 8 > m->high || slot % 8)
		return false;
	to = *(const uintptr_t *)slot;
	return to >= (uintptr_t)__start_dh_access && to < (uintptr_t)__stop_dh_access;
}

/* Only the thread that has the turn executes code of the program: nobody is in the middle of it. */
static void take_out(uintptr_t pc)
{
	static const uint8_t nothing[CALL_LENGTH] = {0x0f, 0x1f, 0x44, 0x00, 0x00};
	uintptr_t call = pc - CALL_LENGTH, page = call & ~(PAGE - 1);
	size_t size = ((pc - 1) & ~(PAGE - 1)) - page + PAGE;

	if (rt_syscall3(SYS_mprotect, page, size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
		hot.allowed = false;
		return;
	}
	for (unsigned i = 0; i < CALL_LENGTH; i++)
		((volatile uint8_t *)call)[i] = nothing[i];
	rt_syscall3(SYS_mprotect, page, size, PROT_READ | PROT_EXEC);
}

static void finish(struct dh_task *self)
{
	bool gets_on = hot.wrote || !hot.again || self->points != hot.points;

	hot.sampling = false;
	self->waits = !gets_on;
	if (self->waits) {
		hot.wait = 1;
		dh_looked(self, DH_LOOKS);
	}
	dh_directed_watch(false);
	for (uint32_t i = 0; i < SITES && gets_on; i++) {
		const struct site *s = &hot.site[i];

		if (s->longest >= WALK && !dh_directed_roles(s->pc) && is_hook_call(s->pc))
			take_out(s->pc);
	}
}

void dh_hot_sample(struct dh_task *self, uintptr_t pc, uintptr_t address, unsigned access)
{
	struct site *s;

	if (!hot.sampling || self->thread.id != hot.thread)
		return;
	s = site_of(pc);
	if (s)
		step(s, address);
	follow_way(pc, address);
	hot.wrote |= (access & DH_SCHED_WRITE) != 0;
	if (--hot.left == 0)
		finish(self);
}
