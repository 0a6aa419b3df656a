/* trywrlock with its failure path, and a reader that forgets the lock. */
#include <pthread.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int entries, misses;

static void *insert(void *arg)
{
	if (pthread_rwlock_trywrlock(&rw) == 0) {
		entries++;  // RACE
		misses = 0; // NORACE
		pthread_rwlock_unlock(&rw);
	}
	return NULL;
}

static void *lookup(void *arg)
{
	if (pthread_rwlock_tryrdlock(&rw)) {
		long guess = entries; // RACE

		return (void *)guess;
	}
	misses += entries; // RACE
	pthread_rwlock_unlock(&rw);
	return NULL;
}

int main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, i % 2 ? insert : lookup, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return entries; // NORACE
}
