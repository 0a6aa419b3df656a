/* trylock_ignored.c, mended: who does not get the lock at once waits for it.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *add(void *arg)
{
	for (int i = 0; i < 2; i++) {
		if (pthread_mutex_trylock(&lock) != 0)
			pthread_mutex_lock(&lock);
		total += *(int *)arg;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	int amounts[2] = {1, 10};
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, add, &amounts[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(total == 22);
	return 0;
}
