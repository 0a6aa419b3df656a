/* SIGEV_THREAD_ID aims a timer at one thread, which prints its own counter. */
#include "t.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static __thread volatile uint64_t work;
static __thread volatile int hits;
static __thread int self;

static void on_timer(int sig, siginfo_t *si, void *ctx)
{
	(void)sig;
	(void)ctx;
	CHECK(si->si_value.sival_int == self);
	say("thread %d hit %d work %lu\n", self, ++hits, work);
}

static void *thread(void *arg)
{
	struct sigevent ev = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN};
	struct itimerspec it = {{0, 1300000}, {0, 800000}};
	timer_t t;

	self = (int)(intptr_t)arg;
	ev.sigev_value.sival_int = self;
	ev.sigev_notify_thread_id = gettid();
	TRY(timer_create(CLOCK_MONOTONIC, &ev, &t));
	TRY(timer_settime(t, 0, &it, NULL));
	while (hits < 15)
		work++;
	TRY(timer_delete(t));
	return NULL;
}

int main(void)
{
	pthread_t th[3];

	t_on_info(SIGRTMIN, on_timer, SA_RESTART);
	for (intptr_t i = 0; i < 3; i++)
		TRY0(pthread_create(&th[i], NULL, thread, (void *)i));
	for (int i = 0; i < 3; i++)
		TRY0(pthread_join(th[i], NULL));
	return 0;
}
