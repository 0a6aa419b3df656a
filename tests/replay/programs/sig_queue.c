/* sigqueue: integer and pointer values, in order, none lost. */
#include "t.h"

static volatile int n;

static void on_rt(int sig, siginfo_t *si, void *ctx)
{
	(void)sig;
	(void)ctx;
	say("%d: %p from %d uid %d code %d\n", n++, si->si_value.sival_ptr, si->si_pid, si->si_uid,
		si->si_code);
}

int main(void)
{
	union sigval v;
	pid_t pid;

	t_on_info(SIGRTMAX, on_rt, 0);
	t_block(SIGRTMAX, SIG_BLOCK);
	pid = TRY(fork());
	if (!pid) {
		for (int i = 0; i < 20; i++) {
			v.sival_ptr = (void *)t_rand();
			TRY(sigqueue(getppid(), SIGRTMAX, v));
		}
		_exit(0);
	}
	CHECK(t_wait(pid) == 0 && n == 0);
	t_block(SIGRTMAX, SIG_UNBLOCK);
	CHECK(n == 20);
	return 0;
}
