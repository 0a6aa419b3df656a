/* pthread_kill aims at a busy thread, which says how far it was. */
#include "t.h"

static __thread volatile uint64_t work;
static __thread volatile int hits;
static volatile int ready;

static void on_usr1(int sig)
{
	(void)sig;
	say("hit %d at %lu\n", ++hits, work);
}

static void *body(void *arg)
{
	ready = 1;
	while (hits < 20)
		work++;
	return arg;
}

int main(void)
{
	pthread_t th;

	t_on(SIGUSR1, on_usr1, SA_RESTART);
	TRY0(pthread_create(&th, NULL, body, NULL));
	while (!ready)
		sched_yield();
	for (;;) {
		struct timespec ts = {0, 0};

		if (pthread_kill(th, SIGUSR1) != 0)
			break;
		t_sleep_us(t_rand_in(50, 900));
		if (pthread_timedjoin_np(th, NULL, &ts) == 0)
			break;
	}
	return 0;
}
