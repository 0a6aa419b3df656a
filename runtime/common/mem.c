#include "common/mem.h"

#include <stdint.h>
#include <sys/mman.h>

#include "common/syscall.h"

#define CHUNK (1u << 20)

static struct {
	char *next;
	size_t left;
} arena;

void *rt_map(size_t size)
{
	long r = rt_syscall6(SYS_mmap, 0, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return r < 0 && r > -4096 ? NULL : (void *)r;
}

void rt_unmap(void *p, size_t size)
{
	rt_syscall2(SYS_munmap, p, size);
}

void *rt_alloc(size_t size)
{
	void *p;

	size = (size + 15) & ~(size_t)15;
	if (size >= CHUNK / 4)
		return rt_map(size);
	if (size > arena.left) {
		arena.next = rt_map(CHUNK);
		arena.left = arena.next ? CHUNK : 0;
		if (!arena.next)
			return NULL;
	}
	p = arena.next;
	arena.next += size;
	arena.left -= size;
	return p;
}
