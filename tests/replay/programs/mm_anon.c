/* Anonymous private memory: zeros, addresses, holes punched by munmap. */
#include "t.h"

int main(void)
{
	char *m = TRY(
		mmap(NULL, 16 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));

	for (int i = 0; i < 16 * 4096; i += 511)
		CHECK(m[i] == 0);
	t_fill_random(m, 16 * 4096);
	TRY(munmap(m + 4 * 4096, 4096));
	CHECK(msync(m + 4 * 4096, 4096, MS_ASYNC) == -1 && errno == ENOMEM);
	say("at %p hash %016lx %016lx\n", (void *)m, t_hash(m, 4 * 4096),
		t_hash(m + 5 * 4096, 11 * 4096));
	CHECK(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
	CHECK(mmap(NULL, (size_t)1 << 62, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
		MAP_FAILED);
	say("errno %d\n", errno);
	CHECK(munmap(m + 1, 4096) == -1 && errno == EINVAL);
	return 0;
}
