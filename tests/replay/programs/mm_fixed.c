/* MAP_FIXED replaces, MAP_FIXED_NOREPLACE refuses, hints may be followed. */
#include "t.h"

int main(void)
{
	char *m = TRY(
		mmap(NULL, 8 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	char *p;

	memset(m, 'a', 8 * 4096);
	p = TRY(mmap(m + 4096, 2 * 4096, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
	CHECK(p == m + 4096 && p[0] == 0 && m[0] == 'a' && m[3 * 4096] == 'a');
	CHECK(mmap(m, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) ==
		MAP_FAILED);
	CHECK(errno == EEXIST);
	TRY(munmap(m + 5 * 4096, 4096));
	p = TRY(mmap(m + 5 * 4096, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	say("base %p hint gave %s\n", (void *)m, p == m + 5 * 4096 ? "the same" : "another");
	p = TRY(mmap((void *)0x10000000, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT,
		-1, 0));
	CHECK((uintptr_t)p < 1ul << 31);
	say("low address %p pid %d\n", (void *)p, getpid());
	return 0;
}
