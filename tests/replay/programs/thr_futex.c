/* Raw futexes: wait, wake, requeue, bitsets, timeouts, wrong values. */
#include "t.h"
#include <linux/futex.h>

static int a, b, awake;

static long futex(int *word, int op, int val, const void *t, int *word2, int val3)
{
	return syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, val, t, word2, val3);
}

static void *waiter(void *arg)
{
	long r = futex(&a, FUTEX_WAIT_BITSET, 0, NULL, NULL, (int)(intptr_t)arg);

	CHECK(r == 0);
	say("bits %ld awake\n", (long)(intptr_t)arg);
	__atomic_fetch_add(&awake, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

static void settle(pthread_t *th, int n)
{
	for (int i = 0; i < n; i++)
		TRY0(pthread_create(&th[i], NULL, waiter, (void *)(intptr_t)(1 << i)));
	t_sleep_us(3000);
}

int main(void)
{
	struct timespec ts = {0, 1000000};
	pthread_t th[4];
	long moved = 0;

	CHECK(futex(&a, FUTEX_WAIT, 1, NULL, NULL, 0) == -1 && errno == EAGAIN);
	CHECK(futex(&a, FUTEX_WAIT, 0, &ts, NULL, 0) == -1 && errno == ETIMEDOUT);
	settle(th, 4);
	while (__atomic_load_n(&awake, __ATOMIC_SEQ_CST) < 1) {
		futex(&a, FUTEX_WAKE_BITSET, 9, NULL, NULL, 4);
		sched_yield();
	}
	say("only bit 4 woke\n");
	while (moved < 3) {
		long r = futex(&a, FUTEX_CMP_REQUEUE, 0, (void *)10L, &b, 0);

		CHECK(r >= 0);
		moved += r;
	}
	say("requeued %ld\n", moved);
	while (__atomic_load_n(&awake, __ATOMIC_SEQ_CST) < 4) {
		say("woke %ld\n", futex(&b, FUTEX_WAKE, 1, NULL, NULL, 0));
		t_sleep_us(200);
	}
	for (int i = 0; i < 4; i++)
		TRY0(pthread_join(th[i], NULL));
	return 0;
}
