/* Producer and consumer with condition variables and a small ring. */
#include "t.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static uint64_t ring[4];
static unsigned head, tail;

static void *producer(void *arg)
{
	for (int i = 0; i < 60; i++) {
		TRY0(pthread_mutex_lock(&m));
		while (head - tail == 4)
			TRY0(pthread_cond_wait(&not_full, &m));
		ring[head++ % 4] = t_rand() % 10000 + (uint64_t)(intptr_t)arg * 10000;
		TRY0(pthread_cond_signal(&not_empty));
		TRY0(pthread_mutex_unlock(&m));
	}
	return NULL;
}

int main(void)
{
	pthread_t th[2];

	for (intptr_t i = 0; i < 2; i++)
		TRY0(pthread_create(&th[i], NULL, producer, (void *)i));
	for (int i = 0; i < 120; i++) {
		uint64_t v;

		TRY0(pthread_mutex_lock(&m));
		while (head == tail)
			TRY0(pthread_cond_wait(&not_empty, &m));
		v = ring[tail++ % 4];
		TRY0(pthread_cond_signal(&not_full));
		TRY0(pthread_mutex_unlock(&m));
		say("%lu%s", v, i % 10 == 9 ? "\n" : " ");
	}
	TRY0(pthread_join(th[0], NULL));
	TRY0(pthread_join(th[1], NULL));
	return 0;
}
