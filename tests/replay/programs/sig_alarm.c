/* alarm and ualarm: time left is returned, the handler runs in the middle of a wait. */
#include "t.h"

static volatile sig_atomic_t got;

static void on_alarm(int sig)
{
	(void)sig;
	got++;
}

int main(void)
{
	uint64_t t = t_now_ns();

	t_on(SIGALRM, on_alarm, 0);
	CHECK(alarm(100) == 0);
	CHECK(alarm(50) == 100 || got == 0);
	ualarm(5000, 0);
	CHECK(pause() == -1 && errno == EINTR && got == 1);
	say("alarm after %lu ns\n", t_now_ns() - t);
	CHECK(alarm(0) == 0);
	ualarm(1000, 1000);
	while (got < 6)
		pause();
	ualarm(0, 0);
	say("six after %lu ns\n", t_now_ns() - t);
	return 0;
}
