/* A static executable with threads and a timer. */
#include "t.h"

static volatile sig_atomic_t ticks;
static volatile uint64_t work;

static void on_alarm(int sig)
{
	(void)sig;
	say("tick %d work %lu\n", ++ticks, work);
}

static void *body(void *arg)
{
	while (ticks < 20)
		work++;
	return arg;
}

int main(void)
{
	struct itimerval it = {{0, 900}, {0, 900}};
	pthread_t th;

	t_on(SIGALRM, on_alarm, SA_RESTART);
	TRY0(pthread_create(&th, NULL, body, NULL));
	TRY(setitimer(ITIMER_REAL, &it, NULL));
	TRY0(pthread_join(th, NULL));
	return 0;
}
