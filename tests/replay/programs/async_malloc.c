/* Inside malloc, realloc and free. */
#include "async.h"

int main(void)
{
	static void *slot[256];
	uint64_t rounds = 0, total = 0;

	async_counter = &rounds;
	async_start();
	while (async_more()) {
		unsigned k = t_rand_in(0, 255);
		size_t n = t_rand_in(1, 3000);

		if (slot[k] && rounds % 3) {
			free(slot[k]);
			slot[k] = NULL;
		} else {
			slot[k] = realloc(slot[k], n);
			CHECK(slot[k]);
			memset(slot[k], (int)k, n);
			total += n + ((uintptr_t)slot[k] & 0xfff);
		}
		rounds++;
	}
	say("end %lu %lu\n", rounds, total);
	return 0;
}
