/* The parent signals a computing child, whose handler says how far it was. */
#include "t.h"

static volatile uint64_t work;
static volatile sig_atomic_t got;

static void on_usr1(int sig, siginfo_t *si, void *ctx)
{
	(void)ctx;
	got++;
	say("%d: signal %d from parent %d at %lu\n", got, sig, si->si_pid == getppid(), work);
}

int main(void)
{
	int p[2];
	pid_t pid;
	char c;

	TRY(pipe(p));
	t_on_info(SIGUSR1, on_usr1, 0);
	pid = TRY(fork());
	if (!pid) {
		CHECK(write(p[1], "r", 1) == 1);
		for (;;)
			work++;
	}
	CHECK(read(p[0], &c, 1) == 1);
	for (int i = 0; i < 20; i++) {
		t_sleep_us(t_rand_in(100, 1000));
		TRY(kill(pid, SIGUSR1));
	}
	t_sleep_us(1000);
	TRY(kill(pid, SIGKILL));
	t_say_status("child", t_wait(pid));
	return 0;
}
