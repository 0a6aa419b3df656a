/* An asynchronous handler leaves a busy loop by siglongjmp, again and again. */
#include "t.h"

static sigjmp_buf env;
static volatile uint64_t work;

static void on_alarm(int sig)
{
	siglongjmp(env, sig);
}

int main(void)
{
	volatile int rounds = 0;

	t_on(SIGALRM, on_alarm, 0);
	if (sigsetjmp(env, 1))
		say("round %d left at %lu\n", ++rounds, work);
	if (rounds < 40) {
		struct itimerval it = {{0, 0}, {0, (long)t_rand_in(100, 1500)}};

		TRY(setitimer(ITIMER_REAL, &it, NULL));
		for (;;)
			work++;
	}
	return 0;
}
