/* A child sends 1000 signals as fast as it can; how many arrive as one is left to chance. */
#include "t.h"

static volatile sig_atomic_t got, finished;
static volatile uint64_t work, mix;

static void on_usr1(int sig)
{
	(void)sig;
	got++;
	mix = mix * 31 + work;
}

static void on_usr2(int sig)
{
	(void)sig;
	finished = 1;
}

int main(void)
{
	pid_t pid;

	t_on(SIGUSR1, on_usr1, SA_RESTART);
	t_on(SIGUSR2, on_usr2, SA_RESTART);
	pid = TRY(fork());
	if (!pid) {
		for (int i = 0; i < 1000; i++)
			TRY(kill(getppid(), SIGUSR1));
		TRY(kill(getppid(), SIGUSR2));
		_exit(0);
	}
	while (!finished)
		work++;
	CHECK(t_wait(pid) == 0);
	say("%d of 1000 arrived, work %lu, mix %016lx\n", got, work, mix);
	CHECK(got > 0 && got <= 1000);
	return 0;
}
