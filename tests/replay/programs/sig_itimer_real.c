/* ITIMER_REAL every millisecond while the program computes. */
#include "t.h"

static volatile sig_atomic_t ticks;
static volatile uint64_t work;

static void on_alarm(int sig)
{
	(void)sig;
	ticks++;
	say("tick %d at work %lu\n", ticks, work);
}

int main(void)
{
	struct itimerval it = {{0, 1000}, {0, 1000}};

	t_on(SIGALRM, on_alarm, SA_RESTART);
	TRY(setitimer(ITIMER_REAL, &it, NULL));
	while (ticks < 50)
		work++;
	memset(&it, 0, sizeof(it));
	TRY(setitimer(ITIMER_REAL, &it, NULL));
	say("done at %lu\n", work);
	return 0;
}
