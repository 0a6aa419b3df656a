/* Timed waits on a condition: some are signalled, some run out. */
#include "t.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
static bool stop;

static void *waker(void *arg)
{
	for (int i = 0; i < 10; i++) {
		t_sleep_us(t_rand_in(200, 2500));
		TRY0(pthread_cond_signal(&c));
	}
	TRY0(pthread_mutex_lock(&m));
	stop = true;
	TRY0(pthread_mutex_unlock(&m));
	return arg;
}

int main(void)
{
	pthread_condattr_t a;
	struct timespec ts;
	pthread_t th;

	TRY0(pthread_condattr_init(&a));
	TRY0(pthread_condattr_setclock(&a, CLOCK_MONOTONIC));
	TRY0(pthread_cond_init(&c, &a));
	TRY0(pthread_create(&th, NULL, waker, NULL));
	TRY0(pthread_mutex_lock(&m));
	while (!stop) {
		int r;

		TRY(clock_gettime(CLOCK_MONOTONIC, &ts));
		ts.tv_nsec += 1000000;
		if (ts.tv_nsec >= 1000000000) {
			ts.tv_nsec -= 1000000000;
			ts.tv_sec++;
		}
		r = pthread_cond_timedwait(&c, &m, &ts);
		CHECK(r == 0 || r == ETIMEDOUT);
		say("%s at %lu\n", r ? "timeout" : "signal", t_now_ns());
	}
	TRY0(pthread_mutex_unlock(&m));
	TRY0(pthread_join(th, NULL));
	return 0;
}
