/* lock[i] is taken, data[j] is changed. */
#include <pthread.h>
#include <stdint.h>

#define BUCKETS 8

static pthread_mutex_t locks[BUCKETS];
static int counts[BUCKETS];

static void move(unsigned from, unsigned to)
{
	pthread_mutex_lock(&locks[from]);
	counts[from]--; // RACE
	counts[to]++;   // RACE
	pthread_mutex_unlock(&locks[from]);
}

static void *worker(void *arg)
{
	unsigned k = (unsigned)(uintptr_t)arg;

	move(k % BUCKETS, (k + 3) % BUCKETS);
	return NULL;
}

int main(void)
{
	pthread_t t[8];

	for (int i = 0; i < BUCKETS; i++)
		pthread_mutex_init(&locks[i], NULL);
	for (uintptr_t i = 0; i < 8; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < 8; i++)
		pthread_join(t[i], NULL);
	return counts[0]; // NORACE
}
