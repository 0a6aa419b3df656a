/* A handler without SA_RESTART ends every kind of wait with EINTR. */
#include "buf.h"

static volatile sig_atomic_t got;

static void on_alarm(int sig)
{
	(void)sig;
	got++;
	buf_strike_again();
}

int main(void)
{
	struct buf b;

	buf_open(&b);
	buf_warm(&b);
	t_on(SIGALRM, on_alarm, 0);
	for (int i = 0; i < 4; i++) {
		for (enum buf_kind k = 0; k < BUF_KINDS; k++) {
			buf_strike(50); /* some may come too early */
			CHECK(buf_wait(&b, k, -1) == -1 && errno == EINTR);
			say("%s interrupted after %d at %lu\n", buf_names[k], (int)got, t_now_ns());
		}
	}
	CHECK(got >= 4 * BUF_KINDS);
	return 0;
}
