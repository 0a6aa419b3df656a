/* Values the C library draws from AT_RANDOM and the address space: canary, pointer guard, stack. */
#include "t.h"

static int data;

int main(void)
{
	uint64_t canary, guard;
	int local;
	void *heap = malloc(10);

	__asm__("mov %%fs:0x28, %0" : "=r"(canary));
	__asm__("mov %%fs:0x30, %0" : "=r"(guard));
	say("canary %016lx guard %016lx\n", canary, guard);
	say("code %p data %p heap %p stack %p libc %p\n", (void *)(uintptr_t)main, (void *)&data,
		heap, (void *)&local, (void *)(uintptr_t)printf);
	free(heap);
	return 0;
}
