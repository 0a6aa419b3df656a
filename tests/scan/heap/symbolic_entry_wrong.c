/* The mutex of entry i, the counter of entry i + 1. */
#include <pthread.h>

struct entry {
	int refs;
	pthread_mutex_t lock;
} cache[11];

static void *t_fun(void *arg)
{
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&cache[i].lock);
		cache[i].refs++; // RACE
		pthread_mutex_unlock(&cache[i].lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t t1;

	for (int i = 0; i < 11; i++)
		pthread_mutex_init(&cache[i].lock, NULL);
	pthread_create(&t1, NULL, t_fun, NULL);
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&cache[i].lock);
		cache[i + 1].refs++; // RACE
		pthread_mutex_unlock(&cache[i].lock);
	}
	pthread_join(t1, NULL);
	return 0;
}
