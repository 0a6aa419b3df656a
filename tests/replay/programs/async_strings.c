/* The C library's string functions, which use vector instructions. */
#include "async.h"

int main(void)
{
	static char a[4000], b[9000];
	uint64_t sum = 0;

	async_counter = &sum;
	async_start();
	while (async_more()) {
		memset(a, 'a' + (int)(sum % 20), sizeof(a) - 1);
		a[sum % 3000] = '#';
		strcpy(b, a);
		strcat(b, a);
		sum += strlen(b) + (size_t)(strchr(b, '#') - b) + (strstr(b, "#z") == NULL);
		sum += (uint64_t)(memcmp(a, b, sizeof(a)) == 0);
		memmove(b + 100, b, 4000);
	}
	say("end %lu\n", sum);
	return 0;
}
