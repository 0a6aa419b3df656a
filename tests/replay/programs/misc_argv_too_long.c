/* An exec with too long an argument is refused with E2BIG, and the program goes on. */
#include "t.h"

int main(int argc, char **argv)
{
	size_t n = 4u << 20;
	char *big = malloc(n + 1);

	CHECK(big && argc == 1);
	memset(big, 'x', n);
	big[n] = 0;
	CHECK(execl("/proc/self/exe", argv[0], big, NULL) == -1 && errno == E2BIG);
	say("refused, pid %d\n", getpid());
	free(big);
	return 0;
}
