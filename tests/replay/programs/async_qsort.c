/* Inside qsort and its comparison function. */
#include "async.h"

static volatile uint64_t compared;

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	compared++;
	return (x > y) - (x < y);
}

int main(void)
{
	static uint64_t data[2000];

	async_counter = &compared;
	async_start();
	while (async_more()) {
		for (int i = 0; i < 2000; i++)
			data[i] = t_rand();
		qsort(data, 2000, sizeof(data[0]), compare);
	}
	say("end %lu %016lx\n", compared, t_hash(data, sizeof(data)));
	return 0;
}
