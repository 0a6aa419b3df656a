/* lock[i] protects data[i]. */
#include <pthread.h>
#include <stdint.h>

#define BUCKETS 8

static pthread_mutex_t locks[BUCKETS];
static int counts[BUCKETS];

static void hit(unsigned key)
{
	unsigned i = key % BUCKETS;

	pthread_mutex_lock(&locks[i]);
	counts[i]++; // NORACE
	pthread_mutex_unlock(&locks[i]);
}

static void *worker(void *arg)
{
	for (unsigned k = 0; k < 100; k++)
		hit(k * 7 + (unsigned)(uintptr_t)arg);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < BUCKETS; i++)
		pthread_mutex_init(&locks[i], NULL);
	for (uintptr_t i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return counts[0]; // NORACE
}
