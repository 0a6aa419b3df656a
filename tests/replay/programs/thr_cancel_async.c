/* Asynchronous cancellation stops a busy loop at any instruction. */
#include "t.h"

static volatile uint64_t rounds;

static void cleanup(void *arg)
{
	(void)arg;
	say("cancelled at %lu\n", rounds);
}

static void *body(void *arg)
{
	TRY0(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL));
	pthread_cleanup_push(cleanup, NULL);
	for (;;)
		rounds++;
	pthread_cleanup_pop(0);
	return arg;
}

int main(void)
{
	for (int i = 0; i < 10; i++) {
		pthread_t th;
		void *ret;

		TRY0(pthread_create(&th, NULL, body, NULL));
		t_sleep_us(t_rand_in(200, 2000));
		TRY0(pthread_cancel(th));
		TRY0(pthread_join(th, &ret));
		CHECK(ret == PTHREAD_CANCELED);
	}
	return 0;
}
