/* Four processes write to the same standard output without any agreement. */
#include "t.h"

int main(void)
{
	pid_t pids[4];

	for (int i = 0; i < 4; i++) {
		pids[i] = TRY(fork());
		if (pids[i])
			continue;
		for (int k = 0; k < 40; k++) {
			say("%c%d\n", 'a' + i, k);
			for (volatile unsigned w = t_rand_in(0, 5000); w; w--)
				continue;
		}
		_exit(0);
	}
	for (int i = 0; i < 4; i++)
		CHECK(t_wait(pids[i]) == 0);
	return 0;
}
