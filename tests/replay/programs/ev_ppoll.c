/* ppoll with a mask and a timeout that a signal cuts short. */
#include "t.h"
#include <poll.h>

static volatile sig_atomic_t got;

static void on_alarm(int sig)
{
	(void)sig;
	got++;
}

int main(void)
{
	struct itimerval it = {{0, 0}, {0, 700}};
	struct timespec ts = {3, 0};
	sigset_t none;
	uint64_t t = t_now_ns();

	t_on(SIGALRM, on_alarm, SA_RESTART);
	t_block(SIGALRM, SIG_BLOCK);
	TRY(setitimer(ITIMER_REAL, &it, NULL));
	sigemptyset(&none);
	CHECK(ppoll(NULL, 0, &ts, &none) == -1 && errno == EINTR && got == 1);
	say("cut short after %lu ns\n", t_now_ns() - t);
	ts = (struct timespec){0, 900000};
	t = t_now_ns();
	CHECK(ppoll(NULL, 0, &ts, NULL) == 0);
	say("full sleep %lu ns\n", t_now_ns() - t);
	return 0;
}
