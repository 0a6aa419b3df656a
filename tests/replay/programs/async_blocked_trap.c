/* Signals strike a program that blocks SIGTRAP, and it looks at its mask all the time: what stops
 * it while a replay seeks must not show. */
#include "async.h"

int main(void)
{
	uint64_t x = t_rand(), rounds = 0;
	sigset_t trap, now;

	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	TRY(sigprocmask(SIG_BLOCK, &trap, NULL));
	async_counter = &rounds;
	async_start();
	while (async_more()) {
		for (int i = 0; i < 20000; i++)
			x = x * 3 + (x >> 5);
		TRY(sigprocmask(SIG_BLOCK, NULL, &now));
		CHECK(sigismember(&now, SIGTRAP) == 1);
		rounds++;
	}
	say("end %016" PRIx64 " after %" PRIu64 " rounds\n", x, rounds);
	return 0;
}
