/* Indirect calls through a table, with small frames. */
#include "async.h"

typedef uint64_t fn(uint64_t);

static uint64_t f0(uint64_t x)
{
	return x + 1;
}

static uint64_t f1(uint64_t x)
{
	return x * 3;
}

static uint64_t f2(uint64_t x)
{
	return x ^ (x >> 7);
}

static uint64_t f3(uint64_t x)
{
	volatile char frame[300];

	frame[x % 300] = (char)x;
	return x + (uint64_t)frame[x % 300];
}

int main(void)
{
	static fn *volatile table[4] = {f0, f1, f2, f3};
	uint64_t x = 1;

	async_start();
	while (async_more())
		x = table[x & 3](x);
	say("end %016lx\n", x);
	return 0;
}
