/* SA_RESTART: reads from an empty pipe are restarted by the kernel after each signal. */
#include "t.h"

static volatile sig_atomic_t got;

static void on_alarm(int sig)
{
	(void)sig;
	got++;
	say("signal %d\n", got);
}

int main(void)
{
	struct itimerval it = {{0, 1000}, {0, 1000}};
	int p[2];
	pid_t pid;
	char c;

	TRY(pipe(p));
	t_on(SIGALRM, on_alarm, SA_RESTART);
	pid = TRY(fork());
	if (!pid) {
		t_sleep_us(t_rand_in(5000, 15000));
		CHECK(write(p[1], "z", 1) == 1);
		_exit(0);
	}
	TRY(setitimer(ITIMER_REAL, &it, NULL));
	CHECK(read(p[0], &c, 1) == 1 && c == 'z');
	memset(&it, 0, sizeof(it));
	TRY(setitimer(ITIMER_REAL, &it, NULL));
	say("read returned after %d signals\n", got);
	CHECK(got > 0 && t_wait(pid) == 0);
	return 0;
}
