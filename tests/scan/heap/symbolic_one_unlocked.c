/* The entry's own mutex in one thread, none in the other. */
#include <pthread.h>
#include <stdlib.h>

struct entry {
	int refs;
	pthread_mutex_t lock;
} cache[10];

static void *t_fun(void *arg)
{
	int i = rand() % 10;

	pthread_mutex_lock(&cache[i].lock);
	cache[i].refs++; // RACE
	pthread_mutex_unlock(&cache[i].lock);
	return NULL;
}

int main(void)
{
	pthread_t t1;
	int j = rand() % 10;

	for (int i = 0; i < 10; i++)
		pthread_mutex_init(&cache[i].lock, NULL);
	pthread_create(&t1, NULL, t_fun, NULL);
	cache[j].refs++; // RACE
	pthread_join(t1, NULL);
	return 0;
}
