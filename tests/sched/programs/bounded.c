/* A bounded buffer without a mistake: every schedule ends well, spurious wake-ups or not. */
#include <pthread.h>
#include <stdio.h>
#define N 12
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[2], used, sum;
static void *produce(void *p)
{
	for (int i = 1; i <= N; i++) {
		pthread_mutex_lock(&m);
		while (used == 2)
			pthread_cond_wait(&not_full, &m);
		buffer[used++] = i;
		pthread_cond_signal(&not_empty);
		pthread_mutex_unlock(&m);
	}
	return p;
}
static void *consume(void *p)
{
	for (int i = 1; i <= N; i++) {
		pthread_mutex_lock(&m);
		while (used == 0)
			pthread_cond_wait(&not_empty, &m);
		sum += buffer[--used];
		pthread_cond_signal(&not_full);
		pthread_mutex_unlock(&m);
	}
	return p;
}
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, i % 2 ? consume : produce, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return sum == N * (N + 1) ? 0 : 1;
}
