/* The result of trylock is not looked at: when the lock is taken, the thread goes on without it
 * and unlocks what another holds.
 *
 * kind: data-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *add(void *arg)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_trylock(&lock); /* BUG */
		total += *(int *)arg;         /* BUG */
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
