/* rep movsb and rep stosq over half a megabyte: interrupted in the middle of an instruction. */
#include "async.h"

static char a[1 << 19], b[1 << 19];

int main(void)
{
	uint64_t rounds = 0;

	t_fill_random(a, sizeof(a));
	async_counter = &rounds;
	async_start();
	while (async_more()) {
		void *d = b, *s = a;
		size_t n = sizeof(a);

		__asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
		d = b;
		n = sizeof(a) / 16;
		__asm__ volatile("rep stosq" : "+D"(d), "+c"(n) : "a"(rounds) : "memory");
		rounds++;
	}
	say("end %lu %016lx\n", rounds, t_hash(b, sizeof(b)));
	return 0;
}
