/* pselect opens the mask atomically: the pending signal arrives inside it. */
#include "t.h"
#include <sys/select.h>

static volatile sig_atomic_t got;

static void on_usr1(int sig, siginfo_t *si, void *ctx)
{
	(void)ctx;
	say("signal %d from %d inside pselect\n", sig, si->si_pid);
	got = 1;
}

int main(void)
{
	struct timespec ts = {5, 0};
	sigset_t open_mask;
	fd_set r;
	int p[2];

	TRY(pipe(p));
	t_on_info(SIGUSR1, on_usr1, 0);
	t_block(SIGUSR1, SIG_BLOCK);
	TRY(raise(SIGUSR1));
	CHECK(!got);
	sigemptyset(&open_mask);
	FD_ZERO(&r);
	FD_SET(p[0], &r);
	CHECK(pselect(p[0] + 1, &r, NULL, NULL, &ts, &open_mask) == -1 && errno == EINTR && got);
	ts = (struct timespec){0, 800000};
	FD_SET(p[0], &r);
	CHECK(pselect(p[0] + 1, &r, NULL, NULL, &ts, &open_mask) == 0);
	say("timed out at %lu\n", t_now_ns());
	return 0;
}
