#include "sched/frames.h"

#include "sched/pool.h"
#include "sched/table.h"

#define DEPTH_MAX 32768u

DH_TLS struct dh_frames dh_frames;

/* Frames of threads that ended, for the next ones; linked through their first pc. */
static struct dh_call *spare;

/* Kept stacks: length, then pcs.  A number is the place plus one. */
static uint64_t *kept;
static uint32_t nkept, kept_cap;
static struct dh_table by_hash;
/* Those that were asked for last: a loop that allocates has few. */
#define RECENT 64u
static struct {
	uint64_t hash;
	uint32_t stack;
} recent[RECENT];

void dh_frames_attach(struct dh_frames *f)
{
	if (f->base)
		return;
	f->base = spare;
	if (spare)
		spare = (struct dh_call *)spare->pc;
	else
		f->base = dh_pool_reserve(NULL, DEPTH_MAX * sizeof *f->base);
	f->top = f->base;
	f->limit = f->base ? f->base + DEPTH_MAX : NULL;
	f->beyond = 0;
}

void dh_frames_detach(struct dh_frames *f)
{
	if (f->base) {
		f->base->pc = (uintptr_t)spare;
		spare = f->base;
	}
	*f = (struct dh_frames){0};
}

void dh_frames_unwind(struct dh_frames *f, uintptr_t sp)
{
	f->beyond = 0;
	while (f->top > f->base && f->top[-1].sp < sp)
		f->top--;
}

uint32_t dh_frames_read(const struct dh_frames *f, uintptr_t pc, uint64_t *ret, uint32_t max)
{
	uint32_t n = 0;

	if (pc && n < max)
		ret[n++] = pc;
	for (const struct dh_call *p = f->top; p > f->base && n < max; n++)
		ret[n] = (--p)->pc;
	return n;
}

static uint32_t keep(const uint64_t *pcs, uint32_t n)
{
	uint32_t at = nkept;

	kept = dh_pool_grow(kept, &kept_cap, nkept + n + 1, sizeof *kept);
	kept[nkept++] = n;
	for (uint32_t i = 0; i < n; i++)
		kept[nkept++] = pcs[i];
	return at + 1;
}

uint32_t dh_stack_keep(const struct dh_frames *f, uintptr_t pc)
{
	uint64_t pcs[DH_SCHED_FRAMES_MAX], hash = 1;
	uint32_t n = dh_frames_read(f, pc, pcs, DH_SCHED_FRAMES_MAX);
	uint32_t place;
	uint64_t *v;

	for (uint32_t i = 0; i < n; i++)
		hash = (hash ^ pcs[i]) * 0x9e3779b97f4a7c15u;
	place = (uint32_t)(hash >> 58) % RECENT;
	if (recent[place].stack && recent[place].hash == hash)
		return recent[place].stack;
	v = dh_table_add(&by_hash, dh_mix(hash) | 1);
	if (!*v)
		*v = keep(pcs, n);
	recent[place].hash = hash;
	recent[place].stack = (uint32_t)*v;
	return (uint32_t)*v;
}

void dh_stack_write(uint32_t stack, uint32_t thread, struct dh_sched_stack *ret)
{
	ret->thread = thread;
	ret->count = 0;
	if (stack == DH_STACK_NONE)
		return;
	ret->count = (uint32_t)kept[stack - 1];
	for (uint32_t i = 0; i < ret->count; i++)
		ret->pc[i] = kept[stack + i];
}
