/* malloc in many sizes, with trimming and statistics; addresses are printed. */
#include "t.h"
#include <malloc.h>

int main(void)
{
	static void *slot[500];
	volatile size_t huge = (size_t)-4096;
	uint64_t mix = 0;
	void *p;

	for (int i = 0; i < 5000; i++) {
		unsigned k = t_rand_in(0, 499);

		free(slot[k]);
		slot[k] = i % 50 == 0 ? malloc(t_rand_in(200000, 2000000))
				      : malloc(t_rand_in(1, 2000));
		CHECK(slot[k]);
		mix = mix * 31 + (uintptr_t)slot[k];
	}
	CHECK(posix_memalign(&p, 65536, 100) == 0 && ((uintptr_t)p & 65535) == 0);
	say("mix %016lx aligned %p\n", mix, p);
	free(p);
	for (int i = 0; i < 500; i++)
		free(slot[i]);
	malloc_trim(0);
	say("in use %zu\n", mallinfo2().uordblks);
	CHECK(malloc(huge) == NULL && errno == ENOMEM);
	return 0;
}
