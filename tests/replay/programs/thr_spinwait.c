/* Threads wait for each other by spinning on atomic flags, without a system call. */
#include "t.h"

static volatile int turn;
static uint64_t spins[2];

static void *body(void *arg)
{
	int self = (int)(intptr_t)arg;

	for (int i = 0; i < 20; i++) {
		while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != self)
			spins[self]++;
		__atomic_store_n(&turn, !self, __ATOMIC_RELEASE);
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
	say("spins %lu %lu\n", spins[0], spins[1]);
	return 0;
}
