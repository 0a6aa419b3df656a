/* Peterson's algorithm with fences: pure spinning mutual exclusion. */
#include "t.h"

static volatile int want[2], turn;
static uint64_t counter, spins[2];

static void *body(void *arg)
{
	int me = (int)(intptr_t)arg, other = !me;

	for (int i = 0; i < 30; i++) {
		want[me] = 1;
		turn = other;
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		while (want[other] && turn == other)
			spins[me]++;
		counter++;
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		want[me] = 0;
		for (volatile int k = 0; k < 500; k++)
			continue;
	}
	return NULL;
}

int main(void)
{
	pthread_t th[2];

	for (intptr_t i = 0; i < 2; i++)
		TRY0(pthread_create(&th[i], NULL, body, (void *)i));
	for (int i = 0; i < 2; i++)
		TRY0(pthread_join(th[i], NULL));
	say("counter %lu spins %lu %lu\n", counter, spins[0], spins[1]);
	CHECK(counter == 60);
	return 0;
}
