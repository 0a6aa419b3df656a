/* Waits that are stopped and continued, and signals that are ignored: none of it is seen, but that
 * epoll_wait, once stopped, may end early. */
#include "buf.h"

static void wait_for(struct buf *b, enum buf_kind k)
{
	int n;

	while ((n = buf_wait(b, k, -1)) < 0)
		CHECK(errno == EINTR && k == BUF_EPOLL);
	CHECK(n == 1);
}

static void child(struct buf *b)
{
	struct sigaction sa = {.sa_handler = SIG_IGN};

	TRY(sigaction(SIGUSR1, &sa, NULL));
	for (int i = 0; i < 3; i++) {
		for (enum buf_kind k = 0; k < BUF_KINDS; k++) {
			wait_for(b, k);
			say("%s at %lu\n", buf_names[k], t_now_ns());
		}
	}
	_exit(0);
}

int main(void)
{
	struct buf b;
	int status;
	pid_t pid;

	buf_open(&b);
	buf_warm(&b);
	pid = TRY(fork());
	if (!pid)
		child(&b);
	for (int i = 0; i < 3 * BUF_KINDS; i++) {
		t_sleep_us(t_rand_in(500, 2500));
		TRY(kill(pid, i % 2 ? SIGUSR1 : SIGWINCH));
		if (i < 2 * BUF_KINDS) {
			TRY(kill(pid, SIGSTOP));
			CHECK(TRY(waitpid(pid, &status, WUNTRACED)) == pid && WIFSTOPPED(status));
			TRY(kill(pid, SIGCONT));
		}
		t_sleep_us(300);
		buf_put(&b);
	}
	t_say_status("child", t_wait(pid));
	return 0;
}
