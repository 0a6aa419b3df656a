/* With SA_RESTART a wait for bytes goes on behind the handler; one for events ends all the same. */
#include "buf.h"

static volatile sig_atomic_t got;

static void on_alarm(int sig)
{
	(void)sig;
	say("alarm %d at %lu\n", (int)++got, t_now_ns());
	buf_strike_again();
}

static void feed(struct buf *b)
{
	for (int i = 0; i < 8; i++) {
		t_sleep_us(t_rand_in(3000, 9000));
		buf_put(b);
	}
	_exit(0);
}

int main(void)
{
	struct buf b;
	pid_t pid;

	buf_open(&b);
	buf_warm(&b);
	t_on(SIGALRM, on_alarm, SA_RESTART);
	pid = TRY(fork());
	if (!pid)
		feed(&b);
	for (int i = 0; i < 8; i++) {
		enum buf_kind k = (enum buf_kind)(i % 2 ? BUF_READ : BUF_RECV);

		buf_strike(5);
		CHECK(buf_wait(&b, k, -1) == 1);
		say("%s ended at %lu\n", buf_names[k], t_now_ns());
	}
	for (enum buf_kind k = BUF_POLL; k < BUF_KINDS; k++) {
		buf_strike(50);
		CHECK(buf_wait(&b, k, -1) == -1 && errno == EINTR);
	}
	t_say_status("feeder", t_wait(pid));
	return 0;
}
