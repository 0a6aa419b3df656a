/* A write under the read lock. */
#include <pthread.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int entries, lookups;

static void *lookup(void *arg)
{
	long seen;

	pthread_rwlock_rdlock(&rw);
	seen = entries; // NORACE
	lookups++;      // RACE
	pthread_rwlock_unlock(&rw);
	return (void *)seen;
}

static void *insert(void *arg)
{
	pthread_rwlock_wrlock(&rw);
	entries++; // NORACE
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
	return entries + lookups; // NORACE
}
