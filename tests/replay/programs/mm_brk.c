/* brk and sbrk: the heap grows and shrinks. */
#include "t.h"

int main(void)
{
	char *start = sbrk(0), *p;

	p = sbrk(100000);
	CHECK(p == start);
	memset(p, 'b', 100000);
	p = sbrk(0);
	CHECK(p == start + 100000);
	say("break from %p to %p\n", (void *)start, (void *)p);
	TRY(brk(start + 5000));
	CHECK(sbrk(0) == start + 5000 && start[4999] == 'b');
	TRY(brk(start + 200000));
	CHECK(start[150000] == 0); /* pages that went away come back as zeros */
	CHECK(brk((void *)(uintptr_t)-4096) == -1 && errno == ENOMEM);
	CHECK(sbrk(-200000) == start + 200000);
	say("pid %d\n", getpid());
	return 0;
}
