/* A barrier: all pass or none; one of them is the serial thread. */
#include "t.h"

static pthread_barrier_t bar;
static int arrived[10];

static void *body(void *arg)
{
	for (int i = 0; i < 10; i++) {
		int r;

		t_sleep_us(t_rand_in(0, 200));
		__atomic_fetch_add(&arrived[i], 1, __ATOMIC_SEQ_CST);
		r = pthread_barrier_wait(&bar);
		CHECK(arrived[i] == 5);
		if (r == PTHREAD_BARRIER_SERIAL_THREAD)
			say("round %d: thread %ld is serial\n", i, (long)(intptr_t)arg);
		else
			CHECK(r == 0);
	}
	return NULL;
}

int main(void)
{
	pthread_t th[5];

	TRY0(pthread_barrier_init(&bar, NULL, 5));
	for (intptr_t i = 0; i < 5; i++)
		TRY0(pthread_create(&th[i], NULL, body, (void *)i));
	for (int i = 0; i < 5; i++)
		TRY0(pthread_join(th[i], NULL));
	return 0;
}
