/* pause is left by each signal that has a handler. */
#include "t.h"

static volatile sig_atomic_t n;

static void on_sig(int sig)
{
	n += sig == SIGUSR1 ? 1 : 100;
}

int main(void)
{
	sigset_t old, set;
	pid_t pid;

	t_on(SIGUSR1, on_sig, 0);
	t_on(SIGUSR2, on_sig, SA_RESTART);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	TRY(sigprocmask(SIG_BLOCK, &set, &old));
	pid = TRY(fork());
	if (!pid) {
		for (int i = 0; i < 4; i++) {
			t_sleep_us(t_rand_in(1000, 3000));
			TRY(kill(getppid(), i % 2 ? SIGUSR2 : SIGUSR1));
		}
		t_sleep_us(1000);
		for (;;) { /* until the parent has seen enough */
			if (kill(getppid(), SIGUSR1) < 0 || getppid() == 1)
				_exit(0);
			t_sleep_us(500);
		}
	}
	TRY(sigprocmask(SIG_SETMASK, &old, NULL));
	while (n < 202) {
		CHECK(pause() == -1 && errno == EINTR);
		say("n %d at %lu\n", n, t_now_ns());
	}
	TRY(kill(pid, SIGKILL));
	t_wait(pid);
	return 0;
}
