/* mremap: grow in place or move, shrink, move to a chosen place, keep the old one. */
#include "t.h"

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif

int main(void)
{
	char *m = TRY(
		mmap(NULL, 4 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	char *target, *old;
	uint64_t h;

	t_fill_random(m, 4 * 4096);
	h = t_hash(m, 4 * 4096);
	m = TRY(mremap(m, 4 * 4096, 100 * 4096, MREMAP_MAYMOVE));
	CHECK(t_hash(m, 4 * 4096) == h && m[50 * 4096] == 0);
	say("grown at %p\n", (void *)m);
	m = TRY(mremap(m, 100 * 4096, 4 * 4096, 0));
	CHECK(t_hash(m, 4 * 4096) == h);
	target = TRY(mmap(NULL, 4 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	m = TRY(mremap(m, 4 * 4096, 4 * 4096, MREMAP_MAYMOVE | MREMAP_FIXED, target));
	CHECK(m == target && t_hash(m, 4 * 4096) == h);
	old = m;
	m = mremap(m, 4 * 4096, 4 * 4096, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL);
	if (m != MAP_FAILED) {
		CHECK(t_hash(m, 4 * 4096) == h && old[0] == 0);
		say("left behind zeros, hash %016lx at %p\n", h, (void *)m);
	}
	CHECK(mremap((void *)4096, 4096, 8192, 0) == MAP_FAILED);
	say("errno %d\n", errno);
	return 0;
}
