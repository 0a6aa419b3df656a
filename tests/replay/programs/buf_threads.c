/* A process that waited alone gets a second thread, which it then waits for; and is alone again. */
#include "buf.h"

static struct buf b;

static void *feed(void *arg)
{
	(void)arg;
	for (int i = 0; i < 2 * BUF_KINDS; i++) {
		t_sleep_us(t_rand_in(0, 1500));
		buf_put(&b);
	}
	return NULL;
}

int main(void)
{
	pthread_t t;

	buf_open(&b);
	buf_warm(&b);
	for (int round = 0; round < 4; round++) {
		for (enum buf_kind k = BUF_POLL; k < BUF_KINDS; k++)
			CHECK(buf_wait(&b, k, 1) == 0);
		TRY0(pthread_create(&t, NULL, feed, NULL));
		for (int i = 0; i < 2 * BUF_KINDS; i++) {
			CHECK(buf_wait(&b, (enum buf_kind)(i % BUF_KINDS), -1) == 1);
			say("round %d: %d at %lu\n", round, i, t_now_ns());
		}
		TRY0(pthread_join(t, NULL));
	}
	return 0;
}
