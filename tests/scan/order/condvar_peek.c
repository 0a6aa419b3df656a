/* The emptiness test is made before the lock is taken. */
#include <pthread.h>

static int count, misses;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

static void put(void)
{
	pthread_mutex_lock(&m);
	count++; // RACE
	pthread_cond_signal(&not_empty);
	pthread_mutex_unlock(&m);
}

static void get(void)
{
	if (count == 0)   // RACE
		misses++; // NORACE
	pthread_mutex_lock(&m);
	while (count == 0) // NORACE
		pthread_cond_wait(&not_empty, &m);
	count--; // NORACE
	pthread_mutex_unlock(&m);
}

static void *producer(void *arg)
{
	for (int i = 0; i < 10; i++)
		put();
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, producer, NULL);
	for (int i = 0; i < 10; i++)
		get();
	pthread_join(t, NULL);
	return misses < 0;
}
