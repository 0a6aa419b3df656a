/* A counter in global memory, wide apart cells. */
#include "async.h"

static volatile uint64_t cells[1 << 16];

int main(void)
{
	async_counter = &cells[77];
	async_start();
	for (uint64_t i = 0; async_more(); i++)
		cells[(i * 40503) & 0xffff] += i;
	say("end %016lx\n", t_hash((const void *)cells, sizeof(cells)));
	return 0;
}
