/* Unnamed semaphores: three permits among six threads. */
#include "t.h"
#include <semaphore.h>

static sem_t permits;
static int inside;

static void *body(void *arg)
{
	for (int i = 0; i < 10; i++) {
		int n;

		TRY(sem_wait(&permits));
		n = __atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
		CHECK(n <= 3);
		say("%ld in, %d inside\n", (long)(intptr_t)arg, n);
		if (i % 2)
			t_sleep_us(t_rand_in(0, 100));
		__atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
		TRY(sem_post(&permits));
	}
	return NULL;
}

int main(void)
{
	pthread_t th[6];
	int v;

	TRY(sem_init(&permits, 0, 3));
	for (intptr_t i = 0; i < 6; i++)
		TRY0(pthread_create(&th[i], NULL, body, (void *)i));
	for (int i = 0; i < 6; i++)
		TRY0(pthread_join(th[i], NULL));
	TRY(sem_getvalue(&permits, &v));
	CHECK(v == 3);
	return 0;
}
