/* Philosophers with forks in an array; the second table has one left-hander. */
#include <pthread.h>

#define N 3

pthread_mutex_t forks[N], fair[N];

void *eat(void *arg)
{
	long i = (long)arg;

	pthread_mutex_lock(&forks[i]);
	pthread_mutex_lock(&forks[(i + 1) % N]); // DEADLOCK
	pthread_mutex_unlock(&forks[(i + 1) % N]);
	pthread_mutex_unlock(&forks[i]);
	return NULL;
}

void *eat_fairly(void *arg)
{
	long i = (long)arg, j = (i + 1) % N;
	long low = i < j ? i : j, high = i < j ? j : i;

	pthread_mutex_lock(&fair[low]);
	pthread_mutex_lock(&fair[high]); // NODEADLOCK
	pthread_mutex_unlock(&fair[high]);
	pthread_mutex_unlock(&fair[low]);
	return NULL;
}

int main(void)
{
	pthread_t id[N], fid[N];

	for (int i = 0; i < N; i++) {
		pthread_mutex_init(&forks[i], NULL);
		pthread_mutex_init(&fair[i], NULL);
	}
	for (long i = 0; i < N; i++) {
		pthread_create(&id[i], NULL, eat, (void *)i);
		pthread_create(&fid[i], NULL, eat_fairly, (void *)i);
	}
	for (int i = 0; i < N; i++) {
		pthread_join(id[i], NULL);
		pthread_join(fid[i], NULL);
	}
	return 0;
}
