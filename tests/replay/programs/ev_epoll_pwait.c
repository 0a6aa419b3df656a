/* epoll_pwait and epoll_pwait2: a signal that is let in only while waiting. */
#include "t.h"
#include <sys/epoll.h>

static volatile sig_atomic_t got;

static void on_alarm(int sig)
{
	(void)sig;
	got++;
}

int main(void)
{
	int ep = TRY(epoll_create1(0)), p[2], r;
	struct epoll_event ev = {.events = EPOLLIN}, out;
	struct timespec ts = {0, 700000};
	struct itimerval it = {{0, 0}, {0, 1000}};
	sigset_t none;
	uint64_t t;

	TRY(pipe(p));
	TRY(epoll_ctl(ep, EPOLL_CTL_ADD, p[0], &ev));
	sigemptyset(&none);
	t_on(SIGALRM, on_alarm, 0);
	t_block(SIGALRM, SIG_BLOCK);
	TRY(setitimer(ITIMER_REAL, &it, NULL));
	t = t_now_ns();
	CHECK(epoll_pwait(ep, &out, 1, 5000, &none) == -1 && errno == EINTR && got == 1);
	say("interrupted after %lu ns\n", t_now_ns() - t);
	t = t_now_ns();
	r = epoll_pwait2(ep, &out, 1, &ts, NULL);
	CHECK(r == 0 || errno == ENOSYS);
	say("pwait2 %d after %lu ns\n", r, t_now_ns() - t);
	CHECK(write(p[1], "x", 1) == 1);
	CHECK(epoll_pwait(ep, &out, 1, -1, NULL) == 1);
	return 0;
}
