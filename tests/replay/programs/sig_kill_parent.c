/* A child signals its computing parent with values. */
#include "t.h"

static volatile uint64_t work;
static volatile sig_atomic_t got;

static void on_rt(int sig, siginfo_t *si, void *ctx)
{
	(void)ctx;
	got++;
	say("%d: signal %d value %d at %lu\n", got, sig, si->si_value.sival_int, work);
}

int main(void)
{
	pid_t pid;

	t_on_info(SIGRTMIN + 2, on_rt, 0);
	pid = TRY(fork());
	if (!pid) {
		union sigval v;

		for (int i = 0; i < 30; i++) {
			v.sival_int = (int)(t_rand() % 1000);
			TRY(sigqueue(getppid(), SIGRTMIN + 2, v));
			t_sleep_us(t_rand_in(50, 600));
		}
		_exit(0);
	}
	while (got < 30)
		work++;
	CHECK(t_wait(pid) == 0);
	return 0;
}
