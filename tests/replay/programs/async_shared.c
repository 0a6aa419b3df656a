/* The counter is in shared memory of the process itself. */
#include "async.h"

int main(void)
{
	volatile uint64_t *n =
		TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));

	async_counter = n;
	async_start();
	while (async_more())
		n[0]++;
	say("end %lu\n", n[0]);
	return 0;
}
