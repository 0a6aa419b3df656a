/* A timer signal on the alternative stack while the program recurses on the normal one. */
#include "t.h"

static char stack[65536] __attribute__((aligned(16)));
static volatile sig_atomic_t hits;
static volatile int depth;
static volatile uint64_t work;

static void on_alarm(int sig)
{
	(void)sig;
	say("%d: depth %d work %lu\n", ++hits, depth, work);
}

static int __attribute__((noinline)) dive(int n)
{
	volatile int here = n;

	depth = n;
	work++;
	if (n < 200)
		here += dive(n + 1);
	depth = n;
	return here;
}

int main(void)
{
	stack_t ss = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct itimerval it = {{0, 700}, {0, 300}};

	TRY(sigaltstack(&ss, NULL));
	t_on(SIGALRM, on_alarm, SA_ONSTACK | SA_RESTART);
	TRY(setitimer(ITIMER_REAL, &it, NULL));
	while (hits < 60)
		CHECK(dive(1) == 20100);
	return 0;
}
