/* A storm of 1000 queued realtime signals against a busy parent: each must arrive. */
#include "t.h"

static volatile sig_atomic_t got;
static volatile uint64_t work, mix;

static void on_rt(int sig, siginfo_t *si, void *ctx)
{
	(void)sig;
	(void)ctx;
	CHECK(si->si_value.sival_int == got);
	got++;
	mix = mix * 31 + work;
}

int main(void)
{
	pid_t pid;

	t_on_info(SIGRTMIN, on_rt, SA_RESTART);
	pid = TRY(fork());
	if (!pid) {
		union sigval v;

		for (int i = 0; i < 1000; i++) {
			v.sival_int = i;
			while (sigqueue(getppid(), SIGRTMIN, v) < 0) {
				CHECK(errno == EAGAIN);
				t_sleep_us(100);
			}
		}
		_exit(0);
	}
	while (got < 1000)
		work++;
	CHECK(t_wait(pid) == 0);
	say("all arrived, work %lu, mix %016lx\n", work, mix);
	return 0;
}
