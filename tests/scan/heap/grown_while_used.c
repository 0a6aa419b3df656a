/* A table is made larger while a thread uses the old one; the other table is only grown with its
 * lock held. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long *safe;

static void *user(void *arg)
{
	long *table = arg;

	table[3]++; // RACE
	pthread_mutex_lock(&lock);
	safe[3]++; // NORACE
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	long *table = calloc(8, sizeof(*table)), *larger;
	pthread_t t;

	safe = calloc(8, sizeof(*safe));
	pthread_create(&t, NULL, user, table);
	larger = realloc(table, 16 * sizeof(*table)); // RACE
	pthread_mutex_lock(&lock);
	safe = realloc(safe, 16 * sizeof(*safe)); // NORACE
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	free(larger);
	return 0;
}
