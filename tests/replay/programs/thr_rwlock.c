/* Readers and writers. */
#include "t.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static uint64_t a, b;

static void *reader(void *arg)
{
	for (int i = 0; i < 40; i++) {
		TRY0(pthread_rwlock_rdlock(&lock));
		CHECK(a == b);
		say("r%ld sees %lu\n", (long)(intptr_t)arg, a);
		TRY0(pthread_rwlock_unlock(&lock));
		if (i % 4 == 0)
			t_sleep_us(30);
	}
	return NULL;
}

static void *writer(void *arg)
{
	for (int i = 0; i < 30; i++) {
		while (pthread_rwlock_trywrlock(&lock) == EBUSY)
			sched_yield();
		a++;
		if (i % 3 == 0)
			sched_yield();
		b++;
		TRY0(pthread_rwlock_unlock(&lock));
	}
	return arg;
}

int main(void)
{
	pthread_t th[4];

	for (intptr_t i = 0; i < 4; i++)
		TRY0(pthread_create(&th[i], NULL, i < 2 ? reader : writer, (void *)i));
	for (int i = 0; i < 4; i++)
		TRY0(pthread_join(th[i], NULL));
	CHECK(a == 60 && b == 60);
	return 0;
}
