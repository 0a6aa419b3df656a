/* 64 MiB of memory written in a scattered order between signals. */
#define ASYNC_WANTED 60
#include "async.h"

int main(void)
{
	size_t cells = 8u << 20;
	uint64_t *m = calloc(cells, 8), x = 88172645463325252u, n = 0;

	CHECK(m);
	async_counter = &n;
	async_start();
	while (async_more()) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		m[x % cells] += n++;
	}
	say("end %lu %016lx\n", n, x);
	free(m);
	return 0;
}
