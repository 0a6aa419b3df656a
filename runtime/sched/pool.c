#include "sched/pool.h"

#include <sys/mman.h>

#include "common/syscall.h"

#define CHUNK       (1u << 20)
#define LARGE       (CHUNK / 4)
#define CLASS_COUNT 20 /* 16 bytes to LARGE and above, in powers of two */
#define PAGE        4096u
#define SHORT       512u

struct block {
	struct block *next;
};

static struct block *free_list[CLASS_COUNT];
static char *chunk, *chunk_end;
static size_t used;

static unsigned class_of(size_t size)
{
	unsigned c = 0;

	while (((size_t)16 << c) < size)
		c++;
	return c;
}

/* A place of its own for all of this: what the detector needs differs from run to run, and must not
 * move the stacks and mappings of the program. */
#define OWN_PLACE UINT64_C(0x6a0000000000)
#define OWN_END   UINT64_C(0x6f0000000000)
#define GAP       (UINT64_C(2) << 20)

static long map_at(uintptr_t hint, size_t size)
{
	long flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	long p = rt_syscall6(SYS_mmap, hint, size, PROT_READ | PROT_WRITE,
		hint ? flags | MAP_FIXED_NOREPLACE : flags, -1, 0);

	if (p < 0 && p > -(long)PAGE)
		return 0;
	if (hint && (uintptr_t)p != hint) { /* a kernel that does not know NOREPLACE */
		rt_syscall2(SYS_munmap, p, size);
		return 0;
	}
	return p;
}

static void *map_own(size_t size)
{
	static uintptr_t next = OWN_PLACE;
	long p = 0;

	if (next + size < OWN_END) {
		p = map_at(next, size);
		next += (size + GAP - 1) & ~(GAP - 1);
	}
	return (void *)(p ? p : map_at(0, size));
}

static void *map(size_t size)
{
	void *p = map_own(size);

	if (!p)
		__builtin_trap();
	return p;
}

static void *carve(size_t size)
{
	char *p;

	if ((size_t)(chunk_end - chunk) < size) {
		chunk = map(CHUNK);
		chunk_end = chunk + CHUNK;
	}
	p = chunk;
	chunk += size;
	return p;
}

void *dh_pool_alloc(size_t size)
{
	unsigned c = class_of(size);
	struct block *b;

	used += size;
	if (size > LARGE)
		return map((size + PAGE - 1) & ~(size_t)(PAGE - 1));
	b = free_list[c];
	if (!b)
		return carve((size_t)16 << c);
	free_list[c] = b->next;
	b->next = NULL;
	return b;
}

/* Not memset: the compiler would call the one that this library puts in front of the program's. */
static void zero(char *p, size_t size)
{
	volatile uint64_t *q = (volatile uint64_t *)p;

	if (size <= SHORT && !(((uintptr_t)p | size) % sizeof *q)) { /* rep is slow to start */
		for (; size; size -= sizeof *q)
			*q++ = 0;
		return;
	}
	__asm__ volatile("rep stosb" : "+D"(p), "+c"(size) : "a"(0) : "memory");
}

static void copy(char *to, const char *from, size_t size)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}

void dh_pool_free(void *block, size_t size)
{
	struct block *b = block;

	if (!b)
		return;
	used -= size;
	if (size > LARGE) {
		rt_syscall6(SYS_munmap, (long)b, (long)((size + PAGE - 1) & ~(size_t)(PAGE - 1)), 0,
			0, 0, 0);
		return;
	}
	zero(block, size);
	b->next = free_list[class_of(size)];
	free_list[class_of(size)] = b;
}

void *dh_pool_grow(void *block, uint32_t *cap, uint32_t need, size_t unit)
{
	uint32_t bigger = *cap ? *cap : 8;
	void *p;

	if (need <= *cap)
		return block;
	while (bigger < need)
		bigger *= 2;
	p = dh_pool_alloc(bigger * unit);
	if (block) {
		copy(p, block, *cap * unit);
		dh_pool_free(block, *cap * unit);
	}
	*cap = bigger;
	return p;
}

void *dh_pool_reserve(void *hint, size_t size)
{
	void *p = hint ? (void *)map_at((uintptr_t)hint, size) : map_own(size);

	/* Untouched neighbours must not become resident as huge pages. */
	if (p)
		rt_syscall3(SYS_madvise, p, size, MADV_NOHUGEPAGE);
	return p;
}

void dh_pool_forget(void *start, size_t size)
{
	uintptr_t p = (uintptr_t)start, end = p + size;
	uintptr_t first = (p + PAGE - 1) & ~(uintptr_t)(PAGE - 1),
		  last = end & ~(uintptr_t)(PAGE - 1);

	if (first >= last || last - first < 16 * PAGE) {
		zero(start, size);
		return;
	}
	zero((char *)p, first - p);
	rt_syscall6(SYS_madvise, (long)first, (long)(last - first), MADV_DONTNEED, 0, 0, 0);
	zero((char *)last, end - last);
}

size_t dh_pool_used(void)
{
	return used;
}
