/* Deferred cancellation at a cancellation point, with cleanup handlers. */
#include "t.h"

static volatile uint64_t rounds;

static void cleanup(void *arg)
{
	say("cleanup %s after %lu rounds\n", (const char *)arg, rounds);
}

static void *body(void *arg)
{
	pthread_cleanup_push(cleanup, "outer");
	pthread_cleanup_push(cleanup, "inner");
	for (;;) {
		rounds++;
		if (rounds % 1000 == 0)
			pthread_testcancel();
	}
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return arg;
}

static void *sleeper(void *arg)
{
	pthread_cleanup_push(cleanup, "sleeper");
	pause();
	pthread_cleanup_pop(0);
	return arg;
}

int main(void)
{
	pthread_t th[2];
	void *ret;

	TRY0(pthread_create(&th[0], NULL, body, NULL));
	TRY0(pthread_create(&th[1], NULL, sleeper, NULL));
	t_sleep_us(t_rand_in(500, 4000));
	for (int i = 0; i < 2; i++) {
		TRY0(pthread_cancel(th[i]));
		TRY0(pthread_join(th[i], &ret));
		CHECK(ret == PTHREAD_CANCELED);
	}
	return 0;
}
