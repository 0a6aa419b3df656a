/* Two processes race on a shared counter without a lock. */
#include "t.h"

int main(void)
{
	volatile uint64_t *c =
		TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	pid_t pid = TRY(fork());

	for (int i = 0; i < 2000000; i++)
		c[0] = c[0] + 1;
	if (!pid)
		_exit(0);
	CHECK(t_wait(pid) == 0);
	say("total %lu of 4000000\n", c[0]);
	CHECK(c[0] <= 4000000);
	return 0;
}
