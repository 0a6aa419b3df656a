/* timer_create with SIGEV_THREAD: a new thread for each expiration. */
#include "t.h"
#include <semaphore.h>

static sem_t done;

static void expired(union sigval v)
{
	static int n;

	say("expired %d value %d on %s thread at %lu\n", ++n, v.sival_int,
		gettid() == getpid() ? "main" : "another", t_now_ns());
	sem_post(&done);
}

int main(void)
{
	struct sigevent ev = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expired};
	struct itimerspec it = {{0, 2000000}, {0, 1000000}};
	timer_t t;

	TRY(sem_init(&done, 0, 0));
	ev.sigev_value.sival_int = (int)(t_rand() % 100000);
	TRY(timer_create(CLOCK_MONOTONIC, &ev, &t));
	TRY(timer_settime(t, 0, &it, NULL));
	for (int i = 0; i < 5; i++)
		while (sem_wait(&done) < 0)
			CHECK(errno == EINTR);
	_exit(0); /* a late expiration must not print behind our back */
}
