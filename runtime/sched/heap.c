#include "sched/heap.h"

#include "common/syscall.h"
#include "common/text.h"
#include "sched/block.h"
#include "sched/candidate.h"
#include "sched/detector.h"
#include "sched/pool.h"

#define FILL      0xdd /* eight of them are no address: whoever follows such a pointer crashes */
#define LARGE_GAP 4096 /* what a large block keeps of its memory: its header */

#define SHORT     256

/* Freed blocks stay out of use until this much came behind them.  A prediction has four times as
 * much shadow for each, and only has to keep it in the processor's caches: errors are for other
 * runs. */
#define QUARANTINE_BYTES   ((size_t)2 << 20)
#define QUARANTINE_PREDICT ((size_t)256 << 10)
#define QUARANTINE_BLOCKS  16384u

bool dh_heap_there;

static uint32_t lock;
static struct {
	struct dh_block *first, *last;
	size_t bytes, blocks;
} quarantine;

/* Not for turns, which make it needless, but for threads that run before or beside them. */
static void enter(void)
{
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		rt_syscall0(SYS_sched_yield);
}

static void leave(void)
{
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

static void fill(void *p, size_t n, int byte)
{
	volatile uint64_t *q = p;
	volatile char *end;

	if (n > SHORT) {
		__asm__ volatile("rep stosb" : "+D"(p), "+c"(n) : "a"(byte) : "memory");
		return;
	}
	for (; n >= 8 && !((uintptr_t)q % 8); n -= 8) /* rep is slow to start */
		*q++ = (uint64_t)(unsigned char)byte * UINT64_C(0x0101010101010101);
	for (end = (volatile char *)q + n; (volatile char *)q < end; q = (void *)((char *)q + 1))
		*(volatile char *)q = (char)byte;
}

static void mark(const struct dh_block *b, int freed)
{
	uintptr_t at = (uintptr_t)dh_block_user(b) - DH_HEAP_BASE;

	fill((void *)(DH_HEAP_MAP + (at >> 4)), (b->size + 15) >> 4, freed);
}

static bool start(void)
{
	static bool tried;

	if (tried)
		return dh_heap_there;
	tried = true;
	if (!dh_pool_reserve((void *)DH_HEAP_BASE, DH_HEAP_MAX) ||
		!dh_pool_reserve((void *)DH_HEAP_MAP, DH_HEAP_MAX >> 4))
		return false;
	dh_blocks_start((void *)DH_HEAP_BASE, DH_HEAP_MAX);
	dh_heap_there = true;
	return true;
}

bool dh_heap_ready(void)
{
	bool ready = dh_heap_there;

	if (ready || !dh_ctl)
		return ready;
	enter();
	ready = start();
	leave();
	return ready;
}

void *dh_heap_alloc(size_t size, size_t align, bool zero, uintptr_t pc)
{
	struct dh_block *b;
	void *p;

	enter();
	b = dh_block_take(size, align);
	if (!b) {
		leave();
		return NULL;
	}
	p = dh_block_user(b);
	b->alloc_thread = b->free_thread = 0;
	b->alloc_stack = b->free_stack = DH_STACK_NONE;
	if (dh_self) {
		b->alloc_thread = (uint16_t)dh_self->id;
		b->alloc_stack = dh_stack_keep(&dh_frames, pc);
	}
	if (b->used)
		mark(b, 0);
	if (zero && b->used)
		fill(p, dh_block_stale(b), 0);
	b->used = true;
	leave();
	return p;
}

static void describe(
	char *words, size_t size, const char *what, const struct dh_block *b, uintptr_t at)
{
	struct rt_text t;

	rt_text_init(&t, words, size);
	rt_text_add(&t, what);
	if (b) {
		rt_text_add(&t, ", byte ");
		rt_text_add_number(&t, at - (uintptr_t)dh_block_user(b));
		rt_text_add(&t, " of a block of ");
		rt_text_add_number(&t, b->size);
		rt_text_add(&t, " bytes that thread ");
		rt_text_add_number(&t, b->alloc_thread);
		rt_text_add(&t, " allocated");
	}
	if (b && b->state != DH_BLOCK_LIVE) {
		rt_text_add(&t, " and thread ");
		rt_text_add_number(&t, b->free_thread);
		rt_text_add(&t, " freed");
	}
}

static _Noreturn void stop(const char *what, const struct dh_block *b, uintptr_t pc, uintptr_t at)
{
	char words[256];

	describe(words, sizeof words, what, b, at);
	dh_sched_stop(DH_END_HEAP, pc, (void *)at, words);
}

/* The first byte that is not as it was left; NULL: all are. */
static const unsigned char *damage(const struct dh_block *b)
{
	const unsigned char *p = dh_block_user(b), *end = p + b->size;

	if (b->large)
		return NULL;
	for (; p + 8 <= end; p += 8) {
		if (*(const uint64_t *)p != FILL * UINT64_C(0x0101010101010101))
			break;
	}
	for (; p < end; p++) {
		if (*p != FILL)
			return p;
	}
	return NULL;
}

static void check(const struct dh_block *b)
{
	const unsigned char *at = dh_active ? damage(b) : NULL;

	if (at)
		stop("write to freed memory", b, 0, (uintptr_t)at);
}

static void release_oldest(void)
{
	struct dh_block *b = quarantine.first;

	check(b);
	quarantine.first = dh_block_next(b);
	quarantine.bytes -= b->large ? LARGE_GAP : b->size;
	quarantine.blocks--;
	dh_block_give(b);
}

static void detain(struct dh_block *b)
{
	size_t limit = dh_look >= DH_LOOK_SCREEN ? QUARANTINE_PREDICT : QUARANTINE_BYTES;

	dh_block_link(b, NULL);
	if (quarantine.blocks)
		dh_block_link(quarantine.last, b);
	else
		quarantine.first = b;
	quarantine.last = b;
	quarantine.bytes += b->large ? LARGE_GAP : b->size;
	quarantine.blocks++;
	while (quarantine.bytes > limit || quarantine.blocks > QUARANTINE_BLOCKS)
		release_oldest();
}

/* Large blocks lose their pages: any use is a fault. */
static void poison(struct dh_block *b)
{
	if (!b->large)
		fill(dh_block_user(b), b->size, FILL);
	else
		dh_block_shut(b);
}

/* What others did with the block and what happens now, before it is gone. */
static void farewell(struct dh_block *b, uintptr_t pc)
{
	uintptr_t p = (uintptr_t)dh_block_user(b);

	dh_sched_access(dh_self, pc, (void *)p, b->size, DH_SCHED_WRITE | DH_SCHED_FREE);
	/* Another thread may have freed it while this one was held back. */
	if (b->state != DH_BLOCK_LIVE)
		stop("double free", b, pc, p);
	dh_memory_freed(dh_self, p, b->size, pc);
	dh_object_memory_gone((void *)p, b->size);
	b->free_thread = (uint16_t)dh_self->id;
	b->free_stack = dh_stack_keep(&dh_frames, pc);
}

void dh_heap_free(void *p, uintptr_t pc)
{
	struct dh_block *b = dh_block_at((uintptr_t)p);

	if (!b || dh_block_user(b) != p || b->state != DH_BLOCK_LIVE) {
		bool twice = b && dh_block_user(b) == p && b->state != DH_BLOCK_LIVE;

		if (dh_active)
			stop(twice ? "double free" : "free of what is not a block", b, pc,
				(uintptr_t)p);
		return;
	}
	if (dh_self && !dh_self->inside)
		farewell(b, pc);
	enter();
	b->state = DH_BLOCK_FREED;
	mark(b, 1);
	if (dh_detecting & DH_DETECT_HEAP) {
		poison(b);
		detain(b);
	} else {
		if (b->large)
			dh_block_shut(b);
		dh_block_give(b);
	}
	leave();
}

size_t dh_heap_block_size(const void *p)
{
	const struct dh_block *b = dh_block_at((uintptr_t)p);

	return b && b->state == DH_BLOCK_LIVE && dh_block_user(b) == p ? b->size : 0;
}

bool dh_heap_resize(void *p, size_t size)
{
	struct dh_block *b = dh_block_at((uintptr_t)p);

	if (!b || b->state != DH_BLOCK_LIVE || size > dh_block_room(b) || size < b->size / 2)
		return false;
	b->size = size;
	return true;
}

static void note_use(const struct dh_block *b, uintptr_t pc, uintptr_t address, unsigned access)
{
	struct dh_found f = {.kind = DH_CAND_ORDER, .sub = DH_SUB_USE_AFTER_FREE, .nsides = 2};
	struct dh_sched_stack freed;

	dh_stack_write(b->free_stack, b->free_thread, &freed);
	f.side[0] = (struct dh_side){.pc = freed.count ? freed.pc[0] : 0,
		.address = (uintptr_t)dh_block_user(b),
		.size = (uint32_t)b->size,
		.thread = b->free_thread,
		.access = DH_SCHED_WRITE | DH_SCHED_FREE,
		.op = DH_OP_ACCESS,
		.role = DH_TARGET_FIRST,
		.stack = b->free_stack};
	f.side[1] = (struct dh_side){.pc = pc,
		.address = address,
		.size = 1,
		.thread = dh_self->id,
		.access = (uint8_t)access,
		.op = DH_OP_ACCESS,
		.role = DH_TARGET_SECOND,
		.stack = dh_stack_keep(&dh_frames, pc)};
	dh_candidate_add(&f);
}

void dh_heap_used_after_free(uintptr_t pc, uintptr_t address, unsigned access)
{
	const struct dh_block *b = dh_block_at(address);

	if (!(dh_detecting & DH_DETECT_HEAP) || !b || b->state == DH_BLOCK_LIVE || !dh_self)
		return;
	note_use(b, pc, address, access);
	stop(access & DH_SCHED_WRITE ? "write to freed memory" : "read of freed memory", b, pc,
		address);
}

bool dh_heap_damaged(struct dh_sched_outcome *ret)
{
	const struct dh_block *b = quarantine.blocks ? quarantine.first : NULL;

	for (; b; b = dh_block_next(b)) {
		const unsigned char *at = damage(b);

		if (!at)
			continue;
		describe(ret->text, sizeof ret->text, "write to freed memory", b, (uintptr_t)at);
		dh_stack_write(b->free_stack, b->free_thread, &ret->stack);
		ret->pc = ret->stack.pc[0];
		ret->address = (uintptr_t)at;
		ret->thread = b->free_thread;
		return true;
	}
	return false;
}

bool dh_heap_describe(uintptr_t address, struct dh_sched_candidate *c)
{
	const struct dh_block *b = dh_heap_has((void *)address) ? dh_block_at(address) : NULL;

	if (!b || !b->used || address - (uintptr_t)dh_block_user(b) >= b->size)
		return false;
	c->block = (uintptr_t)dh_block_user(b);
	c->block_size = b->size;
	c->block_thread = b->alloc_thread;
	dh_stack_write(b->alloc_stack, b->alloc_thread, &c->allocated);
	dh_stack_write(b->free_stack, b->free_thread, &c->freed);
	return true;
}
