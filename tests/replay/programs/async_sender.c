/* The signals come from a child process instead of a timer. */
#include "async.h"

static void on_usr1(int sig, siginfo_t *si, void *ctx)
{
	(void)sig;
	(void)si;
	async_hits++;
	async_say(ctx);
}

int main(void)
{
	volatile uint64_t n = 0;
	pid_t pid;

	async_counter = &n;
	t_on_info(SIGUSR1, on_usr1, 0);
	pid = TRY(fork());
	if (!pid) {
		for (;;) {
			t_sleep_us(t_rand_in(50, 1200));
			TRY(kill(getppid(), SIGUSR1));
		}
	}
	while (async_more())
		n++;
	TRY(kill(pid, SIGKILL));
	t_wait(pid);
	say("end %lu\n", n);
	return 0;
}
