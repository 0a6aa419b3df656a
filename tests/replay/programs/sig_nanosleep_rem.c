/* A sleep resumed with the time left, while a timer keeps interrupting. */
#include "t.h"

static volatile sig_atomic_t n;

static void on_alarm(int sig)
{
	(void)sig;
	n++;
}

int main(void)
{
	struct itimerval it = {{0, 900}, {0, 900}};
	struct timespec ts = {0, 15000000};
	uint64_t t = t_now_ns();

	t_on(SIGALRM, on_alarm, SA_RESTART);
	TRY(setitimer(ITIMER_REAL, &it, NULL));
	while (nanosleep(&ts, &ts) < 0) {
		CHECK(errno == EINTR);
		say("left %ld\n", ts.tv_nsec);
	}
	say("slept %lu ns with %d signals\n", t_now_ns() - t, n);
	CHECK(t_now_ns() - t >= 15000000);
	return 0;
}
