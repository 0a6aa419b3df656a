/* repne scasb, repe cmpsb and lodsb loops. */
#include "async.h"

static char text[1 << 16], copy[1 << 16];

int main(void)
{
	uint64_t sum = 0;

	memset(text, 'x', sizeof(text));
	memset(copy, 'x', sizeof(copy));
	text[60000] = 'y';
	copy[50000] = 'z';
	async_start();
	while (async_more()) {
		char *d = text, *s = copy;
		size_t n = sizeof(text);

		__asm__ volatile("repne scasb" : "+D"(d), "+c"(n) : "a"('y') : "cc", "memory");
		sum += (uint64_t)(d - text);
		d = text;
		n = sizeof(text);
		__asm__ volatile("repe cmpsb" : "+D"(d), "+S"(s), "+c"(n) : : "cc", "memory");
		sum += (uint64_t)(d - text) + n;
	}
	say("end %lu\n", sum);
	return 0;
}
