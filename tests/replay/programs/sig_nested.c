/* Handlers interrupt handlers, five deep, each seeing the one below. */
#include "t.h"

static volatile int depth, deepest;

static void on_rt(int sig, siginfo_t *si, void *ctx)
{
	int mine = ++depth;
	union sigval v = {.sival_int = si->si_value.sival_int + 1};

	(void)ctx;
	if (mine > deepest)
		deepest = mine;
	say("enter depth %d signal +%d value %d\n", mine, sig - SIGRTMIN, si->si_value.sival_int);
	if (mine < 5)
		TRY(sigqueue(getpid(), sig + 1, v));
	say("leave depth %d\n", mine);
	depth--;
}

int main(void)
{
	union sigval v = {.sival_int = (int)(t_rand() % 1000)};

	for (int i = 0; i < 6; i++)
		t_on_info(SIGRTMIN + i, on_rt, 0);
	TRY(sigqueue(getpid(), SIGRTMIN, v));
	CHECK(deepest == 5 && depth == 0);
	return 0;
}
