/* Copy on write across fork: each side sees its own writes. */
#include "t.h"

int main(void)
{
	size_t n = 256 * 4096;
	char *m = TRY(mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	uint64_t before;
	pid_t pid;

	t_fill_random(m, n);
	before = t_hash(m, n);
	pid = TRY(fork());
	if (!pid) {
		for (int i = 0; i < 100; i++)
			m[t_rand() % n] ^= 1;
		say("child %016lx\n", t_hash(m, n));
		_exit(0);
	}
	CHECK(t_wait(pid) == 0);
	CHECK(t_hash(m, n) == before);
	say("parent %016lx\n", before);
	return 0;
}
