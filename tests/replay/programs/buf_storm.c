/* Two processes play ping-pong while a timer strikes both all the time. */
#include "buf.h"

static volatile sig_atomic_t got;

static void on_alarm(int sig)
{
	(void)sig;
	got++;
	buf_strike_again();
}

/* For read and recv, which SA_RESTART concerns; the others end with EINTR now and then. */
static void wait_for(struct buf *b, int i)
{
	enum buf_kind k = (enum buf_kind)(i % BUF_KINDS);
	int n;

	while ((n = buf_wait(b, k, -1)) < 0)
		CHECK(errno == EINTR && k >= BUF_POLL);
	CHECK(n == 1);
}

int main(void)
{
	struct buf ping, pong;
	pid_t pid;

	buf_open(&ping);
	buf_open(&pong);
	buf_warm(&ping);
	t_on(SIGALRM, on_alarm, SA_RESTART);
	pid = TRY(fork());
	buf_strike(100);
	for (int i = 0; i < 300; i++) {
		if (pid)
			buf_put(&ping);
		wait_for(pid ? &pong : &ping, i);
		if (!pid)
			buf_put(&pong);
	}
	say("%s: %d signals by %lu\n", pid ? "parent" : "child", (int)got, t_now_ns());
	if (pid)
		CHECK(t_wait(pid) == 0);
	return 0;
}
