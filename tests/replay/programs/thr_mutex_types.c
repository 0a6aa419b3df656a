/* Recursive, error-checking and timed mutexes; trylock. */
#include "t.h"

static pthread_mutex_t m;

static void *try_it(void *arg)
{
	struct timespec ts;
	int r = pthread_mutex_trylock(&m);

	(void)arg;
	CHECK(r == EBUSY);
	TRY(clock_gettime(CLOCK_REALTIME, &ts));
	ts.tv_nsec += 2000000;
	if (ts.tv_nsec >= 1000000000) {
		ts.tv_nsec -= 1000000000;
		ts.tv_sec++;
	}
	CHECK(pthread_mutex_timedlock(&m, &ts) == ETIMEDOUT);
	say("timed out at %lu\n", t_now_ns());
	return NULL;
}

static void run(int type)
{
	pthread_mutexattr_t a;
	pthread_t th;

	TRY0(pthread_mutexattr_init(&a));
	TRY0(pthread_mutexattr_settype(&a, type));
	TRY0(pthread_mutex_init(&m, &a));
	TRY0(pthread_mutex_lock(&m));
	if (type == PTHREAD_MUTEX_RECURSIVE) {
		TRY0(pthread_mutex_lock(&m));
		TRY0(pthread_mutex_unlock(&m));
	} else {
		CHECK(pthread_mutex_lock(&m) == EDEADLK);
	}
	TRY0(pthread_create(&th, NULL, try_it, NULL));
	TRY0(pthread_join(th, NULL));
	TRY0(pthread_mutex_unlock(&m));
	TRY0(pthread_mutex_destroy(&m));
}

int main(void)
{
	run(PTHREAD_MUTEX_RECURSIVE);
	run(PTHREAD_MUTEX_ERRORCHECK);
	CHECK(pthread_mutex_init(&m, NULL) == 0);
	return 0;
}
