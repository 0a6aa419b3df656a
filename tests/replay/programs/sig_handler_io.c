/* Handlers that do system calls of their own (pipe, read, write, clock) during busy work. */
#include "t.h"

static int p[2];
static volatile sig_atomic_t n;
static volatile uint64_t work;

static void on_alarm(int sig)
{
	uint64_t v = work, back;

	(void)sig;
	CHECK(write(p[1], &v, 8) == 8 && read(p[0], &back, 8) == 8 && back == v);
	say("%d: work %lu at %lu\n", ++n, back, t_now_ns());
}

int main(void)
{
	struct itimerval it = {{0, 800}, {0, 800}};

	TRY(pipe(p));
	t_on(SIGALRM, on_alarm, SA_RESTART);
	TRY(setitimer(ITIMER_REAL, &it, NULL));
	while (n < 50)
		work++;
	return 0;
}
